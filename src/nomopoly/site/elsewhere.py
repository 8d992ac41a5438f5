"""What is asked for at one address and stands at another, as the page of a player whose name was spelt in another
way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

if TYPE_CHECKING:
    from nomopoly.site.api.door import Api
    from nomopoly.site.shapes import Respond


class Elsewhere(Exception):
    """Raised by whatever finds out that what is asked for stands at another address; answered with a redirection."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class Redirections:
    """The middleware that answers it on pages."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request as without this middleware."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseRedirect | None:
        """Answer Elsewhere with a redirection to its address; leave others (None) to Django."""
        return redirect(error.address) if isinstance(error, Elsewhere) else None


def answer_elsewhere(api: Api) -> None:
    """The same for a NinjaAPI, which answers its exceptions itself."""

    @api.exception_handler(Elsewhere)
    def handler(request: HttpRequest, error: Elsewhere) -> HttpResponseBase:
        return redirect(error.address)

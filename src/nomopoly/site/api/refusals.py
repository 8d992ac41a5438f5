"""Whatever is refused below /api/ before the API itself has a say, in its own form: JSON with a sentence in `error`.

That is an address that does not exist, a method that an address does not take, a host that this site is not, and
whatever breaks outside an operation. A page of HTML would tell a program nothing.
"""

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

if TYPE_CHECKING:
    from nomopoly.site.shapes import Respond

BELOW = "/api/"
WORDS = {
    400: "This request cannot be read: look at the name of the host, the address and the headers.",
    403: "You may not do this.",
    404: "There is no such address. /api/docs lists all addresses of the API; none of them ends with a slash.",
    413: "This is too long: shorten it.",
    500: "Something broke on our side. What you sent was undone as a whole: try again in a moment.",
}


def in_json(get_response: "Respond") -> "Respond":
    """The middleware that answers programs in JSON where a page, or a bare line, would have told them of a failure.

    With DEBUG, a failure of the site (500) stays the page with the traceback.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not request.path.startswith(BELOW) or response.status_code < 400 or is_json(response):
            return response
        if settings.DEBUG and response.status_code >= 500:
            return response
        told = JsonResponse({"error": words(request, response)}, status=response.status_code)
        for name in ("Allow", "Retry-After"):
            if response.has_header(name):
                told[name] = response[name]
        told["Cache-Control"] = "private, no-store"
        return told

    return answer


def is_json(response: HttpResponseBase) -> bool:
    """Whether a response is for programs already."""
    return response.headers.get("Content-Type", "").startswith("application/json")


def words(request: HttpRequest, response: HttpResponseBase) -> str:
    """What went wrong, and what to do."""
    if response.status_code == 405:
        told = f"This address does not take {request.method}, but {response['Allow']}."
        return f"{told} /api/docs says what each address takes."
    return WORDS.get(response.status_code, response.reason_phrase)

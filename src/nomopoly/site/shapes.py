"""What plain data is called in the signatures of the site.

Rules declare which attributes a thing has, so what a game tells is data by name; these names say what it is data of.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

Data = dict[str, Any]  # an object of JSON
Scope = dict[str, Any]  # what ASGI tells of a connection
Receive = Callable[[], Awaitable[Data]]  # the next message of a client
Send = Callable[[Mapping[str, Any]], Awaitable[None]]  # a message to a client
Commons = Iterable[tuple[str, str]]  # the shared modules of a game: (name, source)
Respond = Callable[[HttpRequest], HttpResponseBase]  # what a middleware calls for the answer

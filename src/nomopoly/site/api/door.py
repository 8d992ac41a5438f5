"""The door of the API: who asks, how often they may, and how it says no."""

import json
import math
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser
from ninja.security import HttpBearer
from ninja.throttling import SimpleRateThrottle
from ninja.utils import check_csrf

from nomopoly.errors import CommandError
from nomopoly.site import door
from nomopoly.site.accounts import keys
from nomopoly.site.door import Seat
from nomopoly.site.shapes import Data
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import ApiKey, User

RATE = "120/m"
MOST_BYTES = 1_000_000  # of an answer
NO_JSON = 'The body cannot be read: send one JSON object, as {"fields": {}}, in UTF-8.'
TOO_LONG = f"This is too long: a request has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes."
CUT_AFTER = (20_000, 2_000, 200)  # characters of a word in an answer that is too long


class Limit(threading.local, SimpleRateThrottle):
    """So many requests a minute, to one process. What it notes while it looks is each thread's own."""

    cache = caches["local"]


class PerKey(Limit):
    """A limit of requests that counts those of each key."""

    def get_cache_key(self, request: HttpRequest) -> str | None:
        """What requests are counted by: the key they come with. None without a key: they are not counted here."""
        key = key_of(request)
        return None if key is None else f"api-key-{key.pk}"


class PerAddress(Limit):
    """For those without a key: browsers, visitors, and who guesses keys."""

    def get_cache_key(self, request: HttpRequest) -> str | None:
        """What requests are counted by: the address they come from. None with a key: they are not counted here."""
        return None if key_of(request) else f"api-address-{self.get_ident(request)}"


PER_KEY, PER_ADDRESS = PerKey(RATE), PerAddress(RATE)


class Key(HttpBearer):
    """`Authorization: Bearer nomo_...`: a key made at /settings/keys/."""

    def authenticate(self, request: HttpRequest, token: str) -> "ApiKey":
        """Sign the request in as the owner of the key, and return the key.

        Raises AuthenticationError if nobody has this key, and Throttled if this address has tried too many.
        """
        key = keys.find(token.strip())
        if key is None:
            if not PER_ADDRESS.allow_request(request):
                wait = PER_ADDRESS.wait()
                raise Throttled(None if wait is None else int(wait))
            raise AuthenticationError(
                message="This key opens nothing: it was revoked, or mistyped. Make one at /settings/keys/"
            )
        request.user = key.user
        return key


class Browser:
    """Whoever comes without a key: signed in with a browser, or a visitor."""

    csrf = True

    def __call__(self, request: HttpRequest) -> str:
        """Let the request in as it is. Raises PermissionDenied if it would write and has no CSRF token."""
        if request.method == "POST" and request.user.is_authenticated and check_csrf(request):
            raise PermissionDenied("This came from elsewhere: send the CSRF token of a page, or use a key.")
        return "browser"


def key_of(request: HttpRequest) -> "ApiKey | None":
    """The key with which a request came; None if it came by a session."""
    auth = getattr(request, "auth", None)  # what one of the ways in has found
    return None if isinstance(auth, str) else auth


def enter(request: HttpRequest, slug: str, to_play: bool = False) -> Seat:
    """The seat that this request takes at a game, as on its pages. A key opens its own game alone."""
    key = key_of(request)
    if key is not None and key.game.slug != slug:
        raise PermissionDenied("This key is for another game.")
    if to_play:
        may_play(key)
    return door.sit(request, slug, game=None if key is None else key.game)


def may_play(key: "ApiKey | None") -> None:
    """Raise PermissionDenied of a key that may only read: it changes nothing."""
    if key is not None and key.scope != key.Scope.PLAY:
        raise PermissionDenied("This key may only read: make one that may play.")


def signed_in(request: HttpRequest) -> "User":
    """The user who asks. Raises AuthenticationError where nobody is signed in."""
    if not request.user.is_authenticated:
        raise AuthenticationError(message="Sign in, or send a key (/settings/keys/): this is about you")
    return request.user


# ---- answers


class Strict(Parser):
    """What a body says, if it is JSON: Python would take NaN and 1e999 too, and an order would go on with nothing in
    their place."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The body as data. Raises NoNumber, and ValueError where it is no JSON."""
        return json.loads(request.body, parse_constant=finite, parse_float=finite)


class NoNumber(ValueError):
    """A number in a body is none that JSON has, or is too large to be one."""


def finite(text: str) -> float:
    """A number with a fraction or an exponent. Raises NoNumber if it is none."""
    if not math.isfinite(number := float(text)):
        raise NoNumber(f"{text:.40} is no number that can be sent: send one that is finite, or null.")
    return number


class Api(NinjaAPI):
    """The API with what all its answers have in common."""

    def create_response(self, request: HttpRequest, data: dict[Any, Any], *parts: Any, **more: Any) -> HttpResponse:
        """Every answer is its reader's own; words are cut in one that is too long, and the header `X-Cut-After` says
        so."""
        response = super().create_response(request, data, *parts, **more)
        for most in CUT_AFTER:
            if len(response.content) <= MOST_BYTES:
                break
            response = super().create_response(request, queries.shortened(data, most), *parts, **more)
            response["X-Cut-After"] = str(most)
        response["Cache-Control"] = "private, no-store"
        return response

    @cached_property
    def schemas(self) -> dict[str, OpenAPISchema]:
        """What has been worked out of the schema, by the path that the addresses begin with."""
        return {}

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Data | None = None) -> OpenAPISchema:
        """With what every operation may answer. It is worked out once: read it, change nothing in it."""
        path = self.get_root_path(path_params or {}) if path_prefix is None else path_prefix
        if path not in self.schemas:
            schema = super().get_openapi_schema(path_prefix=path)
            for operations in schema["paths"].values():
                for operation in operations.values():
                    for status, words in SAYS.items():
                        operation["responses"].setdefault(status, {"description": words})
            self.schemas[path] = schema
        return self.schemas[path]


class Refused(Schema):
    """Why an order was not carried out, in the rule's own words. `until`: from when it is possible, where that is
    known."""

    refused: str
    rule: str | None = None
    until: int | None = None
    fault: Data | None = None


class No(Schema):
    """What was wrong with a request, in words."""

    error: str


SAYS = {
    400: gettext_noop("This cannot be read: no JSON, or a moment that is none or lies outside the game"),
    401: gettext_noop("The key opens nothing"),
    403: gettext_noop("You may not do this; the answer says who may"),
    404: gettext_noop("It is not there, or not for you"),
    405: gettext_noop("This address does not take this method; Allow says which ones it takes"),
    413: gettext_noop("The request is too long"),
    422: gettext_noop("A field has the wrong shape, or an Idempotency-Key came with something else before"),
    429: gettext_noop("Too many requests: try again after the seconds that Retry-After says"),
    500: gettext_noop("Something broke on our side; what was sent was undone as a whole"),
    503: gettext_noop(
        "The game or the site is busy, and nothing was done: try again after the seconds that Retry-After says"
    ),
}


def unfit(error: ValidationError) -> str:
    """What does not fit, field by field."""
    told = [f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in error.errors]
    return "; ".join(told)


def unreadable(error: HttpError) -> str:
    """Why a body cannot be read: ninja raises this error for that alone."""
    return str(error.__cause__) if isinstance(error.__cause__, NoNumber) else NO_JSON


def answer_errors(api: Api) -> None:
    """Every refusal of the door in the words of the pages, as {"error": ...}."""

    def say(error_class: Any, status: int, words: Any = str) -> None:
        @api.exception_handler(error_class)
        def handler(request: HttpRequest, error: Any) -> HttpResponse:
            response = api.create_response(request, {"error": words(error)}, status=status)
            if status == 401:
                response["WWW-Authenticate"] = "Bearer"
            if status == 429 and error.wait is not None:
                response["Retry-After"] = str(int(error.wait) + 1)
            return response

    say(Http404, 404, lambda error: str(error) or "There is no such thing.")
    say(PermissionDenied, 403)
    say(AuthenticationError, 401)
    say(BadRequest, 400)
    say(CommandError, 400)
    say(HttpError, 400, unreadable)
    say(RequestDataTooBig, 413, lambda error: TOO_LONG)
    say(ValidationError, 422, unfit)
    say(Throttled, 429, lambda error: f"Too many requests: at most {RATE.partition('/')[0]} a minute.")

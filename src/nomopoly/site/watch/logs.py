"""Lines of the log: each with the request and the game that it is about, as text or as JSON, and without secrets.

`NOMOPOLY_LOG=json` writes an object a line: `at` (ISO 8601, UTC), `level`, `logger`, `message`, and where there are
such `request`, `game`, `trace`. A secret that gets into a line all the same (a key, a secret address, a password in an
URL) is blotted out.
"""

from __future__ import annotations

import contextlib
import contextvars
import json
import logging
import re
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data, Respond


_request = contextvars.ContextVar("request", default="")
_game = contextvars.ContextVar("game", default="")

GIVEN = re.compile(r"[\w.-]{8,64}")  # a request's id that a server in front of us may give
GAME = re.compile(r"^/(?:api/v1/)?g/([\w-]{1,40})(?:/|$)")
BLOT = "[secret]"
SECRETS = (  # what comes before a secret is kept
    re.compile(r"(/(?:feeds|again|unsubscribe|stop)/)[^/\s\"'?]+"),
    re.compile(r"(/account/(?:password/reset/key|confirm-email|verify-email)/)[^/\s\"'?]+"),
    re.compile(r"((?:invitation|token|code|password|secret|key)=)[^&\s\"']+", re.IGNORECASE),
    re.compile(r"(Bearer\s+)\S+", re.IGNORECASE),
    re.compile(r"(://[^/\s:@]*:)[^/\s@]+(?=@)"),
    re.compile(r"()\bnomo_[\w-]{8,}"),
    re.compile(r"()[\w.+%-]{1,64}@(?:[\w-]{1,63}\.)+\w{2,}"),  # an address of mail, as servers repeat it in a refusal
)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]")


# ---- what a line is about


def context(get_response: Respond) -> Callable[[Any], Any]:
    """The middleware: every line that is written while a request is answered bears its id, which the answer has too."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        name = given if GIVEN.fullmatch(given) else uuid.uuid4().hex[:16]
        about = GAME.match(request.path)
        marks = [_request.set(name), _game.set(about[1] if about else "")]
        try:
            response = get_response(request)
        finally:
            _request.reset(marks[0])
            _game.reset(marks[1])
        response["X-Request-ID"] = name
        return response

    return answer


@contextlib.contextmanager
def about_game(slug: str) -> Iterator[None]:
    """Every line that is written within is about a game."""
    mark = _game.set(slug)
    try:
        yield
    finally:
        _game.reset(mark)


class Context(logging.Filter):
    """Puts on a record what it is about. A request that was refused (403) is no fault, and has no traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Put request and game on the record; True, as every record is kept."""
        record.request_id, record.game = _request.get(), _game.get()
        if getattr(record, "status_code", None) == 403:
            record.exc_info = record.exc_text = None
        return True


# ---- how it is written


def show(told: str, error: bool = False) -> None:
    """Print something on the console of a program that goes on, on stdout, or where errors go. What cannot be written
    there (a full disk, a reader that has gone) stops nothing, as with lines of the log."""
    with contextlib.suppress(OSError):
        print(told, file=sys.stderr if error else sys.stdout, flush=True)


def blotted(text: str) -> str:
    """A text without the secrets that can be recognised by their form."""
    for secret in SECRETS:
        text = secret.sub(rf"\1{BLOT}", text)
    return text


def one_line(text: str) -> str:
    """A text whose control characters and line breaks are written out, so that nobody forges a line of the log."""
    return CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode(), text.replace("\n", "\\n"))


class Line(logging.Formatter):
    """A line of text: moment, level, logger, message, and what it is about in brackets; a traceback below it."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """The moment of the record as the lines of the log have it."""
        return moment(record)

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line of text, with a traceback below it; secrets are blotted out."""
        about = [f"{name}={value}" for name, value in subject(record).items()]
        line = f"{moment(record)} {record.levelname} {record.name}: {one_line(record.getMessage())}"
        line += f" [{' '.join(about)}]" if about else ""
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return blotted(line)


class Json(logging.Formatter):
    """The same as an object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as an object of JSON in one line; secrets are blotted out."""
        told = {"at": moment(record), "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        told |= subject(record)
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps({name: blotted(str(value)) for name, value in told.items()}, ensure_ascii=False)


def moment(record: logging.LogRecord) -> str:
    """When a record was made, in UTC."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def subject(record: logging.LogRecord) -> Data:
    """What a record is about: {"request", "game"}, where there are such."""
    found = {"request": getattr(record, "request_id", ""), "game": getattr(record, "game", "")}
    return {name: value for name, value in found.items() if value}


def settings(form: str) -> dict[Any, Any]:
    """Django's LOGGING. `form`: "json" or "text"."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"context": {"()": "nomopoly.site.watch.logs.Context"}},
        "formatters": {
            "text": {"()": "nomopoly.site.watch.logs.Line"},
            "json": {"()": "nomopoly.site.watch.logs.Json"},
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": form, "filters": ["context"]}},
        "root": {"handlers": ["console"], "level": "WARNING"},  # libraries too
        "loggers": {
            "nomopoly": {"level": "INFO"},
            "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        },
    }

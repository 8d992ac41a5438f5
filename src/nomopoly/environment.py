"""What the environment says, as what it has to be. Raises CommandError where it cannot be that."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from nomopoly.errors import CommandError

HOST = re.compile(r"\*|\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]")
IN_PASSWORDS = "signs in a password with %, as in %40 for @ and %23 for #"


def switched_on(name: str) -> bool:
    """Whether it switches something on: by 1, and by nothing or 0 it does not."""
    given = os.environ.get(name, "").strip()
    if given not in ("", "0", "1"):
        raise CommandError(f"the environment says what cannot be: {name} has to be 1 or 0")
    return given == "1"


def one_of(name: str, *words: str) -> str:
    """One of these words; the first one where it says nothing."""
    given = os.environ.get(name, "").strip() or words[0]
    if given not in words:
        raise CommandError(f"the environment says what cannot be: {name} has to be one of: {', '.join(words)}")
    return given


def whole_number(name: str, otherwise: int, least: int = 0, most: int | None = None) -> int:
    """A whole number, not below `least` and not above `most`; `otherwise` where it says nothing."""
    given = os.environ.get(name, "").strip()
    if not given:
        return otherwise
    if not (given.isascii() and given.isdecimal()) or int(given) < least:
        raise CommandError(f"the environment says what cannot be: {name} has to be a whole number, from {least} on")
    if most is not None and int(given) > most:
        raise CommandError(f"the environment says what cannot be: {name} has to be {most} at most")
    return int(given)


def address(name: str, given: str, schemes: tuple[str, ...], like: str) -> SplitResult:
    """An address in parts, which has one of these schemes, and a port that is a number if it has one. `like` is what is
    told otherwise."""
    try:
        parts = urlsplit(given)
        fits = parts.scheme in schemes and (parts.port is None or parts.port > 0) and not parts.fragment
    except ValueError:
        fits = False
    if not fits:
        raise unlike(name, like)
    return parts


def unlike(name: str, like: str) -> CommandError:
    """What is told of something that has another form than it has to have."""
    return CommandError(f"the environment says what cannot be: {name} has to be like {like}")


def hosts() -> list[str]:
    """The names of the machines by which the site is reached."""
    given = os.environ.get("NOMOPOLY_HOSTS") or "127.0.0.1,localhost,[::1]"
    names = [each.strip() for each in given.split(",") if each.strip()]
    if not names or not all(HOST.fullmatch(each) for each in names):
        raise CommandError(
            "the environment says what cannot be: NOMOPOLY_HOSTS has to be names alone, like play.example.org, with "
            "commas between them; a port stands in NOMOPOLY_ADDRESS"
        )
    return names


def mail_server(url: str) -> dict[str, Any]:
    """How mails go out, as EMAIL_URL says."""
    like = f"smtp://user:password@host:port, with ?tls=1 or ?ssl=1; {IN_PASSWORDS}"
    parts = address("EMAIL_URL", url, ("smtp",), like)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    switches = set(options.items()) <= {(name, on) for name in ("tls", "ssl") for on in "01"}
    if not parts.hostname or not switches or list(options.values()).count("1") > 1:
        raise unlike("EMAIL_URL", like)
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or 25,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": options.get("tls") == "1",
        "EMAIL_USE_SSL": options.get("ssl") == "1",
    }


def web_address(name: str, like: str) -> str:
    """An address of pages, without a slash at its end; "" where it says nothing."""
    given = os.environ.get(name, "")
    if given and not address(name, given, ("http", "https"), like).hostname:
        raise unlike(name, like)
    return given.rstrip("/")

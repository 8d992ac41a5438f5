"""A client of the API for programs that play: what a game says, what it lets one do, and a stream of what happens.

It needs nothing but Python, and nothing else of this package. `docs/api.md` says how to make a key.

    game = Client("https://example.org/api/v1/g/friday", key)
    for entry in game.events():
        ...
"""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any

Data = dict[str, Any]
SECONDS = 30.0  # for an answer; an open stream says every 20 seconds that it is still there
PATIENCE = 5.0  # seconds before a lost connection is tried again
BUSY = (429, 502, 503, 504)  # 502 and 504: what stands before the site does not reach it
TRIES = 5
LEAVING = ("leave-game", "leave")  # actions that a model is not offered: what it answers may be anything
NO_KEY = "the key has a character that cannot be sent: copy it once more, without line breaks"
NO_WORD = "the Idempotency-Key has a character that cannot be sent: take letters and digits, without line breaks"
SAFE = "/?&=%+,;:@!$'()*~"  # in an address; all else is written with %, as names may hold anything


class Refused(Exception):
    """What was asked for was not done. `status` is that of the answer, `told` what it says: `refused`, `rule`, `error`
    ..."""

    def __init__(self, status: int, told: Data) -> None:
        super().__init__(str(told.get("refused") or told.get("error") or told))
        self.status = status
        self.told = told


class Client:
    """One game of a site, as the owner of a key sees it ("" for a visitor). Raises ValueError for what is no key."""

    def __init__(self, address: str, key: str = "") -> None:
        self.address = address.strip().rstrip("/")
        self.key = in_header(key.strip(), NO_KEY)

    # ---- asking

    def get(self, path: str = "", **wanted: object) -> Any:
        """What an address below the game's answers. Raises Refused, and OSError where the site cannot be reached."""
        query = "?" + urllib.parse.urlencode(wanted) if wanted else ""
        return self._answer(path + query)

    def post(self, path: str, content: Data, word: str = "") -> Any:
        """Ask for something to be done; after a lost connection it is asked for again, and done once. As `get`.

        `word`: the Idempotency-Key, for a program that asks again after it was ended itself; "": a new one. Raises
        ValueError if it cannot be sent.
        """
        word = in_header(word or uuid.uuid4().hex, NO_WORD)
        headers = {"Content-Type": "application/json", "Idempotency-Key": word}
        body = json.dumps(content).encode()
        for left in range(TRIES - 1, -1, -1):
            try:
                return self._answer(path, body, headers)
            except OSError:
                if not left:
                    raise
                time.sleep(PATIENCE)
        return None

    def actions(self) -> list[Data]:
        """What one can do, with the forms: [{"id", "label", "possible", "fields": [{"name", "choices", ...}], ...}]."""
        return self.get("/actions")  # type: ignore[no-any-return]

    def order(self, action: str, fields: Data | None = None, preview: bool = False, word: str = "") -> Data:
        """Give an order, or see what it would do. Raises Refused with the rule's reason. `word`: as in `post`."""
        asked = {"fields": fields or {}, **({"preview": True} if preview else {})}
        return self.post(f"/act/{action}", asked, word)  # type: ignore[no-any-return]

    def _answer(self, path: str, body: bytes | None = None, headers: Data | None = None) -> Any:
        """What is answered, read to its end."""
        try:
            with self._open(path, body, headers) as answer:
                told = answer.read()
                if answer.headers.get_content_type() == "text/html":
                    raise Refused(answer.status, no_api(self.address))
                return json.loads(told)
        except http.client.HTTPException as error:  # no OSError where an answer ends in its middle
            raise ConnectionError(f"the answer of {self.address + path} broke off") from error

    def _open(self, path: str, body: bytes | None = None, headers: Data | None = None) -> Any:
        """An answer that can be read. Who has to wait is waited for."""
        headers = {**(headers or {}), **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        for left in range(TRIES - 1, -1, -1):
            request = urllib.request.Request(self.address + urllib.parse.quote(path, SAFE), body, headers)
            try:
                return urllib.request.urlopen(request, timeout=SECONDS)
            except urllib.error.HTTPError as error:
                with error:
                    page = error.headers.get_content_type() == "text/html" and error.code not in BUSY
                    told = no_api(self.address) if page else as_json(error.read())
                if error.code not in BUSY or not left:
                    raise Refused(error.code, told) from None
                wait = error.headers.get("Retry-After") or ""
                time.sleep(float(wait) if wait.isdecimal() else PATIENCE)  # it may be a date
        raise AssertionError

    # ---- hearing

    def events(self, after: int | str | None = None) -> Iterator[Data]:
        """Entries of the log as they come, oldest first, for ever; `after`: the `hash` of the last one that is known,
        or its number; "": from the beginning.

        A connection that is lost is made again, and nothing is missed. Raises Refused where the site says no.
        """
        if after is None:
            after = self.latest()
        for _ in self.grows():
            for entry in lasting(self.since, after):
                after = entry["hash"]  # its number may be another one after a strike, and not all have one
                yield entry

    def latest(self) -> str:
        """The hash of the last entry that one may see."""
        return self.get("/log", size=1)["entries"][0]["hash"]  # type: ignore[no-any-return]

    def since(self, after: int | str) -> list[Data]:
        """The entries since one (its hash or its number; "": all), oldest first, each once."""
        found: dict[str, Data] = {}  # what comes meanwhile pushes entries to the next page, where they are told again
        page = 1
        while True:
            told = self.get("/log", page=page, after=after)
            for entry in told["entries"]:
                found.setdefault(entry["hash"], entry)
            if page >= told.get("pages", 1):
                return list(found.values())[::-1]
            page += 1

    def grows(self) -> Iterator[int]:
        """A number that grows with what one may see: now, and whenever there is something new."""
        seen = -1
        while True:
            try:
                number = int(self.get("/news")["news"])
                if number != seen:
                    yield (seen := number)
                with self._open(f"/news?seen={seen}", headers={"Accept": "text/event-stream"}) as stream:
                    for line in stream:
                        if line.startswith(b"data:"):
                            yield (seen := int(line[5:]))
            except Refused as refusal:
                if refusal.status not in BUSY:
                    raise
            except (OSError, ValueError, http.client.HTTPException):  # lost: another one
                pass
            time.sleep(PATIENCE)


def in_header(text: str, otherwise: str) -> str:
    """What is sent in a header. Raises ValueError, in these words, if none can hold it."""
    if not re.fullmatch(r"[ -~\xa1-\xff]*", text):
        raise ValueError(otherwise)
    return text


def lasting(ask: Callable[..., Any], *of: object) -> Any:
    """What a question is answered, asked again until the site is there. Raises Refused where the site says no."""
    while True:
        try:
            return ask(*of)
        except Refused as refusal:
            if refusal.status not in BUSY:
                raise
        except OSError:
            pass
        time.sleep(PATIENCE)


def no_api(address: str) -> Data:
    """What is said where a page answers."""
    return {"error": f"{address} answers with a page: the address of a game ends with /api/v1/g/<slug>"}


def as_json(body: bytes) -> Data:
    """What an answer says, whatever it is."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        told = None
    return told if isinstance(told, dict) else {"error": body.decode("utf-8", "replace")[:300]}


# ---- a language model as a player


def offered(actions: list[Data]) -> list[Data]:
    """The actions that a language model may choose from: what is possible now, but for leaving the game."""
    return [each for each in actions if each.get("possible") and each["id"] not in LEAVING]


def asked_of_model(game: Data, actions: list[Data]) -> str:
    """A question to a language model: how things stand, and what it can do; it answers with JSON."""
    possible = [each for each in offered(actions) if not each.get("hidden")]
    lines = [f"You play {game.get('title', 'a game')}. How players stand: {json.dumps(game.get('standing', []))}"]
    lines.append('You can do one of these. Answer with one line of JSON: {"do": id, "fields": {name: choice}}, or {}.')
    for each in possible:
        fields = {field["name"]: choices_of(field) or kind_of(field) for field in each["fields"]}
        lines.append(f"{each['id']} ({each['label']}): {json.dumps(fields)}")
    return "\n".join(lines)


def choices_of(field: Data) -> list[Any] | str:
    """What a field offers; where it takes several of that, it says so."""
    choices = [choice["id"] for choice in field.get("choices") or []][:20]
    return f"a list of some of {json.dumps(choices)}" if choices and field.get("type") == "anything" else choices


def kind_of(field: Data) -> str:
    """What a field without choices takes, in a few words."""
    told = [str(field.get("type", "words"))]
    if field.get("parts"):
        numbers = ["money", *(field.get("counted") or [])]
        parts = [f'"{part}": {"a number" if part in numbers else "[ids]"}' for part in field["parts"]]
        what = f"{{{', '.join(parts)}}}"
        deal = f'{{"transfers": [{{"from": a player, "to": a player, "what": {what}}}]}}'
        told[0] += " " + (deal if field.get("type") == "deal" else what)
    told += [f"{name} {field[name]}" for name in ("least", "most") if field.get(name) is not None]
    return ", ".join([*told, "optional"] if field.get("optional") else told)


def chosen_by_model(answer: object, actions: list[Data]) -> tuple[str, Data] | None:
    """The order in the last JSON of what a model has answered, which may be anything; None if it is none that it could
    give."""
    told: Data = ([{}, *objects_in(answer)] if isinstance(answer, str) else [{}])[-1]
    do, fields = told.get("do"), told.get("fields")
    fields = {} if fields is None else fields
    possible = {each["id"] for each in offered(actions)}
    return (do, fields) if isinstance(do, str) and do in possible and isinstance(fields, dict) else None


def objects_in(text: str) -> Iterator[Data]:
    """The objects of JSON that stand in a text, one after the other."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            told, end = decoder.raw_decode(text, at)
            yield told
        except RecursionError:  # nobody's order
            return
        except ValueError:
            end = at + 1
        at = text.find("{", end)


def play_by_model(game: Client, model: Callable[[str], str]) -> Data | None:
    """Let a model (question -> answer) give one order. Returns what came of it; None if it chose nothing that can be
    done."""
    actions = game.actions()
    chosen = chosen_by_model(model(asked_of_model(game.get(), actions)), actions)
    if chosen is None:
        return None
    try:
        return game.order(*chosen)
    except Refused as refusal:
        return refusal.told

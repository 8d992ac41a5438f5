"""Twin games that are the same but for one secret: every address answers the same, in the same length, to who may not
know it."""

import gzip
import os
import re
from types import SimpleNamespace

import pytest
from django.test import Client
from pagewords import DAY, MONDAY, grant, seated

from nomopoly.runtime import host
from nomopoly.site.api.routes import api
from nomopoly.site.tables import domain, live

PAGES = """board/table/ squares/1/ squares/7/ squares/8/ squares/9/ squares/17/ act/ market/ trades/ trades/offer-1/ trades/1/ answers/ rules/
rules.md rules.json rules/history/ rules/diff/ rulings/ proposals/ proposals.csv proposals/1/ proposals/1.json proposals/1/diff/ proposals/2/
players/ players/Ann/ players/Ben/ players/Cid/ players/Ann/account/ players/Ann/account.csv players/Ben/account/ accounts/
accounts/admin/ accounts/admin.csv log/ log/?player=Ann log/?player=Ben log/?square=7 log/week/1/ log/feed.atom forum/ calendar.ics
about/ dice/ export/ admin/ admin/strike/ admin/grant/ admin/accept/ admin/rule/ admin/settings/ try/ ?at=1 log/?q=Ann"""
MASKS = (
    (rb"[0-9a-f]{64}", b"HASH"),  # of lines, commitments and salts
    (rb'name="csrfmiddlewaretoken" value="[^"]*"', b"CSRF"),
    (rb'name="once" value="[^"]*"', b"ONCE"),
    (rb"UID:[0-9a-f]{32}@", b"UID"),  # of the game's address
    (rb"invitation=[\w-]{16}", b"INVITATION"),
)


def twin(slug, keeper, people, edition, names=("Ann", "Ben", "Cid")):
    """A game with three players, and dice like its twin's."""
    game = domain.start_game(keeper.user, edition=edition, title="Twins", slug=slug, at=live.now())
    for name in names:
        seated(game, people(name.lower()), name)
    return game


def prepared_ii(game):
    for square, owner in (("#7", "Ann"), ("#17", "Ann"), ("#8", "Ben")):
        grant(game, square, "owner", owner)
    grant(game, "game", "week", 3)


def do(game, who, action, **fields):
    """An order that must go well."""
    outcome = domain.order(game, who, action, fields)
    assert outcome.ok, outcome


def given(game, who, attribute, value):
    outcome = domain.desk_act(game, "grant", {"thing": who, "attribute": attribute, "value": value, "because": "x"})
    assert outcome.ok, outcome


def offered(game, **take):
    give = {"squares": ["#7"]} if take.pop("square", True) else {"money": 5}
    do(game, "Ann", "trade", **{"with": "Ben", "give": give, "take": take})


def voted(game, choice):
    do(game, "Ann", "propose", title="Half", text="Half the fine")
    do(game, "Ben", "vote", on="P1", choice=choice)


def disguised(game, victim):
    grant(game, "Ann", "items", ["disguise-kit"])
    do(game, "Ann", "use-item", item="disguise-kit", victim=victim)


def bid(game, amount):
    do(game, "Ann", "bid-for-governor", amount=amount)


BOTH = ("visitor", "Cid")
ALL = (*BOTH, "Admin")
# (the secret, edition, what is prepared, the same with one secret and with another one, who may not know it)
SECRETS = [
    ("a hand's card", "ii", prepared_ii, lambda game: given(game, "Ann", "cards", ["I"]), lambda game: given(game, "Ann", "cards", ["XIII"]), BOTH),
    ("the amount of an offer", "ii", prepared_ii, lambda game: offered(game, money=3), lambda game: offered(game, money=1234), ALL),
    ("the words of an offer", "ii", prepared_ii, lambda game: do(game, "Ann", "trade", **{"with": "Ben", "give": {"money": 3}, "take": {"squares": ["#8"]}, "words": "A"}), lambda game: do(game, "Ann", "trade", **{"with": "Ben", "give": {"money": 3}, "take": {"squares": ["#8"]}, "words": "Be quick, and tell nobody"}), ALL),
    ("a balance in the bank", "ii", prepared_ii, lambda game: given(game, "Ann", "bank_balance", 7), lambda game: given(game, "Ann", "bank_balance", 4711), BOTH),
    ("a credit card", "ii", prepared_ii, lambda game: given(game, "Ann", "credit_balance", 7), lambda game: given(game, "Ann", "credit_balance", 411), BOTH),
    ("a bid", "ii", prepared_ii, lambda game: bid(game, 4), lambda game: bid(game, 512), BOTH),
    ("an order that waits", "mail", None, lambda game: do(game, "Ann", "buy-shares", number=1), lambda game: do(game, "Ann", "buy-shares", number=200), BOTH),
    ("which order waits", "mail", None, lambda game: do(game, "Ann", "buy-shares", number=1), lambda game: do(game, "Ann", "paint-square", square="#7", color="Red"), BOTH),
    ("a disguise", "mail", None, lambda game: disguised(game, "Ben"), lambda game: disguised(game, "Dot"), BOTH),
    ("an offer that waits", "mail", None, lambda game: offered(game, square=False, money=3), lambda game: offered(game, square=False, money=1234), BOTH),
    ("the amount of an offer", "iv", None, lambda game: offered(game, square=False, money=3), lambda game: offered(game, square=False, money=1234), ALL),
    ("a vote", "iv", None, lambda game: voted(game, "yes"), lambda game: voted(game, "no"), ALL),
]  # fmt: skip


@pytest.fixture(autouse=True)
def alike(monkeypatch):
    """The same moments and the same secrets of dice, and a key is asked as often as one likes."""
    monkeypatch.setattr("django.conf.settings.NOMOPOLY_RUNTIME", "cpython")
    monkeypatch.setattr("nomopoly.site.api.door.Limit.allow_request", lambda *_: True)
    monkeypatch.setattr(host, "uuid", SimpleNamespace(uuid4=lambda: SimpleNamespace(hex="ab" * 16)))
    for module in (host, domain):
        monkeypatch.setattr(module, "new_secret", lambda: "11" * 32)
    monkeypatch.setattr(live, "now", lambda: MONDAY + 9 * 3600 + DAY)


def addresses(game):
    """Every kind of address of a game, the entries of its log, and what the API gives."""
    found = [game.address + page for page in ("", *PAGES.split())]
    found += [f"{game.address}log/{number}/" for number in range(1, live.of(game).n + 2)]
    parts = {"slug": game.slug, "number": "1", "name": "Ann", "account": "admin", "id": "I.1", "n": "9"}
    for path, methods in api.get_openapi_schema()["paths"].items():
        if "get" in methods and "{slug}" in path:
            for name, part in parts.items():
                path = path.replace("{" + name + "}", part)
            found.append(path)
    return found


def read(game, browser, viewer, which):
    """{address without the game's name: (status, bytes without what no two games have in common)}."""
    found = {}
    for address in addresses(game)[which]:
        answer = browser.get(address, HTTP_X_FORWARDED_FOR=viewer)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
        length = len(body)
        for pattern, mask in MASKS:
            body = re.sub(pattern, mask, body)
        found[address.replace(game.slug, "SLUG")] = (
            answer.status_code,
            length,
            body.replace(game.slug.encode(), b"SLUG"),
        )
    return found


def difference(one, other):
    """What differs between two answers, in words."""
    if one[0] != other[0]:
        return f"status {one[0]} and {other[0]}"
    if one[2] != other[2]:
        at = next(
            (n for n, (a, b) in enumerate(zip(one[2], other[2], strict=False)) if a != b),
            min(len(one[2]), len(other[2])),
        )
        return f"{one[2][max(0, at - 80) : at + 60]!r} and {other[2][max(0, at - 20) : at + 60]!r}"
    return "" if one[1] == other[1] else f"{one[1]} and {other[1]} bytes"


SOAK = os.environ.get("NOMOPOLY_SOAK") == "1"
ALONE = [(f"{each[1]}: {each[0]}", each[1], [each], each[5]) for each in SECRETS]
TOGETHER = [(name, name, [each for each in SECRETS if each[1] == name and each[0] != "which order waits"], BOTH) for name in ("ii", "mail", "iv")]  # fmt: skip
CASES = ALONE + TOGETHER if SOAK else TOGETHER[:1] + ALONE[-1:]


@pytest.mark.parametrize("case", CASES, ids=[each[0] for each in CASES])
def test_twins_cannot_be_told_apart(case, keeper, people):
    """In the suite each viewer asks for a part of the addresses; the soak asks for all, secret by secret."""
    _, edition, secrets, blind = case
    names = ("Ann", "Ben", "Cid", *(["Dot"] if edition == "mail" else []))
    twins = [twin(slug, keeper, people, edition, names) for slug in ("twin-a", "twin-b")]
    for at, game in enumerate(twins):
        if secrets[0][2]:
            secrets[0][2](game)
        for each in secrets:
            each[3 + at](game)
        grant(game, "Cid", "money", 777)
    browsers = {"visitor": Client(), "Cid": people("cid"), "Admin": keeper}
    differs = {}
    for start, viewer in enumerate(blind):
        browsers[viewer].get("/")  # from now on this browser has the style sheets, whichever twin it looks at
        one, other = (
            read(game, browsers[viewer], viewer, slice(None) if SOAK else slice(start, None, 5)) for game in twins
        )
        for address in one.keys() & other.keys():  # of numbers that one game alone has
            said = difference(one[address], other[address])
            if said:
                differs[f"{viewer} {address}"] = said
    assert not differs, "\n".join(f"{where}: {said}" for where, said in list(differs.items())[:12])
    known = [[live.of(game).view(name) for name in ("Ann", "Ben")] for game in twins]
    assert known[0] != known[1], "the secret is one"

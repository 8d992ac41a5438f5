"""A game with given secrets is the same, byte for byte, in every version of the program that writes lines of its
recipe."""

import hashlib
import hmac

import pytest
from minigames import START, rule

from nomopoly.rulebook.source import Book
from nomopoly.runtime import host
from nomopoly.runtime.entropy import entropy_of
from nomopoly.runtime.journal import MemoryJournal

RULE = rule(
    "1.1",
    """
attribute("player", "money", 0, show="owner")
attribute("player", "word", "")
event("turn", "turned", say="{who} has {dice}", who="player")

@on("turn")
def turn(e):
    note(total=sum(chance.dice((6, 6, 20))))
    put(e.who, "money", e.who.money + chance.hidden.die(100))
    tell(e.who, "é \\u2013 \U0001f3b2")

@action("gamble", "Gamble", stake=number("Stake"))
def gamble(e):
    if chance.percent(50):
        refuse("lost")
    put(e.who, "money", e.who.money + e.stake)

@action("say", "Say", private=True, said=words("Said"))
def say(e):
    put(e.who, "word", e.said)

@action("break", "Break")
def break_down(e):
    chance.die()
    return 1 // 0
""",
)
FIXED = {  # by recipe: the SHA-256 of all lines
    1: "9cb06146d16f0f6f6c579a4c1f43d7485451c10e69fc24f3f0526bc7d413aaff",
    2: "4cd0c6ec65b061d6241d2887d886b4fd4abf260d950167f55648aa763ff7ce30",
}


class Kept(MemoryJournal):
    """A journal that keeps the bytes of its lines."""

    def __init__(self):
        super().__init__()
        self.written = []

    def append(self, line, data=None):
        super().append(line, data)
        self.written.append(data)


@pytest.mark.parametrize("recipe", [1, 2])
def test_the_bytes_of_a_journal_stay_what_they_are(monkeypatch, recipe):
    monkeypatch.setattr(host, "kernel_version", lambda: "0" * 16)
    monkeypatch.setattr(host, "offsets_of", lambda zone, at: [])  # they hang on the machine's table of time zones
    kept = Kept()
    book = Book("fixed", "Fixed", [RULE], [])
    options = {
        "title": "é \u2013 \U0001f3b2",
        "game_id": "fixed",
        "runtime": "cpython",
        "at": START,
        "secret": "17" * 32,
    }
    game = host.open_game(book, journal=kept, recipe=recipe, **options)
    for name in ("Ann", "Bén"):
        game.join(name, game.now)
        game.admin("approve-player", {"player": name}, game.now)
    for at in range(12):
        game.tick(game.now + 61, "turn", {"who": ("Ann", "Bén")[at % 2]})
        game.order("Ann", "gamble", {"stake": 10**17 + at}, game.now)
        game.order("Bén", "say", {"said": f"\U0001f3b2 {at} \\u2028\u2028"}, game.now)
    game.order("Ann", "break", {}, game.now)
    game.leave("Bén", game.now + 5)
    kinds = {kind: sum(kind in line for line in kept.lines()) for kind in ("drawn", "hidden", "refused")}
    assert recipe == 1 or (kinds["drawn"] > 20 and kinds["hidden"] == 12 and kinds["refused"] > 2), kinds
    assert hashlib.sha256(b"\n".join(kept.written)).hexdigest() == FIXED[recipe]


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 1000])
@pytest.mark.parametrize("size", [1, 32, 64, 65, 200])  # of a secret: a stranger's journal may reveal anything
def test_entropy_is_an_hmac(size, length):
    secret, message = "5a" * size, bytes(at % 251 for at in range(length))
    assert entropy_of(secret, message) == hmac.new(bytes.fromhex(secret), message, "sha256").hexdigest()

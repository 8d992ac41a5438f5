"""The first demo: a game of the original edition ten days old."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomopoly.demo.iv import must
from nomopoly.site.tables import domain, live

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


DAY = 24 * 3600
PLAYERS = ("Ann", "Ben", "Cid", "Dot", "Eva")
SIGNS = {
    "Harbour": "ship",
    "Old Mill": "sun",
    "Lantern Row": "bolt",
    "Fish Market": "fish",
    "Rose Hill": "flower",
    "Tollgate": "gate",
}
NAMES = (
    "Baltic",
    "Harbour",
    "Old Mill",
    "Lantern Row",
    "Elm Court",
    "Fish Market",
    "Gasworks",
    "Rose Hill",
    "Tollgate",
    "Salt Quay",
)

TREASURY = """@after("pass")
def bonus(e):
    if e.square.number == 1:
        gain(e.who, rule.bonus)
"""

RENT = """@after("land")
def rent(e):
    owner = e.square.owner
    if owner is not None and owner is not e.who:
        pay(e.who, owner, e.square.number * rule.per_number)
"""

PROPOSALS: tuple[tuple[str, str, str, list[Data] | str, str | None, str], ...] = (
    # by, title, text, changes or a program that runs once, judged (None: still open), the Admin's remark
    (
        "Ann",
        "A bonus for going round",
        "Nothing happens at the end of the board. Going round should be worth something.",
        [
            {
                "enact": "X.1",
                "section": "Additions",
                "text": "A player who passes the first square gets ${bonus}.",
                "code": TREASURY,
                "params": {"bonus": 400},
            }
        ],
        "accept",
        "Four hundred is a lot, but you will all be poor again soon.",
    ),
    (
        "Ben",
        "Everybody gives me $100",
        "I have looked into it and it would be fair.",
        "for who in players():\n    if who is not find('Ben'):\n        pay(who, 'Ben', 100)",
        "reject",
        "A good joke. No.",
    ),
    (
        "Cid",
        "Rent",
        "Owning a square should bring something in.",
        [
            {
                "enact": "X.2",
                "section": "Additions",
                "text": "Landing on another player's square costs ${per_number} times its number, paid to the owner.",
                "code": RENT,
                "params": {"per_number": 2},
            }
        ],
        "accept",
        "At last.",
    ),
    (
        "Dot",
        "No eating at the board",
        "Crumbs get between the squares.",
        [{"enact": "X.3", "section": "Additions", "text": "Nobody eats at the board."}],
        "accept",
        "",
    ),
    (
        "Eva",
        "A smaller bonus",
        "Four hundred a lap is too much: two hundred.",
        [{"amend": "X.1", "params": {"bonus": 200}}],
        "accept",
        "",
    ),
    (
        "Ann",
        "Rent should hurt",
        "Twice the number is pocket money: three times.",
        [{"amend": "X.2", "params": {"per_number": 3}}],
        None,
        "",
    ),
    (
        "Ben",
        "Everybody gives me $50",
        "I have thought about what the Admin said.",
        "for who in players():\n    if who is not find('Ben'):\n        pay(who, 'Ben', 50)",
        None,
        "",
    ),
)


def make_demo_original(moment: int) -> Game:
    """Make the game as it stands at a moment."""
    game = domain.start_game(
        None, edition="original", title="The Friday Table", slug="demo", at=moment - 10 * DAY, demo=True, office="house"
    )
    with live.of(game).writing() as running:
        play(running, moment - 9 * DAY)
        running.run_due(moment)
    return game


def play(running: Running, at: int) -> None:
    """The first nine days of a game."""
    for name in PLAYERS:
        at += 3600
        must(running.join(name, at))
        must(running.admin("approve-player", {"player": name}, at + 600))
    for number, (by, title, text, what, judged, remark) in enumerate(PROPOSALS):
        at += DAY
        running.run_due(at)
        change = {"run": what} if isinstance(what, str) else {"changes": what}
        proposed = must(running.order(by, "propose", {"title": title, "text": text, **change}, at))
        if judged is None:
            continue
        proposal = next(change[0] for change in proposed.changes if change[0].startswith("P"))
        args = {"on": proposal, "because": remark} if remark else {"on": proposal}
        must(running.admin(judged, args, at + 5 * 3600))
        if number % 2 == 0:
            at = laps(running, at + 6 * 3600)
        buy(running, at + 8 * 3600)


def laps(running: Running, at: int) -> int:
    """Each player proposes something small, is turned down, and so takes a turn."""
    for name in PLAYERS:
        at += 1800
        proposed = must(
            running.order(name, "propose", {"title": "For the turn", "text": "A proposal to be on the move."}, at)
        )
        proposal = next(change[0] for change in proposed.changes if change[0].startswith("P"))
        must(running.admin("reject", {"on": proposal, "because": "Only for the turn, as you say."}, at + 600))
    return at


def buy(running: Running, at: int) -> None:
    """Whoever may buy does, and gives the square a name while there are names."""
    things = running.view("visitor", at)["things"].values()
    used = {thing.get("name") for thing in things}
    names = [name for name in NAMES if name not in used]
    for square in [thing for thing in things if thing.get("option_of")]:
        bought = running.order(square["option_of"], "buy-square", {"square": square["id"]}, at).ok
        if bought and names and not square["name"]:
            named = {"square": square["id"], "name": names.pop(0)}
            named |= {"sign": SIGNS[named["name"]]} if named["name"] in SIGNS else {}
            running.order(square["option_of"], "name-square", named, at + 60)

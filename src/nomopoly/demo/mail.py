"""The fourth demo: a game of edition `mail` some weeks old, played by bots and judged by the script.

Like that of `ii` it is played in memory, and made again for the same moment it is the same game.
"""

from typing import Any

from nomopoly.demo.ii import DAY, HOUR, make_played
from nomopoly.demo.iv import must
from nomopoly.lab.bots import Bot
from nomopoly.lab.inside import LEAVING
from nomopoly.runtime.host import Game as Running

WEEKS = 3
SECRET = "a7" * 32  # of its draws so far; those to come have others
PLAYERS = ("Ann", "Ben", "Cid", "Dot", "Eva")
POLICIES = ("greedy", "random", "careful", "random", "greedy")
NEVER = (*LEAVING, "accuse", "drop-insurance", "end-friendship", "expel", "quit-job", "transfer")

COLOURS = {"Ann": "Red", "Ben": "Orange", "Cid": "Yellow", "Dot": "Green", "Eva": "Blue"}
NAMES = (
    "Harbour",
    "Mill Lane",
    "The Old Well",
    "Lantern Street",
    "Quarry",
    "Station",
    "Ferry Road",
    "Orchard",
    "Tollgate",
    "Smithy",
    "Chapel Hill",
    "Salt Market",
    "Bell Yard",
)

TIP = """@after("land")
def tip(e):
    if e.square.number == 1 and e.who.kind == "player":
        gain(e.who, rule.tip)
"""

# day, who, what they propose, the Admin's verdict with the remark
PROPOSALS = (
    (1, "Ann", {
        "title": "A tip at the start",
        "text": "Whoever lands on #1 deserves something for the way.",
        "changes": [{"enact": "XXXVII.1", "section": "Additions", "code": TIP, "params": {"tip": 60}, "text":
            "Who lands on #1 gets ${tip}."}],
    }, "accept", "The first square has been dull for too long."),
    (2, "Dot", {
        "title": "Everybody gives me $200",
        "text": "It is my birthday, or will be.",
        "run": "for who in players():\n    pay(who, 'Dot', 200)",
    }, "reject", "Many happy returns, but no."),
    (3, "Cid", {
        "title": "Cheaper paint",
        "text": "Fifty dollars for a coat of paint is a lot: forty.",
        "changes": [{"amend": "XIII.3", "params": {"corporate_paint": 40}}],
    }, "accept", ""),
    (8, "Eva", {
        "title": "Two more squares",
        "text": "It is getting crowded in the north.",
        "run": "make_square()\nmake_square()",
    }, "accept", "There is room."),
    (9, "Ben", {
        "title": "No whistling at the table",
        "text": "One knows who I mean.",
        "changes": [{"enact": "XXXVII.2", "section": "Additions", "text": "Nobody whistles while orders are written."}],
    }, "accept", ""),
    (15, "Ann", {
        "title": "Going round should pay",
        "text": "Four hundred dollars for eight weeks on the road?",
        "changes": [{"amend": "VII.5", "params": {"lap_money": 500}}],
    }, "accept", ""),
    (16, "Dot", {
        "title": "Everybody gives me $20",
        "text": "I have thought about what the Admin said.",
        "run": "for who in players():\n    pay(who, 'Dot', 20)",
    }, "reject", "Again? No."),
)  # fmt: skip
LATEST = {
    "title": "Half the White fine",
    "text": "Not everybody can afford paint.",
    "changes": [{"amend": "VIII.11", "params": {"white_fine": 25}}],
}

THREADS = (  # title, (days ago, who, what they say)
    ("Who paints what?", (
        (9, "Cid", "If three of us take one colour each, nobody pays the White fine and nobody is in the way of "
                   "a block."),
        (8, "Ann", "Red is mine, I have a can of nothing else. And keep off Teal: it is taxed."),
    )),
    ("The elephant", (
        (4, "Eva", "Whoever stands with it when it rolls a 5 is Sick. I have been there. Move on while you can."),
    )),
)  # fmt: skip


def make_demo_mail(now: int) -> None:
    """Make the game as it stands at a moment."""
    make_played("mail", "The Sunday Post", "demo-mail", SECRET, WEEKS, play, THREADS, now)


def play(running: Running, begun: int, now: int) -> None:
    """From the first Monday until now: each morning the bots and what the script says, then the verdicts on it."""
    for name in PLAYERS:
        must(running.join(name, begun))
        must(running.admin("approve-player", {"player": name}, begun))
    bots = [Bot(name, policy, name, avoids=NEVER) for name, policy in zip(PLAYERS, POLICIES, strict=True)]
    for day in range((now - begun) // DAY + 1):
        at = begun + day * DAY + HOUR
        if at > now:
            break
        running.run_due(at)
        for place, bot in enumerate(bots):
            if (day + place) % 4 == 0:
                bot.play(running, at, orders=1)
            if (day + place) % 4 == 2:
                develop(running, bot.name, at)
        for when, who, proposal, verdict, because in PROPOSALS:
            if when == day:
                must(running.order(who, "propose", proposal, at))
                must(running.admin(verdict, {"on": latest(running), "because": because}, at + HOUR))
    running.run_due(now)
    must(running.order("Eva", "propose", LATEST, now))


def develop(running: Running, name: str, at: int) -> None:
    """What anybody would do: buy where the last update has put them, and name and paint what is theirs."""
    things = running.view(name)["things"]
    mine = [thing for thing in things.values() if thing["kind"] == "square" and thing["owner"] == name]
    wanted = [("buy-square", {"square": id}) for id in things[name]["landed"] if things[id]["owner"] is None]
    wanted += [
        ("name-square", {"square": each["id"], "name": NAMES[each["number"] % len(NAMES)]})
        for each in mine
        if not each["name"]
    ]
    wanted += [
        ("paint-square", {"square": each["id"], "color": COLOURS[name]}) for each in mine if each["color"] == "White"
    ]
    for do, args in wanted:
        if running.preview(name, do, args, at).ok:
            must(running.order(name, do, args, at))


def latest(running: Running) -> Any:
    """The proposal made last."""
    return [id for id, kind in running.runtime.call("ids")["things"].items() if kind == "proposal"][-1]

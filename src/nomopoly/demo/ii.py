"""The third demo: a game of edition `ii` some weeks old, played by bots between what its script says.

It is played in memory and then put on the site, which takes a tenth of the time. Made again for the same moment it is
the same game: its secrets so far are known, and published at its end. What is to come is drawn from others.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nomopoly.demo.iv import must
from nomopoly.lab.bots import Bot
from nomopoly.lab.inside import LEAVING
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime import host
from nomopoly.runtime.ballots import SeededBallots
from nomopoly.site.files import put_up
from nomopoly.site.play.models import Comment, Thread
from nomopoly.site.tables import domain, live

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.tables.models import Game


HOUR = 3600
DAY = 24 * HOUR
WEEKS = 4
SECRET = "d5" * 32  # of its draws so far; those to come have others
PLAYERS = ("Ann", "Ben", "Cid", "Dot", "Eva")
POLICIES = ("greedy", "random", "careful", "random", "greedy")
NEVER = (
    *LEAVING, "abandon-car", "apply-patent", "break-block", "disagree", "governor-veto", "mortgage-square",
    "move-order", "post-exploit-block", "remove-railroad", "retract-proposal", "use-lottery-right", "withdraw-order",
)  # fmt: skip

ANY_DAY = """overrides("IX.2", "IX.3")


@check("propose")
def on_any_day(e):
    return True


@after("propose")
def public_at_once(e):
    if e.result.status == "made":
        do("publish", proposal=e.result)
        put(e.result, "on_ballot", value("voting_period"))


@check("vote")
def until_it_is_counted(e):
    return True
"""
LAPS = """@after("lap")
def bonus(e):
    if e.who.kind == "player":
        gain(e.who, rule.bonus)
"""

SKUNK = "do('spawn', type='skunk', square=value('zoo'))"

# day, who, what they propose
PROPOSALS = (
    (1, "Ann", {
        "title": "Why wait for Friday?",
        "text": "Whoever has an idea on a Sunday has forgotten it on Monday.",
        "changes": [{"enact": "XXXVII.1", "section": "Additions", "code": ANY_DAY, "text":
            "Proposals are made on any day. They are public at once, and everybody may vote on them until they are "
            "counted."}],
    }),
    (1, "Dot", {
        "title": "More room",
        "text": "On twenty squares one only treads on toes. Let there be fifty-one: then there is a Zoo too.",
        "run": "add_squares(51 - last_number())",
    }),
    (8, "Cid", {
        "title": "A smaller fine for silence",
        "text": "A hundred dollars for having been away over a weekend is harsh.",
        "changes": [{"amend": "VIII.3", "params": {"silence_fine": 60}}],
    }),
    (8, "Eva", {
        "title": "Let the skunk loose",
        "text": "It has waited in the rules long enough.",
        "run": SKUNK,
    }),
    (15, "Ben", {
        "title": "Going round should be worth something",
        "text": "Two hundred dollars, say, for every lap.",
        "changes": [{"enact": "XXXVII.2", "section": "Additions", "code": LAPS, "params": {"bonus": 200}, "text":
            "Who goes round gets ${bonus}."}],
    }),
    (16, "Dot", {
        "title": "Everybody gives $100 to the skunk",
        "text": "It has asked me to say so. The Admin Bank Account will keep it safe.",
        "run": "for who in players():\n    pay(who, '$admin', 100)",
    }),
)  # fmt: skip
LATEST = {
    "title": "Half the bonus",
    "text": "Two hundred a lap is more than most squares bring in.",
    "changes": [{"amend": "XXXVII.2", "params": {"bonus": 100}}],
}
NO = {"Everybody gives $100 to the skunk": ("Ann", "Ben", "Cid", "Eva"), "A smaller fine for silence": ("Ben",)}

THREADS = (  # title, (days ago, who, what they say)
    ("Who builds next to me?", (
        (9, "Cid", "Two squares side by side make a residential block, if both owners agree. I have one end of "
                   "several."),
        (8, "Eva", "Then my rent goes up as well, does it not? Ask me at the table, I shall say yes."),
        (8, "Cid", "Both halves pay, to each its own owner. I have asked."),
    )),
    ("The skunk", (
        (5, "Dot", "Has anybody worked out where it goes? Up by one die, right by the other, and nobody can stop it."),
        (4, "Ben", "Only stay off the squares with buildings on them. It does something else on each."),
    )),
)  # fmt: skip


def make_demo_ii(now: int) -> None:
    """Make the game as it stands at a moment."""
    make_played("ii", "The Long Table", "demo-ii", SECRET, WEEKS, play, THREADS, now)


def make_played(
    edition: str,
    title: str,
    slug: str,
    secret: str,
    weeks: int,
    play: Callable[[Any, Any, Any], Any],
    threads: tuple[
        tuple[str, tuple[tuple[int, str, str], tuple[int, str, str], tuple[int, str, str]]],
        tuple[str, tuple[tuple[int, str, str], tuple[int, str, str]]],
    ]
    | tuple[tuple[str, tuple[tuple[int, str, str], tuple[int, str, str]]], tuple[str, tuple[tuple[int, str, str]]]],
    now: int,
) -> None:
    """Put a game on the site that `play(running, begun, now)` plays from a Monday some weeks before until `now`, and
    what was said in its forum."""
    today = datetime.datetime.fromtimestamp(now, datetime.UTC).date()
    monday = today - datetime.timedelta(days=today.weekday() + 7 * weeks)
    begun = int(datetime.datetime.combine(monday, datetime.time(6), datetime.UTC).timestamp())
    running = host.open_game(
        load_edition(edition),
        title=title,
        game_id=slug,
        runtime="cpython",
        at=begun,
        secret=secret,
        ballots=SeededBallots(secret),
    )
    running.checks = False  # what is proposed here is checked in the tests
    play(running, begun, now)
    running.reveal(running.now, hidden=True)
    game = put_up(
        running, slug, demo=True, office="house", created=datetime.datetime.fromtimestamp(begun, datetime.UTC)
    )
    running.runtime.close()
    for number, (title, said) in enumerate(threads, 1):
        talk(
            game,
            number,
            title,
            [(now - days * DAY - number * HOUR + at * 600, *rest) for at, (days, *rest) in enumerate(said)],
        )


def play(running: Running, begun: int, now: int) -> None:
    """From the first Monday until now: each morning half of the bots play, every player joins squares and builds, so
    that there is something to see whatever the bots do, and the script follows; at midnight comes what is due."""
    playing = bots()
    for name in PLAYERS:
        must(running.join(name, begun))
        must(running.admin("approve-player", {"player": name}, begun))
    for day in range((now - begun) // DAY + 1):
        at = begun + day * DAY + HOUR
        if at > now:
            break
        running.run_due(at)
        here = running.runtime.call("ids")["things"]
        for place, bot in enumerate(playing):
            if bot.name in here and (day + place) % 2 == 0:
                bot.play(running, at)
            if bot.name in here:
                develop(running, bot.name, at)
        for when, who, proposal in PROPOSALS:
            if when == day and who in here:
                must(running.order(who, "propose", proposal, at))
        vote(running, [name for name in PLAYERS if name in here], at)
    running.run_due(now)
    release_skunk(running, now)
    must(running.order("Dot", "propose", LATEST, now))
    for name, choice in (("Dot", "yes"), ("Ann", "no")):
        must(running.cast(name, "vote", {"on": latest(running), "choice": choice}, now))


def release_skunk(running: Running, now: int) -> None:
    """See to it that there is the creature of which the forum talks: where its dice have let none live, the Admin
    carries out its proposal once more."""
    things = running.view("visitor")["things"].values()
    if not [thing for thing in things if thing["kind"] == "creature"]:
        let_loose = next(thing["id"] for thing in things if thing.get("title") == "Let the skunk loose")
        must(running.admin("implement", {"on": let_loose, "run": SKUNK}, now))


def bots() -> list[Any]:
    """The players of the demonstration, each with a manner of its own."""
    return [Bot(name, policy, name, avoids=NEVER) for name, policy in zip(PLAYERS, POLICIES, strict=True)]


def vote(running: Running, names: list[str], at: int) -> None:
    """Everybody votes on what is open by the script."""
    for action in running.actions(names[0], at):
        for about in action["fields"][0]["choices"] if action["id"] == "vote" and action["possible"] else ():
            against = NO.get(about["label"].partition(" ")[2], ())
            for name in names:
                running.cast(name, "vote", {"on": about["id"], "choice": "no" if name in against else "yes"}, at)


def develop(running: Running, name: str, at: int) -> None:
    """What anybody would do: buy where one stands, join squares that lie side by side, say yes to that, and build."""
    actions = {action["id"]: action for action in running.actions(name, at)}
    owned, open_to, ground, buildings = (
        [choice["id"] for choice in actions[do]["fields"][field]["choices"]]
        for do, field in (("name-square", 0), ("agree", 0), ("build", 0), ("build", 1))
    )
    wanted = [("agree", {"on": each}) for each in open_to]
    wanted += [("buy-square", {})] if actions["buy-square"]["possible"] else []
    wanted += [("make-block", {"type": "residential", "squares": [id, f"#{int(id[1:]) + 1}"]}) for id in owned]
    wanted += [("build", {"square": id, "building": each}) for id in ground for each in buildings]
    for do, args in wanted:
        if running.preview(name, do, args, at).ok and running.order(name, do, args, at).ok and do != "agree":
            return


def latest(running: Running) -> Any:
    """The proposal made last."""
    things = running.runtime.call("ids")["things"]
    return [id for id, kind in things.items() if kind == "proposal"][-1]


def talk(game: Game, number: int, title: str, said: list[Any]) -> None:
    """A thread of the forum."""
    begun = datetime.datetime.fromtimestamp(said[0][0], datetime.UTC)
    Thread.objects.create(game=game, number=number, title=title, name=said[0][1], made=begun)
    for at, name, body in said:
        written = datetime.datetime.fromtimestamp(at, datetime.UTC)
        Comment.objects.create(game=game, about=f"thread-{number}", name=name, body=body, written=written)


def attend_ii(game: Game) -> None:
    """The players of the demo go on playing: the first who has not done anything this week yet and finds something to
    do."""
    things = live.of(game).view("admin")["things"]
    if things["game"].get("over") or things["game"].get("paused"):
        return
    for bot in bots():
        if things.get(bot.name, {}).get("acted") is False:
            with domain.acting(game) as running:
                done = bot.play(running, live.now())
            if done:
                return

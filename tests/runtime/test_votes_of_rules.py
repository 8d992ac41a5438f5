"""Votes as players' rules make and change them: further fields, fields left out, `vote` declared in another way, and
votes that are held again."""

import json

import minigames
import pytest
from minigames import RUNTIMES, SECRET, START, done

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.ballots import FileBallots
from nomopoly.runtime.host import Game, load_game, open_game, replay
from nomopoly.runtime.journal import FileJournal
from nomopoly.runtime.verify import verify

HOUR, DAY = 3600, 86400
EDITIONS = ("original", "mail", "ii", "iv")


def game_with(edition: str, code: str, runtime: str = "cpython", **more) -> Game:
    """A game of an edition with one rule of its players."""
    book = load_edition(edition)
    records = [*book.records, minigames.rule("99.1", code)]
    book = Book(book.edition, book.title, records, book.commons)
    game = open_game(book, title="T", game_id="t", runtime=runtime, at=START, secret=SECRET, **more)
    minigames.with_players(game, ("Ann", "Ben", "Cid"))
    game.run_due(game.now)  # the first week of `ii` begins: before it, nobody votes there
    return game


def cast(game, by, do="vote", at=START + HOUR, **args):
    return done(game.cast(by, do, args, at))


def said_by(game, what):
    """The facts of this word, each with what a rule put into it."""
    facts = [fact for entry in game.facts("Ann") for fact in entry["facts"] if fact["what"] == what]
    common = ("what", "event", "depth", "rule", "says")
    return [{key: each for key, each in fact.items() if key not in common} for fact in facts]


def closed_line(game):
    return next(line for line in game.journal.lines() if line["kind"] == "ballots")


REMARKS = """
also_asks("vote", mark=words("Remark", limit=200), strength=number("Strength", least=1, most=3), friend=choose("player"))


@after("voting-closes")
def tell_remarks(e):
    for about, choice, many, mark in e.mark:
        if mark:
            fact("remarked", about=about, choice=choice, many=many, mark=mark)
    for _, _, _, friend in e.friend:
        if friend:
            fact("befriended", friend=friend, again=friend.kind)
    fact("weighed", yes=sum([many * (strength or 1) for _, choice, many, strength in e.strength if choice == "yes"]))
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_vote_with_added_fields_is_counted_and_what_was_said_in_them_is_handed_over(runtime):
    game = game_with("iv", REMARKS, runtime)
    done(game.order("Ann", "propose", {"title": "One", "text": "Words"}, START))
    cast(game, "Ann", on="P1", choice="yes", mark="Ann", strength="3")
    cast(game, "Ben", on="P1", choice="yes")
    cast(game, "Cid", on="P1", choice="no", mark="never", friend="Ben")
    assert game.own_ballots("Ann") == {"P1": "yes"}
    game.run_due(START + 6 * DAY)
    assert not game.paused()
    assert [game.value(name, "P1") for name in ("yes_votes", "no_votes")] == [2, 1]
    assert said_by(game, "remarked") == [
        {"about": "P1", "choice": "no", "many": 1, "mark": "never"},
        {"about": "P1", "choice": "yes", "many": 1, "mark": "Ann"},
    ]
    assert said_by(game, "befriended") == [{"friend": "Ben", "again": "player"}]
    assert said_by(game, "weighed") == [{"yes": 4}]
    line = closed_line(game)
    assert line["args"]["more"] == ["mark", "strength", "friend"]
    assert line["args"]["ballots"] == [
        ["P1", "no", 1, ["never", None, {"thing": "Ben"}]],
        ["P1", "yes", 1],
        ["P1", "yes", 1, ["Ann", 3, None]],
    ]
    verify(list(game.journal.lines()), runtime)
    assert replay(game.journal, runtime, SECRET).state_hash() == game.state_hash()


def test_an_impossible_further_field_is_refused_when_the_vote_is_cast():
    game = game_with("iv", REMARKS)
    done(game.order("Ann", "propose", {"title": "One", "text": "Words"}, START))
    outcome = game.cast("Ann", "vote", {"on": "P1", "choice": "yes", "strength": 4}, START)
    assert outcome.refused == "strength must be at most 3"
    assert game.own_ballots("Ann") == {}


OPEN_REMARKS = """
also_asks("vote", mark=words("Remark"))


@after("count")
def tell_remarks(e):
    for about, choice, who, mark in e.mark:
        fact("remarked", about=about, choice=choice, who=who, mark=mark)
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_further_fields_of_open_votes_come_with_the_name_of_the_voter(runtime):
    game = game_with("ii", OPEN_REMARKS, runtime)
    done(game.order("Ann", "propose", {"title": "One", "text": "Words"}, START))
    friday = START + 4 * DAY + 6 * HOUR
    game.run_due(friday)
    cast(game, "Ann", on="P1", choice="yes", mark="good", at=friday)
    cast(game, "Ben", on="P1", choice="no", at=friday)
    game.run_due(START + 7 * DAY)
    assert not game.paused()
    assert [game.value(name, "P1") for name in ("yes_votes", "no_votes")] == [1, 1]
    assert said_by(game, "remarked") == [
        {"about": "P1", "choice": "yes", "who": "Ann", "mark": "good"},
        {"about": "P1", "choice": "no", "who": "Ben"},
    ]
    verify(list(game.journal.lines()), runtime)


DECLARED_AGAIN = {
    "iv": """
overrides("9.5")


@action(
    "vote", "Vote", in_pause=True, ballot="voting-closes",
    on=choose("proposal", choices=lambda who: [each for each in every("proposal") if each.status == "Voting"]),
    choice=one_of(("yes", "no")), because=words("Because", optional=True), sure=yes_or_no("Sure"),
)
def vote_aloud(e):
    pass


@after("voting-closes")
def tell_reasons(e):
    for about, choice, who, because in e.because:
        fact("reasoned", about=about, choice=choice, who=who, because=because)
""",
    "ii": """
overrides("VIII.3")


@action(
    "vote", "Vote", in_pause=True, at_once=True, ballot="count",
    on=choose("proposal", choices=lambda who: [each for each in every("proposal") if each.status == "voting"]),
    choice=one_of(("yes", "no")), because=words("Because", optional=True), sure=yes_or_no("Sure"),
)
def vote_aloud(e):
    pass


@after("count")
def tell_reasons(e):
    for about, choice, who, because in e.because:
        fact("reasoned", about=about, choice=choice, who=who, because=because)
""",
}


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("edition", DECLARED_AGAIN)
def test_a_vote_that_players_declare_in_another_way_is_counted(edition, runtime):
    game = game_with(edition, DECLARED_AGAIN[edition], runtime)
    done(game.order("Ann", "propose", {"title": "One", "text": "Words"}, START))
    friday = START + 4 * DAY + 6 * HOUR
    game.run_due(friday)
    cast(game, "Ann", on="P1", choice="yes", because="I like it", at=friday)
    cast(game, "Ben", on="P1", choice="yes", sure="on", at=friday)
    cast(game, "Cid", on="P1", choice="no", at=friday)
    game.run_due(START + 7 * DAY)
    assert not game.paused()
    assert [game.value(name, "P1") for name in ("yes_votes", "no_votes")] == [2, 1]
    assert said_by(game, "reasoned")[0] == {"about": "P1", "choice": "yes", "who": "Ann", "because": "I like it"}
    verify(list(game.journal.lines()), runtime)


# ---- votes of the players' own, in every edition

POLL = """
kind("poll", prefix="poll-")
attribute("poll", "question", "")
attribute("poll", "open", True)
event("poll-closes", "poll-closed", poll="poll", ballots="")


@action("ask-all", "Ask all", fact="asked-all", in_pause=True, at_once=True, question=words("Question"))
def ask_all(e):
    at(now() + days(1), "poll-closes", real=True, poll=create("poll", question=e.question))


@check("say")
def still_open(e):
    if e.poll is not None and not e.poll.open:
        return "the poll is over"


@action(
    "say", "Say", ballot="poll-closes", sealed=True, in_pause=True, at_once=True,
    poll=choose("poll", default=lambda who: thing("poll-1"), choices=lambda who: [each for each in every("poll") if each.open]),
    points=number("Points", least=-3, most=3, default=1), words_=words("Words", limit=80, optional=True),
)
def say(e):
    pass


@on("poll-closes")
def close(e):
    put(e.poll, "open", False)
    note(sum=sum([points * many for poll, points, many in e.ballots if poll is e.poll]))
    for poll, points, many, said in e.words_:
        fact("said-in-poll", poll=poll, points=points, many=many, said=said)
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_hold_votes_of_their_own_in_every_edition(edition, runtime):
    game = game_with(edition, POLL, runtime)
    done(game.order("Ann", "ask-all", {"question": "Well?"}, START + HOUR))
    cast(game, "Ann", "say", poll="poll-1", points="3", words="three", at=START + 2 * HOUR)
    cast(game, "Ben", "say", poll="poll-1", points=-1, at=START + 2 * HOUR)
    cast(game, "Cid", "say", at=START + 2 * HOUR)  # the poll is the default, the points too
    assert game.own_ballots("Cid") == {"poll-1": 1}
    game.run_due(START + 2 * DAY)
    assert not game.paused()
    assert game.value("open", "poll-1") is False
    (closed,) = said_by(game, "poll-closed")
    assert closed["sum"] == 3
    assert [each.get("said") for each in said_by(game, "said-in-poll")] == [None, None, "three"]
    assert "over" in game.cast("Ann", "say", {"poll": "poll-1", "points": 1}, game.now + 1).refused
    verify(list(game.journal.lines()), runtime)


ELECTION = """
event("close", ballots="")
calendar("close", hour=12)


@action("elect", ballot="close", who_=choose("player", optional=True))
def elect(e):
    pass


@action("elect-aloud", ballot="close", sealed=False, name_=one_of(("Ann", "Ben")))
def elect_aloud(e):
    pass


@on("close")
def count_them(e):
    fact("elected", votes=[(choice, who) for _, choice, who in e.ballots or ()])
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_vote_that_was_counted_does_not_count_again_when_the_vote_is_held_again(runtime, tmp_path):
    code = ELECTION.split('@action("elect-aloud"')[0] + ELECTION[ELECTION.index('@on("close")') :]
    game = minigames.small_game(minigames.rule("1.1", code), runtime=runtime)
    cast(game, "Ann", "elect", who="Ben")
    cast(game, "Ben", "elect")
    game.run_due(START + 4 * HOUR)
    assert game.own_ballots("Ann") == {}
    cast(game, "Ann", "elect", who="Ann", at=START + 5 * HOUR)
    assert game.own_ballots("Ann") == {"game": "Ann"}
    again = replay(game.journal, runtime, SECRET)
    again.ballots = game.ballots
    assert again.own_ballots("Ann") == {"game": "Ann"}
    game.run_due(START + DAY + 4 * HOUR)
    found = [each["votes"] for each in said_by(game, "elected")]
    assert found == [[["Ben", "Ann"], [None, "Ben"]], [["Ann", "Ann"]]]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_an_event_of_the_calendar_is_handed_no_ballots_and_not_nothing_when_nobody_has_voted(runtime):
    code = ELECTION.split('@action("elect-aloud"')[0] + ELECTION[ELECTION.index('@on("close")') :].replace(" or ()", "")
    game = minigames.small_game(minigames.rule("1.1", code), runtime=runtime)
    game.run_due(START + 4 * HOUR)
    assert not game.paused()
    assert [each["votes"] for each in said_by(game, "elected")] == [[]]


def test_a_vote_that_was_counted_stays_so_when_the_game_is_loaded_again(tmp_path):
    journal = FileJournal(tmp_path / "game.jsonl")
    game = game_with("iv", ELECTION.replace('"close"', '"shut"'), journal=journal)
    cast(game, "Ann", "elect", who="Ben")
    game.run_due(START + 4 * HOUR)
    journal.close()
    again = load_game(FileJournal(tmp_path / "game.jsonl"), runtime="cpython", secret=SECRET)
    assert again.own_ballots("Ann") == {}


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_chosen_word_stays_a_word_even_if_a_player_is_called_so(runtime):
    code = ELECTION.split('@action("elect",')[0] + ELECTION[ELECTION.index('@action("elect-aloud"') :]
    code = code.replace("votes=[(choice, who)", "votes=[(choice == 'Ben', who)")
    game = minigames.small_game(minigames.rule("1.1", code), runtime=runtime)
    cast(game, "Ann", "elect-aloud", name="Ben")
    assert game.own_ballots("Ann") == {"game": "Ben"}
    game.run_due(START + 4 * HOUR)
    assert said_by(game, "elected") == [{"votes": [[True, "Ann"]]}]
    verify(list(game.journal.lines()), runtime)


BEST = """
event("contest-over", ballots="")


@action("call", by="admin")
def call(e):
    at(now() + days(1), "contest-over")


@action("praise", ballot="contest-over", sealed=True, player=choose("player"), stars=number("Stars", least=1, most=5))
def praise(e):
    pass


@on("contest-over")
def count_stars(e):
    for player, stars, many in e.ballots:
        fact("starred", player=player, stars=stars * many)
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_closing_event_about_nothing_closes_the_votes_on_all_things(runtime):
    game = minigames.small_game(minigames.rule("1.1", BEST), runtime=runtime)
    done(game.admin("call", {}, START))
    cast(game, "Ann", "praise", player="Ben", stars=5)
    cast(game, "Ann", "praise", player="Ann", stars=1)
    cast(game, "Ben", "praise", player="Ben", stars=5)
    game.run_due(START + 2 * DAY)
    assert said_by(game, "starred") == [{"player": "Ann", "stars": 1}, {"player": "Ben", "stars": 10}]


def test_what_was_said_in_further_fields_is_proved_by_the_commitment_and_survives_in_a_file(tmp_path):
    journal = FileJournal(tmp_path / "game.jsonl")
    game = game_with("iv", REMARKS, journal=journal, ballots=FileBallots(tmp_path / "box"))
    done(game.order("Ann", "propose", {"title": "One", "text": "Words"}, START))
    cast(game, "Ann", on="P1", choice="yes", mark="good")
    kept = json.loads((tmp_path / "box").read_text().splitlines()[0])
    assert kept["more"] == {"mark": "good"}
    game.run_due(START + 6 * DAY)
    assert closed_line(game)["args"]["ballots"] == [["P1", "yes", 1, ["good", None, None]]]


# ---- what is being voted on stays as it is

REWRITE = """
@action("rewrite", "Rewrite", at_once=True, name_=words("What"))
def rewrite(e):
    put(thing("P1"), e.name_, "accepted" if e.name_ == "status" else "Everything is mine.")
"""
SECTIONS = {"original": "IX.99", "mail": "IX.99", "ii": "VIII.4/mine", "iv": "9.6/mine"}


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_rule_that_players_add_to_the_section_writes_what_is_voted_on(edition, runtime):
    book = load_edition(edition)
    records = [*book.records, minigames.rule(SECTIONS[edition], REWRITE)]
    book = Book(book.edition, book.title, records, book.commons)
    game = open_game(book, title="T", game_id="t", runtime=runtime, at=START, secret=SECRET)
    minigames.with_players(game, ("Ann", "Ben", "Cid"))
    game.run_due(START)
    done(game.order("Ann", "propose", {"title": "One", "text": "Words"}, START))
    game.run_due(START + 4 * DAY + 6 * HOUR)
    before = {name: game.value(name, "P1") for name in ("title", "text", "changes", "run", "status")}
    for name in before:
        outcome = game.order("Ben", "rewrite", {"name": name}, game.now + 60)
        assert f"{name} of P1 cannot be changed while it is" in outcome.fault["message"]
    assert {name: game.value(name, "P1") for name in before} == before

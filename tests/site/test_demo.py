"""The demos: made for a moment that is handed in, with something to see on every page, whatever day it is."""

import datetime

import pytest
from django.apps import apps
from django.db.models import DateTimeField
from django.test import Client
from pagewords import FRIDAY, text

from nomopoly import demo
from nomopoly.demo import ii, mail
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.ballots import SeededBallots
from nomopoly.runtime.host import open_game
from nomopoly.runtime.journal import moment_of
from nomopoly.runtime.verify import verify
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import Game, Reading

MONDAY = int(datetime.datetime(2026, 3, 30, 6, tzinfo=datetime.UTC).timestamp())
DAY = 24 * 3600


@pytest.fixture
def long_table(demos_on_a_friday):
    """The Long Table on a Friday; its draws so far are the same in every run of the tests."""
    return Game.objects.get(slug="demo-ii")


def test_the_long_table_has_something_to_show(long_table):
    things = live.of(long_table).view("visitor")["things"].values()
    kinds = {thing["kind"] for thing in things}
    assert {"block", "creature", "proposal", "player"} <= kinds
    assert [thing for thing in things if thing["kind"] == "square" and thing["buildings"]]
    assert [thing["title"] for thing in things if thing.get("status") == "voting"] == ["Half the bonus"]
    browser = Client()
    assert "Half the bonus" in text(browser.get("/g/demo-ii/"))
    assert "Who builds next to me?" in text(browser.get("/g/demo-ii/forum/"))
    assert "nobody can stop it" in text(browser.get("/g/demo-ii/forum/2/"))
    for page in ("rules/", "players/", "proposals/", "log/", "log/week/3/", "board/table/", "dice/"):
        assert browser.get(f"/g/demo-ii/{page}").status_code == 200, page


def test_the_long_table_is_in_order_and_its_dice_to_come_are_another_secret(long_table):
    assert verify(DatabaseJournal(long_table.pk).lines(), "monty").entries == live.of(long_table).n + 1
    assert long_table.secret != ii.SECRET
    assert live.of(long_table).ask(lambda game: game.secret) == long_table.secret
    assert long_table.due > MONDAY


def test_made_again_for_the_same_moment_it_is_the_same_game_with_other_secrets(long_table):
    again = open_game(
        load_edition("ii"),
        title="The Long Table",
        game_id="demo-ii",
        runtime="cpython",
        at=MONDAY - ii.WEEKS * 7 * DAY,
        secret=ii.SECRET,
        ballots=SeededBallots(ii.SECRET),
    )
    again.checks = False
    ii.play(again, again.opened_at, FRIDAY)
    *_, last, renewed = DatabaseJournal(long_table.pk).lines()
    assert (last["n"], last["hash"]) == (again.n, again.fold.last_hash)
    assert renewed["args"]["secret"] == ii.SECRET
    assert renewed["args"]["hidden"] == again.hidden_secret
    assert live.of(long_table).ask(lambda game: game.hidden_secret) != again.hidden_secret
    again.runtime.close()


def moments_kept():
    """The moments that stand in the database, in seconds since 1970: (model and column, moment)."""
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if isinstance(field, DateTimeField):
                for at in model.objects.exclude(**{field.name: None}).values_list(field.name, flat=True):
                    yield f"{model.__name__}.{field.name}", at.timestamp()
    for name, at in Reading.objects.values_list("game__slug", "at"):
        yield f"readings of {name}", at
    for game in Game.objects.all():
        for line in DatabaseJournal(game.pk).lines():
            yield f"entries of {game.slug}", moment_of(line["at"])


@pytest.mark.parametrize("words", ["2028-02-29T23:59:59Z", "2024-03-31T01:30:00Z"], ids=["later", "earlier"])
def test_demos_stand_as_of_the_moment_that_is_handed_in(words):
    moment = int(datetime.datetime.fromisoformat(words).timestamp())
    demo.make_demo(moment)
    found = dict.fromkeys(name for name, _ in moments_kept())
    assert {"Game.created", "Thread.made", "Comment.written"} < set(found)
    assert {f"entries of {slug}" for slug in ("demo", "demo-iv", "demo-ii", "demo-mail")} < set(found)
    wrong = [(name, at - moment) for name, at in moments_kept() if not moment - 36 * DAY <= at <= moment]
    assert wrong == []
    assert [game.slug for game in Game.objects.filter(due__lte=moment)] == []


@pytest.mark.parametrize("made", [ii, mail])
def test_on_whatever_day_it_is_made_nothing_breaks_and_after_the_last_monday_it_goes_on(made):
    edition = "ii" if made is ii else "mail"
    for weeks, day in ((0, 6), (1, 0)):
        monday = MONDAY + weeks * 7 * DAY
        game = open_game(
            load_edition(edition),
            title="T",
            game_id=f"demo-{edition}",
            runtime="cpython",
            at=monday - made.WEEKS * 7 * DAY,
            secret=made.SECRET,
        )
        game.checks = False
        made.play(game, game.opened_at, monday + day * DAY + 5 * 3600)
        assert not [outcome for _, outcome in game.outcomes.get() if "fault" in outcome]
        assert not game.paused()
        ordered = [moment_of(line["at"]) for line in game.journal.lines(1) if line["kind"] == "order"]
        assert {(at - monday) // DAY for at in ordered if at >= monday} == set(range(day + 1)), "somebody acts each day"
        game.runtime.close()


@pytest.mark.parametrize(("edition", "made"), [("ii", ii), ("mail", mail)])
def test_what_is_proposed_there_passes_the_check(edition, made):
    game = open_game(load_edition(edition), title="T", runtime="cpython", at=MONDAY)
    for _, _, proposal, *_ in made.PROPOSALS:
        problems = game.check(proposal.get("changes", []), proposal.get("run", ""))
        assert [problem for problem in problems if problem.level == "error"] == [], proposal["title"]
    game.runtime.close()


def test_the_sunday_post_has_something_to_show(demos_on_a_friday):
    game = Game.objects.get(slug="demo-mail")
    things = live.of(game).view("visitor")["things"].values()
    assert {"account", "creature", "product", "proposal", "player"} <= {thing["kind"] for thing in things}
    assert len({thing["color"] for thing in things if thing["kind"] == "square"}) > 3
    assert [thing["title"] for thing in things if thing.get("status") == "undecided"] == ["Half the White fine"]
    browser = Client()
    assert "1 proposal waiting for the house" in text(browser.get("/g/demo-mail/"))
    assert "The elephant" in text(browser.get("/g/demo-mail/forum/"))
    assert "The update is over" in text(browser.get("/g/demo-mail/log/week/3/"))
    for page in (
        "players/",
        "proposals/",
        "market/",
        "accounts/",
        "board/table/",
        "dice/",
        "sections/XXXIII/",
        "rules/XXXVII.1/",
    ):
        assert browser.get(f"/g/demo-mail/{page}").status_code == 200, page
    assert verify(DatabaseJournal(game.pk).lines(), "monty").entries == live.of(game).n + 1


def test_its_players_go_on_playing(long_table):
    def active():
        things = live.of(long_table).view("admin")["things"]
        return [name for name in ii.PLAYERS if things[name]["acted"]]

    with live.clock_at(live.now() + 6 * DAY):
        with domain.acting(long_table):
            pass  # the clock has done what was due
        assert active() == []
        demo.attend()
        demo.attend()
        assert len(active()) == 2


def test_a_player_who_finds_nothing_to_do_holds_up_nobody(long_table, monkeypatch):
    really, asked = ii.Bot.play, []

    def play(bot, *more):
        asked.append(bot.name)
        return [] if bot.name in ("Ann", "Ben") else really(bot, *more)

    monkeypatch.setattr(ii.Bot, "play", play)
    with live.clock_at(live.now() + 6 * DAY):
        with domain.acting(long_table):
            pass
        demo.attend()
        things = live.of(long_table).view("admin")["things"]
        assert asked == list(ii.PLAYERS[: len(asked)])
        assert len(asked) > 2
        # That is Cid, or whoever finds something after him: it hangs on the dice of this one game.
        assert [name for name in ii.PLAYERS if things[name]["acted"]] == asked[-1:]

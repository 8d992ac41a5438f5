"""The journal in the database, and games kept warm: the same game whoever asks, and nothing half done."""

import json
import threading

import pytest

from nomopoly.runtime import host, outcomes
from nomopoly.runtime.journal import JournalError, MemoryJournal, MovedOn
from nomopoly.site.settings import database
from nomopoly.site.tables import domain, live, queries
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import Entry, Fault, Outcome, Snapshot
from nomopoly.site.watch import memory


def propose(game, title="A"):
    return domain.order(game, "Ann", "propose", {"title": title})


def test_the_journal_replays_to_the_same_state(ann, game):
    propose(game)
    domain.desk_act(game, "reject", {"on": "P1", "because": "no"})
    lines = list(DatabaseJournal(game.pk).lines())
    again = host.load_game(MemoryJournal(lines), runtime="cpython", secret=game.secret)
    assert again.state_hash() == live.of(game).state_hash()


def test_another_process_may_append(ann, game):
    other = live.Warm(game.pk)
    with other.writing() as running:
        running.order("Ann", "propose", {"title": "From elsewhere"}, live.now())
    assert "P1" in live.of(game).view("visitor")["things"]
    assert propose(game).ok
    assert other.view("visitor")["things"]["P2"]["title"] == "A"
    other.drop()


def test_a_write_that_is_not_kept_leaves_no_trace(ann, game):
    before = live.of(game).state_hash(), Entry.objects.count()
    with pytest.raises(RuntimeError):
        fail_while_writing(game)
    assert (live.of(game).state_hash(), Entry.objects.count()) == before


def fail_while_writing(game):
    with live.of(game).writing() as running:
        running.order("Ann", "propose", {"title": "Lost"}, live.now())
        raise RuntimeError("the power fails")


def test_a_line_that_does_not_follow_is_refused(game):
    journal = DatabaseJournal(game.pk)
    line = json.loads(Entry.objects.get(n=0).line)
    with pytest.raises(JournalError):
        journal.append(line)


def test_caches_may_be_lost(ann, game):
    for n in range(live.SNAPSHOT_EVERY):
        propose(game, f"Number {n}")
    assert Snapshot.objects.exists()
    warm = live.of(game)
    state, facts = warm.state_hash(), list(warm.facts("visitor"))
    live.close_all()
    assert (live.of(game).state_hash(), list(live.of(game).facts("visitor"))) == (state, facts)
    Snapshot.objects.all().delete()
    Outcome.objects.all().delete()
    live.close_all()
    assert (live.of(game).state_hash(), list(live.of(game).facts("visitor"))) == (state, facts)
    kept = Snapshot.objects.get()
    assert (kept.n, kept.runtime) == (warm.n, game.runtime), "what was computed again is not computed at each start"
    live.close_all()
    assert (live.of(game).state_hash(), list(live.of(game).facts("visitor"))) == (state, facts)


def test_few_games_stay_warm(keeper, settings):
    settings.NOMOPOLY_WARM_GAMES = 2
    for number in range(4):
        game = domain.start_game(keeper.user, edition="original", title=f"G{number}", slug=f"g{number}")
        live.of(game).view("visitor")
    assert len(live._warm) == 2


def test_a_game_put_to_sleep_before_its_turn_is_woken_or_begun_again(game, keeper, settings):
    settings.NOMOPOLY_WARM_GAMES = 1
    other = domain.start_game(keeper.user, edition="original", title="Other", slug="other")
    handed_out = live.of(game)  # whoever was given it has not taken its lock yet
    live.of(other)
    with handed_out.writing():
        live.of(game).also(lambda: None)
    live.of(other)
    assert live.of(game) is not handed_out
    with pytest.raises(MovedOn), handed_out.writing():
        pass
    assert domain.desk_act(game, "rule", {"text": "And it goes on"}).ok


def test_the_memory_of_the_sandboxes_has_a_budget(keeper, settings, monkeypatch):
    settings.NOMOPOLY_WARM_GAMES, settings.NOMOPOLY_MEMORY = 8, 10**12
    games = [
        domain.start_game(keeper.user, edition="original", title=f"G{number}", slug=f"g{number}") for number in range(4)
    ]
    shown = [live.of(game).view("visitor")["things"] for game in games]
    assert live.count_warm() == 4
    workers, taken = memory.of_sandboxes()
    assert workers >= 4
    assert taken > workers * 5_000_000
    settings.NOMOPOLY_MEMORY = taken // workers * 5 // 2
    monkeypatch.setattr(live, "MEASURED_EVERY", -1.0)
    assert [live.of(game).view("visitor")["things"] for game in games] == shown
    assert live.count_warm() == 2
    settings.NOMOPOLY_MEMORY = 1  # not even one: whoever plays may go on
    assert [live.of(game).view("visitor")["things"] for game in games] == shown
    assert live.count_warm() == 1


def test_the_clock_ends_an_option(ann, game):
    with live.of(game).writing() as running:
        running.tick(live.now(), "turn", {"who": "Ann"})
    held = [thing for thing in live.of(game).view("Ann")["things"].values() if thing.get("option_of") == "Ann"]
    assert held
    game.refresh_from_db()
    assert game.due is not None
    assert queries.games_due(game.due) == [game]
    domain.run_due(game, game.due + 8 * 24 * 3600)
    assert not [thing for thing in live.of(game).view("Ann")["things"].values() if thing.get("option_of")]


def test_many_at_once_make_one_chain(ann, game):
    threads = [threading.Thread(target=propose, args=(game, f"T{n}")) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.n for entry in Entry.objects.filter(game=game)] == list(range(11))


def test_what_no_database_holds_is_refused_or_replaced(ann, game):
    outcome = domain.order(game, "Ann", "propose", {"title": "A", "text": "nothing\0"})
    assert "contains an invalid character: remove it" in outcome.refused
    fault = {"rule": "1." + "1" * 200, "line": 1, "message": "ValueError: \0"}
    with live.of(game).writing() as running:
        domain.settle(game, running, outcomes.Outcome(None, fault=fault))
    assert Fault.objects.get().message == "ValueError: \N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("url", "host", "port", "options"),
    [
        (
            "postgresql://us%40er:pa%2Fss@db.example:5433/games?sslmode=require",
            "db.example",
            5433,
            {"sslmode": "require", "prepare_threshold": 5, "pool": {"min_size": 1, "max_size": 16, "timeout": 8}},
        ),
        (
            "postgresql://us%40er:pa%2Fss@/games?host=/var/run/Pg&pool=4",
            "/var/run/Pg",
            "",
            {"prepare_threshold": 5, "pool": {"min_size": 1, "max_size": 4, "timeout": 8}},
        ),
        (
            "postgresql://us%40er:pa%2Fss@db.example/games?prepare=no",  # behind a pooler
            "db.example",
            "",
            {"prepare_threshold": None, "pool": {"min_size": 1, "max_size": 16, "timeout": 8}},
        ),
    ],
)
def test_the_databases_address_is_read(monkeypatch, url, host, port, options):
    monkeypatch.setenv("DATABASE_URL", url)
    read = database()
    assert (read["HOST"], read["PORT"], read["OPTIONS"]) == (host, port, options)
    assert (read["USER"], read["PASSWORD"], read["NAME"]) == ("us@er", "pa/ss", "games")

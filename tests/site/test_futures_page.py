"""The page of a proposal's futures: begun by who may speak, played in the background, told in words, as fans and as a
table."""

import re
import time

import pytest
from pagewords import text

from nomopoly.errors import CommandError
from nomopoly.lab import futures as playing
from nomopoly.lab import outlook
from nomopoly.site.play import fans, futures
from nomopoly.site.tables import domain, live

HERE = "/g/friday/proposals/1/futures/"
GIFT = {"title": "A gift", "run": 'put(every("player")[0], "money", every("player")[0].money + 310)\n'}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few futures, in this process, as the thread of the page comes to them."""
    monkeypatch.setattr(futures, "FIRST", 4)
    monkeypatch.setattr(futures, "ALL", 6)
    monkeypatch.setattr(futures, "WEEKS", 1)
    monkeypatch.setattr(futures, "Worker", lambda work: playing.Worker(work, "cpython"))
    quiet = {"policy": "random", "avoids": [], "votes": 0, "often": 0, "habits": {}}
    monkeypatch.setattr(playing, "habits", lambda *_: quiet)  # nobody does anything, so that dice decide nothing
    monkeypatch.setattr(futures, "queue", lambda job: setattr(job, "waits", True))
    futures._jobs.clear()
    yield
    futures._jobs.clear()


@pytest.fixture
def proposed(game, ann, ben):
    assert domain.order(game, "Ann", "propose", GIFT).ok
    return game


def only():
    (job,) = futures._jobs.values()
    return job


def post(client, do):
    return client.post(HERE, {"do": do}, follow=True)


def test_the_page_says_in_words_who_gains_and_draws_fans_that_are_a_table_too(proposed, ann):
    assert "There are no futures of it for you" in text(ann.get(HERE))
    assert "0 of 4 futures have been played" in text(post(ann, "begin"))
    futures.play(only())
    page = ann.get(HERE)
    told = text(page)
    assert "4 of 4 futures have been played" in told
    assert re.search(r"Ann \+\$310 , all between \+\$310 and \+\$310 \(more in 4 futures, less in 0\)", told)
    assert "Ben no difference" in told
    assert "The game ends in 0 of 4 futures" in told
    assert "halts early" not in told
    assert "What it leaves out" in told
    content = page.content.decode()
    assert content.count('class="chart fan"') == 2
    assert re.search(r'aria-label="Ann: as the rules are \$[\d,]+ in the end, all between', content)
    rows = re.findall(r"<tr>(.*?)</tr>", content.partition("<tbody>")[2], re.S)
    assert len(rows) == 2 * 2
    assert "style=" not in content.partition('class="fans"')[2].partition("</div>")[0]


def test_a_number_that_the_proposal_takes_away_is_named(game, ann):
    poor = {"title": "No money", "changes": [{"repeal": "IV.1"}]}
    assert domain.order(game, "Ann", "propose", poor).ok
    post(ann, "begin")
    futures.play(only())
    page = text(ann.get(HERE))
    assert "Money: there is none under the proposal." in page
    assert "would lose" not in page


def test_the_page_says_in_how_many_the_game_halts_early(game, ann):
    assert domain.order(game, "Ann", "propose", {"title": "Stop", "run": 'do("end", because="enough")\n'}).ok
    post(ann, "begin")
    futures.play(only())
    assert only().told["ends"]["then"]["halted"] == 4
    early = "In 4 of 4 futures the game halts early under the proposal: players keep what they had then."
    assert early in text(ann.get(HERE))


def test_the_same_proposal_named_elsewhere_has_the_numbers_of_the_page(proposed, ann):
    post(ann, "begin")
    futures.play(only())

    def asked(game):
        return outlook.futures(game, playing.open_proposal(game, "P1", "Ann"), 4, 1, viewer="Ann", runtime="cpython")

    assert live.of(proposed).ask(asked) | {"asked": 4} == only().told


def test_one_of_a_sort_is_called_one(proposed, ann):
    post(ann, "begin")
    futures.play(only())
    told = only().told
    told |= {"futures": 1, "lost": ["?"], "made_up": 1, "beginnings": 8}
    told["players_then"][0]["difference"] |= {"up": 1, "down": 0}
    page = text(ann.get(HERE))
    for each in (
        "What 1 future says",
        "more in 1 future, less in 0",
        "1 thing was made up",
        "1 future that the machine",
    ):
        assert each in page
    assert not re.search(r"(?<!\d)1 (futures (?!the)|things)", page)


def test_the_page_of_the_proposal_leads_there(proposed, ann):
    assert HERE in ann.get("/g/friday/proposals/1/").content.decode()


def test_more_are_played_and_somebody_stops_them(proposed, ann):
    post(ann, "begin")
    assert "Stop" in text(ann.get(HERE))
    futures.play(only())
    only().waits = False
    assert "6" in re.findall(r"Go on to (\d+)", text(ann.get(HERE)))
    post(ann, "more")
    assert only().wanted == 6
    post(ann, "cancel")
    futures.play(only())
    assert only().done == 4
    assert "Go on to 6" in text(ann.get(HERE))
    post(ann, "more")
    futures.play(only())
    assert only().told["futures"] == 6


def test_everybody_has_futures_of_what_they_may_see(proposed, ann, ben):
    post(ann, "begin")
    post(ben, "begin")
    assert {key[2] for key in futures._jobs} == {"Ann", "Ben"}
    assert {job.work.viewer for job in futures._jobs.values()} == {"Ann", "Ben"}


def test_futures_that_a_restart_has_lost_are_said_to_be_gone(proposed, ann, client):
    gone = "If you began some, they are gone: the site was restarted since, or keeps newer ones instead."
    assert gone not in text(post(ann, "begin"))
    futures._jobs.clear()  # as a restart does
    assert gone in text(ann.get(HERE))  # who looks again
    for do in ("more", "cancel"):
        assert gone in text(post(ann, do))
    assert gone not in text(client.get(HERE))  # who could begin none


def test_who_only_looks_begins_nothing(proposed, client):
    assert client.get(HERE).status_code == 200
    client.post(HERE, {"do": "begin"})
    assert not futures._jobs


def test_what_cannot_be_played_is_told(proposed, ann, monkeypatch):
    def refuse(*_):
        raise CommandError("this game is paused")

    monkeypatch.setattr(futures, "prepare", refuse)
    answer = ann.post(HERE, {"do": "begin"})
    assert answer.status_code == 409
    assert "this game is paused" in text(answer)


def test_a_proposal_that_breaks_says_so(game, ann):
    assert domain.order(game, "Ann", "propose", {"title": "x", "run": "x = 1 // (len(players()) - len(players()))"}).ok
    post(ann, "begin")
    futures.play(only())
    assert "the proposal breaks at once" in text(ann.get(HERE))


def test_the_way_to_what_breaks_is_said_as_forms_say_it(proposed, ann):
    post(ann, "begin")
    futures.play(only())
    at = live.of(proposed).ask(lambda game: game.now) + 86400
    leave = [at, "order", "Ann", "leave-game", {}]
    buy = [at, "order", "Ann", "buy-square", {"square": "#4"}]
    trouble = {"rule": "VII.1", "message": "x", "futures": 1, "seed": 0, "paradox": False, "at": at}
    for way, do in (([leave, buy], "leave-game"), ([buy], "buy-square"), ([leave] * 20, "leave-game")):
        only().told["troubles"]["then"].append(trouble | {"do": do, "way": way})
    ways = re.findall(
        "<details><summary>The shortest way there</summary>(.*?)</details>", ann.get(HERE).content.decode(), re.S
    )
    steps = [[re.sub("<[^>]*>", "", each) for each in re.findall("<li>(.*?)</li>", way)] for way in ways]
    said = [[each.split(": ", 1)[-1] for each in way] for way in steps]
    assert said[0] == ["Ann: leave the game", "Ann: buy a square (#4)", "Leave the game"]
    assert said[1] == ["Ann: buy a square (#4)"]
    assert (said[2][0], said[2][2], len(said[2])) == ("Ann: leave the game", "8 more steps", 13)


def test_a_game_that_went_on_and_a_proposal_that_is_decided(proposed, ann):
    post(ann, "begin")
    futures.play(only())
    only().waits = False
    assert domain.order(proposed, "Ben", "propose", {"title": "Another"}).ok
    assert "Something has happened in the game" in text(ann.get(HERE))
    assert domain.desk_act(proposed, "accept", {"on": "P1"}).ok
    assert ann.get(HERE).status_code == 404


def test_many_that_wait_are_enough(proposed, ann, monkeypatch):
    monkeypatch.setattr(futures, "MOST_WAITING", 0)
    answer = ann.post(HERE, {"do": "begin"})
    assert answer.status_code == 503
    assert not futures._jobs


def test_the_thread_plays_what_waits(proposed, ann, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(futures, "Worker", lambda work: playing.Worker(work, "cpython"))
    work = live.of(proposed).ask(lambda game: playing.prepare(game, {"run": GIFT["run"]}, 2, 1, "Ann"))
    job = futures.Job(work, 1, wanted=2)
    with futures._alone:
        futures.queue(job)
    until = time.monotonic() + 60
    while job.runs and time.monotonic() < until:
        time.sleep(0.01)
    assert job.done == 2
    assert job.told["futures"] == 2


def test_they_are_over_when_it_is_said_what_they_come_to(proposed, ann, monkeypatch):
    """Whoever looks before that is not shown what the half of them came to, as if it were all."""
    look, running = futures.Job.look, []
    monkeypatch.setattr(futures.Job, "look", lambda job, last: running.append(job.runs) or look(job, last))
    post(ann, "begin")
    only().waits = False
    futures.play(only())
    assert (running[-1], only().runs) == (True, False)
    assert only().told["futures"] == only().done


def test_bands_are_drawn_from_the_numbers():
    told = {
        "futures": 100,
        "wealth": {"money": True},
        "moments": [0, 604800],
        "fans": {"Ann": {"now": [[1, 2, 3, 4, 5]] * 2, "then": [[1, 2, 3, 4, 5], [10, 20, 30, 40, 50]]}},
    }
    (fan,) = fans.of_players(told)
    assert fan.table == [(604800, [(1, 3, 5), (10, 30, 50)]), (0, [(1, 3, 5), (1, 3, 5)])]
    assert fan.drawing.count("fan-mark") == 4
    assert "under the proposal $30 in the end, 90 % between $10 and $50" in fan.drawing


def test_programs_ask_for_futures_too(proposed, ann, client):
    here = "/api/v1/g/friday/proposals/1/futures"

    def ask(who, do):
        return who.post(here, {"do": do}, content_type="application/json")

    nothing = {"wanted": 0, "done": 0, "running": False, "failed": "", "told": None}
    assert ann.get(here).json() == client.get(here).json() == nothing
    assert ask(client, "begin").status_code in (401, 403)
    assert ask(ann, "zork").status_code == 422
    assert ask(ann, "more").json() == nothing
    assert ask(ann, "begin").json() == nothing | {"wanted": 4, "running": True}
    only().waits = False  # as the thread does that plays it
    futures.play(only())
    seen = ann.get(here).json()
    assert (seen["done"], seen["running"], seen["told"]["futures"]) == (4, False, 4)
    assert client.get(here).json() == nothing  # those that somebody else has asked for
    assert ask(ann, "more").json()["wanted"] == 6
    assert ask(ann, "cancel").json()["running"] is False

"""Which process has a game, and what one process tells another; see test_handing.py for real processes."""

import asyncio
import contextlib
from datetime import timedelta
from types import SimpleNamespace

import pytest
import time_machine
from django.db.models.functions import Now
from django.utils import timezone

from nomopoly.runtime.interpreters import Incident
from nomopoly.runtime.journal import MovedOn
from nomopoly.site import busy, errands, handing
from nomopoly.site.notices import making
from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain, homes, live
from nomopoly.site.tables.models import Home, Process

pytestmark = pytest.mark.django_db(transaction=True)


class Others:
    """Several processes in one: what each of them remembers of itself and of games is put in place while it acts."""

    def __init__(self, monkeypatch):
        self.monkeypatch, self.kept = monkeypatch, {}

    @contextlib.contextmanager
    def acting(self, name):
        kept = self.kept.setdefault(
            name, {"_address": f"http://{name}:8000", "_process": "", "_known": {}, "_came": {}}
        )
        with self.monkeypatch.context() as patch:
            for each, value in kept.items():
                patch.setattr(homes, each, value)
            if not homes.name():
                homes.beat()
            yield
            kept.update({each: getattr(homes, each) for each in kept})

    def find(self, name, slug, **more):
        with self.acting(name):
            return homes.find(slug, **more)


@pytest.fixture
def others(monkeypatch):
    return Others(monkeypatch)


def test_who_is_asked_first_has_the_game(others, game):
    assert others.find("a", game.slug) is homes.HERE
    place = others.find("b", game.slug)
    assert (place.process, place.address) == (Process.objects.get(address="http://a:8000").pk, "http://a:8000")
    assert others.find("b", "no-such-game") is None
    assert Home.objects.count() == 1


def test_who_only_looks_takes_nothing(others, game):
    assert others.find("clock", game.slug, take=False) is None
    assert Home.objects.count() == 0


def test_the_games_of_a_process_that_says_nothing_any_more_are_taken_over(others, game):
    assert others.find("a", game.slug) is homes.HERE
    Process.objects.filter(address="http://a:8000").update(beat=Now() - timedelta(seconds=11))
    assert others.find("b", game.slug) is homes.HERE
    with others.acting("b"):
        homes.beat()
    assert list(Process.objects.values_list("address", flat=True)) == ["http://b:8000"]
    with others.acting("a"):  # it was only slow
        assert homes.remembered(game.slug) is homes.HERE
        homes.beat()
        assert homes.remembered(game.slug) is None
        assert homes.find(game.slug).address == "http://b:8000"


def test_a_process_that_is_gone_has_no_games(others, game):
    assert others.find("a", game.slug) is homes.HERE
    place = others.find("b", game.slug)
    with others.acting("b"):
        homes.gone(place.process)
        assert homes.find(game.slug) is homes.HERE


def test_a_game_follows_its_requests(others, game):
    assert others.find("a", game.slug) is homes.HERE
    assert others.find("b", game.slug).address == "http://a:8000"
    with others.acting("b"):
        second = homes.name()
    with others.acting("a"):
        assert not any(homes.came(game.slug, second) for _ in range(homes.FOLLOWS - 1))
        assert not homes.came(game.slug, "")  # one that came here by itself
        assert not any(homes.came(game.slug, second) for _ in range(homes.FOLLOWS - 1))
        assert homes.came(game.slug, second)
        homes.give(game.slug, second)
        assert homes.find(game.slug).address == "http://b:8000"
    with others.acting("b"):
        assert homes.remembered(game.slug).address == "http://a:8000"  # until a tells it better
        homes.forget(game.slug)
        assert homes.find(game.slug) is homes.HERE


def test_a_game_is_given_to_nobody_who_is_gone(others, game):
    assert others.find("a", game.slug) is homes.HERE
    with others.acting("a"):
        homes.give(game.slug, "nobody")
        assert homes.find(game.slug) is homes.HERE


# ---- the header


PLACE = homes.Place("a", "http://a:8000")


def test_a_header_holds_for_its_request_and_for_a_while(settings):
    header = handing.signed(PLACE, "POST", "/g/demo/act/?x=1", "b", ["192.0.2.7", 5], "https").encode()
    told = handing.read(header, "POST", "/g/demo/act/?x=1")
    assert (told["to"], told["by"], told["client"], told["scheme"]) == ("a", "b", ["192.0.2.7", 5], "https")
    assert handing.read(header, "GET", "/g/demo/act/?x=1") is None
    assert handing.read(header, "POST", "/g/other/act/?x=1") is None
    assert handing.read(header[:-2] + b"xx", "POST", "/g/demo/act/?x=1") is None
    assert handing.read(b"\xff", "POST", "/g/demo/act/?x=1") is None
    with time_machine.travel(timezone.now() + timedelta(seconds=handing.AGE + 5)):
        assert handing.read(header, "POST", "/g/demo/act/?x=1") is None
    settings.SECRET_KEY = "another-site"
    assert handing.read(header, "POST", "/g/demo/act/?x=1") is None


def request(path, headers=(), method="GET"):
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": list(headers),
        "client": ("10.0.0.2", 1),
        "scheme": "http",
    }


class Asked:
    """A site that notes what it is asked, behind what hands over."""

    def __init__(self):
        self.scopes, self.sent = [], []
        self.handing = handing.Handing(self)

    async def __call__(self, scope, receive, send):
        self.scopes.append(scope)

    def ask(self, scope):
        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            self.sent.append(message)

        asyncio.run(self.handing(scope, receive, send))


def test_the_client_is_who_the_signed_header_says(others, game):
    path = f"/g/{game.slug}/"
    with others.acting("a"):
        homes.find(game.slug)
        header = handing.signed(homes.Place(homes.name(), ""), "GET", path, "b", ["192.0.2.7", 5], "https").encode()
        asked = Asked()
        asked.ask(request(path, [(handing.HEADER, header)]))
        asked.ask(request(path, [(handing.HEADER, b"forged")]))
    assert [(each["client"], each["scheme"]) for each in asked.scopes] == [
        (("192.0.2.7", 5), "https"),
        (("10.0.0.2", 1), "http"),
    ]
    assert [handing.HANDED in each for each in asked.scopes] == [True, False]


def test_what_is_meant_for_another_process_is_sent_back(others, game):
    path = f"/g/{game.slug}/"
    others.find("a", game.slug)
    with others.acting("b"):
        asked = Asked()
        for process, why in ((homes.name(), b"elsewhere"), ("gone", b"gone")):
            header = handing.signed(homes.Place(process, ""), "GET", path).encode()
            asked.ask(request(path, [(handing.HEADER, header)]))
            assert asked.sent[-2]["status"] == 421
            assert asked.sent[-2]["headers"] == [(handing.WHY, why)]
    assert asked.scopes == []


def test_an_order_whose_answer_is_cut_off_is_done_again_only_where_that_does_nothing_twice(others, game, monkeypatch):
    async def cut_off(*_):
        raise handing.CutOff

    monkeypatch.setattr(handing.Handing, "hand_over", cut_off)
    others.find("a", game.slug)
    with others.acting("b"):
        asked = Asked()
        path = f"/g/{game.slug}/act/mark/"
        asked.ask(request(path, method="POST"))
        asked.ask(request(path, [(b"idempotency-key", b"word")], method="POST"))
        asked.ask(request(path))
    assert [each[busy.CUT_OFF] for each in asked.scopes] == [True, False, False]


def test_a_request_that_may_have_been_carried_out_is_answered_with_503(client, game, monkeypatch):
    from django.core.handlers.wsgi import WSGIRequest

    monkeypatch.setattr(WSGIRequest, "scope", {busy.CUT_OFF: True}, raising=False)
    answer = client.post(f"/api/v1/g/{game.slug}/act/mark", "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (503, busy.UNSURE)
    page = client.post(f"/g/{game.slug}/act/", {"word": "typed"})
    assert page.status_code == 503
    assert "typed" in page.text


# ---- errands


@pytest.mark.parametrize(
    "error", [MovedOn("another was faster"), busy.Busy(5, "This game is busy."), Incident("1.1", 7, "out of time", [])]
)
def test_what_an_errand_raises_at_the_home_is_raised_where_it_was_asked_for(error, monkeypatch, game):
    def fails(game, moment):
        raise error

    monkeypatch.setitem(errands.ERRANDS, "due", fails)
    monkeypatch.setattr(handing, "errand", lambda slug, what, moment: errands.do_here(what, game, moment))
    with pytest.raises(type(error)) as raised:
        errands.run("due", game, 1)
    assert str(raised.value) == str(error)


def test_notices_are_made_where_the_game_is_loaded(ann, ben, game, monkeypatch):
    asked = []

    def at_its_home(slug, what, moment):
        asked.append((slug, what))
        return errands.do_here(what, game, moment)

    monkeypatch.setattr(handing, "errand", at_its_home)
    domain.order(game, "Ann", "propose", {"title": "Free parking"})
    with live.clock_at(live.now() + making.SOON + 1):
        while errands.make_notices():
            pass
    assert asked == [(game.slug, "notices")]
    assert Notice.objects.filter(user__email="ben@example.org", game=game).exists()
    assert making.look_all() == 0


def test_notices_that_have_to_wait_are_made_later(ann, ben, game, monkeypatch):
    domain.order(game, "Ann", "propose", {"title": "Free parking"})
    monkeypatch.setattr(handing, "errand", lambda slug, what, moment: {"busy": [5, "This game is busy."]})
    soon = live.now() + making.SOON + 1
    with live.clock_at(soon):
        errands.make_notices()
        assert not Notice.objects.filter(user__email="ben@example.org").exists()
    monkeypatch.setattr(handing, "errand", lambda *_, **__: None)
    with live.clock_at(soon + making.SOON):
        errands.make_notices()
    assert Notice.objects.filter(user__email="ben@example.org").exists()


def test_an_errand_is_for_processes_of_the_site_alone(client, game):
    assert client.post(f"/homes/{game.slug}/due/", {}).status_code == 404


def test_a_home_that_has_refused_is_told_from_one_that_is_silent():
    refused = OSError("All connection attempts failed")
    refused.__cause__ = ConnectionRefusedError()
    assert handing.was_refused(SimpleNamespace(__cause__=refused, __context__=None))
    assert not handing.was_refused(TimeoutError())

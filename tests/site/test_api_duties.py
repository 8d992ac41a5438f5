"""The API of what the Admin sees to outside the rules: what the pages of the desk do, for whom they do it, once."""

import json

from django.core import mail
from django.test import Client
from test_api import bearer
from test_api_keeping import AT, post

from nomopoly.site.notices import reading
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Fault, Game


def to(client, path, **sent):
    return client.post(path, json.dumps(sent), content_type="application/json")


def test_a_fault_is_taken_off_the_desk(game, ann, keeper):
    Fault.objects.create(game=game, n=1, rule="V.1", line=7, message="it broke")
    (fault,) = keeper.get(f"{AT}/admin").json()["faults"]
    assert post(ann, f"/admin/faults/{fault['id']}/settled").status_code == 403
    assert post(keeper, f"/admin/faults/{fault['id']}/settled").json() == {"settled": fault["id"]}
    assert keeper.get(f"{AT}/admin").json()["faults"] == []
    assert post(keeper, f"/admin/faults/{fault['id'] + 1}/settled").status_code == 404


def test_names_that_were_looked_at_are_gone_from_the_desk(game, ann, keeper, monkeypatch):
    from nomopoly.site.tables import office

    given = [{"id": "#3", "name": "Elm"}]
    monkeypatch.setattr(office, "owner_of", lambda view, id: "Ann")
    assert keeper.get(f"{AT}/admin/names").json()["names"] == []
    monkeypatch.setattr(office, "names", lambda game: iter([{"names": given, "upto": live.of(game).n}]))
    listed = keeper.get(f"{AT}/admin/names").json()
    assert listed == {"names": given, "upto": live.of(game).n}
    monkeypatch.undo()
    assert post(ann, "/admin/names", upto=listed["upto"]).status_code == 403
    assert post(keeper, "/admin/names", upto=10**6).json() == {"upto": listed["upto"]}
    assert keeper.get(f"{AT}/admin/names").json() == {"names": [], "upto": None}


def test_the_office_passes_to_who_accepts_it(game, ann, keeper, people):
    assert post(ann, "/admin/hand-over", to="dot@example.org").status_code == 403
    assert "your own address" in post(keeper, "/admin/hand-over", to="keeper@example.org").json()["refused"]
    mail.outbox.clear()
    for _ in range(2):
        sent = post(keeper, "/admin/hand-over", {"Idempotency-Key": "once"}, to="dot@example.org")
        assert (sent.status_code, sent.json()) == (200, {"to": "dot@example.org"})
    assert [each.to for each in mail.outbox] == [["dot@example.org"]]
    offered = keeper.get(f"{AT}/admin/hand-over").json()
    assert offered == {"to": "dot@example.org", "until": Game.objects.get(pk=game.pk).successor_until}
    dot = people("dot")
    assert [(each["slug"], each["until"]) for each in dot.get("/api/v1/me/offices").json()] == [
        ("friday", offered["until"])
    ]
    assert ann.get("/api/v1/me/offices").json() == []
    assert post(ann, "/office", accept=True).status_code == 404
    assert post(Client(), "/office", accept=True).status_code == 401
    assert post(bearer(dot, game), "/office", accept=True).status_code == 404  # a key is of one game, and for playing
    assert post(dot, "/office", accept=True).json() == {"admin": True}
    assert Game.objects.get(pk=game.pk).admin == dot.user
    assert keeper.get(f"{AT}/admin").status_code == 403
    assert dot.get("/api/v1/me/offices").json() == []


def test_an_offer_is_taken_back_or_declined(game, keeper, people):
    post(keeper, "/admin/hand-over", to="dot@example.org")
    assert post(keeper, "/admin/hand-over").json() == {"to": None}
    assert post(people("dot"), "/office", accept=True).status_code == 404
    post(keeper, "/admin/hand-over", to="dot@example.org")
    assert post(people("dot"), "/office", accept=False).json() == {"admin": False}
    assert keeper.get(f"{AT}/admin/hand-over").json() == {"to": None, "until": None}
    assert Game.objects.get(pk=game.pk).admin == keeper.user


def test_notices_are_marked_as_seen(game, ann, ben, told):
    domain.order(game, "Ann", "propose", {"title": "First"})
    domain.order(game, "Ann", "propose", {"title": "Second"})
    with live.clock_at(told()):
        listed = ben.get("/api/v1/me/notices?unread=true").json()["notices"]
        assert listed
        first = listed[0]["id"]
        assert to(ann, "/api/v1/me/notices/read", ids=[first]).json() == {"seen": 0}
        assert to(ben, "/api/v1/me/notices/read", ids=[first]).json() == {"seen": 1}
        assert to(ben, "/api/v1/me/notices/read", ids=[first]).json() == {"seen": 0}, "it was seen before"
        assert first not in [each["id"] for each in ben.get("/api/v1/me/notices?unread=true").json()["notices"]]
        assert to(ben, "/api/v1/me/notices/read").json() == {"seen": len(listed) - 1}
        assert reading.unread(ben.user) == 0
        assert to(Client(), "/api/v1/me/notices/read").status_code == 401

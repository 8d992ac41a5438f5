"""The API of keeping order, hosting, pieces and typos: what their pages do, for whom they do it, once."""

import json

import pytest
from django.core import mail
from django.test import Client
from pagewords import propose

from nomopoly.site.order.models import Complaint
from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Membership

AT = "/api/v1/g/friday"


def post(client, path, headers=None, **sent):
    return client.post(f"{AT}{path}", json.dumps(sent), content_type="application/json", headers=headers)


def test_a_report_reaches_the_admin_who_answers_it(game, ann, ben, keeper):
    propose(game, title="Rude")
    once = {"Idempotency-Key": "one"}
    for _ in range(2):
        answer = post(ben, "/reports", once, sort="proposal", about="P1", because="It is rude.")
        assert (answer.status_code, answer.json()) == (200, {"asked": "admin"})
    assert post(ben, "/reports", sort="proposal", about="P9", because="x").status_code == 409
    assert post(ben, "/reports", sort="post", about="1", because="x").status_code == 422
    assert post(Client(), "/reports", sort="proposal", about="P1", because="x").status_code == 403
    (found,) = keeper.get(f"{AT}/admin/conduct").json()["reports"]
    assert (found["sort"], found["about"], found["because"]) == ("proposal", "P1", "It is rude.")
    assert "ben" not in json.dumps(found).casefold()
    assert ann.get(f"{AT}/admin/conduct").status_code == 403
    mail.outbox.clear()
    assert post(keeper, f"/admin/conduct/reports/{found['id']}", answer="Mended.").json() == {"answered": found["id"]}
    assert Complaint.objects.get().answer == "Mended."
    assert post(keeper, f"/admin/conduct/reports/{found['id']}", answer="x").status_code == 404


def test_warnings_and_mutes_stand_in_the_log_with_their_reason(game, ann, ben, keeper):
    warned = post(keeper, "/admin/conduct", do="warn", player="Ben", because="He shouts.").json()
    assert "Warning to Ben: He shouts." in json.dumps(warned)
    once = {"Idempotency-Key": "once"}
    n = live.of(game).n
    for _ in range(2):
        assert post(keeper, "/admin/conduct", once, do="mute", player="Ben", days=2, because="Loud.").status_code == 200
    assert live.of(game).n == n + 1
    told = Client().get(f"{AT}/log").content.decode()
    assert "Ben may not write in the forum for 2 days: Loud." in told
    found = keeper.get(f"{AT}/admin/conduct").json()
    assert found["warned"] == {"Ben": [warned["number"]]}
    assert [(each["player"], each["because"]) for each in found["muted"]] == [("Ben", "Loud.")]
    assert "You may not write" in post(ben, "/forum", title="x", body="y").json()["refused"]
    assert post(keeper, "/admin/conduct", do="hear", player="Ben").status_code == 200
    assert post(ben, "/forum", title="x", body="y").status_code == 200
    for wrong in ({"do": "warn", "player": "Zoe", "because": "x"}, {"do": "mute", "player": "Ben", "because": "x"}):
        assert post(keeper, "/admin/conduct", **wrong).status_code == 409
    assert post(ann, "/admin/conduct", do="warn", player="Ben", because="x").status_code == 403


def test_who_hosts_a_game_invites_by_mail_and_renews_the_link(game, ann, keeper):
    before = keeper.get(f"{AT}/invitations").json()
    assert before["link"].endswith(f"/g/friday/join/?invitation={game.invitation}")
    mail.outbox.clear()
    after = post(keeper, "/invitations", invite=["zoe@example.org"], host="Kay", renew=True).json()
    assert after["host"] == "Kay"
    assert after["link"] != before["link"]
    assert [each.to for each in mail.outbox] == [["zoe@example.org"]]
    assert "address" in post(keeper, "/invitations", invite=["nonsense"]).json()["refused"]
    for other in (ann, Client()):
        assert other.get(f"{AT}/invitations").status_code == 403
        assert post(other, "/invitations", invite=["zoe@example.org"]).status_code == 403
        assert game.invitation not in other.get(f"{AT}/invitations").content.decode()


def test_bots_come_to_the_table_and_leave_it(game, ann, keeper):
    once = {"Idempotency-Key": "bot"}
    for _ in range(2):
        (name,) = post(keeper, "/bots", once, do="add").json()["bots"]
    assert Membership.objects.get(player=name).status == "approved"
    assert keeper.get(f"{AT}/invitations").json()["bots"] == [name]
    assert post(ann, "/bots", do="add").status_code == 403
    assert post(keeper, "/bots", do="remove", name="Zoe").status_code == 404
    assert post(keeper, "/bots", do="remove", name=name).json() == {"bots": []}


def test_a_player_chooses_a_piece(game, ann, ben):
    shapes = Client().get(f"{AT}/pieces").json()
    mine = next(shape for shape, each in shapes.items() if "Ann" in each["players"])
    other = next(shape for shape in shapes if shape != mine)
    assert post(ann, "/piece", piece=other).json() == {"piece": other}
    assert "Ann" in Client().get(f"{AT}/pieces").json()[other]["players"]
    assert "There is no such shape" in post(ann, "/piece", piece="<b>").json()["refused"]
    assert post(Client(), "/piece", piece=mine).status_code == 403


@pytest.mark.parametrize("sort", ["proposal", "post"])
def test_the_admin_mends_typos(game, ann, keeper, sort):
    if sort == "proposal":
        propose(game, title="Hosues", text="Every hosue costs $300.")
        about, read = "P1", "/proposals/1"
    else:
        post(ann, "/forum", title="x", body="Every hosue costs $300.")
        about, read = f"post-{Comment.objects.get().pk}", "/forum/1"
    n, page = (
        live.of(game).n,
        read.replace("/forum/1", "/g/friday/forum/1/").replace("/proposals/1", "/g/friday/proposals/1/"),
    )
    done = post(keeper, "/admin/mend", about=about, text="Every house costs $300.").json()
    assert (done["written"]["text"], done["mended"]["text"]) == ("Every hosue costs $300.", "Every house costs $300.")
    assert "Every house costs $300." in Client().get(page).content.decode()
    assert "Every hosue costs $300." in Client().get(page).content.decode()
    assert live.of(game).n == n
    assert "300 became 3" in post(keeper, "/admin/mend", about=about, text="Every house costs $3.").json()["refused"]
    assert post(ann, "/admin/mend", about=about, text="Every house costs $300.").status_code == 403
    for wrong in ("P9", "post-999", "x", "P" + "9" * 40):
        assert post(keeper, "/admin/mend", about=wrong, text="x").status_code == 404
    assert domain.order(game, "Ann", "propose", {"title": "more"}).ok

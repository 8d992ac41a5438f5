"""A game is deleted for those whose names are in it: wholly, and no other one with it."""

import pytest
from django.apps import apps
from pagewords import seated

from nomopoly.errors import CommandError
from nomopoly.site.order import operating
from nomopoly.site.order.models import OperatorAct
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import domain, live, witness
from nomopoly.site.tables.models import Game


def kept_of(number):
    """The models in which something is kept of a game."""
    return {
        model.__name__
        for model in apps.get_models()
        for field in model._meta.fields
        if field.is_relation and field.related_model is Game and model.objects.filter(**{field.name: number}).exists()
    }


@pytest.fixture
def used(game, ann, ben, keeper):
    """A game in which people have played, talked, and written for themselves."""
    for client in (ann, ben):
        client.post("/g/friday/forum/new/", {"title": "Hello", "body": "Here I am"})
    ann.post("/g/friday/notes/", {"body": "A plan", "version": 0})
    ann.post("/g/friday/report/", {"sort": "admin", "because": "Takes sides"})
    assert domain.order(game, "Ann", "propose", {"title": "Cake", "text": "No cake."}).ok
    assert domain.desk_act(game, "reject", {"on": "P1", "because": "Cake!"}).ok
    for path in ("", "log/", "players/", "forum/"):
        assert ann.get(f"/g/friday/{path}").status_code == 200
    assert kept_of(game.pk) >= {"Entry", "Outcome", "Membership", "LogLine", "Thread", "Comment"}
    return game


def test_all_of_a_game_goes_and_nothing_of_another(used, ann, keeper, monkeypatch):
    other = domain.start_game(keeper.user, edition="original", title="Monday", slug="monday")
    seated(other, ann, "Ann")
    before = kept_of(other.pk), other.entries.count(), live.of(other).view("Ann")["things"]
    assert domain.operate(used, "stop", "The school year is over.").ok
    number, taken = used.pk, []
    monkeypatch.setattr(witness, "forget", taken.append)
    told = operating.delete(used, "The school year is over.")
    assert told == "Friday is deleted. Backups and exported files still have it."
    assert (kept_of(number), taken) == (set(), [number])
    assert ann.get("/g/friday/").status_code == ann.get("/api/v1/g/friday/log").status_code == 404
    assert "Friday" not in ann.get("/me/").content.decode()
    assert (kept_of(other.pk), other.entries.count(), live.of(other).view("Ann")["things"]) == before
    act = OperatorAct.objects.get()
    assert (act.what, act.about, act.because) == ("delete", "game friday", "The school year is over.")


def test_players_and_the_admin_are_told_by_mail_each_in_their_language(used, ann, ben, keeper):
    ben.user.language = "de"
    ben.user.save()
    Letter.objects.all().delete()
    assert domain.operate(used, "stop", "It is June.").ok
    operating.delete(used, "It is June.")
    letters = {each.to: (each.subject, each.text) for each in Letter.objects.filter(subject__contains="Friday")}
    assert set(letters) == {"ann@example.org", "ben@example.org", keeper.user.email}
    assert letters["ann@example.org"][0] == "Nomopoly: the game Friday is deleted"
    assert "It is June." in letters["ann@example.org"][1]
    assert letters["ben@example.org"][0] == "Nomopoly: das Spiel Friday ist gelöscht"


def test_what_is_being_played_is_not_deleted_and_what_is_over_may_be(used):
    with pytest.raises(CommandError, match="friday is being played: stop it first"):
        operating.delete(used, "Enough")
    Game.objects.filter(pk=used.pk).update(over=True)
    used.refresh_from_db()
    with pytest.raises(CommandError, match="say why"):
        operating.delete(used, "  ")
    assert Game.objects.filter(pk=used.pk).exists()
    operating.delete(used, "Enough")
    assert not Game.objects.exists()


def test_its_witness_goes_too(tmp_path, monkeypatch):
    file = tmp_path / "7.jsonl"
    file.write_text("{}")
    monkeypatch.setattr(witness, "path_of", lambda number: tmp_path / f"{number}.jsonl")
    witness.forget(7)
    witness.forget(8)
    assert not file.exists()

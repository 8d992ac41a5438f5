"""The library of rules on the site: found, proposed in a game, offered from one, and chosen by the operators."""

import json

import pytest
from django.test import Client
from pagewords import DAY, accept, grant, propose, text, token

from nomopoly.cli import run
from nomopoly.errors import CommandError
from nomopoly.site.play import shelf
from nomopoly.site.play.models import LibraryRule
from nomopoly.site.tables import domain, live

LAP = '@after("pass")\ndef lap(e):\n    if e.square.number == 1:\n        gain(e.who, rule.bonus)\n'
CHANGE = {
    "enact": "X.1",
    "title": "Lap money",
    "text": "Who passes #1 gets ${bonus}.",
    "code": LAP,
    "params": {"bonus": 40},
}


@pytest.fixture
def lap(ann, game):
    propose(game, title="Laps", changes=[CHANGE])
    accept(game, "P1")


def offered(ann):
    page = ann.get("/g/friday/rules/X.1/")
    return ann.post("/g/friday/rules/offer/", {"rule": "X.1", "once": token(page)}, follow=True)


def test_rules_are_found_and_read(game):
    page = text(Client().get("/library/"))
    assert "Rent Landing on a square that somebody else owns costs rent" in page
    assert "A bonus square" not in text(Client().get("/library/?q=owner+pays"))
    rule = text(Client().get("/library/rent/"))
    assert "owner = e.square.owner" in rule
    assert "scenario: rent for the owner of a square" in rule
    assert "No rule is like that" in text(Client().get("/library/?q=xyzzy"))
    assert Client().get("/library/nothing/").status_code == 404


def test_rules_are_found_and_read_in_german_and_proposed_as_they_are(ann, game):
    german = {"accept-language": "de"}
    page = text(Client().get("/library/?q=bank+schulden", headers=german))
    assert "Eine Bank, die Geld verleiht Spieler leihen sich Geld von einer Bank" in page
    assert "Eine Bank, die Geld verleiht" in text(Client().get("/library/?q=borrow+interest", headers=german))
    rule = text(Client().get("/library/loan/", headers=german))
    assert "solange er ihr nicht mehr als $ 500 schuldet" in rule
    assert "Das Original, das entscheidet A player may borrow from the bank" in rule
    form = ann.get("/g/friday/proposals/new/?library=loan", headers=german).content.decode()
    assert "A player may borrow from the bank" in form
    assert "Geld leihen" not in form.partition("</form>")[0].partition("<textarea")[2]
    recipes = text(ann.get("/g/friday/proposals/new/?door=program", headers=german))
    assert "Ein Bonusfeld Wer auf einem bestimmten Feld landet, bekommt Geld." in recipes


def test_a_rule_is_proposed_in_a_game_and_what_is_missing_there_is_named(ann, game):
    assert 'href="/g/friday/proposals/new/?library=rent"' in ann.get("/library/rent/").content.decode()
    page = ann.get("/g/friday/proposals/new/?library=rent")
    assert "owner = e.square.owner" in page.content.decode()
    assert 'id="lacks"' not in page.content.decode()
    page = text(ann.get("/g/friday/proposals/new/?library=rent_buildings"))
    assert "This game has no kind of thing “building”" in page


def adopt(game, name):
    """Put a rule of the library in force as rule X.1. Returns it."""
    rule = shelf.find(name)
    change = {"enact": "X.1", "title": rule.title, "text": rule.text, "params": rule.params, "code": rule.code}
    propose(game, title=rule.title, changes=[change])
    accept(game, "P1")
    return rule


def test_a_poll_is_answered_from_the_list_of_actions_and_by_a_command(people, ann, ben, game):
    adopt(game, "vote_3_poll")
    assert domain.order(game, "Ann", "ask-everybody", {"title": "More squares?"}).ok
    assert 'href="/g/friday/act/answer-poll/"' in ben.get("/g/friday/act/").content.decode()
    form = ben.get("/g/friday/act/", {"command": "answer-poll poll-1 yes"}, follow=True)
    assert form.redirect_chain == [("/g/friday/act/answer-poll/?poll=poll-1&choice=yes", 302)]
    told = ben.post("/g/friday/act/answer-poll/", {"poll": "poll-1", "choice": "yes", "once": token(form)}, follow=True)
    assert "Your vote: Yes" in text(told)
    with live.clock_at(live.now() + 3 * DAY):
        domain.run_due(game, live.now())
    assert "More squares? : 1 yes, 0 no" in text(ben.get("/g/friday/log/"))


def test_who_bids_in_an_auction_sees_for_which_square_and_the_log_says_it_when_it_is_over(ann, ben, game):
    adopt(game, "auction")
    grant(game, "#17", "owner", "Ann")
    assert domain.order(game, "Ann", "put-up", {"square": "#17"}).ok
    assert "#17, of Ann" in text(ben.get("/g/friday/act/bid-for-lot/"))
    assert domain.order(game, "Ben", "bid-for-lot", {"lot": "lot-for-sale-1", "amount": 40}).ok
    for days in (0, 9):
        with live.clock_at(live.now() + days * DAY):
            domain.run_due(game, live.now())
            assert "Ben bids $40 for #17" in text(ben.get("/g/friday/log/"))
    assert "lot-for-sale-1" not in live.of(game).view("Ben")["things"]


def test_a_player_offers_a_rule_and_the_operators_accept_it(ann, lap, game, settings):
    assert "It is offered" in text(offered(ann))
    assert "Lap money" not in text(ann.get("/library/"))
    assert "Offer it to the library" not in text(ann.get("/g/friday/rules/X.1/"))
    assert [each.slug for each in shelf.offered()] == ["lap-money"]
    shelf.decide("lap-money", True)
    page = text(Client().get("/library/lap-money/"))
    assert "From rule X.1 of Friday" in page
    assert "gets $ 40" in page
    told = Client().get("/api/v1/library/lap-money?game=friday").json()
    assert (told["held"]["game"], told["held"]["rule"], told["lacks"]) == ("friday", "X.1", [])
    assert "lap-money" in [each["name"] for each in Client().get("/api/v1/library?q=passes").json()]
    shelf.decide("lap-money", False)
    assert Client().get("/library/lap-money/").status_code == 404


def test_a_program_offers_a_rule(ann, lap, game, people):
    def offer(client, rule):
        sent = json.dumps({"game": "friday", "rule": rule})
        return client.post("/api/v1/library", sent, content_type="application/json")

    assert "cannot be offered" in offer(ann, "V.1").json()["refused"]
    assert offer(Client(), "X.1").status_code == 401
    assert offer(ann, "X.1").json() == {"offered": "X.1"}
    assert [each.slug for each in shelf.offered()] == ["lap-money"]
    assert "cannot be offered" in offer(ann, "X.1").json()["refused"]


def test_only_what_players_made_in_a_public_game_is_offered(people, ann, lap, game):
    assert "Offer it to the library" not in text(ann.get("/g/friday/rules/VII.1/"))
    assert "Offer it to the library" not in text(Client().get("/g/friday/rules/X.1/"))
    for client, rule in ((ann, "VII.1"), (people("eve"), "X.1"), (ann, "Z.9")):
        client.post("/g/friday/rules/offer/", {"rule": rule})
    game.visibility = "private"
    game.save()
    ann.post("/g/friday/rules/offer/", {"rule": "X.1"})
    assert not LibraryRule.objects.exists()


def test_operators_add_files(tmp_path):
    file = tmp_path / "toll.yaml"
    file.write_text("title: A toll\nabout: Passing costs money.\ntext: Who passes pays ${fee}.\nparams: {fee: "
                    "3}\ncode: |\n"
                    '  @after("pass")\n  def toll(e):\n      lose(e.who, rule.fee)\n---\nscenario: '
                    's\nedition: iv\n')  # fmt: skip
    name = shelf.add(file)
    found = shelf.find(name)
    assert (found.title, found.params, found.edition) == ("A toll", {"fee": 3}, "iv")
    copy = tmp_path / "copy.yaml"
    copy.write_text(shelf.to_text(found), encoding="utf-8-sig")
    again = shelf.find(shelf.add(copy))
    assert (again.text, again.params, again.code, again.example) == (
        found.text,
        found.params,
        found.code,
        found.example,
    )
    with pytest.raises(CommandError, match="no rule nothing"):
        shelf.decide("nothing", True)
    file.write_bytes("title: Café".encode("latin-1"))
    with pytest.raises(CommandError, match=r"toll\.yaml: cannot be read: it is not text in UTF-8"):
        shelf.add(file)


def test_the_command_lists_the_library(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("nomopoly.site.files.opened", lambda data: None)
    for words in (["--offered"], ["nowhere-to-be-found"]):
        assert run(["library", *words, "--data", str(tmp_path)]) == 0
        assert capsys.readouterr().out == "Nothing.\n"
    assert run(["library", "owner", "--data", str(tmp_path)]) == 0
    assert "rent: Rent" in capsys.readouterr().out
    assert run(["library", "--show", "rent", "--data", str(tmp_path)]) == 0
    assert "owner = e.square.owner" in capsys.readouterr().out


def test_the_command_does_one_thing_at_a_time(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("nomopoly.site.files.opened", lambda data: None)
    file = tmp_path / "toll.yaml"
    file.write_text("title: Toll")
    for words, named in (
        (["--add", str(file), "--remove", "rent"], "--add, --remove"),
        (["owner", "--offered"], "WORDS, --offered"),
    ):
        assert run(["library", *words, "--data", str(tmp_path)]) == 1
        assert f"one of these at a time: {named}" in capsys.readouterr().err

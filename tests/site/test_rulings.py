"""Rulings of the Admin, the rules they concern, and what is asked of them."""

import json

import pytest
from django.test import Client
from pagewords import accept, propose, text

from nomopoly.site.play import rulings
from nomopoly.site.tables import domain, live

AT = "/g/friday/"
RULINGS = f"{AT}rulings/"


def rule(keeper, words, rules):
    sent = {"text": words, "rules": rules, "confirm": "1"}
    assert keeper.post(f"{AT}admin/rule/", sent).status_code == 303


def number_of(game, do):
    return next(entry["number"] for entry in live.of(game).facts("visitor")[::-1] if entry["do"] == do)


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("VII.1, VIII.3;  VII.1", ["VII.1", "VIII.3"]),
        (["8.10", "8.1"], ["8.10", "8.1"]),
        ("8.10", ["8.10"]),
        (None, []),
        ("", []),
    ],
)
def test_rules_are_named_in_any_way(named, found):
    assert rulings.concerned(named) == found


def test_without_any_it_says_so(ann, game):
    page = text(Client().get(RULINGS))
    assert "The Admin has not ruled on anything yet" in page
    assert "Nobody has questioned anything yet" in page
    assert f'href="{RULINGS}"' in Client().get(f"{AT}rules/").content.decode()


def test_rulings_stand_with_the_rules_they_concern(ann, keeper, game):
    words = {"text": "A turn is *one* roll. <script>x</script>", "rules": "VII.1, VIII.3, the weather"}
    assert domain.desk_act(game, "rule", words).ok  # as one could write it before: any words
    rule(keeper, "Nothing else.", "")
    for reader in (ann, keeper, Client()):
        page = reader.get(RULINGS)
        body = page.content.decode()
        assert "A turn is one roll." in text(page)
        assert "<script>x" not in body
        assert f'href="{AT}rules/VII.1/"' in body
        assert "<bdi>weather</bdi>" in body
        assert body.index("Nothing else.") < body.index("A turn is")
        assert ("Post a ruling" in text(page)) == (reader is keeper)
        assert ("Question this : entry" in text(page)) == (reader in (ann, keeper))
    about = Client().get(f"{AT}rules/VII.1/")
    assert "A turn is one roll." in text(about)
    assert f'href="{RULINGS}#ruling-' in about.content.decode()
    assert "Rulings" not in text(Client().get(f"{AT}rules/VII.2/")).replace("Rulings and questions", "")


def test_a_struck_ruling_stays_struck_through_and_leaves_its_rule(keeper, game):
    rule(keeper, "A turn is one roll.", "VII.1")
    entry = live.of(game).facts("admin")[-1]
    assert domain.strike(game, entry["n"], "I was wrong").ok
    page = Client().get(RULINGS)
    assert "<s>A turn is one roll.</s>" in page.content.decode()
    assert "Struck by the Admin: I was wrong" in text(page)
    assert "A turn is one roll." not in text(Client().get(f"{AT}rules/VII.1/")).split("What it has done")[0]


def test_a_ruling_is_questioned_as_any_entry(ann, keeper, game):
    rule(keeper, "A turn is one roll.", "VII.1")
    number = number_of(game, "rule")
    assert f'href="{AT}log/{number}/#talk"' in ann.get(RULINGS).content.decode()
    ann.post(f"{AT}log/{number}/question/", {"body": "Why <b>one</b>?"})
    keeper.post(f"{AT}log/{number}/question/", {"body": "Because."})
    page = Client().get(RULINGS)
    assert "2 said so far" in text(page)
    assert "Why &lt;b&gt;one&lt;/b&gt;?" in page.content.decode()
    assert "last by The Admin" in text(page)


def test_questions_of_other_entries_are_there_too_and_the_last_spoken_of_first(ann, game):
    domain.order(game, "Ann", "propose", {"title": "Rent"})
    joined, proposed = number_of(game, "approve-player"), number_of(game, "propose")
    ann.post(f"{AT}log/{joined}/question/", {"body": "Who let me in?"})
    ann.post(f"{AT}log/{proposed}/question/", {"body": "Was that me?"})
    page = text(Client().get(RULINGS))
    assert page.index("Was that me?") < page.index("Who let me in?")
    ann.post(f"{AT}log/{joined}/question/", {"body": "Anybody?"})
    page = text(Client().get(RULINGS))
    assert page.index("Who let me in?") < page.index("Was that me?")


def test_a_ruling_on_a_rule_that_there_is_not_is_refused_and_what_was_typed_stays(keeper, game):
    sent = {"text": "A turn is one roll.", "rules": "VII.1, VII.99, the"}
    for more in ({}, {"confirm": "1"}):
        answer = keeper.post(f"{AT}admin/rule/", sent | more)
        page = answer.content.decode()
        assert "There is no rule VII.99, and there never was. There is no rule the, and" in text(answer)
        assert "A turn is one roll.</textarea>" in page
        assert 'value="VII.1, VII.99, the"' in page
    fields = json.dumps({"fields": sent})
    answer = keeper.post(f"/api/v1{AT}admin/rule", fields, content_type="application/json")
    assert answer.status_code == 409
    assert "There is no rule VII.99" in answer.json()["refused"]
    assert "Numbers of rules, separated by commas." in text(keeper.get(f"{AT}admin/rule/"))


def test_a_ruling_may_concern_a_rule_that_was_repealed(ann, keeper, game):
    propose(game, changes=[{"enact": "8.10", "text": "Words."}])
    accept(game, "P1")
    propose(game, changes=[{"repeal": "8.10"}])
    accept(game, "P2")
    rule(keeper, "It was not meant so.", "8.10")
    assert "It was not meant so." in text(Client().get(f"{AT}rules/8.10/"))


def test_the_numbers_of_rules_are_kept_as_typed(ann, keeper, game):
    propose(game, changes=[{"enact": "8.10", "text": "Words."}])
    accept(game, "P1")
    rule(keeper, "One.", "8.10")
    assert live.of(game).facts("admin")[-1]["args"]["rules"] == "8.10"

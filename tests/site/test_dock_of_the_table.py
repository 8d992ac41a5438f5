"""What the players decide in place of an Admin has its buttons in the dock; and what the operator says is on every
page."""

import pytest
from django.test import Client
from pagewords import text

from nomopoly.site.tables import deciding, domain, live
from nomopoly.site.tables.models import TableAnswer


@pytest.fixture
def asked(people):
    """A game by the table, in which Ann and Ben are asked to let Cid join."""
    game = domain.start_game(
        people("keeper").user, edition="original", title="Friday", slug="friday", office="table", at=live.now() - 60
    )
    for name in ("Ann", "Ben"):
        assert domain.ask_to_join(game, people(name.lower()).user, name, invited=True).ok
    assert domain.ask_to_join(game, people("cid").user, "Cid").ok
    deciding.attend()
    return game


def test_a_question_of_the_table_is_answered_from_the_dock(asked, people):
    ann = people("ann")
    page = ann.get("/g/friday/").content.decode()
    question = asked.table_questions.get()
    item = page.partition("Let Cid join?")[2].partition("</li>")[0]
    assert item.count(f'<form method="post" action="/g/friday/table/{question.pk}/"') == 2
    assert 'name="preview"' not in item
    assert 'name="choice" value="yes"' in item
    done = ann.post(f"/g/friday/table/{question.pk}/", {"choice": "no", "back": "dock"}, follow=True)
    assert done.redirect_chain[-1][0] == "/g/friday/"
    assert "Your answer: No" in text(done)
    assert "Let Cid join?" not in text(done).partition("Waiting for you")[2].partition("Players")[0]
    assert [answer.choice for answer in TableAnswer.objects.all()] == ["no"]


def test_a_script_that_sends_it_is_told_where_to_look(asked, people):
    question = asked.table_questions.get()
    answer = people("ann").post(
        f"/g/friday/table/{question.pk}/", {"choice": "yes", "back": "dock"}, headers={"X-Fragment": "confirm"}
    )
    assert answer.headers["X-Location"] == "/g/friday/"
    assert answer.status_code == 204


@pytest.fixture
def said(settings, tmp_path):
    """say(words): the operator's message, in a folder of its own: pages of other tests are drawn meanwhile."""
    settings.DATA = tmp_path

    def say(words):
        (tmp_path / "maintenance.txt").write_text(words, encoding="utf-8")

    return say


def test_the_operators_message_is_on_every_page_until_it_is_gone(asked, said, people):
    for path in ("/", "/games/", "/g/friday/", "/account/login/"):
        assert 'id="maintenance"' not in Client().get(path).content.decode()
    said("Back at 18:00.\n<b>No moves</b> are lost.\n")
    for path in ("/", "/games/", "/g/friday/", "/account/login/", "/nowhere/"):
        page = Client().get(path).content.decode()
        assert "Back at 18:00. &lt;b&gt;No moves&lt;/b&gt; are lost." in page, path
    said("")
    assert 'id="maintenance"' not in Client().get("/").content.decode()

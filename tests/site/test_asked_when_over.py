"""A game that is over asks for nothing more: no holiday, no standing answer, nobody who leaves or comes."""

import pytest
from pagewords import grant, text

from nomopoly.site.tables.models import Holiday, StandingAnswer

AT = "/g/friday/"
PAGES = ["holiday/", "answers/", "leave/", "invite/"]


@pytest.fixture
def ended(ann, game):
    """Ann's game, which is over."""
    grant(game, "game", "over", True)
    return game


def forms(page):
    """The forms of a page, but for those of its head."""
    return page.content.decode().partition("<main")[2].count("<form")


@pytest.mark.parametrize("page", PAGES)
def test_its_pages_have_no_form(ann, keeper, game, page):
    who = keeper if page == "invite/" else ann
    assert forms(who.get(AT + page)), "while it goes on they do"
    grant(game, "game", "over", True)
    over = who.get(AT + page)
    assert not forms(over)
    assert "The game is over" in text(over)


def test_what_is_sent_all_the_same_is_refused(ann, keeper, ended):
    assert "The game is over" in text(ann.post(f"{AT}holiday/", {"since": "2030-01-01", "until": "2030-01-02"}))
    assert "The game is over" in text(ann.post(f"{AT}answers/", {"question": "anything", "answer": "yes"}))
    assert "The game is over" in text(ann.post(f"{AT}leave/", {"name": "Ann"}))
    link = ended.invitation
    assert "The game is over" in text(keeper.post(f"{AT}invite/", {"renew": "1"}))
    ended.refresh_from_db()
    assert ended.invitation == link
    assert not Holiday.objects.exists()
    assert not StandingAnswer.objects.exists()

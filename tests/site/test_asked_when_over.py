"""A game that is over asks for nothing more: no holiday, no standing answer, nobody who leaves or comes."""

import pytest
from pagewords import SECOND, grant, propose, text, well

from nomopoly.site.tables import domain
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


def test_its_foot_invites_nobody(keeper, game):
    assert f'href="{AT}invite/"' in keeper.get(AT).content.decode()
    grant(game, "game", "over", True)
    assert f'href="{AT}invite/"' not in keeper.get(AT).content.decode()


def test_its_foot_lets_nobody_leave(ann, game):
    assert f'href="{AT}leave/"' in ann.get(AT).content.decode()
    grant(game, "game", "over", True)
    assert f'href="{AT}leave/"' not in ann.get(AT).content.decode()


def test_who_had_asked_to_join_waits_no_more_and_the_desk_neither(people, keeper, game):
    dot = people("dot")
    well(domain.ask_to_join(game, dot.user, "Dot"))
    assert "Dot asks to join" in text(keeper.get(f"{AT}admin/"))
    well(domain.desk_act(game, "declare-winner", {"because": "enough"}))
    for path in (f"{AT}admin/", f"{AT}players/", "/me/"):
        assert "Dot" not in text(keeper.get(path))
    for path in (AT, "/me/", f"{AT}join/"):
        assert "has not answered yet" not in text(dot.get(path))
    assert "You asked to join, and the game is over." in text(dot.get("/me/"))
    join = dot.get(f"{AT}join/")
    assert "The game is over." in text(join)
    assert not forms(join)


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


def test_an_open_proposal_is_one_that_the_end_overtook(ann, game):
    propose(game, title="Hats", changes=[{"enact": "X.1", "text": "Everybody wears a hat."}])
    assert "waiting for the Admin" in text(ann.get(f"{AT}proposals/1/"))
    grant(game, "game", "over", True)
    page = text(ann.get(f"{AT}proposals/1/"))
    assert "open when the game ended" in page
    for said in ("waiting for the Admin", "If it were accepted now", "Try it out", "many futures"):
        assert said not in page, said
    for place in ("proposals/", "proposals/?status=unfinished", "players/Ann/"):
        assert "Hats" in text(ann.get(AT + place))
        assert "open when the game ended" in text(ann.get(AT + place)), place
    assert "Hats" not in text(ann.get(f"{AT}proposals/?status=to-judge"))


def test_no_proposal_is_voted_on_any_more(start_second, people):
    game, go = start_second("Ann", "Ben")
    well(domain.order(game, "Ann", "propose", {"title": "Hats", "text": "Everybody wears a hat."}))
    go(4.5)
    assert "1 proposal in voting" in text(people("ben").get(SECOND))
    well(domain.desk_act(game, "declare-winner", {"player": "Ben", "because": "late"}))
    assert "in voting" not in text(people("ben").get(SECOND))
    for place in ("proposals/", "proposals/1/"):
        page = text(people("ben").get(SECOND + place))
        assert "open when the game ended" in page
        assert "in voting" not in page


def test_its_days_are_counted_up_to_the_end(start_second, people):
    game, go = start_second("Ann", edition="original")
    go(2)
    well(domain.desk_act(game, "declare-winner", {"because": "late"}))
    go(9)
    assert "Day 3. 1 player." in text(people("ann").get(SECOND))


def test_an_open_offer_is_answered_no_more(start_second, people):
    game, _ = start_second("Ann", "Ben", edition="iv")
    well(domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 5}}))
    assert "to answer" in text(people("ben").get(f"{SECOND}trades/1/"))
    well(domain.desk_act(game, "declare-winner", {"player": "Ben", "because": "late"}))
    for name in ("ann", "ben"):
        for place in ("trades/", "trades/1/"):
            page = people(name).get(SECOND + place)
            assert not forms(page)
            assert "has not answered" in text(page)
    assert "open when the game ended" in text(people("ben").get(f"{SECOND}trades/"))


def test_nothing_is_bought_and_no_order_waits(start_second, people):
    game, _ = start_second("Ann", "Ben", edition="mail")
    well(domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 5}}))
    assert "Your order for the next update" in text(people("ann").get(SECOND))
    assert "/act/buy-product/" in people("ann").get(f"{SECOND}market/").content.decode()
    well(domain.desk_act(game, "declare-winner", {"player": "Ben", "because": "late"}))
    assert "Your order for the next update" not in text(people("ann").get(SECOND))
    assert "/act/" not in people("ann").get(f"{SECOND}market/").content.decode().partition("<main")[2]


def test_the_desk_invites_nobody_any_more(keeper, ann, game):
    assert game.invitation in keeper.get(f"{AT}admin/").content.decode()
    grant(game, "game", "over", True)
    page = keeper.get(f"{AT}admin/")
    assert "New players" not in text(page)
    assert game.invitation not in page.content.decode()

"""A proposal that has been decided is decided once, in every edition: the desk says so, and what came of it."""

import pytest
from pagewords import propose, text

from nomopoly.site.tables import domain, live

ADMINS = {"original": "accept", "mail": "accept", "ii": "implement", "iv": "implement"}


@pytest.mark.parametrize("edition", ADMINS)
def test_the_desk_says_that_a_proposal_is_not_pending(start_second, keeper, edition):
    game, go = start_second("Ann", "Ben", edition=edition)
    propose(game, title="More", text="Of it.")
    if edition == "iv":
        domain.order(game, "Ben", "vote", {"on": "P1", "choice": "no"})
    act = ADMINS[edition]
    domain.desk_act(game, act, {"on": "P1"})
    go(7 if edition in ("mail", "iv") else 0)
    before = live.of(game).view("admin")["things"]["P1"]
    page = keeper.post(f"/g/second/admin/{act}/", {"on": "P1", "confirm": "yes"})
    assert page.status_code == 200
    assert "this proposal is not pending" in text(page).lower()
    assert "/g/second/rules/" in page.content.decode().lower().partition("not pending")[2][:500]
    assert live.of(game).view("admin")["things"]["P1"] == before


def test_the_second_of_two_desks_is_told(start_second, keeper):
    start_second("Ann", "Ben", edition="original")
    game = live.Game.objects.get(slug="second")
    propose(game, title="More", text="Of it.")
    first, second = (keeper.get("/g/second/admin/accept/?on=P1") for _ in range(2))
    assert first.status_code == second.status_code == 200
    domain.desk_act(game, "accept", {"on": "P1"})
    page = keeper.post("/g/second/admin/accept/", {"on": "P1", "confirm": "yes"})
    assert "P1 is accepted" in text(page)

"""What six friends stumbled over who sat down at games with twelve players and names of all sorts: each measured in the
browser."""

import pytest
from page_faults import too_wide, wrong_by_axe

WIDE = "W" * 30


@pytest.fixture(scope="module")
def seats(site):
    return site.prepare(f"""
        admin, ann, wim = account("keeper@example.org"), account("ann@example.org"), account("wim@example.org")
        game = domain.start_game(admin, edition="ii", title="A title of some length", slug="sat-down")
        for user, name in ((ann, "Ann"), (wim, "{WIDE}")):
            assert domain.ask_to_join(game, user, name).ok
            assert domain.desk_act(game, "approve-player", {{"player": name}}).ok
        result = {{"ann": signed_in(ann), "wim": signed_in(wim)}}
    """)


@pytest.mark.parametrize("path", ["", "players/", f"players/{WIDE}/", "log/", "board/table/", "leave/"])
def test_a_name_of_thirty_wide_letters_fits_on_a_phone(seats, page_of, path):
    page = page_of(seats["wim"], 360)
    page.goto(f"/g/sat-down/{path}")
    assert WIDE in page.content()
    assert too_wide(page) <= 0


def test_programs_that_scroll_on_a_phone_can_be_scrolled_with_the_keyboard(seats, page_of):
    page = page_of(seats["ann"], 360, bypass_csp=True)
    for address in ("/guide/", "/api/docs", "/g/sat-down/dice/"):
        page.goto(address)
        assert wrong_by_axe(page) == [], address

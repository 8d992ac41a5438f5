"""What six friends stumbled over who sat down at games with twelve players and names of all sorts: each measured in the
browser."""

import pytest
from page_faults import too_wide, with_large_text, wrong_by_axe

WIDE = "W" * 30
IN_PIECES = """() => [...document.querySelectorAll("main a")].filter((each) => each.checkVisibility() && !each.closest("svg"))
    .filter((each) => each.innerText.length > 3 && each.getBoundingClientRect().width < 1.3 * parseFloat(getComputedStyle(each).fontSize))
    .map((each) => each.innerText)"""


@pytest.fixture(scope="module")
def seats(site):
    return site.prepare(f"""
        admin, ann, wim = account("keeper@example.org"), account("ann@example.org"), account("wim@example.org")
        game = domain.start_game(admin, edition="ii", title="A title of some length", slug="sat-down")
        for user, name in ((ann, "Ann"), (wim, "{WIDE}")):
            assert domain.ask_to_join(game, user, name).ok
            assert domain.desk_act(game, "approve-player", {{"player": name}}).ok
        assert domain.desk_act(game, "grant", {{"thing": "#7", "attribute": "owner", "value": "{WIDE}"}}).ok
        assert domain.order(game, "{WIDE}", "propose", {{"title": "Rent", "text": "Words."}}).ok
        result = {{"ann": signed_in(ann), "wim": signed_in(wim)}}
    """)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "players/",
        f"players/{WIDE}/",
        "log/",
        "board/table/",
        "leave/",
        "rules/diff/",
        "export/",
        "proposals/",
        "proposals/1/",
    ],
)
def test_a_name_of_thirty_wide_letters_fits_on_a_phone(seats, page_of, path):
    page = page_of(seats["wim"], 360)
    page.goto(f"/g/sat-down/{path}")
    assert WIDE in page.content() or path in ("rules/diff/", "export/")
    assert too_wide(page) <= 0
    with_large_text(page)
    assert too_wide(page) <= 0
    assert page.evaluate(IN_PIECES) == []


def test_the_page_of_the_end_has_room_for_such_a_name(site, page_of):
    site.prepare(f"""
        game = domain.start_game(account("head@example.org"), edition="original", title="Over", slug="over")
        assert domain.ask_to_join(game, account("wil@example.org"), "{WIDE}", invited=True).ok
        said = {{"title": "Rain", "text": "It rains.", "changes": [{{"enact": "X.1", "text": "It rains."}}]}}
        assert domain.order(game, "{WIDE}", "propose", said).ok
        assert domain.desk_act(game, "accept", {{"on": "P1"}}).ok
        assert domain.desk_act(game, "declare-winner", {{"player": None, "because": "Summer."}}).ok
        result = None
    """)
    page = page_of(width=360)
    page.goto("/g/over/end/")
    assert page.locator("main").get_by_text(WIDE).count() > 3
    assert too_wide(page) <= 0
    with_large_text(page)
    assert too_wide(page) <= 0


def test_squares_of_somebody_with_such_a_name_can_be_asked_for_in_a_trade(seats, page_of):
    page = page_of(seats["ann"], 360)
    page.goto("/g/sat-down/act/trade/")
    assert f"of {WIDE}" in page.locator("main").inner_text()
    assert too_wide(page) <= 0


@pytest.mark.parametrize("edition", ["original", "mail", "ii", "iv"])
def test_how_to_play_fits_on_the_narrowest_phone(site, page_of, edition):
    page = page_of(width=320)
    page.goto(f"/guide/{edition}/")
    assert too_wide(page) <= 0


def test_programs_that_scroll_on_a_phone_can_be_scrolled_with_the_keyboard(seats, page_of):
    page = page_of(seats["ann"], 360, bypass_csp=True)
    for address in ("/guide/", "/api/docs", "/g/sat-down/dice/"):
        page.goto(address)
        assert wrong_by_axe(page) == [], address


def test_a_moment_with_the_longest_words_fits_on_the_narrowest_phone(seats, page_of):
    page = page_of(seats["ann"], 320, timezone_id="America/Argentina/Buenos_Aires")
    for path in ("log/", "rules/history/", "players/"):
        page.goto(f"/g/sat-down/{path}")
        page.reload()  # by now the zone of the browser is known
        page.eval_on_selector_all("time", "all => all.forEach((each) => { each.textContent += ' or so'; })")
        assert too_wide(page) <= 0, path


@pytest.mark.parametrize("path", ["", "log/", "players/Ann/account/"])
def test_what_is_printed_by_who_likes_dark_pages_can_be_read_on_paper(seats, page_of, path):
    page = page_of(seats["ann"], 800, bypass_csp=True)
    page.goto(f"/g/sat-down/{path}")
    colours = """() => [...document.querySelectorAll("main a, main .muted, main time")].filter((each) => each.checkVisibility())
        .map((each) => getComputedStyle(each).color)"""
    page.emulate_media(media="print")
    by_day = page.evaluate(colours)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(colours) == by_day
    assert len(by_day) > 3
    page.emulate_media(media="screen", color_scheme="dark")
    assert page.evaluate(colours) != by_day

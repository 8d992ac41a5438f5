"""The board in a browser: fitted to the window, one tab stop, arrows, zoom, and the card of a square; by keyboard and
on a phone."""

import pytest
from page_faults import too_wide, wrong_by_axe
from playwright.sync_api import expect

AT = "/g/board/"
WIDER = 'document.querySelector("#square-1 .sq").getBoundingClientRect().width'


@pytest.fixture(scope="module")
def table(site):
    return site.prepare("""
        admin, ann, ben = (account(f"{name}@example.org") for name in ("admin", "ann", "ben"))
        game = domain.start_game(admin, edition="original", title="Board", slug="board")
        for user, name in ((ann, "Ann"), (ben, "Ben")):
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {"player": name})
        for thing, attribute, value in (("#5", "option_of", "Ann"), ("#5", "option_until", live.now() + 86400), ("#9", "owner", "Ben")):
            assert domain.desk_act(game, "grant", {"thing": thing, "attribute": attribute, "value": value, "because": "a test"}).ok
        result = {"ann": signed_in(ann)}
    """)


def number_in_focus(page):
    return page.evaluate("document.activeElement.dataset?.n")


def test_the_whole_board_by_keyboard(table, page_of):
    page = page_of(table["ann"])
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(AT)
    squares = page.locator("a.sq-link")
    expect(page.get_by_role("button", name="Larger")).to_be_visible()  # the script is at work
    assert squares.count() == 48

    # All of it in one window.
    page.locator("#board").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#board').scrollIntoView()")
    boxes = [squares.nth(at).bounding_box() for at in (0, 5, 42, 47)]
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 800 and box["width"] > 40 for box in boxes), boxes

    # One tab stop, on one's own piece; arrows by geometry, n and p by number.
    assert page.locator('a.sq-link[tabindex="0"]').count() == 1
    page.locator('a.sq-link[tabindex="0"]').focus()
    assert number_in_focus(page) == "1"
    for key, number in (("ArrowRight", "2"), ("ArrowUp", "11"), ("n", "12"), ("p", "11"), ("End", "48"), ("Home", "1")):
        page.keyboard.press(key)
        assert number_in_focus(page) == number, key
    page.keyboard.press("Tab")
    assert number_in_focus(page) is None
    page.keyboard.press("Shift+Tab")
    assert number_in_focus(page) == "1"

    # Larger and smaller, by keys, buttons and the wheel.
    whole = page.evaluate(WIDER)
    page.keyboard.press("+")
    assert page.evaluate(WIDER) > whole * 1.2
    page.keyboard.press("0")
    assert page.evaluate(WIDER) == pytest.approx(whole, abs=1)
    page.get_by_role("button", name="Larger").click()
    page.locator("#square-20").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function(f"{WIDER} > {whole * 2}")
    page.get_by_role("button", name="Whole board").click()
    assert page.evaluate(WIDER) == pytest.approx(whole, abs=1)

    # The square where one can act is marked, and opens as a card with the form filled in.
    assert page.locator("a.sq-link.can").count() == 1
    page.locator("#square-4").focus()
    page.keyboard.press("n")
    assert "you can act here" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog")
    expect(card.get_by_role("heading", name="#5")).to_be_focused()
    assert page.url.endswith(AT)
    buy = card.get_by_role("link", name="Buy a square", exact=True)
    assert buy.get_attribute("href") == f"{AT}act/buy-square/?square=%235"
    card.get_by_role("link", name="#6 →").click()
    expect(card.get_by_role("heading", name="#6")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    assert number_in_focus(page) == "6"
    page.locator("#square-9").click()
    expect(card).to_contain_text("Ben")
    card.get_by_role("link", name="Close").click()
    expect(card).to_have_count(0)
    assert number_in_focus(page) == "9"


def test_on_a_phone_the_board_fits_the_width_and_the_card_comes_from_below(table, page_of):
    page = page_of(table["ann"], width=360, has_touch=True, bypass_csp=True)
    page.goto(AT)
    expect(page.get_by_role("button", name="Larger")).to_be_visible()
    assert page.evaluate(WIDER) * 6 <= 360
    assert too_wide(page) <= 0
    page.locator("#square-5").tap()
    card = page.get_by_role("dialog")
    expect(card).to_contain_text("Market value")
    page.wait_for_timeout(300)
    box, square = card.bounding_box(), page.locator("#square-5").bounding_box()
    assert box["y"] + box["height"] == pytest.approx(740, abs=1)
    assert square["y"] + square["height"] <= box["y"]  # it does not hide its square
    assert box["width"] == 360
    assert wrong_by_axe(page) == []


def test_without_script_the_board_fits_and_squares_are_pages(table, page_of):
    page = page_of(table["ann"], java_script_enabled=False)
    page.goto(AT)
    box = page.locator("svg.board").bounding_box()
    assert box["height"] <= 900
    assert page.locator("#square-card").is_hidden()
    page.locator("#square-5").click()
    page.wait_for_url("**/squares/5/")
    assert page.get_by_role("link", name="Buy a square", exact=True).is_visible()

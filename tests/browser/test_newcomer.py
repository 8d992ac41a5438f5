"""A newcomer's first quarter of an hour (site.md 19), as far as the edition `original` goes: signing up, reading,
joining, being approved, finding what waits, proposing in words and then with a program, and reading why money moved."""

import re

import pytest
from page_faults import too_wide
from playwright.sync_api import expect

DEMO = True


@pytest.fixture(scope="module")
def table(site):
    return site.prepare("""
        admin, ann = account("admin@example.org"), account("ann@example.org")
        game = domain.start_game(admin, edition="original", title="Open evening", slug="evening")
        domain.ask_to_join(game, ann, "Ann")
        domain.desk_act(game, "approve-player", {"player": "Ann"})
        domain.order(game, "Ann", "propose", {"title": "Warm up", "text": "Nothing yet."})
        domain.desk_act(game, "reject", {"on": "P1", "because": "It says nothing."})
        result = {"admin": signed_in(admin), "ann": signed_in(ann)}
    """)


def code_in(mails: list[str]) -> str:
    """The log-in or sign-up code in the newest mail that has one."""
    for mail in reversed(mails):
        found = re.search(r"^([A-Z0-9]{3,}(?:-[A-Z0-9]+)+|[A-Z0-9]{6,})$", mail, re.MULTILINE)
        if found:
            return found[1]
    raise AssertionError("no mail with a code has come")


def test_reading_without_an_account(table, page_of):
    page = page_of()
    page.goto("/")
    assert "rule" in page.locator("main").inner_text().casefold()
    page.goto("/g/demo/")
    assert page.locator("#board").is_visible()
    assert page.locator("#log").is_visible()
    # Three clicks from the board to the reason for a rule.
    page.goto("/g/demo/rules/")
    page.locator("a[href*='/rules/X.1/']").first.click()
    assert "X.1" in page.locator("h1").inner_text()
    page.locator("a[href*='/proposals/']").first.click()
    assert page.locator("h1").is_visible()


def test_what_changed(table, page_of):
    page = page_of()
    page.goto("/g/demo/rules/history/")
    page.get_by_role("link", name=re.compile("what changed here", re.IGNORECASE)).first.click()
    assert "Rule changes from" in page.locator("h1").inner_text()
    assert page.locator("ins").count() or page.locator("del").count()


def test_from_stranger_to_player(site, table, page_of):
    page = page_of()
    page.goto("/g/evening/")
    page.get_by_role("link", name="Ask to join").first.click()
    if "/account/" not in page.url:
        page.get_by_role("link", name=re.compile("log in|sign up", re.IGNORECASE)).first.click()
    page.goto("/account/signup/?next=/g/evening/join/")
    page.fill("[name=email]", "cid@example.org")
    page.locator("main form button[type=submit]").first.click()
    page.fill("[name=code]", code_in(site.mails()))
    page.locator("main form button[type=submit]").first.click()
    page.goto("/g/evening/join/")
    page.fill("[name=name]", "Cid")
    page.fill("[name=message]", "May I?")
    page.check("[name=rules]")
    page.locator("main form button[type=submit]").first.click()
    assert "The Admin has been asked" in page.locator("#notice").inner_text()
    page.goto("/g/evening/")
    assert "the admin has not answered yet" in page.content().casefold()

    admin = page_of(table["admin"])
    admin.goto("/g/evening/admin/")
    assert "Cid" in admin.locator("#tasks").inner_text()
    admin.locator("#tasks").get_by_role("button", name=re.compile("approve|let", re.IGNORECASE)).first.click()
    assert any("Welcome" in mail for mail in site.mails())

    expect(page.locator("#waiting")).to_be_visible()  # the open page hears of it
    page.goto("/g/evening/players/Cid/")
    assert "$1,000" in page.content() or "$1000" in page.content()


def test_a_change_in_words_then_with_a_program(table, page_of):
    page = page_of(table["ann"])
    page.goto("/g/evening/rules/VII.1/")
    page.get_by_role("link", name="Propose a change").first.click()
    page.fill("[name=title]", "Turns may be slower")
    page.fill("textarea[name=text]", "A turn should be slower, somehow.")
    page.locator("[name=changes-0-kind]").first.evaluate("e => e.value = ''")
    with page.expect_navigation():
        page.click("button[name=check]")
    assert "program it" in page.content()
    with page.expect_navigation():
        page.click("button[name=submit]")
    assert page.locator("#refusal").count() == 0
    assert "/proposals/" in page.url
    assert "Turns may be slower" in page.content()


def test_why_did_my_money_move(table, page_of):
    page = page_of()
    page.goto("/g/demo/players/Ann/account/")
    rule = page.locator("table a[href*='/rules/']").first
    number = rule.get_attribute("href").rstrip("/").rpartition("/")[2]
    rule.click()
    expect(page.locator("h1")).to_contain_text(number)


@pytest.mark.parametrize("width", [1280, 360, 320])
def test_no_page_is_wider_than_the_window(table, page_of, width):
    page = page_of(table["ann"], width=width)
    for path in (
        "/",
        "/games/",
        "/g/demo/",
        "/g/demo/board/table/",
        "/g/demo/squares/12/",
        "/g/demo/rules/",
        "/g/demo/rules/?code=1",
        "/g/demo/rules/VII.1/",
        "/g/demo/rules/history/",
        "/g/demo/rules/diff/?code=1&view=sides",
        "/g/demo/proposals/",
        "/g/demo/proposals/1/",
        "/g/demo/players/",
        "/g/demo/players/Ann/",
        "/g/demo/players/Ann/account/",
        "/g/demo/log/",
        "/g/demo/dice/",
        "/g/demo/about/",
        "/g/demo/export/",
        "/g/evening/act/",
        "/g/evening/act/trade/",
        "/g/evening/proposals/new/",
    ):
        page.goto(path)
        wide = too_wide(page)
        assert wide <= 1, f"{path} is {wide} pixels too wide at {width}"


def test_by_keyboard_alone(table, page_of):
    page = page_of(table["ann"])
    page.goto("/g/evening/")
    page.keyboard.press("Tab")
    assert "Skip" in page.evaluate("document.activeElement.textContent")
    page.goto("/g/evening/proposals/new/?door=program")
    page.locator("[name=title]").focus()
    page.keyboard.type("By keyboard")
    page.keyboard.press("Tab")
    page.keyboard.type("Every form can be filled in without a mouse.")
    page.locator("button[name=submit]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/proposals/\d+/"))
    assert "By keyboard" in page.content()


@pytest.mark.parametrize("width", [1280, 360])
def test_names_of_lines_stand_whole_in_their_chart(page_of, width):
    page = page_of(width=width)
    for path in ("/g/demo/players/", "/g/demo/players/Ann/"):
        page.goto(path)
        over = page.locator("svg.chart:visible .chart-name").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().right - one.closest('svg').getBoundingClientRect().right)"
        )
        assert over
        assert max(over) <= 0


@pytest.mark.parametrize("width", [360, 320])
def test_the_five_tabs_of_a_phone_are_of_one_width(page_of, width):
    page = page_of(width=width)
    page.goto("/g/demo/players/")
    widths = page.locator("#game-menu > a, #more > summary").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    assert len(widths) == 5
    assert max(widths) - min(widths) < 3

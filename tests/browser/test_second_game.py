"""A game of weeks in a browser: a thread that is begun and reported, the report of a week, an order that waits and is
taken back, the chart of what players are worth, and all of it with the keyboard alone."""

import pytest
from page_faults import too_wide
from playwright.sync_api import expect

AT = "/g/second"
NARROW = 320


@pytest.fixture(scope="module")
def table(site):
    """A game of edition ii in its second week or third, with Ann and Ben in it; #7 is Ann's."""
    return site.prepare("""
        import time
        from django.db import transaction
        from nomopoly.site.tables import life, readings
        now, moment = time.time(), [int(time.time()) - 14 * 86400]
        live.now = lambda: moment[0]
        life.sign = lambda moment: None  # the site has not been away since then
        admin, ann, ben = account("admin@example.org"), account("ann@example.org"), account("ben@example.org")
        with transaction.atomic():  # the server's clock does nothing in the game before it is ready
            game = domain.start_game(admin, edition="ii", title="Second", slug="second", at=moment[0])
            for user, name in ((ann, "Ann"), (ben, "Ben")):
                assert domain.ask_to_join(game, user, name).ok
                assert domain.desk_act(game, "approve-player", {"player": name}).ok
            assert domain.desk_act(game, "grant", {"thing": "#7", "attribute": "owner", "value": "Ann"}).ok
            moment[0] = int(now)
            domain.run_due(game, int(now))
        readings.recount_all()
        result = {"admin": signed_in(admin), "ann": signed_in(ann), "ben": signed_in(ben)}
    """)


def go_to(page, selector: str, most: int = 150) -> None:
    """Press Tab until what is looked for has the focus, and can be seen to have it."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", selector
            return
    raise AssertionError(f"no way by keyboard to {selector} on {page.url}")


def press(page, selector: str, key: str = "Enter") -> None:
    """Go to something with the keyboard and press a key on it that leads to another page."""
    go_to(page, selector)
    with page.expect_navigation():
        page.keyboard.press(key)


def test_what_is_typed_is_there_again_after_a_lost_connection(table, page_of):
    page = page_of(table["ann"], NARROW, watched=True)
    page.goto(f"{AT}/forum/")
    page.get_by_role("link", name="Begin a thread").click()
    page.fill("#title", "From a tunnel")
    page.fill("#body", "Many words, typed on a train.")
    page.route("**/forum/new/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.get_by_role("button", name="Post", exact=True).click()
    page.wait_for_url("chrome-error://chromewebdata/")
    page.go_back()
    page.get_by_role("link", name="Begin a thread").click()
    expect(page.get_by_text("This was not sent")).to_be_visible()
    expect(page.locator("#title")).to_have_value("From a tunnel")
    expect(page.locator("#body")).to_have_value("Many words, typed on a train.")
    page.unroute("**/forum/new/")
    page.get_by_role("button", name="Post", exact=True).click()
    page.get_by_role("heading", name="From a tunnel").wait_for()
    page.goto(f"{AT}/forum/new/")
    expect(page.locator("#body")).to_have_value("")
    assert page.get_by_text("This was not sent").count() == 0


def test_a_thread_is_begun_answered_and_reported(table, page_of):
    ann, ben, admin = page_of(table["ann"], NARROW), page_of(table["ben"]), page_of(table["admin"])
    ann.goto(f"{AT}/forum/")
    ann.get_by_role("link", name="Begin a thread").click()
    ann.fill("#title", "Shall we lower the rents?")
    ann.fill("#body", "See #7 and @Ben.")
    ann.get_by_role("button", name="Post", exact=True).click()
    ann.get_by_role("heading", name="Shall we lower the rents?").wait_for()
    assert ann.locator(".prose a", has_text="#7").get_attribute("href") == f"{AT}/squares/7/"
    assert too_wide(ann) <= 0

    ben.goto(f"{AT}/forum/")
    ben.get_by_role("link", name="Shall we lower the rents?").click()
    ben.locator("main").get_by_text("More", exact=True).click()
    ben.fill("[name=because]", "Off topic.")
    ben.get_by_role("button", name="Report to the Admin").click()
    ben.get_by_text("Nobody learns that it was you").wait_for()
    ben.fill("#body", "No.")
    ben.get_by_role("button", name="Answer").click()
    ben.locator("#talk .prose", has_text="No.").wait_for()

    admin.goto(f"{AT}/admin/")
    task = admin.locator("#tasks article", has_text="Reported")
    assert "Off topic." in task.inner_text()
    assert "Ben" not in task.inner_text().replace("@Ben", "")
    task.get_by_role("link", name="Look at it").click()
    admin.get_by_role("heading", name="Shall we lower the rents?").wait_for()
    admin.goto(f"{AT}/admin/")
    task.get_by_role("button", name="Leave it as it is").click()
    expect(task).to_have_count(0)
    ann.reload()
    assert "Off topic." not in ann.locator("main").inner_text()


def test_the_report_of_a_week(table, page_of):
    page = page_of(None, NARROW)
    page.goto(f"{AT}/log/")
    page.get_by_role("link", name="The report of week").click()
    page.get_by_role("link", name="← Week").first.click()
    page.locator("section.update").first.wait_for()
    updates = page.locator("section.update h2").all_inner_texts()
    assert updates
    assert all(title.startswith("Update ") for title in updates)
    assert "rolls" in page.locator("section.update").first.inner_text()
    assert "Nothing came of" not in page.locator("main").inner_text()
    assert too_wide(page) <= 0


@pytest.mark.parametrize("width", [1280, NARROW])
def test_an_order_waits_and_is_taken_back(table, page_of, width):
    page = page_of(table["ann"], width)
    page.goto(f"{AT}/squares/7/")
    page.get_by_role("link", name="Name a square").click()
    assert page.locator("[name=square]").input_value() == "#7"
    page.fill("[name=name]", "Seven")
    page.get_by_role("button", name="Name a square").click()
    page.locator("#preview", has_text="Nothing has been done yet").wait_for()
    page.get_by_role("button", name="Order it").click()
    waiting = page.locator("#orders")
    waiting.wait_for()
    assert "Name #7: Seven" in waiting.inner_text().replace("\n", " ")
    assert too_wide(page) <= 0
    page.get_by_role("button", name="Name #7: Seven: take back").click()
    waiting.wait_for(state="detached")


def test_the_chart_has_a_form_for_wide_and_for_narrow_pages(table, page_of):
    for width, shown, hidden in ((1280, ".chart-wide", ".chart-narrow"), (NARROW, ".chart-narrow", ".chart-wide")):
        page = page_of(table["ben"], width)
        page.goto(f"{AT}/players/")
        assert page.locator(shown).is_visible()
        assert not page.locator(hidden).is_visible()
        names = page.locator(f"{shown} .chart-name").all_text_contents()
        assert names == (["Ann", "Ben"] if width == 1280 else ["An", "Be"])
        box = page.locator(shown).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        smallest = page.locator(f"{shown} text").first.evaluate("each => each.getBoundingClientRect().height")
        assert smallest >= 9
        assert too_wide(page) <= 0
        page.get_by_text("The numbers as a table").click()
        assert page.locator("#chart tbody tr").first.locator("td").count() == 2
        assert too_wide(page) <= 0
        page.get_by_role("link", name="Health").click()
        page.locator("#chart h2", has_text="Health of the players").wait_for()


def test_from_the_overview_to_an_order_and_back_with_the_keyboard_alone(table, page_of):
    page = page_of(table["ann"], java_script_enabled=True)
    page.goto(f"{AT}/")
    go_to(page, "#more summary")
    page.keyboard.press("Enter")
    press(page, "#game-menu a[href$='/act/']")
    go_to(page, "#q")
    page.keyboard.type("name square")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.locator(".deed").count() < 5
    press(page, "main .deed a[aria-label='Name a square']")
    go_to(page, "[name=name]")
    page.keyboard.type("By hand")
    press(page, "button[name=preview]")
    press(page, "main form button[type=submit]")
    assert "By hand" in page.locator("#orders").inner_text()
    left = page.locator("#orders li").count() - 1
    press(page, "#orders li:last-child form[action$='/withdraw/'] button", "Space")
    assert page.locator("#orders li").count() == left
    assert "By hand" not in page.locator("main").inner_text()
    go_to(page, "#more summary")
    page.keyboard.press("Enter")
    press(page, "#game-menu a[href$='/players/']")
    go_to(page, "#chart summary")
    page.keyboard.press("Enter")
    assert page.locator("#chart table").is_visible()


def test_the_page_of_a_section_tells_of_the_office_without_scripts(table, page_of):
    page = page_of(table["ann"], NARROW, java_script_enabled=False)
    page.goto(f"{AT}/rules/")
    page.locator("a[href$='/sections/XXXV/']").first.click()
    page.get_by_role("heading", name="The Governor and Elections").wait_for()
    assert "Week of the next election" in page.locator("#stands").locator("..").inner_text()
    assert "Vote for a Governor" in page.locator("main").inner_text()
    assert too_wide(page) <= 0

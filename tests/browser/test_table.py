"""The table: buying and voting from the dock, news of others, the keyboard alone, no script, an expired session."""

import json
import re
import time
import urllib.request

import pytest
from page_faults import with_large_text, wrong_by_axe
from playwright.sync_api import expect

AT, VOTES = "/g/table/", "/g/votes/"
OPTION = """
def option(game, number, who):
    for attribute, value in (("option_of", who), ("option_until", live.now() + 86400)):
        done = domain.desk_act(game, "grant", {"thing": f"#{number}", "attribute": attribute, "value": value, "because": "a test"})
        assert done.ok, done
"""


@pytest.fixture(scope="module")
def table(site):
    """A game of the edition `original` with options for Ann, and one of `iv` with two proposals to vote on."""
    return site.prepare(
        OPTION
        + """
admin, ann, ben = account("admin@example.org"), account("ann@example.org"), account("ben@example.org")
game = domain.start_game(admin, edition="original", title="Table", slug="table")
votes = domain.start_game(admin, edition="iv", title="Votes", slug="votes")
for each in (game, votes):
    for user, name in ((ann, "Ann"), (ben, "Ben")):
        domain.ask_to_join(each, user, name)
        domain.desk_act(each, "approve-player", {"player": name})
for number in (7, 8, 9):
    option(game, number, "Ann")
for name, title in (("Ben", "Slower turns"), ("Ann", "Faster turns")):
    assert domain.order(votes, name, "propose", {"title": title, "text": "Words."}).ok
result = {"admin": signed_in(admin), "ann": signed_in(ann), "ben": signed_in(ben)}
"""
    )


def dock(page):
    return page.locator("#waiting")


def item(page, words):
    return page.locator(".dock-item", has_text=words)


def money(page, name="Ann"):
    return page.request.get(f"/api/v1{AT}view").json()["things"][name]["money"]


def test_buying_and_voting_take_one_click_and_a_confirmation(table, page_of):
    page = page_of(table["ann"], bypass_csp=True)
    page.goto(AT)
    before = money(page)
    item(page, "#7").get_by_role("button", name="Buy for $70").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Buy #7 for $70?")
    expect(dialog).to_contain_text(f"You have ${before:,} and will have ${before - 70:,}.")
    assert wrong_by_axe(page) == []
    dialog.get_by_text("Not now").click()
    expect(dialog).to_be_hidden()
    assert money(page) == before
    item(page, "#7").get_by_role("button", name="Buy for $70").click()
    dialog.get_by_role("button", name="Buy for $70").click()
    expect(item(page, "#7")).to_have_count(0)
    expect(page.locator("#notices")).to_contain_text("Ann buys #7 for $70")
    assert page.url.endswith(AT)
    assert money(page) == before - 70
    assert page.locator("#game-menu > a, #more > summary").count() == 5

    page.goto(VOTES)
    expect(page).to_have_title(re.compile(r"^\(3\) "))  # two votes, and a turn that is possible
    vote = item(page, "Slower turns")
    expect(vote.get_by_role("button")).to_have_text(["Yes", "No", "Abstain"])
    vote.get_by_role("button", name="No").click()
    expect(dialog.get_by_role("heading")).to_have_text(re.compile("Vote No on P1, “Slower turns”\\?"))
    dialog.get_by_role("button", name="Vote No").click()
    expect(page.locator("#notices")).to_contain_text("Your vote: No. You can change it until")
    expect(vote).to_have_count(0)
    expect(page).to_have_title(re.compile(r"^\(2\) "))
    assert page.locator('link[rel="icon"]').get_attribute("href").startswith("data:image/svg+xml")
    assert wrong_by_axe(page) == []


def test_a_move_reaches_the_other_browser_within_five_seconds(site, table, page_of):
    ann, ben = page_of(table["ann"]), page_of(table["ben"])
    for page in (ann, ben):
        page.goto(VOTES)
    item(ben, "Your turn is possible").get_by_role("button", name="Take a turn").click()
    dialog = ben.get_by_role("dialog")
    expect(dialog).to_contain_text("This rolls dice")
    ann.locator(".what-else summary").focus()
    moves = time.monotonic()
    dialog.get_by_role("button", name="Take a turn").click()
    expect(ann.locator("#log .entry").first).to_contain_text("Ben takes a turn, rolls", timeout=30_000)
    took = time.monotonic() - moves
    assert took < 5, f"it took {took:.1f} s"
    expect(ann.locator("#newest-line")).to_contain_text("Ben takes a turn")
    assert ann.evaluate("document.activeElement.textContent") == "What you can do", "the focus is where it was"
    # What another process does comes too.
    began = time.monotonic()
    site.prepare("""
        game = Game.objects.get(slug="votes")
        assert domain.order(game, "Ben", "retract-proposal", {"on": "P1"}).ok
        assert domain.order(game, "Ben", "propose", {"title": "From elsewhere", "text": "Words."}).ok
        result = None
    """)
    prepared = time.monotonic()
    expect(ann.locator("#log .entry").first).to_contain_text("From elsewhere", timeout=30_000)
    assert time.monotonic() - prepared < 5, time.monotonic() - began
    expect(item(ann, "From elsewhere").get_by_role("button", name="Yes")).to_be_visible()


def test_by_keyboard_alone(table, page_of):
    page = page_of(table["ann"])
    page.goto(AT)
    buy = item(page, "#8").get_by_role("button", name="Buy for $80")
    for _ in range(40):
        page.keyboard.press("Tab")
        if buy.evaluate("each => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("button", name="Buy for $80")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(buy).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("button", name="Buy for $80")).to_be_focused()
    page.keyboard.press("Enter")
    expect(item(page, "#8")).to_have_count(0)
    expect(page.locator("#waiting-title")).to_be_focused()
    page.evaluate("import('/static/play/live.js').then((live) => live.refresh({ live: true }))")  # news come meanwhile
    expect(page.locator("#waiting-title")).to_be_focused()


@pytest.mark.parametrize("width", [360])
def test_without_a_script_by_pages_and_back(table, page_of, width):
    page = page_of(table["ann"], width=width, java_script_enabled=False)
    page.goto(AT)
    item(page, "#9").get_by_role("button", name="Buy for $90").click()
    expect(page.get_by_role("heading", name="Buy #9 for $90?")).to_be_visible()
    page.get_by_role("button", name="Buy for $90").first.click()
    expect(page.locator("#notice")).to_contain_text("Ann buys #9 for $90")
    page.go_back()  # to the page that asked: nothing is sent again
    expect(page.locator("h1")).to_have_text("Buy a square")
    page.get_by_role("link", name="More").or_(page.locator("#more summary")).first.click()
    expect(page.get_by_role("link", name="Log", exact=True)).to_be_visible()


def test_a_square_is_named_with_a_sign_by_keyboard_on_a_phone_and_without_script(site, table, page_of):
    site.prepare("""
game = Game.objects.get(slug="table")
for number in (40, 41):
    act = {"thing": f"#{number}", "attribute": "owner", "value": "Ann", "because": "a test"}
    assert domain.desk_act(game, "grant", act).ok
result = None
""")
    page = page_of(table["ann"], width=360, bypass_csp=True)
    page.goto(f"{AT}act/name-square/?square=%2340")
    assert wrong_by_axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Name", exact=True).fill("Harbour")
    page.keyboard.press("Tab")
    for _ in range(5):  # from none to the ship, the fifth
        page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Ship")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Name #40: Harbour, ship?")).to_be_visible()
    page.locator("#preview button.big").press("Enter")
    expect(page.locator("#square-40 use[href='#sign-ship']")).to_be_attached()

    plain = page_of(table["ann"], width=360, java_script_enabled=False)
    plain.goto(f"{AT}act/name-square/?square=%2341")
    plain.fill("[name=name]", "Quarry")
    plain.get_by_label("Crown").check()
    plain.get_by_role("button", name="Name a square").click()
    plain.locator("#preview button.big").click()
    expect(plain.locator("#square-41 use[href='#sign-crown']")).to_be_attached()


def test_tabs_fit_a_narrow_page(table, page_of):
    page = page_of(table["ann"], width=360)
    page.goto(VOTES)
    assert page.locator(".site-head").bounding_box()["height"] == 48
    boxes = [each.bounding_box() for each in page.locator("#game-menu > a, #more > summary").all()]
    assert len({box["y"] for box in boxes}) == 1
    words = page.locator("#game-menu > a > span:not(.count)").all()
    ends = [each.bounding_box() for each in words]
    assert all(one["x"] + one["width"] <= other["x"] for one, other in zip(ends, ends[1:], strict=False))
    assert page.locator(".due-first .primary").first.is_visible()


def test_what_came_of_an_order_from_the_bottom_of_a_phone_comes_into_view(table, page_of):
    page = page_of(table["ben"], width=360)
    page.goto(VOTES)
    sizes = [each.bounding_box() for each in page.locator(".dock-buttons button").all()]
    assert len(sizes) > 3
    assert all(box["height"] >= 44 and box["width"] >= 44 for box in sizes), "a thumb may miss it"
    with_large_text(page)
    vote = page.locator(".dock-item", has_text="Your vote").first
    page.evaluate("(vote) => vote.parentElement.prepend(vote)", vote.element_handle())
    page.evaluate("document.querySelector('.due-first')?.classList.remove('due-first')")
    vote.evaluate("(vote) => vote.classList.add('due-first')")
    ends = [each.bounding_box() for each in vote.locator(".dock-buttons button").all()]
    assert all(box["x"] + box["width"] <= 360 for box in ends), "one of the answers is cut"
    page.reload()
    turn = page.locator(".due-first .dock-buttons").get_by_role("button", name="Take a turn")
    if turn.count():  # else it has been taken
        turn.click()
        page.get_by_role("dialog").locator("button.big").click()
    page.locator(".due-first .dock-buttons").get_by_role("button", name="Abstain").wait_for()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.locator(".due-first .dock-buttons").get_by_role("button", name="Abstain").click()
    page.get_by_role("dialog").locator("button.big").click()
    expect(page.locator("#notice")).to_contain_text("Your vote")
    expect(page.locator("#notice")).to_be_in_viewport()


@pytest.mark.parametrize("width", [390, 1280])
def test_your_vote_stands_before_the_talk_about_a_proposal(table, page_of, width):
    """On a phone it stood below the talk and the log, where one has to look for it."""
    page = page_of(table["ben"], width=width)
    page.goto("/g/votes/proposals/2/")
    ballot, talk, words = (page.locator(each).bounding_box() for each in ("#ballot", "#talk", "#what-changes"))
    assert ballot["y"] + ballot["height"] < talk["y"]
    assert (words["y"] < ballot["y"]) == (width == 390)
    assert (words["x"] + words["width"] <= ballot["x"]) == (width == 1280)


def test_what_is_typed_survives_an_expired_session(site, table, page_of):
    page = page_of(table["ben"])
    page.goto("/g/votes/proposals/1/")
    page.fill("[name=body]", "A thought that took an hour to write.")
    page.context.clear_cookies(name="sessionid")
    page.locator("#talk form button[type=submit]").last.click()
    page.wait_for_url(re.compile("/account/login/"))
    page.context.add_cookies([{"name": "sessionid", "value": logged_in(site, page), "url": site.url}])
    page.goto(re.search(r"next=([^&]+)", page.url)[1].replace("%2F", "/"))
    assert page.locator("textarea[name=body]").input_value() == "A thought that took an hour to write."
    page.get_by_role("button", name="Send it").click()
    expect(page.locator("#talk")).to_contain_text("A thought that took an hour to write.")


def logged_in(site, page) -> str:
    """Log Ben in, in the session that the page has now: as a log-in does, it keeps what the session holds."""
    key = next(each["value"] for each in page.context.cookies() if each["name"] == "sessionid")
    return site.prepare(f"""
        session = SessionStore({key!r})
        for name, value in SessionStore(signed_in(account("ben@example.org"))).items():
            session[name] = value
        session.cycle_key()
        session.save()
        result = session.session_key
    """)


def test_a_game_that_is_closed_to_its_reader_is_no_longer_shown(site, page_of):
    site.prepare("""
        game = domain.start_game(account("admin@example.org"), edition="original", title="Open", slug="open")
        result = None
    """)
    page = page_of()
    page.goto("/g/open/")
    expect(page.get_by_role("heading", name="Open")).to_be_visible()
    site.prepare("""
        game = Game.objects.get(slug="open")
        Game.objects.filter(slug="open").update(visibility="private")
        assert domain.desk_act(game, "rule", {"text": "Among ourselves"}).ok
        result = None
    """)
    expect(page.locator("main")).to_contain_text("There is no such game")


def test_a_page_listens_again_once_the_site_answers(table, page_of):
    page = page_of(table["ann"])
    streams = []

    def listens(route):
        if "event-stream" not in route.request.headers.get("accept", ""):
            return route.continue_()
        streams.append(route)
        if len(streams) == 1:
            return route.fulfill(status=503)
        return route.fulfill(status=200, content_type="text/event-stream", body=": here\n\n")

    page.clock.install()
    page.route(lambda address: "/news" in address, listens)
    page.goto(AT)
    for _ in range(100):  # by the page's clock; the failure has to arrive before
        page.clock.run_for(31_000)
        if len(streams) > 1:
            break
        page.wait_for_timeout(100)
    assert len(streams) > 1


def test_the_first_load_is_light(site, table):
    """HTML, style and script of the overview, as they are; not what it fetches for later pages when it has been
    painted."""

    def fetched(path):
        request = urllib.request.Request(site.url + path, headers={"Cookie": f"sessionid={table['ann']}"})
        return urllib.request.urlopen(request).read()

    page = fetched(AT)
    files = {found.decode() for found in re.findall(rb'(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"', page)}
    files.add("/static/play/live.js")
    sizes = {AT: len(page)} | {path: len(fetched(path)) for path in files}
    assert sum(sizes.values()) < 200_000, json.dumps(sizes, indent=1)

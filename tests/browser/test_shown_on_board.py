"""What happened is shown on the board: an own turn, another's as it comes, the whole game by a slider; nothing where
motion is not wanted, and no secret of anybody's on the way."""

import re

import pytest
from playwright.sync_api import expect

AT = "/g/replay/"
SECRET = """
event("bury", "buried", say="{who} buries ${amount} under {square}", who="player", amount="", square="square")


@on("bury")
def bury(e):
    note(only=(e.who,))


@action("dig", "Dig", fact="dug", say="{who} digs somewhere")
def dig(e):
    do("bury", who=e.who, amount=7731, square=find("#33"))
    put(e.who, "square", find("#9"))
"""

# Each caption is there for a moment only: what has been shown is kept on the page, where a slow look finds it.
KEEP_CAPTIONS = """() => new MutationObserver(() => {
  const kept = document.documentElement.dataset, said = document.querySelector(".playback-said");
  if (said && !(kept.captions || "").endsWith(said.textContent + "|")) kept.captions = (kept.captions || "") + said.textContent + "|";
}).observe(document.body, { childList: true, subtree: true, characterData: true })"""


@pytest.fixture(scope="module")
def table(site):
    return site.prepare(f"""
        admin, ann, ben = (account(f"{{name}}@example.org") for name in ("admin", "ann", "ben"))
        game = domain.start_game(admin, edition="original", title="Replay", slug="replay")
        for user, name in ((ann, "Ann"), (ben, "Ben")):
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {{"player": name}})
        changes = [{{"enact": "X.1", "text": "One may dig.", "code": {SECRET!r}}}]
        assert domain.order(game, "Ben", "propose", {{"title": "Dig", "text": "One may dig.", "changes": changes}}).ok
        assert domain.desk_act(game, "accept", {{"on": "P1"}}).ok
        before = live.of(game).facts("visitor")[-1]["number"]
        assert domain.order(game, "Ann", "dig", {{}}).ok
        result = {{"ann": signed_in(ann), "ben": signed_in(ben), "dug": before + 1, "turn": before}}
    """)


def test_the_log_shows_an_entry_on_the_board(table, page_of):
    page = page_of(table["ben"])
    asked = []
    page.on("response", lambda answer: "playback.json" in answer.url and asked.append(answer.text()))
    page.goto(AT)
    expect(page.get_by_role("button", name="Larger")).to_be_visible()
    page.get_by_role("link", name=f"show me: entry {table['dug']}").click()  # the last one: on this very board
    expect(page.locator(".playback-said")).to_contain_text("Ann digs somewhere")
    assert page.url.endswith(AT)
    assert page.locator('a.sq-link [data-piece="Ann"].away').count() == 1
    page.get_by_role("button", name="Pause").click()
    ghost = page.locator(".ghost")
    held = ghost.bounding_box()
    page.wait_for_timeout(400)
    assert ghost.bounding_box() == held
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".playback")).to_have_count(0)
    assert page.locator('#square-9 [data-piece="Ann"]:not(.away)').count() == 1
    assert asked
    assert not [each for each in asked if re.search("7731|7,731|#33|buries", each)]

    # An earlier one: on the page of that moment, where a slider goes over the whole game.
    page.get_by_role("link", name=f"show me: entry {table['turn']}").click()
    page.wait_for_url(f"**/g/replay/?at={table['turn']}#board")
    expect(page.locator(".playback-said")).to_contain_text("rolls")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".playback")).to_have_count(0)
    slider = page.get_by_role("slider")
    assert slider.input_value() == str(table["turn"])
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("#log")).to_contain_text("The game was opened")
    assert page.locator("[data-piece]").count() == 0
    page.get_by_role("button", name="One entry later").click()
    expect(page.locator("#log")).to_contain_text("joins the game")
    page.get_by_role("button", name="Play from here").click()
    expect(slider).to_have_value(str(table["dug"]))
    expect(page.get_by_role("button", name="Play from here")).to_be_visible()
    expect(page.locator('#square-9 [data-piece="Ann"]')).to_have_count(1)


def test_what_is_new_is_played_once_and_only_where_motion_is_wanted(site, table, page_of):
    page, calm = page_of(table["ben"]), page_of(table["ann"], reduced_motion="reduce")
    for each in (page, calm):
        each.goto(AT)
        expect(each.get_by_role("button", name="Larger")).to_be_visible()
    page.evaluate(KEEP_CAPTIONS)
    site.prepare("""
        assert domain.order(Game.objects.get(slug="replay"), "Ben", "dig", {}).ok
        result = None
    """)
    shown = re.compile(r"^Ben digs somewhere.*\|Ben buries \$7,731 under #33\|$")
    expect(page.locator("html")).to_have_attribute("data-captions", shown)  # as it comes, without a reload
    expect(page.locator(".playback")).to_have_count(0)
    expect(calm.locator('#square-9 [data-piece="Ben"]')).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="Larger")).to_be_visible()
    page.wait_for_timeout(300)
    assert page.locator(".playback").count() == 0  # once is enough
    assert calm.locator(".playback").count() == 0
    assert calm.locator(".away").count() == 0
    link = calm.get_by_role("link", name=re.compile("show me: entry")).first
    link.click()
    calm.wait_for_url("**/?at=*")
    expect(calm.get_by_role("slider")).to_be_visible()
    assert calm.locator(".playback").count() == 0


def test_news_do_not_draw_the_board_anew_under_what_is_being_shown(site, table, page_of):
    page = page_of(table["ben"], watched=True)
    page.goto(AT)
    expect(page.get_by_role("button", name="Larger")).to_be_visible()
    page.evaluate(KEEP_CAPTIONS)
    ordered = """
        assert domain.order(Game.objects.get(slug="replay"), "{who}", "dig", {{}}).ok
        result = None
    """
    site.prepare("""
        game = Game.objects.get(slug="replay")
        act = {"thing": "Ann", "attribute": "square", "value": "#4", "because": "a test"}
        assert domain.desk_act(game, "grant", act).ok
        result = None
    """)
    expect(page.locator("html")).to_have_attribute("data-captions", re.compile("."))
    expect(page.locator(".playback")).to_have_count(0)
    site.prepare(ordered.format(who="Ann"))
    expect(page.locator(".playback-said")).to_contain_text("Ann digs somewhere")
    page.get_by_role("button", name="Pause").click()
    with page.expect_response(lambda answer: answer.url.endswith(AT)):
        site.prepare("""
            act = {"thing": "#20", "attribute": "owner", "value": "Ben", "because": "a test"}
            assert domain.desk_act(Game.objects.get(slug="replay"), "grant", act).ok
            result = None
        """)
    page.wait_for_timeout(500)
    assert page.locator('a.sq-link [data-piece="Ann"].away').count() == 1
    assert page.locator(".ghost").count() == 1
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".playback")).to_have_count(0)
    expect(page.locator('#square-9 [data-piece="Ann"]:not(.away)')).to_have_count(1)
    assert "Ben" in page.locator("#square-20").get_attribute("aria-label")


def test_on_a_phone_the_board_comes_into_view_where_ones_own_piece_moves(site, table, page_of):
    mover, other = page_of(table["ann"], width=360), page_of(table["ben"], width=360)
    for each in (mover, other):
        each.goto(AT)
        expect(each.get_by_role("button", name="Larger")).to_be_attached()
        each.evaluate("scrollTo(0, 0)")
        each.evaluate(KEEP_CAPTIONS)
    expect(mover.locator(".board-frame")).not_to_be_in_viewport(ratio=1)
    site.prepare("""
        game = Game.objects.get(slug="replay")
        act = {"thing": "Ann", "attribute": "square", "value": "#2", "because": "a test"}
        assert domain.desk_act(game, "grant", act).ok
        assert domain.order(game, "Ann", "dig", {}).ok
        result = None
    """)
    for each in (mover, other):
        expect(each.locator("html")).to_have_attribute("data-captions", re.compile("Ann digs somewhere"))
        expect(each.locator(".playback")).to_have_count(0)
    expect(mover.locator(".board-frame")).to_be_in_viewport(ratio=1)
    assert other.evaluate("scrollY") == 0


def test_without_script_the_slider_is_a_form(table, page_of):
    page = page_of(None, java_script_enabled=False)
    page.goto(f"{AT}?at={table['dug']}")
    page.get_by_role("slider").fill("1")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/g/replay/?at=1")
    assert "joins the game" in page.locator("#log").inner_text()

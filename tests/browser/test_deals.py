"""A deal among three without JavaScript and on a narrow phone, and what the others see of it; the desk's tasks."""

import os

import pytest
from page_faults import too_wide

pytestmark = pytest.mark.browser
GAME = """
import time
from django.db import transaction
from nomopoly.site.tables import life
moment = [int(time.time()) - 7 * 86400]  # whatever day it is, the first week has begun by now
live.now = lambda: moment[0]
life.sign = lambda moment: None  # the site has not been away since then
seats = {}
with transaction.atomic():  # the server's clock does nothing in the game before it is ready
    game = domain.start_game(account("keeper@example.org"), edition="ii", title="Second", slug="second", at=moment[0])
    for name in ("Ann", "Ben", "Cid"):
        user = account(f"{name.lower()}@example.org")
        assert domain.ask_to_join(game, user, name).ok
        assert domain.desk_act(game, "approve-player", {"player": name}).ok
        seats[name] = signed_in(user)
    moment[0] = int(time.time())
    domain.run_due(game, moment[0])
for square, owner in (("#7", "Ann"), ("#17", "Ann"), ("#18", "Ben"), ("#9", "Cid")):
    assert domain.desk_act(game, "grant", {"thing": square, "attribute": "owner", "value": owner, "because": "a test"}).ok
    assert domain.desk_act(game, "grant", {"thing": square, "attribute": "name", "value": f"Of {owner}", "because": "x"}).ok
assert domain.desk_act(game, "grant", {"thing": "Cid", "attribute": "items", "value": ["flower"], "because": "x"}).ok
assert domain.order(game, "Ben", "post-exploit-block", {"name": "Renaming", "text": "Names cost nothing. " * 12}).ok
assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "Sunny Hill"}).ok
about = {"sort": "game", "name": "Three Doors", "text": "Bet up to $10. One door in three pays three times the bet."}
assert domain.order(game, "Ann", "apply-patent", about).ok
assert domain.order(game, "Ben", "trade", {"with": "Ann", "give": {"money": 120}, "take": {"squares": ["#17"]}}).ok
assert domain.order(game, "Ann", "make-block", {"type": "residential", "squares": ["#17", "#18"]}).ok
result = {**seats, "keeper": signed_in(game.admin)}
"""
SHOTS = os.environ.get("NOMOPOLY_SHOTS")  # a folder: what the pages look like is kept there


@pytest.fixture(scope="module")
def seats(site):
    return site.prepare(GAME)


def fits(page, name, width):
    """Nothing is wider than the page."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}-{width}.png", full_page=True)
    assert too_wide(page) <= 0, name


@pytest.mark.parametrize("width", [1280, 360, 320])
def test_the_pages_fit(page_of, seats, width):
    ann, keeper = page_of(seats["Ann"], width), page_of(seats["keeper"], width)
    for name, path in (
        ("trades", "trades/"),
        ("offer", "trades/offer-1/"),
        ("agreement", "trades/agreement-1/"),
        ("form", "act/trade/"),
        ("market", "market/"),
        ("actions", "act/"),
    ):
        ann.goto(f"/g/second/{path}")
        if name == "form":
            ann.get_by_text("Among three or more").click()
            ann.select_option("#act-deal-0-from", "Ann")
            with ann.expect_navigation():
                ann.get_by_role("button", name="Show what they have").click()
        fits(ann, name, width)
    keeper.goto("/g/second/admin/")
    fits(keeper, "desk", width)
    with keeper.expect_navigation():
        keeper.get_by_role("link", name="Orders since it was posted").click()
    fits(keeper, "since", width)
    with keeper.expect_navigation():
        keeper.get_by_role("link", name="Strike the order of Ann").first.click()
    fits(keeper, "strike", width)


def test_a_deal_among_three_without_javascript_on_a_phone(page_of, seats):
    ann = page_of(seats["Ann"], 360, java_script_enabled=False)
    ann.goto("/g/second/act/trade/")
    ann.get_by_text("Among three or more").click()
    ann.select_option("#act-deal-0-from", "Ann")
    ann.select_option("#act-deal-0-to", "Ben")
    ann.select_option("#act-deal-1-from", "Ben")
    ann.select_option("#act-deal-1-to", "Cid")
    ann.fill("#act-deal-1-money", "50")
    ann.get_by_role("button", name="Add another").click()
    ann.get_by_role("group", name="Among three or more, 1").get_by_label("#7 Of Ann").check()
    ann.select_option("#act-deal-2-from", "Cid")
    ann.select_option("#act-deal-2-to", "Ann")
    ann.fill("#act-deal-2-money", "75")
    with ann.expect_navigation():
        ann.keyboard.press("Enter")  # as the button below: not another row
    assert "Nothing has been done yet" in ann.inner_text("main")
    assert ann.input_value("#act-deal-2-money") == "75"
    ann.locator(".confirm button.big").click()
    cid = page_of(seats["Cid"], 360, java_script_enabled=False)
    cid.goto("/me/")
    cid.get_by_role("link", name="An agreement by Ann").or_(cid.get_by_role("link", name="an agreement by Ann")).click()
    assert "#7 Of Ann" in cid.inner_text("main")
    cid.get_by_role("button", name="Accept").click()
    assert "You have said yes" in cid.inner_text("#notice")
    ben = page_of(seats["Ben"], 360, java_script_enabled=False)
    ben.goto("/g/second/trades/")
    ben.get_by_role("button", name="Decline agreement 2").click()
    assert "You have said no" in ben.inner_text("#notice")
    ann.goto("/g/second/trades/")
    assert "Agreement 2" not in ann.inner_text("main")


FOCUSED = "() => document.activeElement.name || document.activeElement.id"
UNDER_THE_MENU = """() => {
  const it = document.activeElement, menu = document.querySelector(".game-menu");
  return !menu.contains(it) && it.getBoundingClientRect().bottom > menu.getBoundingClientRect().top;
}"""


def tab_to(page, name):
    """Press Tab until a field of that name has the focus, which is never under the menu."""
    for _ in range(80):
        page.keyboard.press("Tab")
        assert not page.evaluate(UNDER_THE_MENU), page.evaluate(FOCUSED)
        if page.evaluate(FOCUSED) == name:
            return
    raise AssertionError(f"no way to {name}")


@pytest.mark.parametrize("height", [844, 400])  # a phone, and what is left of a window at twice its size
def test_a_trade_by_keyboard_alone(page_of, seats, height):
    ann = page_of(seats["Ann"], 390)
    ann.set_viewport_size({"width": 390, "height": height})
    ann.goto("/g/second/act/trade/")
    for name, typed in (("with", "Ben"), ("give-money", "-5"), ("take-squares", " ")):
        tab_to(ann, name)
        ann.keyboard.type(typed)
    with ann.expect_navigation():
        ann.keyboard.press("Enter")
    assert ann.evaluate(FOCUSED) == "refusal"
    assert ann.input_value("#act-give-money") == "-5"
    assert ann.locator("[name=take-squares]:checked").count() == 1
    tab_to(ann, "give-money")
    ann.keyboard.press("Control+a")
    ann.keyboard.type("5")
    with ann.expect_navigation():
        ann.keyboard.press("Enter")
    assert ann.evaluate(FOCUSED) == "preview"
    ann.keyboard.press("Tab")
    assert "Offer a trade" in ann.evaluate("() => document.activeElement.innerText")

"""The ways in: from home to the first roll in the demo, from an invitation to the first roll, with and without
script."""

import re

import pytest
from page_faults import too_wide, wrong_by_axe
from playwright.sync_api import expect
from test_newcomer import code_in

DEMO = True


@pytest.fixture(scope="module")
def table(site):
    return site.prepare("""
        keeper, dot = account("keeper@example.org"), account("dot@example.org")
        club = domain.start_game(keeper, edition="iv", title="Club", slug="club")
        domain.change_game(club, host="Kim", visibility="private")
        order = domain.start_game(keeper, edition="original", title="Order", slug="order", office="table")
        assert domain.ask_to_join(order, dot, "Dot", invited=True).ok
        assert domain.order(order, "Dot", "propose", {"title": "On me", "text": "Words."}).ok
        from nomopoly.site.tables import deciding
        deciding.attend()
        result = {"keeper": signed_in(keeper), "dot": signed_in(dot), "invitation": club.invitation}
    """)


class Clicks:
    """Clicks that are counted, and fields that are filled in."""

    def __init__(self, page):
        self.page, self.clicks, self.fields = page, 0, 0

    def click(self, found):
        found.click()
        self.clicks += 1

    def button(self, name):
        self.click(self.page.get_by_role("main").get_by_role("button", name=name, exact=True).first)

    def fill(self, name, words):
        self.page.fill(f"main [name={name}]", words)
        self.fields += 1


def come_in(site, page, hand, name, address):
    """Give a name and an address, and type the code."""
    hand.fill("name", name)
    hand.fill("email", address)
    hand.button("Join the game")
    page.wait_for_url(re.compile("/code/confirm/"))
    expect(page.locator("[name=code]")).to_be_focused()
    page.keyboard.type(code_in(site.mails()))
    hand.button("Go on")
    page.wait_for_url(re.compile(r"/g/[\w-]+/$"))


def rolled(page, game, name):
    """The entries of the log in which dice were rolled for a player."""
    log = page.request.get(f"/api/v1/g/{game}/log").json()["entries"]
    return [entry for entry in log if any(fact.get("dice") and fact.get("who") == name for fact in entry["facts"])]


def test_home_page_to_first_roll_in_the_demo(site, table, page_of):
    page = page_of()
    page.goto("/")
    hand = Clicks(page)
    hand.click(page.get_by_role("link", name="Play now"))
    come_in(site, page, hand, "Gus", "gus@example.org")
    expect(page.locator("#notice")).to_contain_text("You are in the game as Gus")
    assert hand.fields == 2
    hand.click(page.locator("#waiting").get_by_role("button", name=re.compile("^Propose")))
    hand.click(page.get_by_role("dialog").locator("button[type=submit]").first)
    expect(page.get_by_text(re.compile("Gus rolls")).first).to_be_visible()
    assert hand.clicks <= 5
    assert hand.fields == 2
    assert rolled(page, "demo", "Gus")


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_invitation_to_first_roll_in_at_most_five_clicks(site, table, page_of, script):
    name = "Ida" if script else "Jan"
    page = page_of(java_script_enabled=script, timezone_id="Asia/Tokyo")
    page.goto(f"/g/club/join/?invitation={table['invitation']}")
    assert (
        "Kim invites you" in page.locator("main").inner_text() or "KIM INVITES YOU" in page.locator("main").inner_text()
    )
    hand = Clicks(page)
    come_in(site, page, hand, name, f"{name.lower()}@example.org")
    hand.click(page.locator("#waiting").get_by_role("button", name="Take a turn").first)
    confirm = page.get_by_role("dialog") if script else page.get_by_role("main")
    hand.click(confirm.get_by_role("button", name=re.compile("turn", re.IGNORECASE)).first)
    page.wait_for_url(re.compile("/g/club/"))
    expect(page.get_by_text(re.compile(f"{name} rolls|{name} lands|{name} takes")).first).to_be_visible()
    assert hand.clicks <= 5
    assert rolled(page, "club", name)
    page.goto("/settings/")
    assert page.input_value("[name=time_zone]") == ("Asia/Tokyo" if script else "")


@pytest.mark.parametrize("width", [1280, 360])
def test_new_pages_have_no_faults_that_axe_finds(table, page_of, width):
    for session, paths in (
        (None, ("/account/login/", f"/g/club/join/?invitation={table['invitation']}", "/games/", "/")),
        (table["keeper"], ("/games/new/", "/g/club/invite/")),
        (table["dot"], ("/g/order/table/", "/g/order/about/")),
    ):
        page = page_of(session, width=width, bypass_csp=True, color_scheme="dark" if width < 500 else "light")
        for path in paths:
            page.goto(path)
            assert wrong_by_axe(page) == [], path
            assert too_wide(page) <= 0, path


def test_the_link_is_copied(table, page_of):
    page = page_of(table["keeper"], permissions=["clipboard-read", "clipboard-write"])
    page.goto("/g/club/invite/")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"?invitation={table['invitation']}")


def test_a_name_is_checked_while_it_is_typed(table, page_of):
    page = page_of(width=360, bypass_csp=True)
    page.goto(f"/g/club/join/?invitation={table['invitation']}")
    said = page.locator("#name-said")
    page.fill("main [name=name]", "The Admin")
    expect(said).to_contain_text("reserved")
    assert page.get_by_role("textbox", name="Your name in this game").get_attribute("aria-invalid") == "true"
    page.fill("main [name=name]", "Zoe")
    expect(said).to_have_text("This name is free.")
    assert wrong_by_axe(page) == []
    assert too_wide(page) <= 0


def test_the_names_of_pieces_fit_their_frames_on_a_german_phone(table, page_of):
    page = page_of(width=390, locale="de-DE")
    page.goto(f"/g/club/join/?invitation={table['invitation']}")
    expect(page.get_by_text("Glocke")).to_be_visible()
    over = """found => found.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"""
    assert page.locator(".piece-choice").evaluate_all(over) == []

"""An order over the board whose answer is lost on its way: nobody can say whether it was done, and trying again does it
once at most."""

import pytest
from playwright.sync_api import expect

AT = "/g/tunnel/"


@pytest.fixture(scope="module")
def tunnel(site):
    return site.prepare("""
        game = domain.start_game(account("admin@example.org"), edition="original", title="Tunnel", slug="tunnel")
        result = {}
        for name in ("Ann", "Ben", "Cid"):
            user = account(f"{name}@example.org")
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {"player": name})
            result[name] = signed_in(user)
    """)


def proposals(page) -> list[str]:
    things = page.request.get(f"/api/v1{AT}view").json()["things"]
    return [name for name, thing in things.items() if thing["kind"] == "proposal"]


def lose_answers(page, *, arrives: bool):
    """From now on answers to what is sent are lost; with `arrives` it has been done all the same."""

    def lose(route):
        if route.request.method == "POST" and arrives:
            route.fetch()
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    page.route("**/act/**", lose)


@pytest.mark.parametrize(("who", "arrives"), [("Ann", True), ("Ben", False)])
def test_an_order_whose_answer_is_lost_is_tried_again_and_done_once(tunnel, page_of, who, arrives):
    page = page_of(tunnel[who], 360, watched=True)
    page.goto(AT)
    before = proposals(page)
    page.get_by_role("button", name="A turn, please").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Make a proposal")).to_be_visible()
    lose_answers(page, arrives=arrives)
    dialog.get_by_role("button", name="Make a proposal").click()
    expect(dialog).to_contain_text("No answer has come")
    assert "Nothing was done" not in dialog.inner_text()
    expect(dialog.get_by_role("button", name="Try again")).to_be_focused()
    page.unroute("**/act/**")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("#waiting")).to_contain_text("waits for its judgement")
    assert len(proposals(page)) == len(before) + 1


def test_a_question_whose_answer_is_lost_has_done_nothing(tunnel, page_of):
    page = page_of(tunnel["Cid"], 360, watched=True)
    page.goto(AT)
    lose_answers(page, arrives=False)
    page.get_by_role("button", name="A turn, please").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Nothing was done.")
    page.unroute("**/act/**")
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog.get_by_role("button", name="Make a proposal")).to_be_visible()
    dialog.get_by_text("Not now").click()
    expect(dialog).to_be_hidden()
    page.goto(AT)
    expect(page.get_by_role("button", name="A turn, please")).to_be_visible()
    assert page.get_by_text("This was not sent").count() == 0, "it was answered, and nothing had been typed"

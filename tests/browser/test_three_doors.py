"""The doors to a proposal in a browser: sentences that say what is typed, programs checked as one types, and nothing
that is typed is ever lost."""

import json
import re
import time

import pytest
from page_faults import too_wide, with_large_text, wrong_by_axe
from playwright.sync_api import expect

FORM = "/g/doors/proposals/new/"
EDITOR = "#changes-0-code-editor"
LINES = """() => [...document.querySelectorAll('.cm-editor')].filter(each => each.offsetParent).map(editor => {
  const tops = (what) => [...editor.querySelectorAll(what)].map(each => each.getBoundingClientRect())
    .filter(each => each.height).map(each => Math.round(each.top));
  return [tops('.cm-line'), tops('.cm-lineNumbers .cm-gutterElement')];
})"""


@pytest.fixture(scope="module")
def ann(site):
    return site.prepare("""
        admin, ann = account("admin@example.org"), account("ann@example.org")
        game = domain.start_game(admin, edition="original", title="Doors", slug="doors")
        domain.ask_to_join(game, ann, "Ann")
        domain.desk_act(game, "approve-player", {"player": "Ann"})
        domain.desk_act(game, "rule", {"text": "A ruling that is taken back.", "rules": ""})
        n = live.of(game).n
        seen = live.of(game).strike_preview(n)
        domain.strike(game, n, "It was written for another game, and nobody has noticed.", seen["hash"])
        result = signed_in(ann)
    """)


@pytest.mark.parametrize("width", [360])
def test_a_number_is_changed_in_its_sentence(ann, page_of, width):
    page = page_of(ann, width, bypass_csp=True)
    page.goto(FORM)
    page.click("text=Change a number")
    page.locator("button[name=take]").last.click()
    expect(page.locator(".change-number input").first).to_be_in_viewport()  # far above the list
    page.click("button[name=remove-0]")
    page.fill("#q", "option to buy")
    expect(page.locator(".numbered li")).to_have_count(1)
    assert wrong_by_axe(page) == []
    with_large_text(page)
    words, card = page.evaluate(
        "['.numbered .prose', '.numbered li'].map((each) => document.querySelector(each).getBoundingClientRect().width)"
    )
    assert words > card / 2, "the button has left no room for the sentence"
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.click("button[name=take]")
    place = page.locator(".live-number[data-field=changes-0-number-option_time]").first
    page.fill("[name=changes-0-number-option_time]", "$1,250")
    expect(place.locator("ins")).to_have_text("1250")
    expect(place.locator("del")).to_be_visible()
    assert wrong_by_axe(page) == []
    assert too_wide(page) <= 0
    expect(page.locator("#kept")).to_contain_text("Draft saved")
    page.fill("[name=changes-0-number-option_time]", "9")
    page.click("button[name=submit]")
    page.wait_for_url(re.compile(r"/proposals/\d+/$"))
    assert "option time 9 instead of 7" in page.locator("h1").inner_text()
    page.goto("/g/doors/log/")
    struck = page.locator(".entry .field-error").first.bounding_box()
    assert struck["width"] > 200, "it stands beside the words, not below the number"


def test_a_program_is_checked_as_one_types_and_its_lines_are_numbered(ann, page_of):
    page = page_of(ann, 1280, bypass_csp=True)
    page.goto(f"{FORM}?rule=VIII.3")
    page.wait_for_selector(f"{EDITOR} .cm-line")
    page.wait_for_timeout(300)
    lines, numbers = page.evaluate(LINES)[0]
    assert lines == numbers[: len(lines)]
    page.goto(f"{FORM}?door=program")
    page.click("button[name=recipe][value=bonus]")
    page.wait_for_selector(f"{EDITOR} .cm-line")
    page.locator(EDITOR).focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("\ngainn(e.who, 1)")
    expect(page.locator("#live .error")).to_contain_text("'gainn'")
    expect(page.locator(f"{EDITOR} .cm-lintRange-error")).to_have_text("gainn(e.who, 1)")
    page.fill("#word_q", "gain")
    expect(page.locator(".words-found strong").first).to_have_text("gain")
    assert wrong_by_axe(page) == []
    page.fill(EDITOR, "x = 1")
    expect(page.locator("#live .fine")).to_be_visible()
    expect(page.locator(".cm-lintRange-error")).to_have_count(0)


def came(page, text):
    """Whether what was sent on leaving has come to the server as a draft, after half a minute at most."""
    for _ in range(150):
        draft = re.search(r"\?draft=\d+", page.request.get(FORM).text())
        if draft and text in page.request.get(f"{FORM}{draft[0]}").text():
            return True
        page.wait_for_timeout(200)
    return False


def test_what_is_typed_is_a_draft_on_leaving_and_as_soon_as_nobody_sees_the_page(ann, page_of):
    page = page_of(ann, 360, bypass_csp=True)
    page.goto(f"{FORM}?door=program")
    page.wait_for_function("navigator.serviceWorker.controller")  # what it takes over is lost when one leaves
    page.clock.pause_at(time.time() + 3600)  # nothing is saved because time goes by
    page.fill("#title", "Typed and gone")
    page.goto("/g/doors/rules/")
    assert came(page, "Typed and gone")
    page.goto(f"{FORM}?door=program")
    page.wait_for_load_state("load")
    expect(page.locator("#kept")).not_to_contain_text("was not saved")
    page.fill("#title", "Typed and put away")
    page.evaluate("""() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    expect(page.locator("#kept")).to_contain_text("Draft saved")
    assert came(page, "Typed and put away")


def test_what_is_put_back_is_not_offered_again(ann, page_of):
    page = page_of(ann, 360, watched=True)
    page.route("**/proposals/draft/", lambda route: route.abort())
    page.add_init_script("navigator.sendBeacon = () => false")
    page.goto(f"{FORM}?door=number")
    page.fill("#q", "option to buy")
    page.click("button[name=take]")
    page.fill("#title", "Without a connection")
    expect(page.locator("#kept")).to_contain_text("kept in this browser")
    page.goto(f"{FORM}?door=number")
    page.wait_for_load_state("load")
    page.evaluate("document.getElementById('title').value = 'What a browser fills in again of itself'")
    for door in ("number", "program"):  # what is offered stays, whatever stands in the form
        page.goto(f"{FORM}?door={door}")
        expect(page.locator("#kept")).to_contain_text("was not saved")
    page.click("text=Put it back")
    expect(page.locator("#title")).to_have_value("Without a connection")
    page.wait_for_load_state("load")
    expect(page.locator("#kept")).not_to_contain_text("was not saved")


def test_what_is_checked_at_once_is_a_draft_too(ann, page_of):
    page = page_of(ann, 390)
    page.goto(f"{FORM}?door=program")
    page.fill("#title", "Checked before it was saved")
    page.fill("#text", "Two lines at its end.\n\n")
    page.click("button[name=check]")
    page.wait_for_selector("#check-title")
    assert "was not saved" not in page.locator("#kept").inner_text()
    expect(page.locator("#kept")).to_contain_text("Draft saved")
    page.goto("/g/doors/proposals/")
    expect(page.locator("main")).to_contain_text("Checked before it was saved")


def test_what_is_typed_is_kept_where_the_server_does_not_answer(ann, page_of):
    page = page_of(ann, watched=True)
    page.goto(f"{FORM}?door=program")
    page.route("**/proposals/draft/", lambda route: route.abort())
    page.fill("#title", "While the server is down")
    expect(page.locator("#kept")).to_contain_text("kept in this browser")
    page.unroute("**/proposals/draft/")
    page.goto(f"{FORM}?door=program")
    page.click("text=Put it back")
    expect(page.locator("#title")).to_have_value("While the server is down")
    page.wait_for_function("document.readyState === 'complete'")  # from then on the scripts hear that one leaves
    page.fill("#text", "And up again.")
    page.goto("/g/doors/rules/")  # on leaving, it is saved without a button
    if came(page, "And up again."):
        page.goto(FORM)
        page.click("text=While the server is down")
    else:  # a browser promises nothing about what is sent on leaving: what did not come is still here
        page.goto(f"{FORM}?door=program")
        page.click("text=Put it back")
    expect(page.locator("#text")).to_have_value("And up again.")
    page.wait_for_load_state("load")
    page.context.clear_cookies(name="sessionid")
    page.fill("#text", "And out.")
    expect(page.locator("#kept")).to_contain_text("no longer logged in")
    page.click("button[name=submit]")
    page.wait_for_url(re.compile("/account/login/"))
    page.context.add_cookies([{"name": "sessionid", "value": ann, "url": page.url.split("/account")[0]}])
    page.goto(f"{FORM}?door=number")
    page.click("text=Put it back")
    expect(page.locator("#text")).to_have_value("And out.")
    page.click("button[name=submit]")
    page.wait_for_url(re.compile(r"/proposals/\d+/$"))
    page.goto(f"{FORM}?door=program")
    expect(page.locator("#kept")).to_be_hidden()
    assert "While the server" not in json.dumps(page.request.get(FORM).text())


CHOICES = (
    ("0.event", "land"), ("0.how", "after"), ("0.if", "owned by another"), ("0.if.of", "e.square"), ("0.if.than", "e.who"),
    ("0.then.0", "pay"), ("0.then.0.who", "e.who"), ("0.then.0.to", "e.square.owner"), ("0.then.0.amount", "least"),
    ("0.then.0.amount.of.0", "math"), ("0.then.0.amount.of.0.op", "times"), ("0.then.0.amount.of.0.left", "number"),
    ("0.then.0.amount.of.0.left.value", "$2"), ("0.then.0.amount.of.0.right", "e.square.number"),
    ("0.then.0.amount.of.1", "number"), ("0.then.0.amount.of.1.value", "$100"),
)  # fmt: skip
TOLL = (
    "When a player lands on a square that somebody else owns, they pay the owner of the square $2 times the "
    "number of the "
    "square, but at most $100."
)


def test_a_toll_is_said_on_a_phone_comes_into_force_is_felt_and_told_back(ann, page_of, site):
    """No program is typed: only menus, and two amounts of money."""
    page = page_of(ann, 360, bypass_csp=True)
    page.goto(FORM)
    page.click("text=Say it")
    page.wait_for_selector("form.scripted")
    page.click("button[value='start:when']")
    page.wait_for_selector("#say-door[data-drawn]")
    for name, value in CHOICES:
        field = page.locator(f'[name="say.{name}"]')
        field.wait_for()
        if field.input_value() == value:
            continue
        drawn = page.locator("#say-door").get_attribute("data-drawn")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
        page.wait_for_function("drawn => document.getElementById('say-door').dataset.drawn !== drawn", arg=drawn)
    expect(page.locator("#said .prose")).to_have_text(TOLL)
    assert wrong_by_axe(page) == []
    assert too_wide(page) <= 0
    page.click("button[name=submit]")
    page.wait_for_url(re.compile(r"/proposals/\d+/$"))
    expect(page.locator(".told")).to_contain_text(TOLL)
    number = int(page.url.rstrip("/").rpartition("/")[2])
    result = site.prepare(f"""
        game = Game.objects.get(slug="doors")
        ben = account("ben@example.org")
        domain.ask_to_join(game, ben, "Ben")
        domain.desk_act(game, "approve-player", {{"player": "Ben"}})
        for square in [each for each in live.of(game).view("admin")["things"].values() if each["kind"] == "square"]:
            act = {{"thing": square["id"], "attribute": "owner", "value": "Ben", "because": "a test"}}
            assert domain.desk_act(game, "grant", act).ok
        domain.desk_act(game, "accept", {{"on": "P{number}"}})
        domain.order(game, "Ann", "propose", {{"title": "Nothing", "text": "For the turn."}})
        outcome = domain.desk_act(game, "accept", {{"on": "P{number + 1}"}})
        landed = [int(fact["square"][1:]) for fact in outcome.facts if fact["what"] == "landed"]
        paid = [fact["amount"] for fact in outcome.facts if fact["what"] == "paid" and fact["to"] == "Ben"]
        rule = [each["id"] for each in live.of(game).records() if each["made_by"] != "opening"][-1]
        result = {{"landed": landed, "paid": paid, "rule": rule}}
    """)
    assert result["paid"] == [min(2 * each, 100) for each in result["landed"]]
    assert result["paid"]
    for place in (f"/g/doors/rules/{result['rule']}/", "/library/", "/library/rent/"):
        page.goto(place)
        assert wrong_by_axe(page) == []
        assert too_wide(page) <= 0
        if "rules" in place:
            expect(page.locator(".told")).to_contain_text(TOLL)

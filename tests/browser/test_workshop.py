"""The form of a proposal and its editor of programs, in a browser: with a mouse, with the keyboard alone, on a phone,
and without scripts."""

import re

import pytest
from page_faults import too_wide
from playwright.sync_api import expect

FORM = "/g/workshop/proposals/new/?door=program"
LAP = '@after("pass")\ndef lap(e):\n    if e.square.number == 1:\n        gain(e.who, rule.bonus)\n'
EDITOR = "#changes-0-code-editor"


@pytest.fixture(scope="module")
def ann(site):
    return site.prepare("""
        admin, ann = account("admin@example.org"), account("ann@example.org")
        game = domain.start_game(admin, edition="original", title="The workshop", slug="workshop")
        domain.ask_to_join(game, ann, "Ann")
        domain.desk_act(game, "approve-player", {"player": "Ann"})
        result = signed_in(ann)
    """)


@pytest.fixture
def form(ann, page_of, site):
    """form(width, ...) -> the empty form, in a page of which the browser must not complain, and that asks no other
    host."""
    complaints = []

    def opened(width=1280, **more):
        page = page_of(ann, width, **more)
        page.on(
            "console",
            lambda said: (
                complaints.append(f"{said.text} {said.location}")
                if said.type in ("error", "warning") and "registration blocked" not in said.text  # as the test asked
                else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request", lambda asked: None if asked.url.startswith((site.url, "data:")) else complaints.append(asked.url)
        )
        page.goto(FORM)
        return page

    yield opened
    assert complaints == []


def new_rule(page, code):
    page.fill("#title", "A bonus")
    page.select_option("[name=changes-0-kind]", "enact")
    page.fill("[name=changes-0-rule]", "X.1")
    page.fill("[name=changes-0-text]", "Who passes #1 gets ${bonus}.")
    page.fill("[name=changes-0-params]", "bonus: 400")
    page.fill(EDITOR, code)


def choose(page, rule):
    page.select_option("[name=changes-0-kind]", "amend")
    page.fill("[name=changes-0-rule]", rule)
    page.locator("#title").focus()


def lines(page, editor=EDITOR):
    return [line.rstrip("\n") for line in page.locator(f"{editor} .cm-line").all_inner_texts()]


def test_what_is_typed_is_coloured_and_is_what_is_sent(form):
    page = form()
    new_rule(page, LAP)
    assert page.locator(f"{EDITOR} .tok-keyword").first.inner_text() == "def"
    colours = [
        page.locator(f"{EDITOR} {each}").first.evaluate("one => getComputedStyle(one).color")
        for each in (".tok-keyword", ".tok-string", ".cm-line")
    ]
    assert len(set(colours)) == 3
    assert page.locator(".cm-gutters").first.evaluate("one => getComputedStyle(one).display") == "flex"
    page.click("button[name=submit]")
    page.wait_for_url(re.compile(r"/proposals/\d+/"))
    assert "gain(e.who, rule.bonus)" in page.locator("#what-changes ~ article, article").first.inner_text()


def test_a_check_marks_the_line_and_says_it_in_words(form):
    page = form()
    new_rule(page, LAP.replace("rule.bonus", "rule.bonuss"))
    page.click("button[name=check]")
    page.wait_for_selector(f"{EDITOR} .cm-lintRange-error")
    assert page.locator(".cm-lintRange-error").inner_text() == "gain(e.who, rule.bonuss)"
    assert page.locator(".cm-lint-marker-error").count() == 1
    words = page.locator("#changes-0-code-problems")
    assert "line 4: rule X.1 has no number 'bonuss': did you mean 'bonus'?" in words.inner_text()
    assert "changes-0-code-problems" in page.locator(EDITOR).get_attribute("aria-describedby")
    page.click("#check a[data-line]")
    expect(page.locator(EDITOR)).to_be_focused()
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type(")")
    assert lines(page)[3] == "        gain(e.who, rule.bonus)"
    page.click("button[name=check]")
    page.wait_for_selector("#check .fine")


def test_by_keyboard_one_gets_in_and_out(form):
    page = form()
    choose(page, "VIII.3")
    page.wait_for_selector("[name=changes-0-number-option_time]")
    page.locator("[name=changes-0-params]").focus()
    page.keyboard.press("Tab")
    focused = "document.activeElement.id"
    assert page.evaluate(focused) == EDITOR[1:]
    page.keyboard.press("Control+a")
    page.keyboard.type("if a:")
    page.keyboard.press("Enter")
    page.keyboard.type("b()")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("c()")
    assert lines(page) == ["if a:", "    b()", "        c()"]
    page.keyboard.press("Escape")  # closes the words to choose from, if they are open
    page.keyboard.press("Escape")
    page.wait_for_timeout(2500)  # whoever is slow leaves all the same
    page.wait_for_selector("#live .error")
    problems = page.locator("#changes-0-code-problems a").count()  # each leads to its line
    for _ in range(problems + 1):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Only in part, or an earlier form"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "remove-0"
    for _ in range(problems + 2):
        page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused) == EDITOR[1:]
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.name") == "changes-0-params"
    assert page.locator("#changes-0-code-keys").inner_text().endswith("Escape, then Tab.")
    assert lines(page) == ["if a:", "    b()", "        c()"]
    assert "Its program" in page.get_by_role("textbox", name="Its program").evaluate(
        "one => one.closest('.field').innerText"
    )


def test_words_of_the_game_are_offered(form):
    page = form()
    page.select_option("[name=changes-0-kind]", "enact")
    page.locator(EDITOR).press_sequentially("mark")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    assert "market_value" in page.locator(".cm-tooltip-autocomplete").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector(".cm-tooltip-autocomplete", state="detached")
    assert lines(page) == ["mark"]
    page.keyboard.press("Control+a")
    page.keyboard.type("# mark")
    page.wait_for_timeout(400)
    assert page.locator(".cm-tooltip-autocomplete").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.type("mark")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    page.wait_for_timeout(150)
    page.keyboard.press("Enter")
    assert lines(page) == ["# mark", "mark", ""]
    page.keyboard.type("market")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    page.wait_for_timeout(150)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert lines(page) == ["# mark", "mark", "market_value"]


def test_choosing_a_rule_fills_it_in_and_asks_before_it_replaces(form):
    page = form()
    choose(page, "VIII.3")
    page.fill("[name=changes-0-number-option_time]", "9")
    assert "gets the option to buy it" in page.input_value("[name=changes-0-text]")
    assert any("def " in line for line in lines(page))
    hint = page.locator(".chosen-rule")
    assert "what you leave below" in hint.inner_text()
    page.select_option("[name=changes-0-kind]", "repeal")
    assert "it goes, with all that it declares" in hint.inner_text()
    assert "what you leave below" not in hint.inner_text()
    choose(page, "VII.1")
    page.wait_for_selector(".ask")
    assert page.input_value("[name=changes-0-number-option_time]") == "9"
    page.click("button[name=replace]")
    page.wait_for_selector(".ask", state="detached")
    assert page.input_value("[name=changes-0-filled]") == "VII.1"
    assert "gets the option" not in page.input_value("[name=changes-0-text]")


def test_changes_are_added_and_removed_and_the_others_stay(form):
    page = form()
    new_rule(page, LAP)
    page.click("button[name=add]")
    page.wait_for_selector("#change-1")
    assert page.evaluate("document.activeElement.name") == "changes-1-kind"
    page.select_option("[name=changes-1-kind]", "repeal")
    page.fill("[name=changes-1-rule]", "IX.2")
    assert page.locator("[name=changes-1-text]").is_hidden()
    page.click("button[name=remove-0]")
    page.wait_for_selector("#change-1", state="detached")
    assert page.input_value("[name=changes-0-rule]") == "IX.2"
    assert page.evaluate("document.activeElement.name") == "changes-0-kind"


def test_what_was_typed_survives_leaving_the_page(form):
    page = form()
    new_rule(page, LAP)
    page.click("button[name=save]")
    page.wait_for_url(re.compile("draft="))
    page.wait_for_selector(f"{EDITOR} .cm-line")
    assert "\n".join(lines(page)) == LAP
    page.locator(EDITOR).focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type("kept = 1")
    page.goto("/g/workshop/rules/")
    page.go_back()
    page.wait_for_selector(f"{EDITOR} .cm-line")
    expect(page.locator(EDITOR)).to_contain_text("kept = 1")
    assert page.input_value("[name=changes-0-code]") == "kept = 1"


def test_what_is_typed_while_a_rule_is_fetched_stays(form):
    page = form(watched=True)
    held = []
    page.route("**/proposals/new/", lambda route: held.append(route))
    page.select_option("[name=changes-0-kind]", "amend")
    page.fill("[name=changes-0-rule]", "VIII.3")
    page.fill("[name=changes-0-text]", "My own words.")
    for asked in (1, 2):  # the first answer is older than the words: the page asks again
        while len(held) < asked:
            page.wait_for_timeout(20)
        with page.expect_response(re.compile("proposals/new/")):
            held[asked - 1].continue_()
    page.wait_for_timeout(500)
    assert page.input_value("[name=changes-0-text]") == "My own words."
    assert page.input_value("[name=changes-0-filled]") == ""


def test_who_types_on_while_the_editor_comes_stays_where_they_are(ann, page_of):
    page = page_of(ann, watched=True)
    held = []
    page.route("**/editor*.js", lambda route: held.append(route))
    page.goto(FORM)
    choose(page, "VIII.3")
    number = page.locator("[name=changes-0-number-option_time]")
    number.focus()
    while not held:
        page.wait_for_timeout(20)
    with page.expect_response(re.compile("editor")):
        held[0].continue_()
    page.wait_for_selector(f"{EDITOR} .cm-line")
    page.wait_for_timeout(200)
    expect(number).to_be_focused()


def test_a_server_that_does_not_answer_costs_nothing(ann, page_of):
    page = page_of(ann, watched=True)
    page.goto(FORM)
    new_rule(page, LAP)
    page.route("**/proposals/new/", lambda route: route.abort())
    page.click("button[name=add]")
    expect(page.locator("#lost")).to_be_visible()
    assert "\n".join(lines(page)) == LAP
    page.unroute("**/proposals/new/")
    page.click("button[name=add]")
    page.wait_for_selector("#change-1")
    expect(page.locator("#lost")).to_be_hidden()


def test_on_a_phone(form):
    page = form(360, has_touch=True)
    new_rule(page, LAP + "# " + "a long remark " * 20)
    page.click("button[name=check]")
    page.wait_for_selector("#check")
    page.locator(EDITOR).scroll_into_view_if_needed()
    assert too_wide(page) <= 0
    editor = page.locator("#program-changes-0-code .cm-editor")
    assert editor.evaluate("one => one.querySelector('.cm-scroller').scrollWidth <= one.clientWidth")
    assert page.locator(EDITOR).bounding_box()["width"] > 240
    assert editor.evaluate("one => parseFloat(getComputedStyle(one.querySelector('.cm-content')).fontSize)") >= 16


def test_in_the_dark(form):
    shades = {}
    for scheme in ("light", "dark"):
        page = form(color_scheme=scheme)
        new_rule(page, LAP)
        page.locator(EDITOR).locator(".tok-keyword").first.wait_for()
        shades[scheme] = page.locator(EDITOR).evaluate(
            "one => [one.closest('.cm-editor'), one.querySelector('.tok-keyword'), one.querySelector('.cm-line')]"
            ".map((each, at) => getComputedStyle(each)[at ? 'color' : 'backgroundColor'])"
        )
    assert all(light != dark for light, dark in zip(*shades.values(), strict=True))


def test_without_scripts_the_plain_field_does_all(form):
    page = form(java_script_enabled=False)
    assert page.locator(".cm-editor").count() == 0
    page.fill("#title", "Longer")
    page.select_option("[name=changes-0-kind]", "amend")
    page.fill("[name=changes-0-rule]", "VIII.3")
    with page.expect_navigation():
        page.click("button[name=fill]")
    assert "def offer" in page.input_value("textarea[name=changes-0-code]")
    assert page.locator("#changes-0-code-keys").is_hidden()
    page.fill("[name=changes-0-number-option_time]", "9")
    page.click("button[name=add]")
    page.select_option("[name=changes-1-kind]", "enact")
    page.fill("[name=changes-1-rule]", "X.7")
    page.fill("[name=changes-1-text]", "Nothing.")
    page.fill("textarea[name=changes-1-code]", "import os\n")
    page.click("button[name=check]")
    assert "line 1" in page.locator("#changes-1-code-problems").inner_text()
    assert page.input_value("[name=changes-0-number-option_time]") == "9"
    page.click("button[name=remove-1]")
    page.click("button[name=submit]")
    assert "option_time" in page.locator(".numbers-diff").inner_text()

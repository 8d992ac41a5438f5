"""The rulebook's pages and the way of a proposal through the site's forms."""

import hashlib
import re
from html import unescape

import pytest
from django.test import Client, override_settings
from pagewords import accept, seated, text, token

from nomopoly.site.play import sheets
from nomopoly.site.play.models import Draft, Successor
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game

AT = "/g/friday/"
BONUS = '@after("pass")\ndef lap(e):\n    if e.square.number == 1:\n        gain(e.who, rule.bonus)\n'
NEW = {
    "title": "A bonus",
    "text": "Going round should pay.",
    "changes-0-kind": "enact",
    "changes-0-rule": "X.1",
    "changes-0-text": "Who passes #1 gets ${bonus}.",
    "changes-0-code": BONUS,
    "changes-0-params": "bonus: 400",
}


def record(game, id):
    return next((each for each in live.of(game).records() if each["id"] == id), None)


def made(ann, game, **sent):
    """Submit a proposal through the form, and have it accepted."""
    answer = ann.post(f"{AT}proposals/new/", {"title": "T", "submit": "1"} | sent)
    assert answer.status_code == 303, text(answer)
    number = int(answer.url.rstrip("/").rpartition("/")[2])
    accept(game, f"P{number}")
    return number


@pytest.fixture
def later(monkeypatch):
    """later(seconds): from now on it is so much later. A change counts as later from the next whole second on."""
    really = live.now
    return lambda seconds: monkeypatch.setattr(live, "now", lambda: really() + seconds)


# ---- the form


def test_enact_amend_by_number_and_repeal(ann, game):
    made(ann, game, **NEW)
    assert record(game, "X.1")["params"] == {"bonus": 400}
    made(ann, game, **{"changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-params": "bonus: 150"})
    assert (record(game, "X.1")["params"], record(game, "X.1")["code"]) == ({"bonus": 150}, BONUS)
    form = {"changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-number-bonus": "175"}
    made(ann, game, **form)
    assert record(game, "X.1")["params"] == {"bonus": 175}
    made(ann, game, **{"changes-0-kind": "repeal", "changes-0-rule": "X.1"})
    assert record(game, "X.1") is None
    page = Client().get(f"{AT}rules/X.1/")
    assert "Repealed by proposal 4" in text(page)
    assert "on" in text(page)


def test_a_rule_is_changed_in_part_and_gets_an_earlier_form_back(ann, game):
    """One function is replaced, a number dropped; the comparison shows it; then the first form comes back."""
    made(ann, game, **NEW)
    twice = '@after("pass")\ndef lap(e):\n    gain(e.who, 5)\n'
    sent = {"changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-functions": twice, "changes-0-drop": "bonus"}
    sent |= {"changes-0-text": "Who passes anything gets $5."}
    page = text(ann.post(f"{AT}proposals/new/", {"title": "T", "check": "1"} | sent))
    assert "No problems" in page or "problem" not in page.casefold()
    number = made(ann, game, **sent)
    assert (record(game, "X.1")["params"], record(game, "X.1")["code"]) == ({}, twice.strip())
    assert "gain(e.who, 5)" in text(ann.get(f"{AT}proposals/{number}/"))
    again = ann.get(f"{AT}proposals/new/?copy={number}").content.decode()
    assert 'value="bonus"' in again
    assert "gain(e.who, 5)" in again
    first = {"changes-0-kind": "restore", "changes-0-rule": "X.1"}
    page = text(ann.post(f"{AT}proposals/new/", {"title": "T", "check": "1"} | first))
    assert "gets $400" in page or "bonus" in page
    made(ann, game, **first)
    assert (record(game, "X.1")["params"], record(game, "X.1")["code"].strip()) == ({"bonus": 400}, BONUS.strip())
    wrong = ann.post(f"{AT}proposals/new/", {"title": "T", "submit": "1"} | first | {"changes-0-rule": "X.7"})
    assert "there is no earlier form of it" in text(wrong)
    wrong = ann.post(f"{AT}proposals/new/", {"title": "T", "submit": "1"} | first | {"changes-0-earlier": "soon"})
    assert "Not a moment" in text(wrong)


def test_fill_in_works_without_a_script(ann, game):
    sent = {"changes-0-kind": "amend", "changes-0-rule": "VIII.3", "title": "Longer", "fill": "0"}
    page = ann.post(f"{AT}proposals/new/", sent)
    shown = page.content.decode()
    assert 'name="changes-0-number-option_time" value="7"' in shown
    assert 'value="Longer"' in shown
    assert "gets the option to buy it" in shown
    assert "There is no rule XX.9" in text(ann.post(f"{AT}proposals/new/", sent | {"changes-0-rule": "XX.9"}))


def test_a_form_filled_in_and_sent_back_changes_only_what_was_changed(ann, game):
    sheet = sheets.Sheet("T", "", "", [sheets.Box(0, rule="VIII.3")])
    records = live.of(game).records()
    assert sheets.fill_in(sheet.boxes[0], records)
    sheet.boxes[0].numbers["option_time"] = "9"
    read = sheets.read_sheet(sheet.fields())
    assert sheets.changes_of(read, records) == ([{"amend": "VIII.3", "params": {"option_time": 9}}], [])
    read.boxes[0].numbers["option_time"] = "7"
    assert "leaves rule VIII.3 as it is" in sheets.changes_of(read, records)[1][0]
    read.boxes[0].code = ""
    assert sheets.changes_of(read, records)[0] == [{"amend": "VIII.3", "code": ""}]


def test_propose_a_change_opens_the_form_filled_in(ann, game):
    page = ann.get(f"{AT}rules/VIII.3/")
    assert f"{AT}proposals/new/?rule=VIII.3" in page.content.decode()
    assert 'value="VIII.3"' in ann.get(f"{AT}proposals/new/?rule=VIII.3").content.decode()


def test_check_names_the_line_and_does_nothing(ann, game):
    before = live.of(game).n
    page = ann.post(f"{AT}proposals/new/", NEW | {"changes-0-code": "x = 1\nimport os\n", "check": "1"})
    assert "rule X.1, line 2" in text(page)
    assert "A bonus" in page.content.decode()
    assert live.of(game).n == before
    good = ann.post(f"{AT}proposals/new/", NEW | {"check": "1"})
    assert "No problems found" in text(good)
    assert "Who passes #1 gets $400." in text(good)


def test_a_program_may_be_copied_with_its_indentation(ann, game):
    shifted = "".join(f"      {line}\n" for line in BONUS.splitlines())
    sent = NEW | {"changes-0-code": shifted, "run": "  for who in players():\n      gain(who, 5)\n", "check": "1"}
    assert "No problems found" in text(ann.post(f"{AT}proposals/new/", sent))
    wrong = ann.post(f"{AT}proposals/new/", NEW | {"changes-0-code": "x = 1\n  y = 2\n", "check": "1"})
    assert "rule X.1, line 2" in text(wrong)


def test_check_of_words_alone(ann, game):
    page = ann.post(f"{AT}proposals/new/", {"title": "T", "text": "Slower, somehow.", "check": "1"})
    assert "the Admin will program it" in text(page)


@pytest.mark.parametrize("office", ["house", "table"])
def test_where_no_person_is_the_admin_nobody_programs_words_alone(ann, game, office):
    Game.objects.filter(pk=game.pk).update(office=office)
    page = text(ann.post(f"{AT}proposals/new/", {"title": "T", "text": "Slower, somehow.", "check": "1"}))
    assert "in words alone, and in this game nobody programs them: say what changes by choices" in page
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "Slower, somehow."}).ok
    page = text(ann.get(f"{AT}proposals/1/"))
    assert "in words alone. Nobody programs it in this game" in page
    assert "the Admin will program it" not in page


VALUE = '@value("market_value", of="square", label="Market value", type="money")\ndef mine(place):\n    return 5\n'
OTHER_VALUE = {"enact": "X.1", "text": "A square is worth $5.", "code": VALUE}


def test_check_shows_clashes(ann, game):
    page = ann.post(f"{AT}proposals/new/", NEW | {"changes-0-code": VALUE, "check": "1"})
    told = "V.1 would win over this (X.1), because its present form is older. Both define the value 'market_value'."
    assert told in unescape(text(page))
    assert 'For X.1 to win, its program says overrides("V.1").' in unescape(text(page))
    louder = ann.post(f"{AT}proposals/new/", NEW | {"changes-0-code": f'overrides("V.1")\n{VALUE}', "check": "1"})
    assert "This (X.1) would win over V.1, because it says it overrides V.1." in text(louder)


def test_bad_forms_are_shown_again_with_reasons(ann, game):
    form = f"{AT}proposals/new/"
    assert "nothing in this proposal" in text(ann.post(form, {"submit": "1"}))
    missing = ann.post(form, {"title": "T", "changes-0-kind": "amend", "submit": "1"})
    assert "which rule?" in text(missing)
    assert 'id="refusal"' in missing.content.decode()
    unknown = {"title": "T", "changes-0-kind": "amend", "changes-0-rule": "Z.9", "submit": "1"}
    assert "there is no rule Z.9" in text(ann.post(form, unknown))
    numbers = NEW | {"changes-0-params": "four hundred", "submit": "1"}
    assert "write its numbers one a line" in text(ann.post(form, numbers))
    bad = ann.post(form, NEW | {"changes-0-code": "import os", "submit": "1"})
    assert bad.status_code == 200
    assert "import os" in bad.content.decode()
    assert live.of(game).view("Ann")["things"].get("P1") is None


def test_a_second_sending_makes_no_second_proposal(ann, game):
    sent = NEW | {"submit": "1", "once": token(ann.get(f"{AT}proposals/new/?door=program"))}
    first = ann.post(f"{AT}proposals/new/", sent)
    again = ann.post(f"{AT}proposals/new/", sent)
    assert (first.url, again.url) == (f"{AT}proposals/1/", f"{AT}proposals/1/")
    assert "P2" not in live.of(game).view("Ann")["things"]


def test_drafts_are_ones_own(people, ann, game):
    answer = ann.post(f"{AT}proposals/new/", NEW | {"save": "1"})
    draft = Draft.objects.get()
    assert answer.url == f"{AT}proposals/new/?draft={draft.pk}"
    page = ann.get(answer.url)
    assert "bonus: 400" in page.content.decode()
    assert "A bonus" in text(ann.get(f"{AT}proposals/"))
    bob = people("bob")
    seated(game, bob, "Bob")
    assert "A bonus" not in text(bob.get(f"{AT}proposals/"))
    assert "Who passes" not in bob.get(answer.url).content.decode()
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1", "draft": str(draft.pk)})
    assert not Draft.objects.exists()


def test_another_change_keeps_what_was_typed(ann, game):
    page = ann.post(f"{AT}proposals/new/", NEW | {"add": "1"})
    assert 'name="changes-1-kind"' in page.content.decode()
    assert "Going round should pay." in page.content.decode()


def test_changes_come_and_go_by_buttons(ann, game):
    two = NEW | {"changes-1-kind": "repeal", "changes-1-rule": "IX.2"}
    page = ann.post(f"{AT}proposals/new/", two | {"remove-0": "1"}).content.decode()
    assert 'name="changes-0-rule" list="rule-numbers" value="IX.2"' in page
    assert "changes-1-kind" not in page
    assert "Who passes #1" not in page
    one = ann.post(f"{AT}proposals/new/", {"title": "T", "changes-0-rule": "IX.2", "remove-0": "1"}).content.decode()
    assert "changes-0-kind" in one
    assert 'value="IX.2"' not in one.replace('<option value="IX.2">', "")
    full = {f"changes-{at}-kind": "repeal" for at in range(sheets.MOST_CHANGES)}
    assert "at most 30 changes" in text(ann.post(f"{AT}proposals/new/", full | {"add": "1"}))
    assert "no such change" in text(ann.post(f"{AT}proposals/new/", NEW | {"remove-7": "1"}))


FORM = {"changes-0-kind": "amend", "changes-0-rule": "VIII.3"}


def box_after(ann, **sent):
    """The first change of the form as it comes back."""
    page = ann.post(f"{AT}proposals/new/", FORM | sent).content.decode()
    fields = {
        name: unescape(value) for name, value in re.findall(r'name="changes-0-([\w-]+)"[^>]* value="([^"]*)"', page)
    }
    areas = re.findall(r'<textarea[^>]* name="changes-0-([\w-]+)"[^>]*>\n([^<]*)</textarea>', page)
    return fields | {name: unescape(value) for name, value in areas} | {"page": page}


def test_filling_in_asks_before_it_takes_the_place_of_what_was_typed(ann, game):
    mine = {"changes-0-text": "My own words.", "changes-0-filled": ""}
    asked = box_after(ann, **mine, fill="0")
    assert asked["text"] == "My own words."
    assert "Shall the present form of rule VIII.3 take its place?" in asked["page"]
    kept = box_after(ann, **mine, keep="0")
    assert (kept["text"], kept["number-option_time"], kept["filled"]) == ("My own words.", "7", "VIII.3")
    assert "def " in kept["code"]
    replaced = box_after(ann, **mine, replace="0")
    assert "gets the option to buy it" in replaced["text"]
    assert "take its place?" not in replaced["page"]


def test_another_rule_is_filled_in_unasked_only_over_an_untouched_one(ann, game):
    filled = box_after(ann, fill="0")
    form = {f"changes-0-{name}": value for name, value in filled.items() if name not in ("page", "kind", "rule")}
    other = box_after(ann, **form | {"changes-0-rule": "VII.1", "fill": "0"})
    assert other["filled"] == "VII.1"
    assert "take its place?" not in other["page"]
    edited = form | {"changes-0-number-option_time": "9", "changes-0-rule": "VII.1"}
    asked = box_after(ann, **edited, fill="0")
    assert asked["filled"] == "VIII.3"
    assert "which holds the form of rule VIII.3" in asked["page"]
    mixed = ann.post(f"{AT}proposals/new/", FORM | edited | {"title": "T", "submit": "1"})
    assert "it holds the form of rule VIII.3 and is to change VII.1: fill it in" in text(mixed)


def test_check_fills_in_a_rule_that_was_only_chosen(ann, game):
    shown = box_after(ann, title="T", check="1")
    assert (shown["filled"], shown["number-option_time"]) == ("VIII.3", "7")
    assert "leaves rule VIII.3 as it is" in shown["page"]


def test_a_form_whose_rule_changes_meanwhile_says_so(ann, game):
    filled = box_after(ann, fill="0")
    form = FORM | {f"changes-0-{name}": value for name, value in filled.items() if name != "page"} | {"title": "T"}
    made(ann, game, **FORM, **{"changes-0-number-option_time": "5"})
    page = ann.post(f"{AT}proposals/new/", form | {"changes-0-text": "Mine.", "check": "1"})
    assert "VIII.3 has changed since, by proposal 1" in text(page)
    assert "VIII.3 has changed since it was written" in text(page)
    late = ann.post(f"{AT}proposals/new/", form | {"changes-0-number-option_time": "9", "submit": "1"})
    assert "The game has moved on since this was written. VIII.3 has changed since, by proposal 1." in text(late)
    assert "P2" not in live.of(game).view("Ann")["things"]
    kept = box_after(ann, **form | {"changes-0-text": "Mine."}, keep="0")
    assert "has changed since" not in kept["page"]


def test_words_and_ticks_among_the_numbers_have_fields_of_their_own(ann, game):
    made(ann, game, **NEW | {"changes-0-params": "bonus: 400\nopen: yes\ncolour: red"})
    form = {"changes-0-kind": "amend", "changes-0-rule": "X.1"}
    page = ann.post(f"{AT}proposals/new/", form | {"fill": "0"}).content.decode()
    assert '<option value="yes">yes</option>' in page
    assert 'name="changes-0-number-colour" value="red"' in page
    wrong = ann.post(f"{AT}proposals/new/", form | {"changes-0-number-bonus": "much", "submit": "1"})
    assert "Change 1: Bonus must be a whole number, not “much”" in text(wrong)
    made(ann, game, **form, **{"changes-0-number-open": "no", "changes-0-number-colour": "7"})
    assert record(game, "X.1")["params"] == {"bonus": 400, "open": False, "colour": "7"}


def test_a_rule_copied_from_another_takes_its_numbers_along(ann, game):
    filled = box_after(ann, fill="0")
    form = {f"changes-0-{name}": value for name, value in filled.items() if name != "page"}
    sheet = sheets.read_sheet(form | {"changes-0-kind": "enact", "changes-0-rule": "X.7"})
    assert sheets.changes_of(sheet, live.of(game).records())[0][0]["params"] == {"option_time": 7}


def test_a_change_that_says_not_what_it_is_is_not_dropped(ann, game):
    page = ann.post(f"{AT}proposals/new/", NEW | {"changes-0-kind": "", "submit": "1"})
    assert "Change 1: choose whether it makes a new rule, changes one or repeals one" in text(page)


def test_problems_stand_at_their_program_with_the_line(ann, game):
    page = ann.post(
        f"{AT}proposals/new/", NEW | {"changes-0-code": "x = 1\nimport os\n", "run": "import re", "check": "1"}
    )
    shown = page.content.decode()
    at_code, at_run = (
        shown[shown.index(f'id="{id}-problems"') :].partition("</ul>")[0] for id in ("changes-0-code", "run")
    )
    assert 'data-line="2" data-level="error"' in at_code
    assert '<code class="quoted">import os</code>' in at_code
    assert 'data-line="1"' in at_run
    assert "import re" in at_run
    assert 'href="#program-changes-0-code" data-line="2"' in shown


def test_the_difference_is_shown_words_lines_and_numbers(ann, game):
    made(ann, game, **NEW)
    change = {
        "title": "T",
        "changes-0-kind": "amend",
        "changes-0-rule": "X.1",
        "changes-0-text": "Who passes #1 loses ${bonus}.",
        "changes-0-code": BONUS.replace("gain(", "lose("),
        "changes-0-params": "bonus: 300",
        "check": "1",
    }
    page = ann.post(f"{AT}proposals/new/", change)
    told = text(page)
    assert "removed: gets end of removed added: loses end of added" in told
    assert "removed: gain(e.who, rule.bonus) end of removed" in told
    assert "bonus removed: 400 end of removed added: 300 end of added" in told


def test_only_this_page_lets_its_editor_bring_styles(ann, game):
    page = ann.get(f"{AT}proposals/new/?door=program")
    nonce = re.search(r'data-nonce="([\w-]{20,})"', page.content.decode())[1]
    policy = page["Content-Security-Policy"]
    assert f"style-src 'self' 'nonce-{nonce}'" in policy
    assert "unsafe" not in policy
    assert nonce not in ann.get(f"{AT}proposals/new/?door=program").content.decode()
    assert "nonce" not in ann.get(f"{AT}proposals/")["Content-Security-Policy"]


# ---- proposals


def test_no_proposals_yet(game):
    assert "No proposals yet. Any player can make the first one." in text(Client().get(f"{AT}proposals/"))


def test_a_proposal_and_its_way(ann, keeper, game):
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1"})
    page = Client().get(f"{AT}proposals/1/")
    for told in (
        "Proposal 1: A bonus",
        "made by Ann",
        "waiting for the Admin",
        "Who passes #1 gets $400.",
        "bonus added: 400",
    ):
        assert told in text(page), told
    assert "If it were accepted now" in text(page)
    assert "Judge it" not in text(page)
    assert "Judge it" in text(keeper.get(f"{AT}proposals/1/"))
    accept(game, "P1")
    page = Client().get(f"{AT}proposals/1/")
    assert "accepted" in text(page)
    assert "as it was put into effect" in text(page)
    assert Client().get(f"{AT}proposals/9/").status_code == 404


def test_filters_of_the_list(ann, game):
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1"})
    assert "A bonus" in text(Client().get(f"{AT}proposals/?status=Pending&by=ann&rule=X.1"))
    assert "No proposal is like that" in text(Client().get(f"{AT}proposals/?status=Dead"))
    assert "No proposal is like that" in text(Client().get(f"{AT}proposals/?rule=I.1"))


def test_a_rule_that_has_changed_meanwhile_is_marked(people, ann, game, later):
    made(ann, game, **NEW)
    bob = people("bob")
    seated(game, bob, "Bob")
    change = {"title": "Less", "changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-params": "bonus: 10"}
    bob.post(f"{AT}proposals/new/", change | {"submit": "1"})
    later(60)
    made(ann, game, **{"changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-params": "bonus: 90"})
    page = Client().get(f"{AT}proposals/2/")
    assert "X.1 has changed since, by proposal 3" in text(page)
    for told in ("When this was written Who passes #1 gets $ 400 .", "Now Who passes #1 gets $ 90 .", "gets $ 10 ."):
        assert told in text(page), told
    markup = " ".join(page.content.decode().split())
    assert f'has changed since, by <a href="{AT}proposals/3/">proposal 3</a>' in markup
    made(ann, game, **{"changes-0-kind": "repeal", "changes-0-rule": "X.1"})
    page = Client().get(f"{AT}proposals/2/")
    assert "X.1 has changed since, by proposal 4" in text(page)
    assert "Now It is repealed." in text(page)


def test_a_new_version_copies_the_old_one(ann, game):
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1"})
    page = ann.get(f"{AT}proposals/new/?copy=1").content.decode()
    assert "Who passes #1 gets ${bonus}." in page
    assert "bonus: 400" in page
    assert 'name="follows" value="1"' in page


def test_the_old_version_names_the_new_one(people, ann, game):
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1"})
    domain.desk_act(game, "reject", {"on": "P1", "because": "Too much."})
    ann.post(f"{AT}proposals/new/", {"title": "Something else", "text": "Words.", "submit": "1"})
    assert "newer version" not in text(Client().get(f"{AT}proposals/1/"))
    bob = people("bob")
    seated(game, bob, "Bob")
    draft = bob.post(f"{AT}proposals/new/", NEW | {"title": "Less of it", "follows": "1", "save": "1"}).url
    assert 'name="follows" value="1"' in bob.get(draft).content.decode()
    bob.post(f"{AT}proposals/new/", NEW | {"title": "Less of it", "follows": "1", "submit": "1"})
    old, new = Client().get(f"{AT}proposals/1/"), Client().get(f"{AT}proposals/3/")
    assert "There is a newer version: proposal 3: Less of it" in text(old)
    assert "A new version of proposal 1: A bonus" in text(new)
    assert "What this version says otherwise" not in text(new), "it says the same"


def test_a_new_version_shows_what_it_says_otherwise(ann, game):
    ann.post(f"{AT}proposals/new/", NEW | {"text": "Everybody wears a hat.", "submit": "1"})
    changed = {name: value.replace("400", "300") for name, value in NEW.items()}
    assert changed != NEW
    ann.post(f"{AT}proposals/new/", changed | {"text": "Nobody wears a hat.", "follows": "1", "submit": "1"})
    page = Client().get(f"{AT}proposals/2/").content.decode().partition("What this version says otherwise")[2]
    assert "Everybody" in page.partition("<ins>")[0]
    assert re.search(r"<del>.*400.*</del>", page)
    assert re.search(r"<ins>.*300.*</ins>", page)


def test_a_replaced_proposal_names_the_one_that_replaced_it(ann, game):
    for title in ("One", "Two", "Three"):
        ann.post(f"{AT}proposals/new/", {"title": title, "text": "Words.", "submit": "1"})
    assert "Replaced by proposal 2: Two" in text(Client().get(f"{AT}proposals/1/"))


def test_a_version_of_a_proposal_that_is_not_there_is_just_a_proposal(ann, game):
    for number in ("77", "x"):
        ann.post(f"{AT}proposals/new/", NEW | {"follows": number, "submit": "1"})
    assert not Successor.objects.exists()


def test_a_copy_shows_what_has_changed_under_it(ann, game, later):
    made(ann, game, **NEW)
    wider = {
        "changes-0-kind": "amend",
        "changes-0-rule": "X.1",
        "changes-0-text": "Who passes #1 gets ${bonus}, twice.",
    }
    ann.post(f"{AT}proposals/new/", wider | {"title": "Twice", "submit": "1"})
    domain.desk_act(game, "reject", {"on": "P2"})
    later(60)
    made(ann, game, **{"changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-params": "bonus: 90"})
    page = ann.get(f"{AT}proposals/new/?copy=2")
    assert "X.1 has changed since, by proposal 3" in text(page)
    assert "twice" in page.content.decode()


def test_the_hash_is_that_of_the_published_text(ann, game):
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1"})
    published = Client().get(f"{AT}proposals/1.json")
    assert hashlib.sha256(published.content).hexdigest() in text(Client().get(f"{AT}proposals/1/"))
    assert published.json()["changes"][0]["enact"] == "X.1"
    assert Client().get(f"{AT}proposals/9.json").status_code == 404


# ---- rules


def test_rules_say_who_keeps_them(game):
    page = Client().get(f"{AT}rules/")
    assert 'id="rule-VIII.3"' in page.content.decode()
    assert "by program" in text(page)
    assert "kept by the players" in text(page)
    assert "@after" not in text(page)
    assert "@after" in text(Client().get(f"{AT}rules/?code=1")).replace("&quot;", '"')
    assert "Kept by the players and the Admin" in text(Client().get(f"{AT}rules/I.5/"))


def test_rules_can_be_searched_and_read_as_they_were(ann, game):
    made(ann, game, **NEW)
    assert "1 rule with" in text(Client().get(f"{AT}rules/?q=passes+gets"))
    assert "Who passes" not in text(Client().get(f"{AT}rules/?at=0"))
    assert Client().get(f"{AT}rules/?at=77").status_code == 400
    assert "Who passes #1 gets $400." in Client().get(f"{AT}rules.md").content.decode()
    assert Client().get(f"{AT}rules/X.1.json").json()["rules"][0]["params"] == {"bonus": 400}


def test_history_and_comparison(ann, game):
    assert "The rules have not changed since the opening" in text(Client().get(f"{AT}rules/history/"))
    made(ann, game, **NEW)
    made(ann, game, **{"changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-params": "bonus: 150"})
    page = Client().get(f"{AT}rules/history/")
    assert "what changed here" in text(page)
    assert "Proposal 2" in text(page)
    page = Client().get(f"{AT}rules/diff/")
    assert "Rule changes from" in text(page)
    assert (
        '<del><span class="visually-hidden">removed: </span>400<span class="visually-hidden"> end of removed'
        in page.content.decode()
    )
    assert "added: 150 end of added" in text(page)
    assert "first square" in text(page) or "VII.1" in text(page)
    only = Client().get(f"{AT}rules/diff/?show=changed&code=1&view=sides")
    assert "VII.1" not in text(only)
    swapped = Client().get(f"{AT}rules/diff/?from=2&to=0&code=1")
    assert "exchanged" in text(swapped)
    assert "No rules changed between these moments" in text(Client().get(f"{AT}rules/diff/?from=1&to=1"))


def test_comparison_errors_say_what_is_possible(ann, game):
    for asked, told in (
        ("from=x", "Not a moment: x"),
        ("from=2001-01-01", "the first moment is"),
        ("from=2999-01-01", "the last is"),
        ("from=start&to=77", "No history number 77"),
    ):
        page = Client().get(f"{AT}rules/diff/?{asked}")
        assert page.status_code == 400, asked
        assert told in text(page)


def test_a_rule_knows_its_versions_and_deeds(ann, game):
    made(ann, game, **NEW)
    page = Client().get(f"{AT}rules/X.1/")
    for told in ("Versions", "First form", "Proposal 1: A bonus", "after pass", "in this form for"):
        assert told in text(page), told
    assert "What it has done" in text(Client().get(f"{AT}rules/VII.1/"))
    assert Client().get(f"{AT}rules/Z.9/").status_code == 404


def amend(game, number, **said):
    """Amend rule IV.1 by an accepted proposal."""
    assert domain.order(game, "Ann", "propose", {"title": "T", "changes": [{"amend": "IV.1"} | said]}).ok
    accept(game, f"P{number}")


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
def test_a_rule_is_read_in_the_readers_language_and_the_original_decides(ann, game):
    there = {"HTTP_ACCEPT_LANGUAGE": "de"}
    page = text(Client().get(f"{AT}rules/IV.1/", **there))
    assert "Ein neuer Spieler hat $" in page
    assert page.index("Das Original") < page.index("A new player has $")
    assert "Ein neuer Spieler" in text(Client().get(f"{AT}rules/", **there))
    assert "Ein neuer Spieler" not in text(Client().get(f"{AT}rules/IV.1/"))
    amend(game, 1, params={"start_money": 77})
    assert "Ein neuer Spieler hat $ 77 Nomopoly-Geld" in text(Client().get(f"{AT}rules/IV.1/", **there))
    amend(game, 2, text="All have ${start_money}.")
    page = text(Client().get(f"{AT}rules/IV.1/", **there))
    assert "All have $ 77" in page
    assert "Das Original" not in page


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
def test_a_rules_page_says_with_which_rule_it_clashes_and_why(ann, game):
    assert domain.order(game, "Ann", "propose", {"title": "T", "changes": [OTHER_VALUE]}).ok
    accept(game, "P1")
    told = "Clash: V.1 wins over X.1, because its present form is older. Both define the value 'market_value'."
    for rule in ("V.1", "X.1"):
        page = Client().get(f"{AT}rules/{rule}/")
        assert told in unescape(text(page))
    german = unescape(text(Client().get(f"{AT}rules/X.1/", HTTP_ACCEPT_LANGUAGE="de")))
    assert "V.1 hat Vorrang vor X.1, denn" in german
    assert "Beide: den Wert 'market_value' bestimmen." in german

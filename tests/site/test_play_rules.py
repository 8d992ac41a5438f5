"""The rulebook's pages and the way of a proposal through the site's forms."""

from django.test import Client
from pagewords import text, token

from nomopoly.site.play import proposals
from nomopoly.site.play.models import Draft
from nomopoly.site.tables import domain, live

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


def accept(game, proposal):
    outcome = domain.desk_act(game, "accept", {"on": proposal})
    assert outcome.ok, outcome


def made(ann, game, **sent):
    """Submit a proposal through the form, and have it accepted."""
    answer = ann.post(f"{AT}proposals/new/", {"title": "T", "submit": "1"} | sent)
    assert answer.status_code == 303, text(answer)
    number = int(answer.url.rstrip("/").rpartition("/")[2])
    accept(game, f"P{number}")
    return number


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


def test_fill_in_works_without_a_script(ann, game):
    sent = {"changes-0-kind": "amend", "changes-0-rule": "VIII.3", "title": "Longer", "fill": "0"}
    page = ann.post(f"{AT}proposals/new/", sent)
    shown = page.content.decode()
    assert 'name="changes-0-number-option_time" value="7"' in shown
    assert "option_time: 7" in shown
    assert 'value="Longer"' in shown
    assert "gets the option to buy it" in shown
    assert "There is no rule XX.9" in text(ann.post(f"{AT}proposals/new/", sent | {"changes-0-rule": "XX.9"}))


def test_a_form_filled_in_and_sent_back_changes_only_what_was_changed(ann, game):
    sheet = proposals.Sheet("T", "", "", [proposals.Box(0, rule="VIII.3")])
    records = live.of(game).records()
    assert proposals.fill_in(sheet.boxes[0], records)
    sheet.boxes[0].numbers["option_time"] = "9"
    read = proposals.read_sheet(sheet.fields())
    assert proposals.changes_of(read, records) == ([{"amend": "VIII.3", "params": {"option_time": 9}}], [])
    read.boxes[0].numbers["option_time"] = "7"
    assert "leaves rule VIII.3 as it is" in proposals.changes_of(read, records)[1][0]
    read.boxes[0].code = ""
    assert proposals.changes_of(read, records)[0] == [{"amend": "VIII.3", "code": ""}]


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


def test_check_of_words_alone(ann, game):
    page = ann.post(f"{AT}proposals/new/", {"title": "T", "text": "Slower, somehow.", "check": "1"})
    assert "the Admin will program it" in text(page)


def test_check_shows_clashes(ann, game):
    code = '@value("market_value", of="square", label="Market value", type="money")\ndef mine(place):\n    return 5\n'
    page = ann.post(f"{AT}proposals/new/", NEW | {"changes-0-code": code, "check": "1"})
    assert "V.1 would win over X.1" in text(page)


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
    sent = NEW | {"submit": "1", "once": token(ann.get(f"{AT}proposals/new/"))}
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
    domain.ask_to_join(game, bob.user, "Bob")
    domain.desk_act(game, "approve-player", {"player": "Bob"})
    assert "A bonus" not in text(bob.get(f"{AT}proposals/"))
    assert "Who passes" not in bob.get(answer.url).content.decode()
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1", "draft": str(draft.pk)})
    assert not Draft.objects.exists()


def test_another_change_keeps_what_was_typed(ann, game):
    page = ann.post(f"{AT}proposals/new/", NEW | {"more": "1"})
    assert 'name="changes-1-kind"' in page.content.decode()
    assert "Going round should pay." in page.content.decode()


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
        "bonus = 400",
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


def test_a_rule_that_has_changed_meanwhile_is_marked(people, ann, game):
    made(ann, game, **NEW)
    bob = people("bob")
    domain.ask_to_join(game, bob.user, "Bob")
    domain.desk_act(game, "approve-player", {"player": "Bob"})
    change = {"title": "Less", "changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-params": "bonus: 10"}
    bob.post(f"{AT}proposals/new/", change | {"submit": "1"})
    import time

    time.sleep(1.1)  # Moments are whole seconds: the next change must be later than the proposal.
    made(ann, game, **{"changes-0-kind": "amend", "changes-0-rule": "X.1", "changes-0-params": "bonus: 90"})
    assert "X.1 has changed since this was written" in text(Client().get(f"{AT}proposals/2/"))


def test_a_new_version_copies_the_old_one(ann, game):
    ann.post(f"{AT}proposals/new/", NEW | {"submit": "1"})
    page = ann.get(f"{AT}proposals/new/?copy=1").content.decode()
    assert "Who passes #1 gets ${bonus}." in page
    assert "bonus: 400" in page


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

"""The doors to a proposal: each fills in the one form, none loses what another was told, and drafts keep what is
typed."""

import re
from datetime import datetime
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from pagewords import accept, fields, propose, text

from nomopoly.site import limits
from nomopoly.site.formats import whole_number
from nomopoly.site.lobby.forms import NewGame
from nomopoly.site.play import doors, sheets
from nomopoly.site.play.models import Draft
from nomopoly.site.tables import live
from nomopoly.site.trial.models import Trial

FORM = "/g/friday/proposals/new/"
SAVE = "/g/friday/proposals/draft/"


def press(ann, response, **button):
    """The page after one of the form's buttons."""
    return ann.post(FORM, fields(response) | button)


# ---- doors


def test_one_chooses_a_door_and_old_links_go_on_working(ann, game):
    page = text(ann.get(FORM))
    for _, label, about in doors.DOORS:
        assert str(label) in page
        assert str(about) in page
    assert "Which number?" in text(ann.get(f"{FORM}?door=number"))
    assert "Start from a recipe" in text(ann.get(f"{FORM}?door=program"))
    assert 'name="changes-0-rule" list="rule-numbers" value="VIII.3"' in ann.get(f"{FORM}?rule=VIII.3").content.decode()
    assert 'name="changes-0-number-option_time"' in ann.get(f"{FORM}?door=number&rule=VIII.3").content.decode()


def test_a_number_is_found_by_its_words_and_changed_in_its_sentence(ann, game):
    page = press(ann, ann.get(f"{FORM}?door=number"), q="option to buy", find="1")
    assert "1 of" in text(page)
    page = press(ann, page, take="VIII.3")
    sent = fields(page)
    assert sent["changes-0-number-option_time"] == "7"
    page = ann.post(FORM, sent | {"changes-0-number-option_time": "9", "check": "1"})
    assert "No problems found" in text(page)
    assert re.search(r"<del>7</del><ins>9</ins>", page.content.decode())
    page = ann.post(FORM, fields(page) | {"submit": "1"}, follow=True)
    assert "option time 9 instead of 7" in text(page)
    assert live.of(game).view("Ann")["things"]["P1"]["changes"] == '[{"amend": "VIII.3", "params": {"option_time": 9}}]'


def test_a_number_stands_in_the_sentence_as_the_reader_speaks_it(ann, game):
    german = {"HTTP_ACCEPT_LANGUAGE": "de"}
    page = ann.post(FORM, fields(ann.get(f"{FORM}?door=number")) | {"q": "zu kaufen", "find": "1"}, **german)
    assert "VIII.3" in text(page)
    page = ann.post(FORM, fields(page) | {"q": "option to buy", "find": "1"}, **german)
    assert "VIII.3" in text(page)
    assert "Tage vergangen" in text(page)
    page = ann.post(FORM, fields(page) | {"take": "VIII.3"}, **german)
    taken = page.content.decode().split('id="change-0"')[1].split("</section>")[0]
    assert "Tage vergangen" in taken
    assert "within" not in taken


def test_a_number_that_is_refused_is_not_said_to_leave_its_rule_as_it_is(ann, game):
    page = press(ann, ann.get(f"{FORM}?door=number"), take="VIII.3")
    page = ann.post(FORM, fields(page) | {"changes-0-number-option_time": "nine", "check": "1"})
    assert "Option time must be a whole number" in text(page)
    assert "leaves rule VIII.3 as it is" not in text(page)


def test_every_number_of_a_game_stands_in_a_sentence_or_is_named(start_second, people):
    game, _ = start_second("Ann", slug="second")
    page = people("ann").get("/g/second/proposals/new/?door=number")
    assert page.status_code == 200
    assert "rules have numbers" in text(page)
    assert "The first 40 are shown" in text(page)


@pytest.mark.parametrize("money", ["$1,500", "1500", "1,500", "$1500", "1 500", "1’500", "$1,500.00"])
def test_money_is_taken_as_people_write_it(ann, game, money):
    ann.post(FORM, {"title": "T", "changes-0-kind": "enact", "changes-0-rule": "X.1", "changes-0-text": "A ${fee}.",
                    "changes-0-params": f"fee: {money}", "submit": "1"})  # fmt: skip
    assert '"fee": 1500' in live.of(game).view("Ann")["things"]["P1"]["changes"]


def test_what_is_no_whole_number_is_none():
    assert [whole_number(each) for each in ("0", "-7", "-$1,500", "$-20", "7 $")] == [0, -7, -1500, -20, 7]
    assert [whole_number(each) for each in ("", "$", "1.5", "1,50", "--3", "twelve", "8.10", "1e3")] == [None] * 8


def test_doors_are_left_for_another_without_losing_anything(ann, game):
    page = press(ann, ann.get(f"{FORM}?door=number"), take="VIII.3")
    page = press(ann, page, **{"changes-0-number-option_time": "12", "text": "Time to think.", "to": "program"})
    sent = fields(page)
    assert (sent["door"], sent["changes-0-number-option_time"], sent["text"]) == ("program", "12", "Time to think.")
    assert "def " in sent["changes-0-code"]
    page = press(ann, page, add="1")
    new = {"changes-1-kind": "enact", "changes-1-rule": "X.9", "changes-1-text": "Quiet.", "changes-1-code": "x = 1\n"}
    page = press(ann, page, **new, run="gain(players()[0], 1)", title="Two things", to="number")
    assert "This proposal also holds" in text(page)
    sent = fields(page)
    for name, value in (new | {"run": "gain(players()[0], 1)", "title": "Two things"}).items():
        assert sent[name].strip() == value.strip(), name
    assert sheets.changes_of(sheets.read_sheet(sent), live.of(game).records())[1] == []
    page = press(ann, page, to="program")
    assert fields(page)["changes-1-code"].strip() == "x = 1"


def test_enter_in_a_search_searches(ann, game):
    page = press(ann, ann.get(f"{FORM}?door=number"), q="option", enter="1")
    assert "Refused" not in text(page)
    assert "hold “option”" in text(page)
    page = press(ann, ann.get(f"{FORM}?door=program"), word_q="gain", enter="1")
    assert "<strong>gain</strong>(who, amount)" in page.content.decode()


# ---- recipes and words


def test_a_recipe_is_one_click_and_passes_the_check(ann, game):
    page = ann.get(f"{FORM}?door=program")
    names = re.findall(r'name="recipe" value="(\w+)"', page.content.decode())
    assert len(names) == 8
    for name in names:
        filled = press(ann, page, recipe=name)
        checked = press(ann, filled, check="quick")
        assert "No problems found" in text(checked), name
    twice = press(ann, press(ann, page, recipe="rent"), recipe="bonus")
    sent = fields(twice)
    assert sent["changes-0-rule"] != sent["changes-1-rule"]
    assert sent["title"] == "Rent"


def test_the_words_of_the_game_come_with_what_they_take(ann, game):
    found = {each["label"]: each for each in ann.get("/g/friday/words.json").json()["words"] if each["type"] == "event"}
    assert found["land"]["detail"] == "(who, mover, square)"
    assert found["land"]["info"]
    panel = ann.get("/g/friday/words/?panel=1&q=land").content.decode()
    assert "<strong>land</strong>" in panel
    assert "<html" not in panel


# ---- checks as one types


def test_a_quick_check_tries_nothing_out_and_has_a_limit(ann, game, monkeypatch):
    sent = {"title": "T", "changes-0-kind": "enact", "changes-0-rule": "X.1", "changes-0-text": "A.", "check": "quick"}
    page = ann.post(FORM, sent)
    assert "No problems found" in text(page)
    assert "If it were in force now" not in text(page)
    monkeypatch.setitem(limits.A_MINUTE, "check", 0)
    assert ann.post(FORM, sent).status_code == 429
    assert "If it were in force now" in text(ann.post(FORM, sent | {"check": "1"}))


# ---- drafts


def test_a_draft_saves_itself_once_for_each_form(ann, game):
    sent = fields(ann.get(f"{FORM}?door=program"))
    first = ann.post(SAVE, sent | {"title": "A thou"}).json()
    again = ann.post(SAVE, sent | {"title": "A thought", "text": "Slower."}).json()
    assert first["draft"] == again["draft"] == Draft.objects.get().pk
    page = ann.get(f"{FORM}?draft={first['draft']}")
    assert fields(page)["text"] == "Slower."
    assert "A thought" in text(ann.get(FORM))
    ann.post(FORM, fields(page) | {"submit": "1"})
    assert not Draft.objects.exists()
    late = ann.post(SAVE, sent | {"title": "A thought"})
    assert late.json() == {"made": True}
    assert not Draft.objects.exists()


def test_what_was_sent_earlier_and_comes_later_is_not_kept(ann, game):
    sent = fields(ann.get(f"{FORM}?door=program")) | {"title": "A thought"}
    for saving, body in (("here-2", "The last words"), ("here-1", "The words before"), ("here-2", "Twice")):
        assert ann.post(SAVE, sent | {"saving": saving, "text": body}).json()["draft"] == Draft.objects.get().pk
    assert Draft.objects.get().fields["text"] == "The last words"
    ann.post(SAVE, sent | {"saving": "tab-1", "text": "In another tab"})
    ann.post(SAVE, sent | {"saving": "here-1", "text": "Very late"})
    assert Draft.objects.get().fields["text"] == "In another tab"
    ann.post(FORM, sent | {"saving": "here-4", "text": "By the button", "save": "1"})
    ann.post(SAVE, sent | {"saving": "here-3", "text": "Late again"})
    assert Draft.objects.get().fields["text"] == "By the button"
    ann.post(SAVE, sent | {"saving": "", "text": "Without a number"})
    assert Draft.objects.get().fields["text"] == "Without a number"


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata"])
def test_a_draft_is_saved_at_the_time_of_the_accounts_clock(ann, game, zone):
    def clock():
        return datetime.fromtimestamp(live.now(), ZoneInfo(zone)).strftime("%H:%M")

    ann.post("/settings/", {"time_zone": zone})
    before = clock()
    assert ann.post(SAVE, {"key": "drafting", "title": "A thought"}).json()["at"] in (before, clock())


def test_a_form_that_was_sent_knows_whether_a_draft_has_it(ann, game):
    def is_unsaved(answer):
        return "data-unsaved" in answer.content.decode()

    empty = ann.get(f"{FORM}?door=program")
    assert not is_unsaved(empty)
    assert not is_unsaved(ann.post(FORM, fields(empty) | {"look": "1"}))
    typed = fields(empty) | {"title": "Hats", "text": "Everybody wears one.\r\n"}
    assert is_unsaved(ann.post(FORM, typed | {"check": "1"}))
    ann.post(SAVE, typed)
    assert not is_unsaved(ann.post(FORM, typed | {"check": "1"}))
    assert is_unsaved(ann.post(FORM, typed | {"title": "Caps", "check": "1"}))


def test_drafts_are_for_those_who_may_write_them(people, game):
    assert Client().post(SAVE, {"title": "T"}).status_code == 401
    assert people("eve").post(SAVE, {"title": "T"}).status_code == 403
    assert not Draft.objects.exists()


@pytest.mark.parametrize("button", [{"submit": "1"}, {"save": "1"}, {"check": "1"}])
def test_what_was_typed_comes_back_after_the_log_in(ann, game, button):
    typed = {"title": "Slower", "text": "Half of it.", "changes-0-kind": "enact", "changes-0-rule": "X.4",
             "changes-0-text": "Walk.", "changes-0-code": "x = 1\n", "door": "program"}  # fmt: skip
    late = Client()
    answer = late.post(FORM, typed | button)
    assert answer.status_code == 303
    assert answer.url.startswith("/account/login/?next=")
    late.force_login(ann.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    sent = fields(late.get(parse_qs(urlsplit(answer.url).query)["next"][0]))
    for name, value in typed.items():
        assert sent[name].strip() == value.strip(), name


def test_what_is_wrong_with_a_rule_under_the_next_number_stands_at_its_program(ann, game):
    sent = {"title": "T", "door": "program", "check": "1"}
    for at, (rule, code) in enumerate([("VIII.3", "import os"), ("VIII.3", "import re"), ("X.4", "import io")]):
        given = {"kind": "enact", "rule": rule, "text": "Walk.", "code": f"{code}\n"}
        sent |= {f"changes-{at}-{name}": value for name, value in given.items()}
    page = " ".join(ann.post(FORM, sent).content.decode().split())
    records = {each["id"] for each in live.of(game).records()}
    free = [number for at in range(4, 99) if (number := f"VIII.{at}") not in records][:2]
    for at, number in enumerate([*free, "X.4"]):
        place = f'href="#program-changes-{at}-code" data-line="1">rule {number}, line 1</a>'
        assert place in page, number


def test_who_is_nobody_here_is_told_so(people, game):
    assert people("eve").post(FORM, {"title": "T", "submit": "1"}).status_code == 403


def test_trying_it_out_keeps_the_draft_and_leads_back_to_it(ann, game):
    page = press(ann, ann.get(f"{FORM}?door=program"), recipe="bonus")
    answer = ann.post("/g/friday/try/", fields(page), follow=True)
    draft = Draft.objects.get()
    assert f'href="{FORM}?draft={draft.pk}">Back to your proposal' in " ".join(answer.content.decode().split())
    back = fields(ann.get(f"{FORM}?draft={draft.pk}"))
    assert back["changes-0-code"].strip() == fields(page)["changes-0-code"].strip()
    trial = Trial.objects.get()
    ann.post(f"{trial.address}example/", {"once": "saved"})
    assert [each.pk for each in Draft.objects.all()] == [draft.pk]
    late = Client().post("/g/friday/try/", fields(page))
    assert late.url.startswith("/account/login/?next=%2Fagain%2F")


def test_a_proposal_that_changes_nothing_at_once_says_so(ann, game):
    code = '@after("turn")\ndef later(e):\n    gain(e.who, 1)\n'
    propose(game, changes=[{"enact": "X.1", "text": "Later.", "code": code}])
    told = text(ann.get("/g/friday/proposals/1/")).partition("If it were accepted now")[2]
    assert told
    assert re.search(r"<ul>\s*</ul>", ann.get("/g/friday/proposals/1/").content.decode()) is None


# ---- what was found wrong elsewhere


def test_fields_for_numbers_take_money_as_people_write_it(ann, game):
    page = ann.get("/g/friday/act/trade/").content.decode()
    assert 'inputmode="numeric"' in page
    assert 'type="number"' not in page


def test_addresses_are_called_addresses():
    form = NewGame({"title": "T", "slug": "what is this", "edition": "original", "visibility": "public"})
    assert "slug" not in str(form.errors["slug"]).replace("id_slug", "").casefold()


def test_the_admin_is_led_to_the_desk(keeper, game):
    answer = keeper.get("/g/friday/act/")
    assert (answer.status_code, answer.url) == (302, "/g/friday/admin/")
    told = text(keeper.get(FORM))
    assert "what you can do is at the desk" in told
    assert "Ask to join" not in told


def test_the_kernel_is_no_rule(keeper, game):
    answer = keeper.post("/g/friday/admin/approve-player/", {"player": "Nobody", "once": "x"})
    assert "Rule kernel" not in text(answer)
    assert 'id="refusal"' in answer.content.decode()


# ---- say it

TOLL = {
    "say.0.form": "when", "say.0.event": "land", "say.0.how": "after",
    "say.0.if": "owned by another", "say.0.if.of": "e.square", "say.0.if.than": "e.who",
    "say.0.then.0": "pay", "say.0.then.0.who": "e.who", "say.0.then.0.to": "e.square.owner",
    "say.0.then.0.amount": "least", "say.0.then.0.amount.of.0": "math", "say.0.then.0.amount.of.0.op": "times",
    "say.0.then.0.amount.of.0.left": "number", "say.0.then.0.amount.of.0.left.value": "$2",
    "say.0.then.0.amount.of.0.right": "e.square.number",
    "say.0.then.0.amount.of.1": "number", "say.0.then.0.amount.of.1.value": "100",
}  # fmt: skip


def test_a_rule_is_said_by_choices_step_by_step_without_a_script(ann, game):
    page = press(ann, ann.get(f"{FORM}?door=say"), **{"say-press": "start:when"})
    for name, value in TOLL.items():
        offered = fields(page)
        assert name in offered, f"{name} is asked for after what was chosen before: {sorted(offered)}"
        page = press(ann, page, **{name: value, "say-update": "1"})
    assert "So the rule says" in text(page)
    assert "$2" in text(page).replace("$ 2", "$2")
    assert "No problems found" in text(press(ann, page, check="1"))
    made = press(ann, page, submit="1")
    assert made.status_code == 303
    assert "pay(e.who, e.square.owner" in text(ann.get("/g/friday/proposals/1/"))


def test_what_is_said_goes_to_the_third_door_and_back(ann, game):
    page = ann.post(FORM, TOLL | {"door": "say", "say-update": "1", "title": "Toll"})
    page = press(ann, page, prose="Strangers pay ${rate} a number, at most ${most}.", **{"say-update": "1"})
    assert "Strangers pay" in text(page)
    page = press(ann, page, to="program")
    sent = fields(page)
    assert "e.square.owner" in sent["changes-0-code"]
    assert sent["changes-0-text"] == "Strangers pay ${rate} a number, at most ${most}."
    assert sent["changes-0-kind"] == "enact"
    page = press(ann, page, **{"changes-0-code": sent["changes-0-code"].replace("land", "pass"), "to": "say"})
    assert fields(page)["say.0.event"] == "pass"
    assert fields(page)["prose"] == "Strangers pay ${rate} a number, at most ${most}."
    odd = sent["changes-0-code"] + "\n\n\ndef odd(x):\n    return [each for each in x if each][::2]\n"
    page = press(ann, press(ann, page, to="program"), **{"changes-0-code": odd, "to": "say"})
    assert "has become more than choices can say" in text(page)
    assert len(sheets.read_sheet(fields(page)).boxes) == 1


def test_what_is_missing_in_what_is_said_is_named_at_its_place(ann, game):
    page = ann.post(FORM, {"door": "say", "say.0.form": "when", "check": "1"})
    assert "Refused" in text(page)
    assert 'aria-invalid="true"' in page.content.decode()
    odd = ann.post(FORM, {"door": "say", "say.0.form": "when", "say.0.event": "nonsense", "say-press": "add:0.then"})
    assert odd.status_code == 200


def test_what_was_said_is_read_back_from_the_program(ann, game):
    ann.post(FORM, TOLL | {"door": "say", "submit": "1", "prose": "Nothing of the kind.", "prose_made": ""})
    sentence = (
        "When a player lands on a square that somebody else owns, they pay the owner of the square $2 times the "
        "number of "
        "the square, but at most $100."
    )
    for place in ("proposals/1/", "rules/X.1/"):
        page = text(ann.get(f"/g/friday/{place}"))
        assert sentence in page.partition("What its program does")[2]
        assert "Nothing of the kind." in page
        accept(game, "P1") if place.startswith("proposals") else None


TAXI = {
    "say.0.form": "button", "say.0.label": "Take a taxi", "say.0.say": "{who} takes a taxi", "say.0.secret": "yes",
    "say.0.fields.0": "choose", "say.0.fields.0.label": "Where", "say.0.fields.0.kind": "square",
    "say.0.if": "compare", "say.0.if.left": "e.who.money", "say.0.if.op": ">=",
    "say.0.if.right": "number", "say.0.if.right.value": "$200", "say.0.refused": "you need $200",
    "say.0.then.0": "lose", "say.0.then.0.who": "e.who",
    "say.0.then.0.amount": "percent", "say.0.then.0.amount.of": "e.who.money",
    "say.0.then.0.amount.part": "number", "say.0.then.0.amount.part.value": "10",
    "say.0.then.1": "jump", "say.0.then.1.who": "e.who", "say.0.then.1.to": "e.where",
}  # fmt: skip


def test_a_new_button_is_said_refused_in_words_and_read_back_on_its_page(ann, game):
    page = ann.post(FORM, TAXI | {"door": "say", "say-update": "1"})
    assert set(TAXI) <= set(fields(page)), "each is asked for"
    assert "No problems found" in text(ann.post(FORM, TAXI | {"door": "say", "check": "1"}))
    assert ann.post(FORM, TAXI | {"door": "say", "submit": "1"}).status_code == 303
    accept(game, "P1")
    told = text(ann.get("/g/friday/rules/X.1/")).partition("What its program does")[2]
    assert "(the order is kept from the others), (1) if their money is less than $200, it is refused" in told
    assert "they lose 10% of their money" in told


def test_what_cannot_be_told_names_its_lines(ann, game):
    code = '@after("land")\ndef odd(e):\n    gain(e.who, 3)\n    kept = [1, 2][::-1]\n'
    propose(game, changes=[{"enact": "X.1", "text": "Odd.", "code": code}])
    page = text(ann.get("/g/friday/proposals/1/")).partition("What its program does")[2]
    assert "cannot be told in sentences: read lines 1 to 4" in page
    assert "Line 4 is the first that no sentence says." in page


# ---- the Admin's act is the same page

LAPS = {"enact": "X.1", "text": "Who passes anything gets ${bonus}.", "params": {"bonus": 5},
        "code": '@after("pass")\ndef lap(e):\n    gain(e.who, rule.bonus)\n'}  # fmt: skip


def test_the_admin_puts_a_proposal_into_effect_on_the_same_page(keeper, ann, game):
    propose(game, changes=[LAPS])
    page = ann.get(f"{FORM}?act=accept&on=P1")
    assert "Accept:" not in text(page)
    page = keeper.get("/g/friday/proposals/1/")
    assert f"{FORM}?act=accept&amp;on=P1" in page.content.decode()
    page = keeper.get(f"{FORM}?act=accept&on=P1")
    sent = fields(page)
    assert sent["changes-0-params"] == "bonus: 5"
    checked = keeper.post(FORM, sent | {"check": "1"})
    assert "It is what was proposed" in text(checked)
    assert "If it were in force now" in text(checked)
    assert "Ann rolls" not in text(checked), "nobody has rolled yet: it said “Ann rolls .”"
    wrong = keeper.post(FORM, sent | {"changes-0-code": "import os", "check": "1"})
    assert "rule X.1, line 1" in text(wrong)
    other = keeper.post(FORM, fields(checked) | {"changes-0-params": "bonus: 7", "check": "1"})
    assert "bonus removed: 5 end of removed added: 7" in text(other).partition("Different from what was proposed")[2]
    done = keeper.post(FORM, fields(other) | {"submit": "1", "once": "done"}, follow=True)
    assert "P1 is done" in text(done)
    record = next(each for each in live.of(game).records() if each["id"] == "X.1")
    assert record["params"] == {"bonus": 7}
    assert keeper.post(FORM, sent | {"office": "pause", "submit": "1"}).status_code == 404
    mine = ann.post(FORM, sent | {"title": "Mine", "changes-0-rule": "X.5", "submit": "1"})
    assert mine.url == "/g/friday/proposals/2/"  # to a player it is the form of a proposal


def test_a_new_rule_without_a_number_gets_a_free_one(ann, game):
    page = ann.get(f"{FORM}?door=program")
    sent = fields(page) | {"title": "Two rules", "changes-0-kind": "enact", "changes-0-text": "Everybody is kind."}
    sent |= {"changes-1-kind": "enact", "changes-1-rule": "", "changes-1-text": "Nobody shouts."}
    page = ann.post(FORM, sent | {"submit": "1"}, follow=True)
    assert "X.1 new" in text(page)
    assert "X.2 new" in text(page)


def test_why_one_cannot_propose_is_said_once(start_second, people):
    start_second("Ann", "Ben", edition="iv")
    ann, form = people("ann"), "/g/second/proposals/new/?door=program"
    for title in ("One", "Two"):
        page = ann.post(form, fields(ann.get(form)) | {"title": title, "text": "Words", "submit": "1"}, follow=True)
    assert text(page).count("you have a proposal in voting") == 1
    voting = ann.get("/g/second/proposals/", {"status": "Voting"}).content.decode()
    assert re.findall(r'<option value="([^"]*)"[^>]* selected', voting) == ["voting"]
    assert '"Voting"' not in voting

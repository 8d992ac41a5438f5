"""The pages of a game in a real sandbox: what they show, to whom, and what they say when something is wrong."""

import re

import pytest
from django.test import Client
from pagewords import accept, grant, propose, seated, text, token

from nomopoly.site.lobby import playing
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Membership

AT = "/g/friday/"
LUCK = """attribute("player", "luck", 7, label="Luck", type="number", summary=True)


@action("rub-lamp", "Rub the lamp", fact="rubbed", say="{who} rubs the lamp", wish=words("Wish", limit=20))
def rub(e):
    put(e.who, "luck", e.who.luck + rule.more)


@marker("square")
def lamp(place):
    if place.number == 3:
        return ("L", "a lamp stands here")
"""


def option(game, square="#5", who="Ann"):
    """Give a player the option on a square."""
    grant(game, square, "option_of", who)
    grant(game, square, "option_until", live.now() + 86400)


# ---- overview and board


def test_an_empty_table_says_so(game):
    page = Client().get(AT)
    assert text(page).count("Nobody has joined yet") == 2
    assert "Nobody has joined yet" in text(Client().get(f"{AT}players/"))
    assert "The game was opened" in text(page)
    assert page.content.decode().count('class="sq-link') == 48


def test_where_all_have_left_nobody_plays_at_the_moment(ann, game):
    assert domain.leave(game, Membership.objects.get(game=game, player="Ann")).ok
    assert text(Client().get(AT)).count("Nobody plays at the moment") == 2
    assert "Nobody plays at the moment" in text(Client().get(f"{AT}players/"))


def test_a_stranger_learns_what_a_nomic_is(ann, game):
    page = Client().get(AT)
    assert "changing the rules is a move" in text(page)
    assert "Ask to join" in text(page)
    assert "Read the rules" in text(page)


def test_a_player_sees_what_waits_and_the_count_in_the_title(ann, game):
    assert "Nothing waits for you" in text(ann.get(AT))
    option(game)
    page = ann.get(AT)
    assert "You may buy #5" in text(page)
    assert "<title>(1) Friday" in page.content.decode()
    assert "act/buy-square/?square=%235" in page.content.decode()


def test_squares_are_links_named_in_full(ann, game):
    grant(game, "#1", "owner", "Ann")
    grant(game, "#1", "name", "Baltic")
    page = ann.get(AT).content.decode()
    assert 'aria-label="Square 1, Baltic, owned by Ann, here: Ann, the start"' in page
    assert 'role="group"' in page


def test_the_table_says_the_same_as_the_drawing(ann, game):
    grant(game, "#4", "name", "Elm Court")
    for path in ("board/table/", "?text=1"):
        page = ann.get(AT + path)
        assert 'id="board-table"' in page.content.decode()
        assert "Elm Court" in text(page)


def test_the_board_as_it_was(ann, game):
    then = live.now() - 1800
    grant(game, "#4", "name", "Elm Court")
    page = Client().get(f"{AT}?at=start")
    assert "As of" in text(page)
    assert "Elm Court" not in text(page)
    assert Client().get(f"{AT}?at=nonsense").status_code == 400
    assert "Not a moment: nonsense" in text(Client().get(f"{AT}?at=nonsense"))
    assert Client().get(f"{AT}?at=2001-01-01").status_code == 400
    assert then


def test_a_square_has_its_page_and_history(ann, game):
    grant(game, "#4", "owner", "Ann")
    page = ann.get(f"{AT}squares/4/")
    assert "Square #4" in text(page)
    assert "Market value" in text(page)
    assert "You can" in text(page)
    assert "act/name-square/?square=%234" in page.content.decode()
    assert Client().get(f"{AT}squares/999/").status_code == 404


def test_a_square_that_is_gone_says_since_when(ann, game):
    propose(game, run='do("destroy-square", square=square(48))')
    accept(game, "P1")
    page = Client().get(f"{AT}squares/48/")
    assert page.status_code == 200
    assert "Square #48 no longer exists" in text(page)


# ---- a rule accepted a minute ago


def test_a_new_attribute_action_and_marker_need_no_template(ann, game):
    propose(game, changes=[{"enact": "X.1", "text": "Lamps bring {more} luck.", "code": LUCK, "params": {"more": 2}}])
    accept(game, "P1")
    assert "Luck" in text(ann.get(f"{AT}players/Ann/"))
    assert "Luck" in text(ann.get(AT))
    assert "a lamp stands here" in text(ann.get(f"{AT}squares/3/"))
    drawn = ann.get(
        AT
    ).content.decode()  # for the proposal Ann moves as drawn, to square 3 as well, and may buy it then
    assert re.search(r'"Square 3(, [^"]*)?, a lamp stands here"', drawn)
    assert "Rub the lamp" in text(ann.get(f"{AT}act/"))
    page = ann.get(f"{AT}act/rub-lamp/")
    assert 'name="wish"' in page.content.decode()
    seen = ann.post(f"{AT}act/rub-lamp/", {"wish": "tea", "preview": "1"})
    assert "Nothing has been done yet" in text(seen)
    assert "Luck from 7 to 9" in text(seen)
    assert live.of(game).view("Ann")["things"]["Ann"]["luck"] == 7
    answer = ann.post(f"{AT}act/rub-lamp/", {"wish": "tea", "once": token(seen)})
    assert answer.status_code == 303
    assert "Ann rubs the lamp" in text(ann.get(AT))
    assert live.of(game).view("Ann")["things"]["Ann"]["luck"] == 9


# ---- actions


def test_only_players_act(people, game, ann):
    for browser in (Client(), people("eve")):
        for path in ("act/", "act/buy-square/", "proposals/new/"):
            page = browser.get(AT + path)
            assert page.status_code == 403
            assert "Only players of this game can" in text(page)
            assert "Ask to join" in text(page)


def test_a_refusal_shows_the_form_as_filled_in_with_the_rule(ann, game):
    page = ann.post(f"{AT}act/buy-square/", {"square": "#7"})
    assert page.status_code == 200
    assert 'role="alert" id="refusal"' in page.content.decode()
    assert "you have no option on #7" in text(page)
    assert f"{AT}rules/VIII.3/" in page.content.decode()
    assert 'value="#7"' in page.content.decode()


def test_what_is_not_possible_stays_visible_with_the_reason(ann, game):
    page = ann.get(f"{AT}act/")
    assert "Not possible now" in text(page)
    assert re.search(r"Buy a square\s*</a>:\s*<span class=\"reason\">[^<]+option", page.content.decode())


def test_buying_is_previewed_then_done_once(ann, game):
    option(game)
    seen = ann.post(f"{AT}act/buy-square/", {"square": "#5", "preview": "1"})
    assert "Ann buys #5 for $50" in text(seen)
    sent = {"square": "#5", "once": token(seen)}
    assert ann.post(f"{AT}act/buy-square/", sent).status_code == 303
    entries = live.of(game).n
    again = ann.post(f"{AT}act/buy-square/", sent, follow=True)
    assert "Already done" in text(again)
    assert live.of(game).n == entries


def test_a_stale_form_says_what_has_happened(ann, game):
    option(game)
    drawn = live.of(game).n
    grant(game, "#5", "option_of", None)
    page = ann.post(f"{AT}act/buy-square/", {"square": "#5", "drawn": str(drawn)})
    assert "The game has moved on since this page was drawn" in text(page)


def test_a_typed_command_fills_in_the_form(ann, game):
    answer = ann.get(f"{AT}act/", {"command": "buy-square #5"})
    assert answer.url == f"{AT}act/buy-square/?square=%235"
    answer = ann.get(f"{AT}act/", {"command": "name-square #5 Old Mill"})
    assert answer.url == f"{AT}act/name-square/?square=%235&name=Old+Mill"
    assert "There is no action" in text(ann.get(f"{AT}act/", {"command": "fly home"}))


def test_goods_are_ticked(people, ann, game):
    bob = people("bob")
    seated(game, bob, "Bob")
    grant(game, "#8", "owner", "Bob")
    page = ann.get(f"{AT}act/trade/")
    assert 'name="take-squares" value="#8"' in page.content.decode()
    sent = {"with": "Bob", "give-money": "60", "take-squares": ["#8"]}
    assert ann.post(f"{AT}act/trade/", sent).status_code == 303
    offer = next(thing for thing in live.of(game).view("Bob")["things"].values() if thing["kind"] == "offer")
    assert offer["id"] not in text(Client().get(f"{AT}log/"))
    assert "An offer by Ann" in text(bob.get(AT))
    assert bob.post(f"{AT}act/accept-trade/", {"offer": offer["id"]}).status_code == 303
    assert live.of(game).view("visitor")["things"]["#8"]["owner"] == "Ann"


@pytest.mark.parametrize("sent", [{}, {"square": ""}, {"square": "#999"}, {"square": "x" * 5000}, {"square": "<b>"}])
def test_bad_forms_come_back(ann, game, sent):
    page = ann.post(f"{AT}act/name-square/", sent)
    assert page.status_code == 200
    assert 'id="refusal"' in page.content.decode()


def test_paused_and_over(ann, game):
    domain.desk_act(game, "pause", {"because": "holidays"})
    for path in ("act/", "act/buy-square/"):
        assert "only voting is possible" in text(ann.get(AT + path))
    domain.desk_act(game, "resume", {})
    domain.desk_act(game, "declare-winner", {"because": "lawyers"})
    assert "The game is over" in text(ann.get(f"{AT}act/"))
    assert "game is over" in text(ann.post(f"{AT}act/buy-square/", {"square": "#5"}))


# ---- players and accounts


def test_players_and_their_pages(ann, game):
    assert "$1,000" in text(Client().get(f"{AT}players/"))
    page = Client().get(f"{AT}players/Ann/")
    assert "Rule" in text(page)
    assert Client().get(f"{AT}players/ANN/").url == f"{AT}players/Ann/"
    unknown = Client().get(f"{AT}players/Zed/")
    assert unknown.status_code == 404
    assert "Nobody of that name has played here" in text(unknown)


def test_a_former_player_stays_readable(ann, game):
    domain.desk_act(game, "remove-player", {"player": "Ann", "because": "rude"})
    page = Client().get(f"{AT}players/Ann/")
    assert page.status_code == 200
    assert "rude" in text(page)
    assert "Ann" in text(Client().get(f"{AT}players/"))


def test_the_last_balance_is_the_money(ann, game):
    option(game)
    ann.post(f"{AT}act/buy-square/", {"square": "#5"})
    grant(game, "Ann", "money", 333)
    page = ann.get(f"{AT}players/Ann/account/")
    for told in ("+$1,000", "-$50", "Ann buys #5 for $50", "$950", "-$617", "Balance: $333"):
        assert told in text(page), told
    table = ann.get(f"{AT}players/Ann/account.csv")
    assert table["Content-Type"].startswith("text/csv")
    assert table["Content-Disposition"] == 'attachment; filename="friday-Ann.csv"'
    assert table.content.decode().strip().endswith("-617,333")
    assert "Brought forward" in text(ann.get(f"{AT}players/Ann/account/?from=2999-01-01"))
    assert ann.get(f"{AT}players/Ann/account/?from=soon").status_code == 400


def test_a_struck_entry_is_not_in_the_account(ann, game):
    given = grant(game, "Ann", "money", 5000)
    confirm = live.of(game).strike_preview(given.n)["hash"]
    domain.strike(game, given.n, "a slip", confirm)
    page = ann.get(f"{AT}players/Ann/account/")
    assert "Balance: $1,000" in text(page)
    assert "Recomputed on" in text(page)
    assert "Struck by the Admin: a slip" in text(ann.get(f"{AT}log/"))


# ---- log


def test_entries_have_numbers_reasons_and_hashes(ann, game):
    propose(game)
    domain.desk_act(game, "reject", {"on": "P1", "because": "No."})
    entries = live.of(game).facts("Ann")
    page = ann.get(f"{AT}log/{entries[-1]['number']}/")
    assert "The Admin has rejected P1" in text(page)
    assert re.search(r"Ann rolls \d-\d", text(page))
    assert "Rule VII.1" in text(page).replace("&nbsp;", " ")
    assert entries[-1]["hash"] in text(page)
    assert Client().get(f"{AT}log/9999/").status_code == 404


def test_the_log_can_be_filtered(ann, game):
    propose(game, title="Rent for all")
    assert "Rent for all" in text(ann.get(f"{AT}log/?q=rent"))
    assert "Rent for all" not in text(ann.get(f"{AT}log/?kind=join"))
    assert "Rent for all" in text(ann.get(f"{AT}log/?player=Ann"))
    assert "Nothing in the log is like that" in text(ann.get(f"{AT}log/?square=77"))
    ann.get(AT)
    assert ann.get(f"{AT}log/?since=garbage").status_code == 400


def test_since_the_last_visit(ann, game):
    ann.get(AT)
    session = ann.session
    del session[f"visit-{game.pk}"]
    session.save()
    assert "Nothing has happened since your last visit" in text(ann.get(f"{AT}log/?since=visit"))


def test_the_feed_is_well_formed(ann, game):
    import xml.etree.ElementTree as tree

    propose(game, title="<b>&]]>")
    feed = Client().get(f"{AT}log/feed.atom")
    assert "proposes" in tree.fromstring(feed.content).findtext(".//{http://www.w3.org/2005/Atom}entry/{*}title")


# ---- about, dice, export


def test_about_dice_and_export(ann, game):
    import gzip
    import json

    domain.change_game(game, about="**Be kind.** <script>alert(1)</script> [x](javascript:alert(1))")
    page = ann.get(f"{AT}about/").content.decode()
    assert "<strong>Be kind.</strong>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    assert live.of(game).commitment in text(ann.get(f"{AT}dice/"))
    assert live.of(game).journal.last()["hash"] in text(ann.get(f"{AT}dice/"))
    page = ann.get(f"{AT}export/?file=journal")
    lines = [json.loads(line) for line in gzip.decompress(page.content).decode().splitlines()]
    assert lines[0]["kind"] == "open"
    assert game.secret not in gzip.decompress(page.content).decode()


def test_about_answers_what_newcomers_ask_and_says_who_the_admin_is(people, keeper, ann, game):
    """The answers are those of the edition's page, with its numbers."""
    page = ann.get(f"{AT}about/")
    found = playing.questions(game.edition)
    assert len(found) >= 4
    assert "What surprises newcomers" in dict(found)
    for heading, answer in found:
        assert f"<summary>{heading}</summary>" in page.content.decode()
        assert answer in page.content.decode()
        assert not playing.NUMBER.search(answer)
    assert "say it" in text(keeper.get(f"{AT}about/"))
    sent = {"visibility": "public", "host": "Kim <b>", "about": "", "readers": "players"}
    keeper.post(f"{AT}admin/settings/", sent)
    told = text(ann.get(f"{AT}about/"))
    assert "Kim &lt;b&gt;" in told
    assert "Its players and its Admin alone" in told
    assert "say it" not in text(keeper.get(f"{AT}about/"))
    game.refresh_from_db()
    assert domain.hand_over(game, people("next").user).ok
    assert "Kim" not in text(ann.get(f"{AT}about/"))


def test_programs_read_about_a_game_too(keeper, game):
    domain.change_game(game, host="Keeper K.", about="No slang.")
    told = Client().get("/api/v1/g/friday/about").json()
    assert (told["host"], told["about"], told["decides"], told["readers"]) == (
        "Keeper K.",
        "No slang.",
        "person",
        "all",
    )
    assert told["questions"]
    assert all(each["question"] and each["answer"] and "<" not in each["answer"] for each in told["questions"])


def test_about_a_game_of_rules_of_its_own_asks_nothing():
    assert playing.questions("no-such-edition") == []


def test_what_is_private_is_withheld_from_the_file(people, ann, game):
    import gzip

    bob = people("bob")
    seated(game, bob, "Bob")
    grant(game, "#8", "owner", "Bob")
    assert domain.order(game, "Ann", "trade", {"with": "Bob", "give": {"money": 61}, "take": {"squares": ["#8"]}}).ok
    mine = gzip.decompress(ann.get(f"{AT}export/?file=journal").content).decode()
    theirs = gzip.decompress(Client().get(f"{AT}export/?file=journal").content).decode()
    assert '"money":61' in mine
    assert '"money":61' not in theirs
    assert '"withheld":true' in theirs


# ---- every page for everybody


NAMES = ["<b>x</b>", "../x", "אבג", "🎲🎲", "W" * 30, "a/b?c#d", "100%"]


@pytest.mark.parametrize("name", NAMES)
def test_pages_stay_whole_with_nasty_names(people, game, name):
    from urllib.parse import quote

    bob = people("bob")
    seated(game, bob, name)
    domain.order(game, name, "propose", {"title": name, "text": name, "run": ""})
    grant(game, "#2", "owner", name)
    grant(game, "#2", "name", name)
    here = quote(name, safe="")
    for path in (
        "",
        "players/",
        f"players/{here}/",
        f"players/{here}/account/",
        "log/",
        "proposals/1/",
        "squares/2/",
        "board/table/",
    ):
        page = bob.get(AT + path)
        assert page.status_code == 200, path
        assert "<b>x</b>" not in page.content.decode()


PAGES = (
    "", "board/table/", "squares/1/", "rules/", "rules/VII.1/", "rules/history/", "rules/diff/", "proposals/", "players/",
    "log/", "about/", "dice/", "export/", "log/feed.atom", "rules.md", "rules.json",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_nothing_inline_and_no_store(ann, keeper, game, path):
    for browser in (ann, keeper, Client()):
        page = browser.get(AT + path)
        assert page.status_code == 200
        assert not re.search(rb"<script(?! [^>]*src=)|\son[a-z]+=\"|\sstyle=\"", page.content)
        assert "private" in page["Cache-Control"]
        assert browser.post(AT + path).status_code in (403, 405)


def test_a_private_game_is_not_there_for_others(people, ann, game):
    domain.change_game(game, visibility="private")
    for path in PAGES:
        assert people("eve").get(AT + path).status_code == 404
        assert ann.get(AT + path).status_code == 200


RENT = (
    '@after("land")\ndef rent(e):\n    if e.square.owner is not None and e.square.owner is not e.who:\n        '
    "pay(e.who, e.square.owner, rule.due)\n"
)


def test_everybody_sees_who_paid_whom(people, ann, game):
    bob = people("bob")
    seated(game, bob, "Bob")
    for number in range(1, 49):
        grant(game, f"#{number}", "owner", "Bob")
    propose(game, changes=[{"enact": "X.1", "text": "Rent is ${due}.", "code": RENT, "params": {"due": 20}}])
    accept(game, "P1")
    assert "pays Bob $20" in text(Client().get(AT))
    assert "Ann pays Bob $20" in text(Client().get(f"{AT}players/Ann/account/"))
    assert "X.1" in text(Client().get(f"{AT}players/Bob/account/"))


TEA = """event("tea-time", "poured", say="{answers} it is", answers="")


@action("ask-me", "Ask me")
def ask_me(e):
    ask(e.who, "Tea or coffee?", ("tea", "coffee"), then="tea-time", default="tea", by=now() + days(1))
"""


def test_a_question_of_the_rules_waits_and_is_answered(ann, game):
    propose(game, changes=[{"enact": "X.1", "text": "There are drinks.", "code": TEA}])
    accept(game, "P1")
    assert ann.post(f"{AT}act/ask-me/").status_code == 303
    assert "Tea or coffee?" in text(ann.get(AT))
    page = ann.get(f"{AT}act/answer/")
    assert "Tea or coffee?" in text(page)
    assert '<option value="coffee"' in page.content.decode()
    question = next(id for id, thing in live.of(game).view("Ann")["things"].items() if thing["kind"] == "question")
    assert ann.post(f"{AT}act/answer/", {"question": question, "answer": "coffee"}).status_code == 303
    assert "Tea or coffee?" not in text(ann.get(AT))


def test_another_spelling_of_a_name_leads_to_the_players_pages(ann, game):
    for page in ("", "account/", "account.csv"):
        answer = Client().get(f"/g/friday/players/ann/{page}?text=1")
        assert (answer.status_code, answer.url) == (302, f"/g/friday/players/Ann/{page}?text=1")
    assert Client().get("/g/friday/players/Nobody/").status_code == 404

"""Standing answers: left by a player for what is to come, given once when it comes, seen by nobody else."""

import pytest
from django.test import Client
from pagewords import grant, text, token

from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import StandingAnswer

AT = "/g/friday/"
ANSWERS = f"{AT}answers/"
DRINKS = """event("tea-time", "poured", say="{answers} it is", answers="")
event("again", answers="")
attribute("player", "rested", 0, label="Rested", type="moment")


@action("offer-drinks", "Offer drinks", by="admin")
def offer_drinks(e):
    ask(tuple(players()), "Tea or coffee today?", ("tea", "coffee"), then="tea-time", default="tea", by=now() + days(1))


@action("pester", "Pester", by="admin")
def pester(e):
    ask(thing("Ann"), "Are we there yet?", ("no",), then="again")


@on("again")
def and_again(e):
    ask(thing("Ann"), "Are we there yet?", ("no",), then="again")


event("gift", square="square")


@on("gift")
def gift(e):
    open_option(thing("Ann"), e.square, now() + days(7))


@action("wind-up", "Wind up", by="admin", square=choose("square"), later=number("Hours"))
def wind_up(e):
    at(now() + hours(e.later), "gift", square=e.square)


@check("rest")
def not_tired(e):
    if now() < e.who.rested + days(1):
        return "you are not tired yet"


@action("rest", "Have a rest", fact="rested", say="{who} rests")
def rest(e):
    put(e.who, "rested", now())
"""


def waiting(browser):
    page = browser.get(AT).content.decode()
    return page[page.index('id="waiting"') : page.index('id="board-title"')]


@pytest.fixture
def drinks(game, ann):
    changes = [{"enact": "X.1", "text": "There are drinks.", "code": DRINKS}]
    assert domain.order(game, "Ann", "propose", {"title": "Drinks", "changes": changes}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok


@pytest.fixture
def free(game, ann):
    """A square that nobody has an option on."""
    things = live.of(game).view("visitor")["things"].values()
    return next(each["id"] for each in things if each["kind"] == "square" and not each["option_of"])


def leave(browser, question, answer="", until="", **more):
    return browser.post(ANSWERS, {"question": question, "answer": answer, "until": until} | more, follow=True)


def orders(game, do, who="Ann"):
    """The orders of a player that stand, private ones too."""
    entries = [each for each in live.of(game).facts(who) if each["kind"] == "order" and each["by"] == who]
    return [each for each in entries if each["do"] == do]


def question_of(game, player):
    things = live.of(game).view(player)["things"].values()
    return [each["id"] for each in things if each["kind"] == "question" and player in each["asked"]]


# ---- actions


def test_an_option_is_taken_when_it_comes_and_once(ann, game, free):
    assert "It will be given when the time comes" in text(leave(ann, "buy-square", free))
    assert not orders(game, "buy-square")
    grant(game, free, "option_of", "Ann")
    [bought] = orders(game, "buy-square")
    assert bought["args"] == {"square": free}
    assert bought["number"] is not None
    assert live.of(game).view("visitor")["things"][free]["owner"] == "Ann"
    assert f"Ann buys {free}" in text(Client().get(f"{AT}log/"))
    n = live.of(game).n
    ann.get(AT)
    domain.run_due(game)
    assert live.of(game).n == n


def test_what_the_admin_strikes_is_not_done_again(ann, game, free):
    leave(ann, "buy-square", free)
    grant(game, free, "option_of", "Ann")
    [bought] = orders(game, "buy-square")
    assert domain.strike(game, bought["n"], "a mistake").ok
    domain.order(game, "Ann", "propose", {"title": "Something else"})
    assert len(orders(game, "buy-square")) == 1
    assert live.of(game).view("Ann")["things"][free]["owner"] is None


def test_what_the_clock_brings_is_answered_at_its_moment(ann, game, drinks, monkeypatch):
    grant(game, "Ann", "money", 5000)
    things = live.of(game).view("visitor")["things"].values()
    first, second = [each["id"] for each in things if each["kind"] == "square" and not each["option_of"]][:2]
    leave(ann, "buy-square")
    already = len(orders(game, "buy-square"))  # what she has landed on
    domain.desk_act(game, "wind-up", {"square": first, "later": 1})
    domain.desk_act(game, "wind-up", {"square": second, "later": 2})
    now = live.now()
    monkeypatch.setattr(live, "now", lambda: now + 86400)
    domain.run_due(game)
    entries = list(live.of(game).facts("Ann"))
    bought = orders(game, "buy-square")[already:]
    assert [each["args"]["square"] for each in bought] == [first, second]
    ticks = [entries[entries.index(each) - 1] for each in bought]
    assert [each["kind"] for each in ticks] == ["tick", "tick"]
    assert [each["at"] for each in ticks] == [each["at"] for each in bought]
    assert bought[1]["at"] - bought[0]["at"] in range(3590, 3611)


def test_what_cannot_be_afforded_waits_and_says_so(ann, game, free):
    leave(ann, "buy-square", free)
    grant(game, "Ann", "money", 0)
    grant(game, free, "option_of", "Ann")
    assert not orders(game, "buy-square")
    said = waiting(ann)
    assert f"You may buy {free}" in said
    assert "Your standing answer to “buy-square” was refused: cannot afford" in said
    assert "cannot afford" in text(ann.get("/me/"))
    grant(game, "Ann", "money", 5000)
    assert len(orders(game, "buy-square")) == 1
    assert "standing answer" not in waiting(ann).replace("Standing answers", "")


def test_time_alone_makes_it_possible_and_each_time_anew(ann, game, drinks, monkeypatch):
    leave(ann, "rest")
    assert len(orders(game, "rest")) == 1
    domain.answer_what_is_open()
    assert len(orders(game, "rest")) == 1
    now = live.now()
    monkeypatch.setattr(live, "now", lambda: now + 86400 + 5)
    domain.answer_what_is_open()
    domain.answer_what_is_open()
    assert len(orders(game, "rest")) == 2


# ---- questions


def test_a_question_is_answered_at_once_and_once(ann, bob, game, drinks):
    leave(ann, "TEA or coffee", "Coffee")
    assert domain.desk_act(game, "offer-drinks", {}).ok
    domain.run_due(game)
    domain.order(game, "Bob", "propose", {"title": "Something else"})
    answers = orders(game, "answer")
    assert [each["args"]["answer"] for each in answers] == ["coffee"]
    [question] = question_of(game, "Bob")
    assert domain.order(game, "Bob", "answer", {"question": question, "answer": "tea"}).ok
    poured = live.of(game).facts("visitor")[-1]["facts"][-1]
    assert poured["answers"] == [["Ann", "coffee"], ["Bob", "tea"]]
    assert domain.desk_act(game, "offer-drinks", {}).ok
    assert len(orders(game, "answer")) == 2


def test_what_is_open_already_is_answered_when_it_is_left(ann, game, drinks):
    domain.desk_act(game, "offer-drinks", {})
    [question] = question_of(game, "Ann")
    assert "has been answered" in text(leave(ann, question, "tea"))
    assert question_of(game, "Ann") == []


def test_a_refused_answer_leaves_the_question_open_and_says_so(ann, game, drinks):
    leave(ann, "coffee", "milk")
    domain.desk_act(game, "offer-drinks", {})
    assert not orders(game, "answer")
    [question] = question_of(game, "Ann")
    said = "standing answer to “coffee” was refused: answer must be one of tea, coffee."
    assert said in waiting(ann)
    assert "answer must be one of tea, coffee" in text(ann.get(ANSWERS))
    assert domain.order(game, "Ann", "answer", {"question": question, "answer": "tea"}).ok
    assert said not in waiting(ann)


def test_in_a_pause_it_waits_for_the_end_of_it(ann, game, drinks):
    domain.desk_act(game, "offer-drinks", {})
    domain.desk_act(game, "pause", {"because": "holidays"})
    leave(ann, "coffee", "coffee")
    assert not orders(game, "answer")
    assert "was refused: the game is paused" in waiting(ann)
    domain.desk_act(game, "resume", {})
    assert len(orders(game, "answer")) == 1


def test_answers_that_call_for_answers_come_to_an_end(ann, game, drinks):
    leave(ann, "there yet", "no")
    n = live.of(game).n
    domain.desk_act(game, "pester", {})
    assert live.of(game).n == n + 1 + 20
    assert len(question_of(game, "Ann")) == 1


def test_a_refusal_is_forgotten_with_its_answer(ann, game, drinks):
    leave(ann, "coffee", "milk", "2999-01-01")
    domain.desk_act(game, "offer-drinks", {})
    assert "was refused" in waiting(ann)
    StandingAnswer.objects.update(until=live.now() - 1)
    assert "was refused" not in waiting(ann)


def test_it_holds_until_its_moment(ann, game, drinks, monkeypatch):
    leave(ann, "coffee", "coffee", "2999-01-01")
    StandingAnswer.objects.update(until=live.now() + 60)
    now = live.now()
    monkeypatch.setattr(live, "now", lambda: now + 61)
    domain.desk_act(game, "offer-drinks", {})
    assert not orders(game, "answer")
    assert "over" in text(ann.get(ANSWERS))


def test_who_has_left_answers_nothing_more(ann, game, drinks):
    leave(ann, "coffee", "coffee")
    domain.leave(game, ann.user.memberships.get())
    assert domain.desk_act(game, "offer-drinks", {}).ok
    assert not orders(game, "answer")


# ---- the page


def test_nobody_else_sees_it(ann, bob, keeper, game, drinks):
    leave(ann, "coffee", "SECRET-91")
    domain.desk_act(game, "offer-drinks", {})
    assert "SECRET-91" in ann.get(ANSWERS).content.decode()
    assert "SECRET-91" not in bob.get(ANSWERS).content.decode()
    for reader in (bob, keeper, Client()):
        for path in ("", "log/", "players/Ann/", "act/", "log/feed.atom"):
            assert "SECRET-91" not in reader.get(AT + path).content.decode()
    assert keeper.get(ANSWERS).status_code == 403
    assert keeper.post(ANSWERS, {"question": "x", "answer": "y"}).status_code == 403
    assert Client().get(ANSWERS).status_code == 302
    kept = StandingAnswer.objects.get()
    bob.post(ANSWERS, {"remove": kept.pk})
    assert StandingAnswer.objects.count() == 1
    ann.post(ANSWERS, {"remove": kept.pk})
    assert not StandingAnswer.objects.exists()
    assert "You have left no standing answers" in text(ann.get(ANSWERS))


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"question": "", "answer": "x"}, "Say what is to be answered"),
        ({"question": "Tea?", "answer": ""}, "Say what the answer"),
        ({"question": "buy-square", "answer": "#5 #6"}, None),
        ({"question": "buy-square", "answer": "speed=9", "until": "soon"}, "Not a moment: soon"),
        ({"question": "trade", "answer": "give-money=lots"}, "must be a whole number"),
        ({"question": "propose", "answer": "", "until": "2001-01-01"}, "past"),
        ({"question": "leave-game", "answer": ""}, "cannot be left in advance"),
        ({"question": "answer", "answer": "x"}, "cannot be left in advance"),
        ({"question": "Q" * 201, "answer": "x"}, "too long"),
    ],
)
def test_what_is_no_answer_is_refused_with_what_was_typed(ann, sent, said):
    page = ann.post(ANSWERS, sent)
    if said is None:
        assert page.status_code == 303
        return
    assert page.status_code == 200
    assert 'role="alert"' in page.content.decode()
    assert said in text(page)
    assert not StandingAnswer.objects.exists()
    assert f'value="{sent["question"]}"' in page.content.decode()


def test_sent_twice_it_stands_once(ann):
    sent = {"question": "Tea?", "answer": "tea", "once": token(ann.get(ANSWERS))}
    ann.post(ANSWERS, sent)
    assert "Already done" in text(ann.post(ANSWERS, sent, follow=True))
    assert StandingAnswer.objects.count() == 1


def test_pages_lead_there(ann, game):
    assert f'href="{ANSWERS}"' in ann.get(AT).content.decode()
    assert f'href="{ANSWERS}?question=buy-square"' in ann.get(f"{AT}act/buy-square/").content.decode()
    assert 'value="buy-square"' in ann.get(f"{ANSWERS}?question=buy-square").content.decode()


def test_an_answer_without_words_stays_out_of_a_trial_copy(ann, game, drinks):
    assert "It will be given when the time comes" in text(leave(ann, "buy-square"))
    assert "It will be given when the time comes" in text(leave(ann, "rest"))
    before = live.of(game).state_hash()
    made = ann.post(f"{AT}try/", {"proposal": ""})
    assert made.status_code == 303
    copy = made["Location"]
    for path in ("", "act/", "act/rest/", "act/buy-square/", "players/Ann/", "log/"):
        assert ann.get(copy + path).status_code == 200, path
    shown = ann.get(f"{copy}answers/")
    assert (shown.status_code, shown["Location"]) == (302, ANSWERS), "they are the game's, and are given there"
    sent = ann.post(f"{copy}answers/", {"question": "rest", "answer": "", "until": ""}, follow=True)
    assert sent.status_code == 405
    page = ann.get(ANSWERS).content.decode()
    assert page.count('name="remove"') == 2
    assert live.of(game).state_hash() == before

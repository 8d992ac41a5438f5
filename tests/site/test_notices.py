"""Notices: what players are told, once each, by what way, and never what they may not see or what is so no more."""

import hashlib
import re
from datetime import timedelta

import prepared
import pytest
from django.core import mail
from django.test import Client, override_settings
from icalendar import Calendar
from pagewords import DAY, accept, grant, propose, seated, text, token

from nomopoly.site.notices import kinds, mailing, making, reading
from nomopoly.site.notices.models import Notice, Watch
from nomopoly.site.play import calendars
from nomopoly.site.play.models import Comment
from nomopoly.site.post import office
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game

AT = "/g/friday/"


def mails_to(name):
    """Subject and text of the mails to somebody, without those that say they are in the game."""
    found = [each for each in mail.outbox if each.to == [f"{name}@example.org"]]
    return [f"{each.subject}\n{each.body}" for each in found if "Welcome" not in each.subject]


def told_to(name, kind=None):
    """The words of somebody's notices, oldest first."""
    found = Notice.objects.filter(user__email=f"{name}@example.org").order_by("pk")
    return [each.text for each in found if kind in (None, each.kind)]


def offer(game, by, to):
    """Offer a square for money."""
    said = {"with": to, "give": {"squares": ["#5"]}, "take": {"money": 30}}
    outcome = domain.order(game, by, "trade", said)
    assert outcome.ok, outcome


@pytest.fixture
def owner(game, ann, ben):
    """The game, in which Ann owns square 5."""
    grant(game, "#5", "owner", "Ann")

    def forget_what_has_been():
        with live.clock_at(live.now() + making.SOON + 1):
            making.look_all()
        Notice.objects.all().delete()

    prepared.do("no notices", forget_what_has_been)
    return game


def evening(after):
    """The first ten in the evening (UTC) after a moment: the mails of the day have gone by then."""
    return after + (22 * 3600 - after) % DAY


def test_what_is_asked_of_somebody_is_mailed_once_to_them_alone(owner, told):
    offer(owner, "Ann", "Ben")
    told()
    told()
    assert len(mails_to("ben")) == 1
    assert "offer by Ann" in mails_to("ben")[0]
    assert "[Friday]" in mails_to("ben")[0]
    assert "/g/friday/trades/" in mails_to("ben")[0]
    assert mails_to("ann") == []


def test_who_has_just_come_is_not_told_what_went_before(game, ann, people):
    propose(game, title="Before Dora came")
    Comment.objects.create(
        game=game, about="P1", user=None, name="Ann", body="Hello @Dora", written=live.present() - timedelta(hours=1)
    )
    seated(game, people("dora"), "Dora")
    with live.clock_at(live.now() + making.SOON + 1):
        making.look_all()
    assert [each for each in told_to("dora") if "Before Dora" in each or "Hello" in each] == []
    accept(game, "P1")
    with live.clock_at(live.now() + making.AGAIN + making.SOON):
        making.look_all()
    assert "Proposal 1, Before Dora came: accepted" in told_to("dora")


def test_who_has_answered_is_not_mailed(owner, told):
    offer(owner, "Ann", "Ben")
    with live.clock_at(live.now() + 30):
        making.look_all()
    assert len(told_to("ben", "asked")) == 1
    offered = next(id for id, thing in live.of(owner).view("Ben")["things"].items() if thing["kind"] == "offer")
    assert domain.order(owner, "Ben", "decline-trade", {"offer": offered}).ok
    told()
    assert mails_to("ben") == []
    assert Notice.objects.get(kind="asked").mail == "gone"


def test_a_deadline_comes_with_the_mail_as_a_date_for_the_calendar(owner, told):
    offer(owner, "Ann", "Ben")
    told()
    letter = next(each for each in mail.outbox if "An offer by Ann" in each.body)
    (name, content, sort), *others = letter.attachments
    assert (name, sort, others) == ("deadlines.ics", "text/calendar; method=PUBLISH", [])
    event = next(each for each in Calendar.from_ical(content).walk("VEVENT"))
    until = Notice.objects.get(user__email="ben@example.org", kind="asked").until
    assert event["dtstart"].dt.timestamp() == until
    assert str(event["summary"]) == "Friday: An offer by Ann"
    assert str(event["url"]).endswith("/g/friday/trades/offer-1/")
    own = [plain["uid"] for plain in calendars.own_moments(owner, "Ben")]
    name = str(event["uid"]).partition("@")[0]
    assert name in [hashlib.sha256(f"friday {uid}".encode()).hexdigest()[:32] for uid in own]
    without = [each.attachments for each in mail.outbox if "An offer by Ann" not in each.body]
    assert without
    assert not any(without)


def test_what_waits_for_long_is_told_again_a_day_before_it_ends(owner, told):
    offer(owner, "Ann", "Ben")
    at = told()
    assert len(mails_to("ben")) == 1
    with live.clock_at(at + 5 * DAY):
        told()
    assert len(mails_to("ben")) == 1
    with live.clock_at(at + 6 * DAY):
        told()
    assert len(mails_to("ben")) == 2
    assert "until" in mails_to("ben")[1]


def test_what_others_do_to_somebody_comes_in_the_daily_mail(owner, told):
    grant(owner, "Ben", "money", 2000)
    at = told()
    assert mails_to("ben") == []
    hours = (18 - (at // 3600) % 24) % 24
    with live.clock_at(at + hours * 3600):
        mailing.mail_all()
        mailing.mail_all()
    digests = [each for each in mails_to("ben") if each.startswith("Nomopoly: ")]
    assert len(digests) == 1
    assert "from $1,000 to $2,000" in digests[0]


def test_the_daily_mail_comes_once_a_day(owner, told):
    grant(owner, "Ben", "money", 2000)
    evening = told() // DAY * DAY + 18 * 3600 + DAY
    for money, at, mails in ((2000, 0, 1), (3000, 2 * 3600, 1), (4000, DAY, 2)):
        with live.clock_at(evening + at):
            grant(owner, "Ben", "money", money)
            told()
        assert len(mails_to("ben")) == mails


def test_an_offer_that_a_pause_prolongs_is_told_once(start_second, told, people):
    second, go = start_second("Ann", "Ben")
    go(7)
    offered = domain.order(second, "Ann", "trade", {"with": "Ben", "give": {"money": 5}, "take": {"money": 6}})
    assert offered.ok, offered
    told()
    assert domain.desk_act(second, "pause", {"because": "A day off"}).ok
    for _ in range(4):
        go(0.25)
        told()
    assert domain.desk_act(second, "resume", {}).ok
    told()
    assert told_to("ben", "asked").count("An offer by Ann") == 1


def test_a_struck_entry_is_not_mailed(owner, told, ben):
    domain.order(owner, "Ann", "propose", {"title": "A turn", "text": "Words"})
    accept(owner, "P1")
    with live.clock_at(live.now() + 30):
        making.look_all()
    mine = Notice.objects.filter(kind="proposal")
    assert mine
    assert all("P1" in each.cause for each in mine)


def test_proposals_are_told_to_all_but_who_makes_them(owner, told):
    propose(owner)
    told()
    assert told_to("ann", "proposal") == []
    assert told_to("ben", "proposal") == ["Proposal 1, A thing: undecided"]
    accept(owner, "P1")
    told()
    assert "accepted" in told_to("ann", "proposal")[0]


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
def test_each_reader_is_told_in_the_language_of_their_choice(owner, ann, ben, told):
    type(ben.user).objects.filter(pk=ben.user.pk).update(language="de")
    propose(owner)
    offer(owner, "Ann", "Ben")
    told()
    assert told_to("ben", "proposal") == ["Vorschlag 1, A thing: undecided"]
    letter = mails_to("ben")[0]
    assert "von Ann" in letter
    assert "Wähle, was dir gemailt wird:" in letter
    accept(owner, "P1")
    told()
    assert told_to("ann", "proposal")[0].startswith("Proposal 1, A thing: accepted")


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
def test_a_change_of_language_tells_nothing_twice_and_takes_nothing_back(owner, ben, told):
    offer(owner, "Ann", "Ben")
    told()
    before = told_to("ben")
    assert before
    type(ben.user).objects.filter(pk=ben.user.pk).update(language="de")
    told()
    assert told_to("ben") == before
    assert all(mailing.still_holds(each) for each in Notice.objects.filter(user=ben.user))


def test_talk_and_mentions(owner, ann, ben, told):
    Comment.objects.create(game=owner, about="thread-1", user=ann.user, name="Ann", body="Is @Ben here? <b>")
    told()
    assert told_to("ben", "talk") == ["Ann: Is @Ben here? <b>"]
    assert told_to("ann", "talk") == []
    Comment.objects.create(game=owner, about="thread-1", user=ben.user, name="Ben", body="Yes")
    told()
    assert told_to("ann", "talk") == ["Ben: Yes"]
    with live.clock_at(live.now() + DAY):
        assert "Is @Ben here? &lt;b&gt;" in ben.get("/me/notices/").content.decode()


def test_a_pause_and_what_follows_it(owner, told):
    assert domain.desk_act(owner, "pause", {"because": "Rest"}).ok
    told()
    assert domain.desk_act(owner, "resume", {}).ok
    told()
    assert told_to("ben", "game") == ["The game is paused.", "The game goes on."]


def test_the_admin_is_told_what_waits_at_the_desk(owner, told, people):
    propose(owner)
    told()
    assert told_to("keeper", "desk") == ["A proposal to judge."]
    assert len([each for each in mails_to("keeper") if "proposal to judge" in each]) == 1


def test_nothing_of_the_time_before_is_told(owner, told):
    propose(owner)
    Watch.objects.all().delete()
    Notice.objects.all().delete()
    grant(owner, "Ben", "money", 5)
    told()
    assert told_to("ben", "proposal") == []


def test_a_look_that_breaks_off_loses_nothing(owner, told, monkeypatch):
    propose(owner)
    with monkeypatch.context() as patch:
        patch.setattr(making.Look, "talked", lambda *_: 1 / 0)
        told()
    assert told_to("ben", "proposal") == []
    with live.clock_at(live.now() + making.LEASE + 60):
        told()
    assert len(told_to("ben", "proposal")) == 1


# ---- how one wants to be told


def test_wishes_for_all_games_and_for_one(owner, ben, told):
    page = ben.get("/settings/notices/")
    fields = {f"all-{kind.id}": kind.how for kind in kinds.KINDS} | {"digest_hour": "7", "once": token(page)}
    done = ben.post("/settings/notices/", fields | {"all-proposal": "mail", "friday-asked": "none"}, follow=True)
    assert "Your choice is kept" in text(done)
    assert office.box_of(ben.user).digest_hour == 7
    offer(owner, "Ann", "Ben")
    propose(owner)
    told()
    assert len(mails_to("ben")) == 1
    assert "Proposal 1" in mails_to("ben")[0]
    assert "offer" not in mails_to("ben")[0]
    assert any("offer" in each for each in told_to("ben"))
    wrong = ben.post(
        "/settings/notices/", fields | {"all-turn": "pigeon", "once": token(ben.get("/settings/notices/"))}
    )
    assert "Choose for each kind" in text(wrong)


def test_one_click_out_of_a_mail(owner, ben, told):
    offer(owner, "Ann", "Ben")
    told()
    letter = next(each for each in mail.outbox if each.to == ["ben@example.org"] and "offer" in each.body)
    address = letter.extra_headers["List-Unsubscribe"].strip("<>").partition("//")[2].partition("/")[2]
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stranger = Client(enforce_csrf_checks=True)
    assert "Mail this no more?" in text(stranger.get(f"/{address}"))
    assert mailing.ways_of(ben.user)(Notice.objects.get(kind="asked")) == "mail"
    assert stranger.post(f"/{address}", {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert mailing.ways_of(ben.user)(Notice.objects.get(kind="asked")) == "none"
    assert stranger.get(f"/{address[:-3]}xx/").status_code == 404


def test_the_list_of_notices(owner, ben, ann, told):
    offer(owner, "Ann", "Ben")
    at = told()
    with live.clock_at(at):
        assert re.search(r'Notices <span class="count">1</span>', ben.get("/").content.decode())
        page = ben.get("/me/notices/")
        assert "new" in text(page)
        assert "offer by Ann" in text(page)
        assert "offer by Ann" not in text(ann.get("/me/notices/"))
    assert Client().get("/me/notices/").status_code == 302


def test_a_notice_whose_time_is_over_says_so(owner, ben, told):
    offer(owner, "Ann", "Ben")
    with live.clock_at(told()):
        assert " until " in text(ben.get("/me/notices/"))
    last = Notice.objects.filter(user__email="ben@example.org").exclude(until=None).latest("until")
    with live.clock_at(last.until + 60):
        page = text(ben.get("/me/notices/"))
    assert "over since" in page
    assert " until " not in page


def test_reading_notices_marks_none_and_the_form_of_the_page_does(owner, ben, ann, told):
    def unread():
        return re.search(r'Notices <span class="count">1</span>', ben.get("/settings/").content.decode()) is not None

    offer(owner, "Ann", "Ben")
    with live.clock_at(told()):
        page = ben.get("/me/notices/")
        assert unread()
        assert "new" in text(ben.get("/me/notices/"))
        (notice,) = page.context["new"]
        sent = {"notice": str(notice.pk)}
        ann.post("/me/notices/read/", sent)  # of others nothing is marked
        assert unread()
        assert ben.get("/me/notices/read/").status_code == 405
        assert unread()
        assert ben.post("/me/notices/read/", sent | {"notice": ["x", "9" * 30]}).status_code == 303
        assert unread()
        answer = ben.post("/me/notices/read/", sent, follow=True)
        assert "They are marked as read." in text(answer)
        assert not unread()
        assert "Mark these as read" not in text(answer)
        Notice.objects.update(read=None)
        assert ben.post("/me/notices/read/", sent, headers={"X-Live": "1"}).status_code == 204
        assert not unread()
        Notice.objects.update(read=None)
        ben.post("/me/notices/read/")
        assert not unread()


def test_each_update_that_is_over_is_told_once_with_the_way_to_its_report(start_second):
    game, go = start_second("Ann", "Ben")
    for days in (0, 3, 0, 4, 3):
        go(days + 0.01)
        making.look_all()
    found = Notice.objects.filter(kind="report", user__email="ann@example.org").order_by("pk")
    assert [each.path for each in found] == [
        "log/week/1/#update-1",
        "log/week/1/#update-2",
        "log/week/2/#update-3",
    ]
    assert [each.text for each in found][0] == "Update 1 is over: its report is there."
    for each in found:
        page, _, part = each.path.partition("#")
        assert f'id="{part}"' in Client().get(f"{game.address}{page}").content.decode()


def test_a_mail_says_when_each_thing_was_and_whom_it_is_for(owner, told):
    offer(owner, "Ann", "Ben")
    told()
    due = Notice.objects.get(user__email="ben@example.org", kind="asked").due
    (body,) = mails_to("ben")
    assert f"{due:%B} {due:%Y} {due:%H:%M} UTC http" in body
    assert "because you play" in body
    desk = [each for each in mails_to("keeper") if "You get this mail because you are the Admin." in each]
    assert bool(desk) == Notice.objects.filter(kind="desk").exists()


def test_what_the_admin_does_is_told_in_the_words_of_the_rules(game, ann, ben, told):
    propose(game, title="Money for Ben", run='put(thing("Ben"), "money", 7)')
    told()
    accept(game, "P1")
    told()
    (said,) = told_to("ben", "happened")
    assert "accept:" not in said
    assert said == "The Admin has accepted P1. Ben’s money is $7 now, and was $1,000."


@pytest.mark.parametrize("page", ["/me/", "/me/notices/"])
def test_whose_address_refuses_mails_is_told_so(ben, page):
    assert "Your address has refused our mails" not in text(ben.get(page))
    box = office.box_of(ben.user)
    box.off = live.present()
    box.save()
    assert "Your address has refused our mails" in text(ben.get(page))


@pytest.mark.parametrize("page", ["/me/", "/me/notices/"])
def test_while_mail_is_down_the_page_says_so(ben, page, monkeypatch):
    monkeypatch.setattr(office, "is_down", lambda: True)
    assert "Mails do not go out at the moment" in text(ben.get(page))


# ---- the secrets of others


def test_a_secret_is_told_to_nobody_else(start_second, told, people):
    second, go = start_second("Ann", "Ben")
    grant(second, "Ann", "cards", ["ace of spades"])
    go(7)
    told()
    everything = " ".join(told_to("ben")) + " ".join(mails_to("ben"))
    assert "ace of spades" not in everything
    assert any("Ben" in each for each in told_to("ben", "happened"))


def test_hidden_things_are_named_in_mails_only_if_their_owner_allows_it(owner, ann, told):
    def deal(number, card):
        run = f'tell(thing("Ann"), "Ann holds the {card}")'
        assert domain.order(owner, "Ben", "propose", {"title": "A card", "text": "For Ann.", "run": run}).ok
        accept(owner, f"P{number}")
        with live.clock_at(evening(told())):
            mailing.mail_all()
        return " ".join(told_to("ann")), " ".join(mails_to("ann")), " ".join(told_to("ben") + mails_to("ben"))

    here, mailed, others = deal(1, "ace of spades")
    assert "ace of spades" in here
    assert "ace of spades" not in mailed + others
    assert "Something that only you may see has happened to you." in mailed
    page = ann.get("/settings/notices/")
    assert 'name="names_hidden"' in page.content.decode()
    sent = {"digest_hour": "18", "names_hidden": "1", "csrfmiddlewaretoken": token(page)}
    assert ann.post("/settings/notices/", sent).status_code in (302, 303)
    assert (
        'name="names_hidden" value="1" aria-describedby="hidden-hint" checked'
        in ann.get("/settings/notices/").content.decode()
    )
    with live.clock_at(live.now() + DAY):
        _, mailed, others = deal(2, "king of hearts")
    assert "king of hearts" in mailed
    assert "king of hearts" not in others


def test_a_week_of_the_second_edition_is_no_more_than_eight_mails(start_second, told, people):
    """The clock of `start_second` is the only one here, so it goes on by itself: the daily mail comes in the
    evenings."""
    second, go = start_second("Ann", "Ben", "Cid")
    told()
    before = len(mails_to("ben"))
    for quarter in range(4 * 7):
        if quarter == 4:
            assert domain.order(second, "Ann", "propose", {"title": "A thing", "text": "Words"}).ok
        go(0.25)
        told()
    assert 3 <= len(mails_to("ben")) - before <= 8
    assert told_to("ben", "vote") == ["Your vote on P1"], "a day before the voting closes"


def test_thousands_of_notices_at_once_are_one_mail_and_few_questions(owner, ann, told, django_assert_max_num_queries):
    due = making.moment(live.now())
    number = next(each["n"] for each in live.of(owner).facts("Ann"))
    several = [("happened", number), ("talk", None), ("asked", None)]
    Notice.objects.bulk_create(
        Notice(user=ann.user, game=owner, kind=kind, cause=f"{kind} {at}", n=n, text="Something", path="log/", due=due)
        for kind, n in several
        for at in range(1000)
    )
    with live.clock_at(evening(live.now() + 1200)), django_assert_max_num_queries(80):
        mailing.mail_all()
    assert len([each for each in mails_to("ann") if "Something" in each]) == 1
    left = {(each.kind, each.mail) for each in Notice.objects.filter(user=ann.user, text="Something")}
    assert left == {("happened", "sent"), ("talk", "sent"), ("asked", "gone")}, (
        "what nobody asks any more is mailed to nobody"
    )


def test_an_address_out_of_the_mail_of_a_closed_account_ends_nothing(ann, game):
    word = mailing.token(ann.user, game, {"turn"})
    gone = mailing.token(ann.user, Game(pk=9_999), {"turn"})
    for _ in range(2):
        assert Client().post(f"/notices/stop/{gone}/").status_code == 404
    ann.user.delete()
    for answer in (Client().get(f"/notices/stop/{word}/"), Client().post(f"/notices/stop/{word}/")):
        assert answer.status_code == 404
        assert "This address ends no mails" in text(answer)


@pytest.mark.parametrize("how", ["over", "left", "removed"])
def test_what_was_asked_goes_with_the_game_or_the_seat(owner, ben, told, how):
    offer(owner, "Ann", "Ben")
    now = told()
    with live.clock_at(now):
        before = list(reading.of(ben.user))
    assert "asked" in {each.kind for each in before}
    if how == "over":
        assert domain.desk_act(owner, "declare-winner", {"because": "a test"}).ok
    elif how == "left":
        assert domain.leave(owner, owner.memberships.get(player="Ben")).ok
    else:
        assert domain.desk_act(owner, "remove-player", {"player": "Ben", "because": "a test"}).ok
    with live.clock_at(now):
        left = list(reading.of(ben.user))
        assert reading.unread(ben.user) == len(left)
    assert left == [each for each in before if each.kind not in ("asked", "vote", "due", "turn")]


def test_what_waits_at_a_desk_goes_with_the_office(owner, keeper, people, told):
    assert domain.ask_to_join(owner, people("cid").user, "Cid").ok
    with live.clock_at(told()):
        assert "desk" in {each.kind for each in reading.of(keeper.user)}
        assert domain.hand_over(owner, people("eve").user).ok
        assert "desk" not in {each.kind for each in reading.of(keeper.user)}

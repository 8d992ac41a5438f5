"""Keeping order in a game: warnings, silence in the forum, hidden posts, reports; and limits by address."""

import re
import time
from datetime import timedelta

import pytest
import testclock
from django.core import mail
from django.test import Client
from django.utils import timezone
from pagewords import text

from nomopoly.site import knocks, limits
from nomopoly.site.order import complaints, conduct
from nomopoly.site.order.models import Complaint, Knock, Silence
from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain, live

AT = "/g/friday/"
CONDUCT = f"{AT}admin/conduct/"


def act(keeper, **fields):
    return keeper.post(CONDUCT, {"do": "warn", "player": "Ann", "because": "Insults"} | fields, follow=True)


def log_of(game):
    return text(Client().get(f"{AT}log/"))


# ---- warnings


def test_a_warning_is_in_the_log_and_counted_and_told(game, keeper, ann):
    mail.outbox.clear()
    assert "Ann is warned" in text(act(keeper))
    assert "Warning to Ann: Insults" in log_of(game)
    assert [len(entries) for entries in conduct.warnings(game).values()] == [1]
    assert "A warning" in mail.outbox[0].subject
    assert mail.outbox[0].to == ["ann@example.org"]
    act(keeper, because="Again")
    assert [len(entries) for entries in conduct.warnings(game).values()] == [2]


def test_a_reported_post_is_found_from_there(game, keeper, ann, ben):
    assert "Nothing is reported" in text(keeper.get(CONDUCT))
    Comment.objects.create(game=game, about="entry-0", user=ann.user, name="Ann", body="You fool").reports.create(
        user=ben.user
    )
    page = keeper.get(CONDUCT)
    assert "Nothing is reported" not in text(page)
    assert f'href="{AT}admin/#' in page.content.decode()


def test_a_struck_warning_counts_no_more(game, keeper, ann):
    act(keeper)
    entry = conduct.warnings(game)["Ann"][0]
    assert domain.strike(game, entry["n"], "It was somebody else").ok
    assert conduct.warnings(game) == {}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"because": " "}, "This field is required"),
        ({"player": "Zoe"}, "not one of the available choices"),
        ({"do": "mute"}, "Say for how many days"),
        ({"do": "mute", "days": "0"}, "greater than or equal to 1"),
        ({"do": "mute", "days": "91"}, "less than or equal to 90"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_was_typed(game, keeper, ann, fields, told):
    answer = act(keeper, **fields)
    assert told in text(answer)
    assert conduct.warnings(game) == {}
    assert not Silence.objects.exists()


def test_only_the_admin_does_it(game, ann, ben, people):
    for client in (ben, people("eve")):
        assert client.get(CONDUCT).status_code == 403
        assert client.post(CONDUCT, {"do": "warn", "player": "Ann", "because": "x"}).status_code == 403
        assert client.post(f"{CONDUCT}hear/", {"name": "Ann"}).status_code == 403


# ---- silence


def test_who_is_muted_writes_nothing_until_the_time_is_over(game, keeper, ann, ben, monkeypatch):
    ann.post(f"{AT}forum/new/", {"title": "Tea", "body": "At five."})
    act(keeper, do="mute", days="3")
    assert "Ann may not write in the forum for 3 days: Insults" in log_of(game)
    answer = ann.post(f"{AT}forum/1/", {"body": "But I want to"})
    assert "You may not write in the forum of this game until" in text(answer)
    assert "Insults" in text(answer)
    assert "But I want to" in answer.content.decode(), "what was typed is kept"
    assert "may not write" in text(ann.get(f"{AT}forum/new/")), "before anything is typed"
    assert "may not write" in text(ann.post(f"{AT}forum/new/", {"title": "Mine", "body": "Hear"}))
    pk = Comment.objects.get().pk
    assert "may not write" in text(ann.post(f"{AT}forum/posts/{pk}/", {"body": "Changed"}))
    by_api = ann.post("/api/v1/g/friday/forum/1", {"body": "By the API"}, content_type="application/json")
    assert by_api.status_code == 409
    assert ben.post(f"{AT}forum/1/", {"body": "I may"}).status_code == 303
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "W"}).ok, "play goes on"
    Silence.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert ann.post(f"{AT}forum/1/", {"body": "Now"}).status_code == 303


def test_who_is_muted_stays_so_under_another_name_and_the_seat_under_another_account(game, keeper, ann, people):
    act(keeper, do="mute", days="3")
    assert people("ann").user == Silence.objects.get().user
    for other in ({"name": "Anna"}, {"user": people("zoe").user, "name": "Ann"}):
        Silence.objects.update(**other)
        assert "may not write" in text(ann.post(f"{AT}forum/new/", {"title": "Tea", "body": "At five."}))
    Silence.objects.update(name="Zoe")
    assert ann.post(f"{AT}forum/new/", {"title": "Tea", "body": "At five."}).status_code == 303


def test_the_admin_lets_them_write_again(game, keeper, ann):
    act(keeper, do="mute", days="3")
    answer = keeper.post(f"{CONDUCT}hear/", {"name": "Ann"}, follow=True)
    assert "Ann may write in the forum again" in text(answer)
    assert ann.post(f"{AT}forum/new/", {"title": "Tea", "body": "Thanks"}).status_code == 303
    assert "Nobody of that name is muted" in text(keeper.post(f"{CONDUCT}hear/", {"name": "Ann"}))


# ---- hiding


def test_hiding_is_logged_without_the_words(game, keeper, ann):
    ann.post(f"{AT}forum/new/", {"title": "Tea", "body": "PLANTED-INSULT"})
    said = Comment.objects.get()
    keeper.post(f"{AT}forum/posts/{said.pk}/mind/", {"do": "hide", "because": "Rude"})
    log = log_of(game)
    assert "What Ann has said is hidden: Rude" in log
    assert "PLANTED-INSULT" not in log
    keeper.post(f"{AT}forum/posts/{said.pk}/mind/", {"do": "hide", "because": "Rude"})
    assert log_of(game).count("is hidden: Rude") == 1, "hidden once, said once"


# ---- reports


def report(client, **fields):
    sent = {"sort": "name", "about": "Ben", "because": "It is an insult"}
    return client.post(f"{AT}report/", sent | fields, follow=True)


def test_a_name_is_reported_to_the_admin(game, keeper, ann, ben):
    assert "The Admin is asked to look at it" in text(report(ann))
    assert "somebody has reported something" in text(keeper.get("/me/"))
    desk = text(keeper.get(f"{AT}admin/"))
    assert "Nothing waits for you" not in desk
    assert "Reported: The name Ben" in desk
    assert "“It is an insult” Answer it" in desk
    page = text(keeper.get(CONDUCT))
    assert "The name Ben" in page
    assert "It is an insult" in page
    assert "ann@example.org" not in page
    assert "reported this already" in text(report(ann))
    mail.outbox.clear()
    answer = keeper.post(f"{CONDUCT}reports/{Complaint.objects.get().pk}/", {"answer": "Ben is a name."}, follow=True)
    assert "Answered" in text(answer)
    assert "Ben is a name." in mail.outbox[0].body
    assert mail.outbox[0].to == ["ann@example.org"]
    assert "Nothing is reported" in text(keeper.get(CONDUCT))


def test_a_proposal_is_reported(game, keeper, ann, ben):
    assert domain.order(game, "Ann", "propose", {"title": "Foul", "text": "Words"}).ok
    assert "is asked" in text(report(ben, sort="proposal", about="P1"))
    assert "Foul" in text(keeper.get(CONDUCT))
    assert "nothing like that" in text(report(ben, sort="proposal", about="P9"))


def test_what_is_about_the_admin_goes_to_the_operator(game, keeper, ann, people):
    boss = people("boss")
    boss.user.is_staff = True
    boss.user.save()
    mail.outbox.clear()
    assert "The operator of this site is asked" in text(report(ann, sort="admin", about=""))
    assert [each.to for each in mail.outbox] == [["boss@example.org"]]
    assert "It is an insult" not in mail.outbox[0].body
    assert "Nothing is reported" in text(keeper.get(CONDUCT))
    assert complaints.for_operators().count() == 1


def test_a_post_of_the_admin_goes_to_the_operator_too(game, keeper, ann):
    keeper.post(f"{AT}forum/new/", {"title": "Rules", "body": "You are all fools."})
    ann.post(f"{AT}forum/posts/{Comment.objects.get().pk}/mind/", {"do": "report", "because": "Rude"})
    found = Complaint.objects.get()
    assert (found.sort, found.for_operator, found.because) == ("post", True, "Rude")


def test_a_flood_of_reports_is_stopped(game, ann, ben, monkeypatch):
    monkeypatch.setitem(limits.LIMITS, "report", ((1, timedelta(days=1), "reports"),))
    report(ann, about="Ben")
    assert "reports" in text(report(ann, about="Ann"))
    assert Complaint.objects.count() == 1


def test_where_the_table_decides_reports_go_to_the_operator(people):
    game = domain.start_game(
        people("keeper").user, edition="original", title="T", slug="friday", at=live.now() - 60, office="table"
    )
    ann = seated_at_once(game, people("ann"))
    assert "The operator" in text(report(ann, about="Ann"))


def seated_at_once(game, client):
    assert domain.ask_to_join(game, client.user, "Ann", invited=True).ok
    return client


def test_a_private_game_is_reported_by_those_who_see_it(game, people, ann):
    domain.change_game(game, visibility="private")
    assert people("eve").get(f"{AT}report/").status_code == 404
    assert ann.get(f"{AT}report/").status_code == 200


# ---- limits by address


def test_many_accounts_at_one_address_share_a_limit(game, ann, ben, monkeypatch):
    monkeypatch.setitem(limits.LIMITS, "post", ((1, limits.HOUR, "posts"),))
    monkeypatch.setattr(limits, "FROM_ADDRESS", 2)
    for name in ("cid", "dot"):
        limits_used = {"REMOTE_ADDR": "203.0.113.7"}
        client = Client(**limits_used)
        client.cookies = (ann if name == "cid" else ben).cookies
        assert client.post(f"{AT}forum/new/", {"title": name, "body": "x"}).status_code == 303
    eve = Knock.objects.filter(what="post")
    assert eve.count() == 2
    assert "203.0.113" not in str(list(eve.values())), "the address itself is not kept"
    token = knocks._address.set("203.0.113.7")
    try:
        assert (
            limits.refusal(game.admin, "post")
            == "At most 2 posts in an hour from one address: try again in 60 minutes."
        )
    finally:
        knocks._address.reset(token)
    assert limits.refusal(game.admin, "post") is None, "from elsewhere they may"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", ""),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(address, network):
    assert knocks.network_of(address) == network


def test_one_mail_address_is_invited_three_times_a_day(people, game):
    """In any 24 hours, whether midnight comes in them or not."""
    clients = [people(name) for name in ("a", "b", "c", "d")]
    begun = time.time()  # those who sign in may have taken the clock on
    for name, client in zip("abc", clients, strict=False):
        sent = {"edition": "original", "title": name, "slug": name * 3, "visibility": "public", "time_zone": "UTC"}
        assert client.post("/games/new/", {**sent, "invite": "eve@example.org"}).status_code == 303
    client = clients[3]
    said = "Eve@example.org was invited 3 times in a day: leave it out, or try again in"
    for seconds, wait in ((10 * 60, "24 hours"), (24 * 3600 - 10 * 60, "1[0-2] minutes")):
        testclock.set_clock(begun + seconds)
        answer = client.post("/games/new/", {**sent, "slug": "ddd", "invite": "Eve@example.org"})
        assert re.search(f"{re.escape(said)} {wait}", text(answer)), seconds
    testclock.set_clock(begun + 24 * 3600 + 10 * 60)
    assert client.post("/games/new/", {**sent, "slug": "ddd", "invite": "eve@example.org"}).status_code == 303


def test_tries_at_log_in_count_for_all_processes(people):
    """The counts stand in the database: another process, which begins with nothing in memory, sees them."""
    from django.core.cache.backends.db import DatabaseCache

    people("ann")
    for _ in range(12):
        answer = Client().post("/account/login/", {"login": "ann@example.org", "password": "wrong"})
    assert "Too many tries" in text(answer) or answer.status_code == 429
    fresh = DatabaseCache("order_kept", {"OPTIONS": {}})
    keys = [row for row in fresh_keys() if "login" in row]
    assert keys
    assert fresh.get(keys[0].split(":", 2)[2]) is not None


def fresh_keys():
    from nomopoly.site.order.models import Kept

    return list(Kept.objects.values_list("cache_key", flat=True))


# ---- search engines


def test_pages_of_players_are_in_no_index(game, ann):
    for path in ("players/", "players/Ann/", "players/Ann/account/"):
        answer = Client().get(AT + path)
        if answer.status_code == 200:
            assert '<meta name="robots" content="noindex">' in answer.content.decode(), path
    assert "noindex" not in Client().get(AT).content.decode()

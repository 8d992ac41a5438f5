"""The operator's console: behind a second factor, each act with a reason and logged; blocking leaves all games by their
rules."""

import html
import re
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.utils import timezone
from pagewords import fresh_code, seated, text, things

from nomopoly import cli
from nomopoly.site.accounts import feeds, keys
from nomopoly.site.busy import Busy
from nomopoly.site.order import complaints, operating
from nomopoly.site.order.models import Complaint, OperatorAct
from nomopoly.site.play.models import Thread
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import bots, domain, live
from nomopoly.site.tables.models import Deed, Fault, Home, Membership, Process
from nomopoly.site.tables.witness import Damaged

AT = "/operator/"


def show_factor(client, at=None):
    authenticated(client, {"method": "mfa", "type": "totp", "at": at or time.time()})


def authenticated(client, record):
    """Let a session have this one record of a log-in, as allauth keeps it."""
    session = client.session
    record_authentication(SimpleNamespace(session=session), client.user, method="password")
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [record]
    session.save()


@pytest.fixture
def boss(people):
    """An operator with a second factor, shown a moment ago."""
    client = people("boss")
    client.user.is_staff = True
    client.user.save()
    Authenticator.objects.create(user=client.user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    show_factor(client)
    return client


def act(client, model, pk, name, because="A reason", **more):
    return client.post(f"{AT}{model}/{pk}/act/{name}/", {"because": because} | more, follow=True)


# ---- who comes in


def test_the_console_opens_with_a_second_factor_alone(people, boss):
    assert boss.get(AT).status_code == 200
    assert Client().get(AT, follow=True).redirect_chain[-1][0].startswith("/account/login/")
    answer = people("eve").get(AT, follow=True)
    assert answer.status_code == 403
    assert "for the operators of the site" in text(answer)


def test_an_operator_without_a_second_factor_is_told_where_to_get_one(people):
    client = people("boss")
    client.user.is_staff = True
    client.user.save()
    show_factor(client)
    answer = client.get(AT, follow=True)
    assert answer.status_code == 403
    assert 'href="/account/2fa/"' in answer.content.decode()


def test_a_second_factor_is_asked_for_again_after_an_hour(boss):
    show_factor(boss, time.time() - 3700)
    answer = boss.get(f"{AT}tables/game/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/account/2fa/reauthenticate/")
    assert "next=%2Foperator%2Ftables%2Fgame%2F" in answer.redirect_chain[-1][0]
    authenticated(boss, {"method": "password", "at": time.time()})
    assert boss.get(AT).status_code == 302


def test_the_code_of_a_program_opens_it(people):
    client = people("boss")
    client.user.is_staff = True
    client.user.save()
    secret = generate_totp_secret()
    TOTP.activate(client.user, secret)
    answer = client.get(f"{AT}order/complaint/", follow=True)
    place, _ = answer.redirect_chain[-1]
    answer = client.post(place, {"code": fresh_code(secret)}, follow=True)
    assert answer.redirect_chain[-1][0] == f"{AT}order/complaint/"
    assert answer.status_code == 200
    assert client.get(AT).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "accounts/user/",
        "tables/game/",
        "tables/fault/",
        "order/complaint/",
        "post/letter/",
        "order/operatoract/",
        "limits/",
    ],
)
def test_each_table_is_shown_to_operators_and_to_nobody_else(boss, people, game, path):
    assert boss.get(AT + path).status_code == 200
    assert people("eve").get(AT + path).status_code == 302


def test_nothing_is_changed_but_by_an_act(boss, game):
    assert boss.get(f"{AT}tables/game/add/").status_code == 403
    assert boss.post(f"{AT}tables/game/{game.pk}/change/", {"title": "Mine"}).status_code == 403
    assert boss.post(f"{AT}tables/game/{game.pk}/delete/", {"post": "yes"}).status_code == 403
    page = text(boss.get(f"{AT}tables/game/{game.pk}/change/"))
    assert "bytes of entries" in page
    assert "secret" not in page.lower()


def test_the_tables_bear_the_names_that_the_site_uses(boss):
    page = text(boss.get(AT)).replace(" Model name Add link Change or view list link", ":")
    assert (
        "Accounts: Accounts Games: Faults of rules Games Mails: Mails Order on the site: Acts of operators Reports"
        in page
    )


def test_moments_are_told_and_not_counted(boss, game):
    page = text(boss.get(f"{AT}tables/game/{game.pk}/change/"))
    assert "Next is due: nothing" in page
    game.due = 1790000000
    game.save()
    page = text(boss.get(f"{AT}tables/game/{game.pk}/change/"))
    assert re.search(r"Next is due: \w{3} \d+ \w+ \d{4} \d\d:\d\d", page), page
    assert not re.search(r"\d{9}", page), page
    page = text(boss.get(f"{AT}accounts/user/{boss.user.pk}/change/"))
    assert not re.search(r"\d\d:\d\d:\d\d\.\d", page), page


def acts_of(boss, model, pk):
    """The acts that have a button on the page of a row."""
    return re.findall(rf'/operator/{model}/{pk}/act/([\w-]+)/"', boss.get(f"{AT}{model}/{pk}/change/").content.decode())


def test_only_acts_that_make_sense_have_a_button(boss, game, ann):
    assert acts_of(boss, "accounts/user", ann.user.pk) == ["block", "lift-limits", "appoint", "close"]
    assert acts_of(boss, "accounts/user", boss.user.pk) == ["block", "lift-limits", "dismiss", "close"]
    operating.block(ann.user, "Spam")
    assert acts_of(boss, "accounts/user", ann.user.pk) == ["unblock", "lift-limits", "close"]
    assert acts_of(boss, "tables/game", game.pk) == ["close", "give-office", "free-seat"]
    act(boss, "tables/game", game.pk, "close", because="Insults")
    assert acts_of(boss, "tables/game", game.pk) == ["open", "give-office", "free-seat", "delete"]
    assert "Stopped by an operator: Insults" in text(boss.get(f"{AT}tables/game/{game.pk}/change/"))
    letter = Letter.objects.create(to="eve@example.org", subject="Hello", text="Hello")
    assert acts_of(boss, "post/letter", letter.pk) == ["again", "give-up"]
    act(boss, "post/letter", letter.pk, "give-up")
    assert acts_of(boss, "post/letter", letter.pk) == ["again"]


def test_a_refused_act_says_so_in_a_sentence_and_keeps_the_reason(boss, game, ann):
    page = act(boss, "tables/game", game.pk, "open", because="It is quiet now")
    assert "The operator has not stopped this game. Why?" in text(page)
    assert "It is quiet now</textarea>" in page.content.decode()
    assert "ann@example.org is no operator. Why?" in text(act(boss, "accounts/user", ann.user.pk, "dismiss"))
    assert "boss@example.org is an operator already." in text(act(boss, "accounts/user", boss.user.pk, "appoint"))
    assert not OperatorAct.objects.exists()


def test_an_act_comes_back_to_its_row(boss, game):
    done = act(boss, "tables/game", game.pk, "close")
    assert done.redirect_chain[-1][0] == f"{AT}tables/game/{game.pk}/change/"
    assert "Friday is stopped" in text(done)


def test_a_password_is_changed_where_everybody_changes_it(boss):
    assert boss.get(f"{AT}password_change/")["Location"] == "/account/password/change/"


def test_an_act_wants_a_reason(boss, ann):
    answer = act(boss, "accounts/user", ann.user.pk, "block", because=" ")
    assert "This field is required" in text(answer)
    ann.user.refresh_from_db()
    assert ann.user.is_active
    assert not OperatorAct.objects.exists()


# ---- accounts


def test_a_blocked_account_is_out_of_all_games_by_their_rules(boss, game, ann, ben):
    key, _ = keys.make(ann.user, name="bot", game=game, scope="play")
    feeds.renew(ann.user)
    feed = feeds.address_of(ann.user).token
    mail.outbox.clear()
    answer = act(boss, "accounts/user", ann.user.pk, "block", because="Spam")
    assert "is blocked. Out of Friday." in text(answer)
    assert "Ann" not in things(game)
    assert Membership.objects.get(player="Ann").status == Membership.Status.LEFT
    assert ann.get("/me/").status_code == 302, "signed out"
    assert keys.find(key) is None
    assert feeds.owner_of(feed) is None
    assert operating.state()["accounts_blocked"] == 1
    told = [each for each in mail.outbox if each.to == ["ann@example.org"]]
    assert "Spam" in told[0].body
    logged = OperatorAct.objects.get()
    assert (logged.what, logged.about, logged.because) == ("block", f"account {ann.user.pk}", "Spam")
    assert logged.user == boss.user
    assert "Ann" in text(Client().get("/g/friday/log/")), "the log of the game tells it"


def test_a_game_whose_admin_is_blocked_wants_another(boss, game, keeper, ann, people):
    complaints.make(seat_of(ann, game), "name", "Ann", "x")
    other = domain.start_game(people("owner").user, edition="original", title="Monday", slug="monday")
    Complaint.objects.create(game=other, user=ann.user, sort="name", about="Ben", because="y")
    domain.offer_office(game, "friend@example.org")
    answer = act(boss, "accounts/user", keeper.user.pk, "block")
    assert "Friday wants another Admin" in text(answer)
    game.refresh_from_db()
    assert game.admin is None
    assert game.successor == "", "whom a blocked account would have had"
    assert complaints.for_operators().get().because == "x", "what waited for this Admin waits for the operator"
    assert "Friday" in text(boss.get(AT))
    people("heir")
    answer = act(boss, "tables/game", game.pk, "give-office", address="heir@example.org")
    assert "is the Admin of Friday" in text(answer)
    assert people("heir").get("/g/friday/admin/").status_code == 200


def test_a_freed_seat_goes_to_another_account_by_its_link(boss, game, ann, ben, people):
    page = text(act(boss, "tables/game", game.pk, "free-seat", player="Nobody", because="Lost the password"))
    assert "Nobody plays as Nobody in Friday; players who are no bots: Ann, Ben." in page
    assert not OperatorAct.objects.exists()
    done = text(act(boss, "tables/game", game.pk, "free-seat", player=" ann ", because="Lost the password"))
    link = html.unescape(re.search(r"The seat of Ann in Friday is free\. .*?(/g/friday/seat/\S+)", done)[1])
    assert "Ann: Lost the password" in str(OperatorAct.objects.get().because)
    letter = Letter.objects.filter(to="ann@example.org").latest("pk")
    assert "You do not play as Ann any more" in letter.subject
    assert "freed your seat: Lost the password" in letter.text
    assert ann.get("/g/friday/act/").status_code == 403, "who has lost the seat only looks on"
    dora = people("dora")
    assert "You play as Ann now." in text(dora.post(link, follow=True))
    assert dora.get("/g/friday/act/").status_code == 200
    assert "Somebody has taken this seat up already" in text(ann.get(link))
    assert bots.put(game).ok
    robot = game.memberships.exclude(bot=None).get().player
    assert "Nobody plays as" in text(act(boss, "tables/game", game.pk, "free-seat", player=robot))


def seat_of(client, game):
    from nomopoly.site.door import Seat

    request = type("Request", (), {"user": client.user})()
    return Seat(request, game, "player", "Ann")


def test_where_the_rules_hold_somebody_back_the_admins_act_removes_them(boss, keeper, people):
    game = domain.start_game(keeper.user, edition="mail", title="Mail", slug="mail", at=live.now() - 60)
    ann = seated(game, people("ann"), "Ann")
    seated(game, people("ben"), "Ben")
    user = ann.user
    told = operating.block(user, "Spam", boss.user)
    assert "Out of Mail" in told
    assert Membership.objects.get(player="Ann").status == Membership.Status.LEFT


def test_who_is_unblocked_logs_in_again_and_has_no_seat(boss, game, ann, ben):
    operating.block(ann.user, "Spam")
    act(boss, "accounts/user", ann.user.pk, "unblock")
    ann.user.refresh_from_db()
    assert ann.user.is_active
    assert Membership.objects.get(player="Ann").status == Membership.Status.LEFT
    assert "is not blocked" in text(act(boss, "accounts/user", ann.user.pk, "unblock"))


def test_nobody_blocks_themselves(boss):
    assert "cannot block your own account" in text(act(boss, "accounts/user", boss.user.pk, "block"))


def test_an_account_is_closed_once_its_address_is_typed(boss, ben, game):
    user = ben.user
    ben.post("/g/friday/forum/new/", {"title": "Hello", "body": "Here I am"})
    page = act(boss, "accounts/user", user.pk, "close", which="ann@example.org", nameless="on")
    assert "You typed ann@example.org, and this is ben@example.org: nothing is done." in text(page)
    assert get_user_model().objects.filter(pk=user.pk).exists()
    assert not OperatorAct.objects.exists()
    done = act(boss, "accounts/user", user.pk, "close", which=" Ben@example.org ", nameless="on")
    assert done.redirect_chain[-1][0] == f"{AT}accounts/user/"
    assert "The account of ben@example.org is closed" in text(done)
    assert not get_user_model().objects.filter(pk=user.pk).exists()
    assert Thread.objects.get(title="Hello").name == "Former player"
    assert OperatorAct.objects.get().user == boss.user
    page = act(boss, "accounts/user", boss.user.pk, "close", which="boss@example.org")
    assert "Close your own account in your settings." in text(page)


def test_a_game_is_deleted_once_its_address_is_typed(boss, game):
    assert "riday is being played: stop it first" in text(act(boss, "tables/game", game.pk, "delete", which="friday"))
    act(boss, "tables/game", game.pk, "close")
    assert "You typed monday" in text(act(boss, "tables/game", game.pk, "delete", which="monday"))
    done = act(boss, "tables/game", game.pk, "delete", which="friday")
    assert done.redirect_chain[-1][0] == f"{AT}tables/game/"
    assert "Friday is deleted." in text(done)
    assert boss.get("/g/friday/").status_code == 404


def test_limits_are_lifted(boss, ann):
    Deed.objects.create(user=ann.user, what="post", count=40)
    assert "40" in text(boss.get(f"{AT}limits/"))
    act(boss, "accounts/user", ann.user.pk, "lift-limits")
    assert not Deed.objects.exists()


# ---- games, reports, letters


def test_a_game_is_closed_and_goes_on(boss, game, ann):
    assert "Friday is stopped" in text(act(boss, "tables/game", game.pk, "close", because="Insults"))
    assert not domain.order(game, "Ann", "propose", {"title": "T", "text": "W"}).ok
    assert "Insults" in text(Client().get("/g/friday/log/"))
    assert "already" in text(act(boss, "tables/game", game.pk, "close"))
    assert "goes on" in text(act(boss, "tables/game", game.pk, "open"))
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "W"}).ok
    assert [each.what for each in OperatorAct.objects.all()] == ["resume", "stop"]


def test_a_report_is_answered(boss, game, ann):
    ann.post("/g/friday/report/", {"sort": "admin", "because": "Takes sides"})
    assert "Takes sides" in text(boss.get(AT))
    mail.outbox.clear()
    report = Complaint.objects.get()
    act(boss, "order/complaint", report.pk, "answer", because="Talked to them")
    assert "Talked to them" in mail.outbox[0].body
    assert "Takes sides" not in text(boss.get(AT))
    assert "answered already" in text(act(boss, "order/complaint", report.pk, "answer"))


def test_letters_are_listed_without_what_they_say(boss, game, ann):
    letter = Letter.objects.create(to="eve@example.org", subject="Hello", text="CODE-123456", next_try=None, tries=3)
    for path in ("post/letter/", f"post/letter/{letter.pk}/change/"):
        page = text(boss.get(AT + path))
        assert "eve@example.org" in page
        assert "CODE-123456" not in page
    mail.outbox.clear()
    act(boss, "post/letter", letter.pk, "again")
    assert mail.outbox[0].to == ["eve@example.org"]
    letter.refresh_from_db()
    assert letter.sent is not None
    assert "sent already" in text(act(boss, "post/letter", letter.pk, "give-up"))


def test_the_processes_of_the_site_are_shown(boss, game):
    assert "The process that answers you has" in text(boss.get(AT))
    there = Process.objects.create(pk="x", address="http://10.0.0.5:8001", beat=timezone.now())
    Home.objects.create(game=game, process=there)
    assert re.search(r"http://10\.0\.0\.5:8001 \d+ \w+ [\d:]+ 1\b", text(boss.get(AT)))


# ---- on the command line


@pytest.fixture
def command(monkeypatch, capsys):
    """command("block ann@example.org --because Spam") runs it on the test's database: (status, what was printed)."""
    from nomopoly.site import files

    monkeypatch.setattr(files, "opened", lambda data, new=False: None)

    def run(words, *more):
        status = cli.run(["operator", *words.split(), *more])
        out = capsys.readouterr()
        return status, out.out + out.err

    return run


def test_the_commands_do_the_same(command, game, keeper, ann, ben, people):
    people("heir")
    assert "is an operator now" in command("appoint ben@example.org --because", "Helps me")[1]
    assert "no operator any more" in command("dismiss ben@example.org --because", "Is away")[1]
    assert "Friday is stopped" in command("close friday --because Insults")[1]
    assert command("close friday --because Insults")[0] == 1
    assert "goes on" in command("open friday --because Settled")[1]
    assert "is the Admin of Friday" in command("give-office friday heir@example.org --because Asked")[1]
    assert "/g/friday/seat/?" in command("free-seat friday Ben --because Asked")[1]
    assert "Out of Friday" in command("block ann@example.org --because Spam")[1]
    assert "can log in again" in command("unblock ann@example.org --because Sorry")[1]
    assert "bytes of entries" in command("storage friday")[1]
    assert "games running: 1" in command("state")[1]
    for listed in ("faults", "reports", "workers"):
        assert command(listed) == (0, "Nothing.\n")
    for listed in ("outbox", "limits"):
        assert command(listed)[0] == 0
    log = command("log")[1]
    assert "the command line" in log
    assert log.count("\n") == OperatorAct.objects.count() == 8
    assert "ann@example.org" not in log, "the log outlives the account"


@pytest.mark.parametrize(("words", "name"), [("", "Ben"), ("--nameless", "Former player")])
def test_an_account_is_closed_for_an_owner_who_cannot_log_in(command, game, ann, ben, mailoutbox, words, name):
    user = get_user_model().objects.get(email="ben@example.org")
    ben.post("/g/friday/forum/new/", {"title": "Hello", "body": "Here I am"})
    assert Thread.objects.get(user=user).name == "Ben"
    status, told = command(f"close-account ben@example.org {words} --because", "Asked by letter")
    assert (status, "The account of ben@example.org is closed" in told) == (0, True), told
    assert not get_user_model().objects.filter(pk=user.pk).exists()
    assert [each.to for each in mailoutbox if "is closed" in each.subject] == [["ben@example.org"]]
    assert Thread.objects.get(title="Hello").name == name
    assert f"closes account {user.pk}: Asked by letter" in command("log")[1]
    status, told = command("close-account ben@example.org --because", "Asked by letter")
    assert (status, "there is no account" in told) == (1, True), told


def test_a_game_that_is_closed_is_deleted(command, game):
    status, told = command("delete friday --because", "The year is over")
    assert (status, "stop it first" in told) == (1, True), told
    assert command("close friday --because", "The year is over")[0] == 0
    assert "Friday is deleted" in command("delete friday --because", "The year is over")[1]
    status, told = command("delete friday --because", "The year is over")
    assert (status, "friday" in told) == (1, True), told
    assert "deletes game friday: The year is over" in command("log")[1]


@pytest.mark.parametrize(
    "why", [Busy(5, "This game is busy."), Damaged("entry 3 is not there")], ids=["busy", "damaged"]
)
@pytest.mark.parametrize("do", ["close", "delete"])
def test_a_game_that_cannot_be_asked_is_one_line(command, game, monkeypatch, why, do):
    def refuse(*_):
        raise why

    monkeypatch.setattr(live.Warm, "at_hand", refuse)
    monkeypatch.setattr(live.Warm, "fresh", refuse)
    status, told = command(f"{do} friday --because", "The year is over")
    assert (status, told.count("\n"), str(why) in told) == (1, 1, True), told


def test_reports_are_answered_by_number(command, game, ann):
    ann.post("/g/friday/report/", {"sort": "admin", "because": "Takes sides"})
    number = Complaint.objects.get().pk
    assert "Takes sides" in command("reports")[1]
    assert "Answered" in command(f"answer {number} --because Looked")[1]
    assert command("reports")[1] == "Nothing.\n"
    status, told = command(f"answer {number} --because Looked")
    assert status == 1
    assert "no open report" in told
    ann.post("/g/friday/report/", {"sort": "name", "about": "Ann", "because": "This is for the Admin"})
    waits = Complaint.objects.get(because="This is for the Admin")
    assert "no open report" in command(f"answer {waits.pk} --because Looked")[1]


def test_mails_are_tried_again_or_given_up_by_number(command, game):
    lost, hopeless = (
        Letter.objects.create(to=f"{name}@example.org", subject="Hello", text="x", next_try=when, tries=3)
        for name, when in (("eve", None), ("nobody", timezone.now() + timedelta(hours=1)))
    )
    assert "tried again now" in command(f"send-again {lost.pk} --because", "It is up again")[1]
    lost.refresh_from_db()
    assert lost.sent is not None
    assert "not tried any more" in command(f"give-up {hopeless.pk} --because", "Nobody there")[1]
    hopeless.refresh_from_db()
    assert (hopeless.sent, hopeless.next_try) == (None, None)
    assert [each.what for each in OperatorAct.objects.order_by("pk")] == ["send again", "give up"]
    assert "no mail has the number 0" in command("give-up 0 --because x")[1]


def test_the_processes_of_the_site_are_listed(command, game):
    there = Process.objects.create(pk="x", address="http://10.0.0.5:8001", beat=timezone.now())
    Home.objects.create(game=game, process=there)
    status, told = command("workers")
    assert status == 0
    assert told.startswith("http://10.0.0.5:8001  ")
    assert told.endswith("  1 games\n")


@pytest.mark.parametrize("words", ["block nobody@example.org --because x", "close nowhere --because x"])
def test_what_is_not_there_is_said(command, game, words):
    status, told = command(words)
    assert status == 1
    assert "there is no" in told


def test_the_first_page_says_in_words_how_the_site_is(boss, game):
    page = boss.get(AT).content.decode()
    assert "Games in which something is due" in page
    assert "games_due" not in page
    assert "clock_silent_seconds" not in page


HEADS = {
    "accounts/user/": "Adresse Darf sich anmelden Betreiber Dabei seit Letzte Anmeldung",
    "tables/game/": "Titel Adresse Edition Sichtbarkeit Amt Admin Vorbei Begonnen",
    "tables/fault/": "Begonnen Spiel Regel Zeile Meldung Erledigt",
    "order/complaint/": "Gemacht Spiel Worüber Warum",
    "post/letter/": "Gemacht An Betreff Versuche Nächster Versuch Verschickt Hindernis",
    "order/operatoract/": "Wann Von Benutzerkonto Was Worüber Warum",
}


@pytest.mark.parametrize("path", HEADS)
def test_the_heads_of_its_tables_are_in_the_readers_language(boss, game, ann, path):
    ann.post("/g/friday/report/", {"sort": "admin", "because": "Takes sides"})
    Fault.objects.create(game=game, rule="X.1", line=3, message="boom")
    act(boss, "tables/game", game.pk, "close", because="Insults")
    boss.user.language = "de"
    boss.user.save()
    page = text(boss.get(AT + path)).partition("Design wechseln (aktuelles Design: dunkel)")[2]
    assert HEADS[path] in re.sub(r" \d+(?= )", "", page)
    assert not re.search(r"\b(?:[Gg]ame|[Ff]ault|[Aa]ccount|is active|is staff)s?\b", page), page


def test_what_operators_did_is_told_in_the_readers_language(boss, game):
    act(boss, "tables/game", game.pk, "close", because="Insults")
    assert f"stops game friday (operator {boss.user.pk}): Insults" in text(boss.get(AT))
    boss.user.language = "de"
    boss.user.save()
    assert f"hält an: Spiel friday (Betreiber {boss.user.pk}): Insults" in text(boss.get(AT))
    chosen = text(boss.get(f"{AT}order/operatoract/?what=block"))
    assert "Insults" not in chosen
    assert "Bytes an Einträgen" in text(boss.get(f"{AT}tables/game/{game.pk}/change/"))

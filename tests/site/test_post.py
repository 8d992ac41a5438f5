"""The post office: nothing is lost, nothing is sent twice, whatever the mail server does."""

import smtplib
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.mail.backends import smtp
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from nomopoly.site.accounts import closing
from nomopoly.site.post import office
from nomopoly.site.post.backend import Patient
from nomopoly.site.post.models import Letter, Mailbox


@pytest.fixture
def user():
    return get_user_model().objects.create_user("ann@example.org")


@pytest.fixture(autouse=True)
def by_hand(monkeypatch, post):
    """Here letters go out when a test says so."""
    monkeypatch.setattr(office, "wake", lambda: None)


def failing(error):
    def send(_letter):
        raise error

    return send


def test_a_letter_stands_and_falls_with_its_cause():
    def put_and_break():
        with transaction.atomic():
            office.put("ann@example.org", "Hello", "Text")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        put_and_break()
    assert office.deliver() == 0
    office.put("ann@example.org", "Hello\nyou", "Text", headers={"X-Why": "test"})
    assert office.deliver() == 1
    assert office.deliver() == 0
    own = {"X-Why": "test", "Message-ID": office.message_id(Letter.objects.get())}
    assert [(each.subject, each.to, each.extra_headers) for each in mail.outbox] == [
        ("Hello you", ["ann@example.org"], office.BY_A_PROGRAM | own)
    ]


def test_while_the_server_is_down_letters_wait_longer_and_longer(monkeypatch, user):
    office.put(user.email, "Hello", "Text", user=user)
    with monkeypatch.context() as patch:
        patch.setattr(office, "send", failing(ConnectionRefusedError("nobody there")))
        waits = []
        for _ in range(len(office.PAUSES)):
            before = timezone.now()
            assert office.deliver() == 1
            letter = Letter.objects.get()
            waits.append(letter.next_try - before)
            assert office.is_down()
            Letter.objects.update(next_try=before)
    minutes = [round(wait.total_seconds() / 60) for wait in waits]
    assert minutes == [1, 5, 15, 60, 180, 360, 720, 720, 720]
    assert office.deliver() == 1
    assert len(mail.outbox) == 1
    assert not office.is_down()
    assert not Mailbox.objects.filter(off__isnull=False).exists()


def test_a_letter_that_nobody_takes_is_given_up_in_the_end(monkeypatch, user):
    office.put(user.email, "Hello", "Text", user=user)
    monkeypatch.setattr(office, "send", failing(smtplib.SMTPServerDisconnected("gone")))
    for _ in range(len(office.PAUSES) + 1):
        Letter.objects.update(next_try=timezone.now())
        office.deliver()
    letter = Letter.objects.get()
    assert (letter.sent, letter.next_try) == (None, None)
    assert "gone" in letter.problem


def test_an_address_that_refuses_three_times_is_written_to_no_more(monkeypatch, user):
    refusal = smtplib.SMTPRecipientsRefused({user.email: (550, b"no such user")})
    monkeypatch.setattr(office, "send", failing(refusal))
    for _ in range(3):
        office.put(user.email, "Hello", "Text", user=user)
        office.deliver()
    assert Mailbox.objects.get(user=user).off is not None
    assert Letter.objects.filter(next_try=None, sent=None).count() == 3
    office.open_again(user)
    assert Mailbox.objects.get(user=user).off is None


def test_a_full_box_is_no_bounce(monkeypatch, user):
    monkeypatch.setattr(office, "send", failing(smtplib.SMTPRecipientsRefused({user.email: (452, b"full")})))
    office.put(user.email, "Hello", "Text", user=user)
    office.deliver()
    assert not Mailbox.objects.filter(bounces__gt=0).exists()
    assert Letter.objects.get().next_try is not None


def test_a_claimed_letter_is_out_of_reach_of_others_until_its_worker_is_surely_dead():
    office.put("ann@example.org", "Hello", "Text")
    mine = office.claim(Letter)
    assert mine is not None
    assert office.claim(Letter) is None
    assert office.claim(Letter, timezone.now() + office.LEASE + timedelta(seconds=1)).pk == mine.pk


def test_two_workers_at_one_letter_send_it_once():
    office.put("ann@example.org", "Hello", "Text")
    read = list(Letter.objects.all())
    assert office.claim(Letter).pk == read[0].pk
    stale = Letter.objects.filter(pk=read[0].pk, next_try=read[0].next_try)
    assert stale.update(next_try=timezone.now()) == 0


def test_what_is_sent_at_once_waits_where_the_server_is_down(monkeypatch):
    def refuse(*_):
        raise ConnectionRefusedError("nobody there")

    monkeypatch.setattr(smtp.EmailBackend, "send_messages", refuse)
    with override_settings(EMAIL_BACKEND="nomopoly.site.post.backend.Patient"):
        assert mail.send_mail("Your code", "123", None, ["ann@example.org"]) == 1
    letter = Letter.objects.get()
    assert (letter.subject, letter.text, letter.sent) == ("Your code", "123", None)
    with pytest.raises(ConnectionRefusedError):
        Patient(patient=False).send_messages([mail.EmailMessage("a", "b", None, ["c@example.org"])])


def test_letters_that_are_done_with_are_forgotten():
    office.put("ann@example.org", "Hello", "Text")
    office.deliver()
    Letter.objects.update(made=timezone.now() - office.KEPT - timedelta(days=1))
    office.put("ann@example.org", "Waits", "Text")
    office.tidy()
    assert [each.subject for each in Letter.objects.all()] == ["Waits"]


@pytest.mark.django_db
def test_a_mail_that_is_sent_again_is_the_same_one_and_names_no_machine(settings):
    """Whoever gets it a second time, because the server's answer was lost, sees it once."""
    settings.NOMOPOLY_ADDRESS = "https://play.example.org"
    office.put("ann@example.org", "One", "Words")
    office.put("ann@example.org", "Two", "Words")
    one, two = Letter.objects.all()
    for letter in (one, one, two):
        office.send(letter)
    names = [each.message()["Message-ID"] for each in mail.outbox]
    assert names[0] == names[1] != names[2]
    two.pk = one.pk  # as in a site that has come back from a backup
    assert office.message_id(two) != office.message_id(one)
    assert all(name.endswith("@play.example.org>") for name in names)


def test_every_mail_says_that_a_program_wrote_it_and_wants_no_answer_of_a_program(client, user, settings):
    settings.NOMOPOLY_ADDRESS, settings.ALLOWED_HOSTS = "https://play.example.org", ["*"]
    office.put(user.email, "Hello", "Text")
    office.put(user.email, "Hello", "Text", headers={"Auto-Submitted": "auto-replied"})
    assert office.deliver() == 2
    assert client.post("/account/login/code/", {"email": user.email}).status_code in (302, 303)
    closing.tell("ben@example.org")
    said = [
        (each.extra_headers["Auto-Submitted"], each.extra_headers["X-Auto-Response-Suppress"]) for each in mail.outbox
    ]
    quiet = office.BY_A_PROGRAM["X-Auto-Response-Suppress"]
    assert "OOF" in quiet
    assert "NDR" not in quiet  # what a mail server refuses is still reported
    assert said == [
        ("auto-generated", quiet),
        ("auto-replied", quiet),
        ("auto-generated", quiet),
        ("auto-generated", quiet),
    ]
    assert [each.extra_headers["Message-ID"].partition("@")[2] for each in mail.outbox] == ["play.example.org>"] * 4

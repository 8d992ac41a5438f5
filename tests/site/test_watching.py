"""Watching a proposal: who watches it hears of all that is said of it and becomes of it, once; who stops hears no
more."""

import pytest
from django.core import mail
from django.test import Client
from pagewords import accept, propose, text, token

from nomopoly.site.notices.models import Notice
from nomopoly.site.play import talk
from nomopoly.site.tables import domain

PAGE = "/g/friday/proposals/1/"


def watch(client, do="watch"):
    return client.post(f"{PAGE}watch/", {"do": do, "once": token(client.get(PAGE))}, follow=True)


def say(client, words):
    client.post(f"{PAGE}comment/", {"body": words, "once": token(client.get(PAGE))})


def told_to(name):
    """What somebody was told of, as (kind, words)."""
    found = Notice.objects.filter(user__email=f"{name}@example.org").order_by("pk")
    return [(each.kind, each.text) for each in found if each.kind in ("watched", "talk", "proposal")]


@pytest.fixture
def proposed(game, ann, ben, told):
    """A proposal of Ann's that all have been told of."""
    propose(game)
    told()
    Notice.objects.all().delete()
    mail.outbox.clear()
    return game


def test_who_watches_is_told_of_talk_and_of_the_verdict_once_and_by_mail(proposed, ann, ben, told):
    assert "Watch this proposal" in text(ben.get(PAGE))
    assert "You watch this proposal: you are told" in text(watch(ben))
    assert "Stop watching" in text(ben.get(PAGE))
    say(ann, "What do you think of it?")
    accept(proposed, "P1")
    told()
    told()
    assert sorted(told_to("ben")) == [
        ("watched", "Ann: What do you think of it?"),
        ("watched", "Proposal 1, A thing: accepted"),
    ]
    mails = [each for each in mail.outbox if each.to == ["ben@example.org"]]
    assert len(mails) == 1
    assert "What do you think of it?" in mails[0].body


def test_who_stops_hears_what_everybody_does(proposed, ann, ben, told):
    watch(ben)
    assert "You watch this proposal no more" in text(watch(ben, "stop"))
    say(ann, "Anybody?")
    accept(proposed, "P1")
    told()
    assert told_to("ben") == [("proposal", "Proposal 1, A thing: accepted")]


def test_a_reader_who_does_not_play_may_watch_until_the_game_is_closed_to_them(proposed, ann, people, told):
    watch(people("eve"))
    say(ann, "One.")
    told()
    assert told_to("eve") == [("watched", "Ann: One.")]
    assert len([each for each in mail.outbox if each.to == ["eve@example.org"]]) == 1
    domain.change_game(proposed, visibility="private")
    say(ann, "Two.")
    told()
    assert told_to("eve") == [("watched", "Ann: One.")]


def test_who_does_not_play_hears_nothing_of_a_closed_forum(proposed, ann, ben, people, told):
    """A stranger may watch a proposal: its standing is public, what is said of it is not."""
    watch(people("eve"))
    watch(ben)
    talk.let_read(proposed, "players")
    say(ann, "Among us.")
    accept(proposed, "P1")
    told()
    assert told_to("eve") == [("watched", "Proposal 1, A thing: accepted")]
    assert ("watched", "Ann: Among us.") in told_to("ben")


def test_ones_own_words_are_no_news(proposed, ben, told):
    watch(ben)
    say(ben, "Mine.")
    told()
    assert told_to("ben") == []


def test_watching_wants_an_account_and_a_proposal_and_no_get(proposed, ann):
    assert "watch/" not in Client().get(PAGE).content.decode()
    assert Client().post(f"{PAGE}watch/").headers["Location"].startswith("/account/login/")
    assert ann.get(f"{PAGE}watch/").status_code == 405
    assert ann.post("/g/friday/proposals/99/watch/").status_code == 404

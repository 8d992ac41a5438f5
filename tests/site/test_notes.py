"""Private notes: one sheet a game, for its owner alone."""

from django.test import Client
from pagewords import text, token

from nomopoly.site.play.models import Note
from nomopoly.site.tables import domain, live

AT = "/g/friday/"
NOTES = f"{AT}notes/"
PLAN = "Buy #7 before Ben does: PLAN-91"


def test_notes_are_kept_and_nothing_happens_in_the_game(ann, game):
    assert f'href="{NOTES}"' in ann.get(AT).content.decode()
    n = live.of(game).n
    answer = ann.post(NOTES, {"body": "\r\n  one\r\n<b>two</b>"}, follow=True)
    assert "Your notes are kept" in text(answer)
    assert ">\n\n  one\n&lt;b&gt;two&lt;/b&gt;</textarea>" in answer.content.decode()
    assert Note.objects.get().body == "\n  one\n<b>two</b>"
    assert live.of(game).n == n
    ann.post(NOTES, {"body": "", "before": Note.objects.get().saved.isoformat()})
    assert Note.objects.get().body == ""


def test_nobody_else_reads_them(ann, bob, keeper, people):
    ann.post(NOTES, {"body": PLAN})
    bob.post(NOTES, {"body": "Mine"})
    assert PLAN in text(ann.get(NOTES))
    assert PLAN not in text(bob.get(NOTES))
    for reader in (keeper, people("stranger")):
        assert reader.get(NOTES).status_code == 403
        assert reader.post(NOTES, {"body": "x"}).status_code == 403
        assert PLAN not in reader.get(AT).content.decode()
    assert Client().get(NOTES).status_code == 302
    assert "notes/" not in Client().get(AT).content.decode()
    assert Note.objects.count() == 2


def test_who_has_left_still_has_them(ann, game):
    ann.post(NOTES, {"body": PLAN})
    domain.leave(game, ann.user.memberships.get())
    assert PLAN in text(ann.get(NOTES))


def test_a_double_sending_and_another_tab(ann):
    sent = {"body": "first", "before": "", "once": token(ann.get(NOTES))}
    ann.post(NOTES, sent)
    assert "Already done" in text(ann.post(NOTES, sent, follow=True))
    late = ann.post(NOTES, {"body": "second", "before": ""})
    assert late.status_code == 200
    assert 'role="alert"' in late.content.decode()
    assert "changed elsewhere" in text(late)
    assert ">\nsecond</textarea>" in late.content.decode()
    assert "first" in text(late)
    assert Note.objects.get().body == "first"


def test_what_is_too_long_is_refused_and_stays_typed(ann):
    answer = ann.post(NOTES, {"body": "x" * 50_001})
    assert "too long: 50,001 characters" in text(answer)
    assert "x" * 50_001 in answer.content.decode()
    assert not Note.objects.exists()

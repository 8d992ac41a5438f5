"""Talk about proposals and log entries: read by all, written by players and the Admin, never an action."""

import pytest
from django.test import Client
from pagewords import seated, text, token

from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game


@pytest.fixture
def proposal(game, ann):
    domain.order(game, "Ann", "propose", {"title": "Rent", "text": "Let there be rent."})
    return "/g/friday/proposals/1/"


def test_a_comment_stands_under_the_proposal_for_all(keeper, ann, proposal):
    before = live.of(game_of(proposal)).n
    assert ann.post(proposal + "comment/", {"body": "What do *you* think?"}).status_code == 303
    keeper.post(proposal + "comment/", {"body": "<b>No</b> <script>alert(1)</script>"})
    for reader in (ann, keeper, Client()):
        page = reader.get(proposal)
        assert "What do you think?" in text(page)
        assert "<em>you</em>" in page.content.decode()
        assert "<script>alert" not in page.content.decode()
        assert "The Admin" in text(page)
    assert live.of(game_of(proposal)).n == before


def game_of(address):
    return Game.objects.get(slug=address.split("/")[2])


def test_only_players_and_the_admin_speak(proposal, people):
    stranger = people("stranger")
    answer = stranger.post(proposal + "comment/", {"body": "Me too"})
    assert answer.status_code == 403
    assert "Only players of this game can comment" in text(answer)
    assert Client().post(proposal + "comment/", {"body": "x"}).status_code in (302, 303)
    assert 'name="body"' not in Client().get(proposal).content.decode()


def test_an_empty_one_is_refused_and_a_double_one_stands_once(ann, proposal):
    assert "Write something first" in text(ann.post(proposal + "comment/", {"body": "  "}, follow=True))
    sent = {"body": "Once only", "once": token(ann.get(proposal))}
    ann.post(proposal + "comment/", sent)
    assert "Already done" in text(ann.post(proposal + "comment/", sent, follow=True))
    assert text(ann.get(proposal)).count("Once only") == 1
    assert ann.post("/g/friday/proposals/99/comment/", {"body": "x"}).status_code == 404


def test_an_entry_can_be_questioned(ann, keeper, game):
    number = next(entry["number"] for entry in live.of(game).facts("Ann")[::-1] if entry["number"])
    page = f"/g/friday/log/{number}/"
    assert "Question this" in text(ann.get(page))
    ann.post(page + "question/", {"body": "Is that right?"})
    assert "Is that right?" in text(keeper.get(page))


@pytest.mark.parametrize("page", ["proposals/1/comment/", "log/2/question/"])
def test_what_was_typed_stays_where_it_is_refused(ann, proposal, page):
    typed = "a" * 10_005
    answer = ann.post(f"/g/friday/{page}", {"body": typed})
    assert answer.status_code == 200
    assert "That is too long" in text(answer)
    assert f">{typed}</textarea>" in answer.content.decode()
    assert typed not in ann.get(proposal).content.decode()


def test_what_is_hidden_has_a_reason(keeper, ann, proposal):
    ann.post(proposal + "comment/", {"body": "Rude words"})
    post = Comment.objects.get()
    answer = keeper.post(f"/g/friday/forum/posts/{post.pk}/mind/", {"do": "hide", "because": " "}, follow=True)
    assert "Say why" in text(answer)
    assert "Rude words" in text(Client().get(proposal))
    keeper.post(f"/g/friday/forum/posts/{post.pk}/mind/", {"do": "hide", "because": "Rude"})
    assert "Rude words" not in text(Client().get(proposal))


def test_a_player_is_named_in_any_case(ann, people, game, proposal):
    seated(game, people("al"), "Al Lee")
    ann.post(proposal + "comment/", {"body": "Look, @ann and @Al Lee, not @nobody: p1 and P1."})
    page = Client().get(proposal).content.decode()
    assert '<a href="/g/friday/players/Ann/">@ann</a> and <a href="/g/friday/players/Al%20Lee/">@Al Lee</a>' in page
    assert 'not @nobody: p1 and <a href="/g/friday/proposals/1/">P1</a>' in page

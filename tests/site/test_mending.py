"""The Admin mends the typos of a proposal (`original` I.4): both versions stay readable, and the game keeps what was
written."""

import pytest
from django.test import Client
from pagewords import propose, text, things, token

from nomopoly.site.play import mending
from nomopoly.site.play.models import Comment
from nomopoly.site.tables import live

PAGE = "/g/friday/proposals/1/"
WRITTEN = {"title": "Hosues", "text": "Every hosue costs $300.\n\nNobody has more then 4."}
MENDED = {"title": "Houses", "text": "Every house costs $300.\n\nNobody has more than 4."}


@pytest.fixture
def proposed(game, ann):
    propose(game, **WRITTEN)
    return game


def mend(client, **words):
    return client.post(f"{PAGE}mend/", words | {"once": token(client.get(f"{PAGE}mend/"))}, follow=True)


def test_readers_see_the_mended_words_and_what_was_written(proposed, keeper):
    before = live.of(proposed).state_hash(), live.of(proposed).n
    assert "Mend its typos" in text(keeper.get(PAGE))
    assert "The words are mended" in text(mend(keeper, **MENDED))
    page = Client().get(PAGE).content.decode()
    shown, _, written = page.partition('id="as-written"')
    assert "Every house costs $300." in shown.partition('id="mended"')[2]
    assert "Every hosue costs $300." in written
    assert "<del>" in shown
    assert "The Admin has mended typos" in shown
    assert (live.of(proposed).state_hash(), live.of(proposed).n) == before
    assert things(proposed)["P1"]["text"] == WRITTEN["text"]


def test_the_form_goes_on_from_what_is_mended_and_the_old_words_end_it(proposed, keeper):
    mend(keeper, **MENDED)
    assert (
        "Every house costs"
        in keeper.get(f"{PAGE}mend/").content.decode().partition("<textarea")[2].partition("<details")[0]
    )
    mend(keeper, **WRITTEN)
    assert "has mended typos" not in text(keeper.get(PAGE))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"text": "Every house costs $30.\n\nNobody has more than 4."}, "300 became 30"),
        ({"text": "Every house costs $300."}, "4 became nothing"),
        ({"title": "5 houses"}, "300 became 5"),
        ({"title": ""}, "takes no words away"),
    ],
)
def test_what_changes_the_meaning_is_refused_and_nothing_typed_is_lost(proposed, keeper, changed, why):
    page = mend(keeper, **MENDED | changed)
    assert why in text(page)
    assert 'id="refusal"' in page.content.decode()
    for typed in (MENDED | changed).values():
        assert typed.replace("\n", "\r\n") in page.content.decode() or typed in page.content.decode()
    assert mending.of(proposed, things(proposed)["P1"]) is None


def test_it_is_the_admins_alone(proposed, ann, people):
    for client in (ann, people("eve")):
        assert client.get(f"{PAGE}mend/").status_code == 403
        assert client.post(f"{PAGE}mend/", MENDED).status_code == 403
        assert "Mend its typos" not in text(client.get(PAGE))


# ---- posts


@pytest.fixture
def said(game, ann):
    """A post of Ann's in a thread: its number, and the page that it stands on."""
    ann.post("/g/friday/forum/new/", {"title": "Hosues", "body": "Every hosue costs $300."})
    return Comment.objects.get(game=game).pk, "/g/friday/forum/1/"


def mend_post(client, number, words):
    page = f"/g/friday/forum/posts/{number}/mend/"
    return client.post(page, {"text": words, "once": token(client.get(page))}, follow=True)


def test_a_post_is_read_with_its_typos_mended_and_as_it_was_written(said, keeper, ann):
    number, page = said
    assert f"/forum/posts/{number}/mend/" in keeper.get(page).content.decode()
    assert f"/forum/posts/{number}/mend/" not in ann.get(page).content.decode()
    assert "The words are mended" in text(mend_post(keeper, number, "Every house costs $300."))
    for client in (Client(), ann):
        seen = text(client.get(page))
        assert "Every house costs $300." in seen.partition("The Admin has mended typos")[0]
        assert "Every hosue costs $300." in seen.partition("As it was written")[2]
    (told,) = Client().get("/api/v1/g/friday/forum/1").json()["comments"]
    assert (told["body"], told["mended"]) == ("Every hosue costs $300.", "Every house costs $300.")
    assert Comment.objects.get(pk=number).body == "Every hosue costs $300."


def test_a_number_in_a_post_is_no_typo_and_only_the_admin_mends(said, keeper, ann):
    number, page = said
    told = mend_post(keeper, number, "Every house costs $30.")
    assert "300 became 30" in text(told)
    assert "Every house costs $30.</textarea>" in told.content.decode()
    assert ann.get(f"/g/friday/forum/posts/{number}/mend/").status_code == 403
    assert ann.post(f"/g/friday/forum/posts/{number}/mend/", {"text": "Every house costs $300."}).status_code == 403
    assert "mended typos" not in text(ann.get(page))
    assert keeper.get("/g/friday/forum/posts/999/mend/").status_code == 404


@pytest.mark.parametrize("then", ["edit", "delete", "hide"])
def test_what_its_author_writes_anew_or_deletes_and_what_is_hidden_has_no_mended_words(said, keeper, ann, then):
    number, page = said
    mend_post(keeper, number, "Every house costs $300.")
    if then == "edit":
        ann.post(f"/g/friday/forum/posts/{number}/", {"body": "Every hosue costs $500."})
    elif then == "delete":
        ann.post(f"/g/friday/forum/posts/{number}/", {"delete": "1"})
    else:
        keeper.post(f"/g/friday/forum/posts/{number}/mind/", {"do": "hide", "because": "rude"})
        assert keeper.get(f"/g/friday/forum/posts/{number}/mend/").status_code == 404
    assert "Every house costs" not in Client().get(page).content.decode()
    assert "Every house costs" not in Client().get("/api/v1/g/friday/forum/1").content.decode()

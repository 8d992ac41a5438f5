"""The forum: threads, whose words are seen, and posts that the rules make orders of."""

import datetime

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pagewords import text, token

from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain, live

AT = "/g/friday/"


def begin(client, title, body, **more):
    page = client.get(f"{AT}forum/new/")
    return client.post(f"{AT}forum/new/", {"title": title, "body": body, "once": token(page), **more}, follow=True)


def answer(client, body, number=1):
    page = client.get(f"{AT}forum/{number}/")
    return client.post(f"{AT}forum/{number}/", {"body": body, "once": token(page)}, follow=True)


def test_a_thread_is_begun_and_answered_and_changes_nothing_in_the_game(game, ann, ben):
    before = live.of(game).n
    assert "Plans" in text(begin(ann, "Plans", "Shall we?"))
    assert "Why not" in text(answer(ben, "Why not"))
    page = text(Client().get(f"{AT}forum/"))
    assert "Plans" in page
    assert "by Ben" in page
    assert "Shall we?" in text(Client().get(f"{AT}forum/1/"))
    assert live.of(game).n == before


def test_one_asks_about_a_rule_from_its_page(ann):
    way = "/g/friday/forum/new/?title=Rule%20VIII.3%3A%20what%20does%20it%20mean%3F"
    assert f'href="{way}"' in ann.get("/g/friday/rules/VIII.3/").content.decode()
    assert 'value="Rule VIII.3: what does it mean?"' in ann.get(way).content.decode()
    assert "forum/new/" not in Client().get("/g/friday/rules/VIII.3/").content.decode()


def test_what_is_wrong_is_said_and_what_was_typed_stays(ann):
    page = begin(ann, " ", "Long thoughts")
    assert "A thread needs a title" in text(page)
    assert "Long thoughts" in page.content.decode()
    assert "Write something first" in text(begin(ann, "Title", "  "))
    begin(ann, "T", "x")
    assert "too long" in text(answer(ann, "x" * 10_001))


def test_a_title_turns_no_direction_in_the_tab_of_a_browser(ann):
    page = begin(ann, "Plans\u202e <b> \u2066now", "Shall we?").content.decode()
    assert "<title>Plans &lt;b&gt; now · Friday · Nomopoly</title>" in page


def test_strangers_read_and_do_not_write(people, ann, game):
    begin(ann, "Plans", "Shall we?")
    stranger = people("stranger")
    assert stranger.get(f"{AT}forum/1/").status_code == 200
    assert stranger.post(f"{AT}forum/1/", {"body": "Me too"}).status_code == 403
    assert stranger.get(f"{AT}forum/new/").status_code == 403
    assert Client().get(f"{AT}forum/new/").status_code == 302


def test_who_has_asked_to_join_introduces_themselves(people, ann, game):
    asks = people("cid")
    assert asks.post(f"{AT}forum/introductions/").status_code == 403
    assert domain.ask_to_join(game, asks.user, "Cid").ok
    page = asks.post(f"{AT}forum/introductions/", follow=True)
    assert "Introductions" in text(page)
    assert "I am Cid" in text(answer(asks, "I am Cid."))
    begin(ann, "Other", "x")
    assert asks.post(f"{AT}forum/2/", {"body": "no"}).status_code == 403


def test_names_squares_proposals_rules_and_entries_become_links(game, ann):
    domain.order(game, "Ann", "propose", {"title": "Rent", "text": "x"})
    page = begin(ann, "Links", "@Ann is on #3, see P1, X.2, entry 2 and `#4`. Nobody: @Zoe, a#3").content.decode()
    for path, words in (
        ("players/Ann/", "@Ann"),
        ("squares/3/", "#3"),
        ("proposals/1/", "P1"),
        ("rules/X.2/", "X.2"),
        ("log/2/", "entry 2"),
    ):
        assert f'<a href="{AT}{path}">{words}</a>' in page
    assert "squares/4/" not in page
    assert "@Zoe" in page
    assert "players/Zoe" not in page


def test_ones_own_words_are_changed_quietly_at_first_and_visibly_later(ann, ben):
    begin(ann, "Plans", "Shall we?")
    said = Comment.objects.get()
    page = ann.get(f"{AT}forum/posts/{said.pk}/")
    ann.post(f"{AT}forum/posts/{said.pk}/", {"body": "Let us", "once": token(page)})
    assert "edited" not in text(ben.get(f"{AT}forum/1/"))
    Comment.objects.update(written=timezone.now() - datetime.timedelta(minutes=16))
    page = ann.get(f"{AT}forum/posts/{said.pk}/")
    ann.post(f"{AT}forum/posts/{said.pk}/", {"body": "Let us not", "once": token(page)})
    assert "Let us not" in text(ben.get(f"{AT}forum/1/"))
    assert "edited" in text(ben.get(f"{AT}forum/1/"))
    assert ben.get(f"{AT}forum/posts/{said.pk}/").status_code == 403


def test_deleted_words_are_gone(ann, ben):
    begin(ann, "Plans", "Shall we?")
    said = Comment.objects.get()
    page = ann.get(f"{AT}forum/posts/{said.pk}/")
    ann.post(f"{AT}forum/posts/{said.pk}/", {"delete": "1", "once": token(page)})
    assert "Deleted by its author" in text(ben.get(f"{AT}forum/1/"))
    assert "Shall we?" not in text(ben.get(f"{AT}forum/1/"))


def test_a_title_is_hidden_with_the_post_that_it_stands_above(keeper, ann, ben):
    begin(ann, "Ben is a fool", "Everybody knows it")
    ben.post(f"{AT}forum/1/", {"body": "I am not"})
    first = Comment.objects.order_by("pk").first()
    keeper.post(f"{AT}forum/posts/{first.pk}/mind/", {"do": "hide", "because": "rude"})
    for path in ("forum/", "forum/1/"):
        assert "is a fool" not in ben.get(AT + path).content.decode()
        assert "Title hidden by the Admin" in text(ben.get(AT + path))
    keeper.post(f"{AT}forum/posts/{first.pk}/mind/", {"do": "show"})
    assert "Ben is a fool" in text(ben.get(f"{AT}forum/"))


def test_a_report_is_the_admins_to_see_and_hidden_words_are_hidden_with_a_reason(keeper, ann, ben):
    begin(ann, "Plans", "Rude words")
    said = Comment.objects.get()
    ben.post(f"{AT}forum/posts/{said.pk}/mind/", {"do": "report", "because": "rude"})
    assert "reported" in text(keeper.get(f"{AT}forum/1/"))
    assert "reported" not in text(ann.get(f"{AT}forum/1/"))
    desk = text(keeper.get(f"{AT}admin/"))
    assert "Reported: what Ann said" in desk
    assert "“rude”" in desk
    assert "Ben" not in desk
    assert "look at what was said" in text(keeper.get("/me/"))
    assert ben.post(f"{AT}forum/posts/{said.pk}/mind/", {"do": "hide", "because": "x"}).status_code == 403
    keeper.post(f"{AT}forum/posts/{said.pk}/mind/", {"do": "hide", "because": "rude"})
    for reader in (ann, ben, keeper, Client()):
        assert "Rude words" not in text(reader.get(f"{AT}forum/1/"))
        assert "Hidden by the Admin: rude" in text(reader.get(f"{AT}forum/1/"))
    assert ann.get(f"{AT}forum/posts/{said.pk}/").status_code == 403
    keeper.post(f"{AT}forum/posts/{said.pk}/mind/", {"do": "show"})
    assert "Rude words" in text(ben.get(f"{AT}forum/1/"))


def test_whom_one_has_muted_one_does_not_hear(ann, ben):
    begin(ann, "Plans", "Rude words")
    said = Comment.objects.get()
    ben.post(f"{AT}forum/posts/{said.pk}/mind/", {"do": "mute"})
    assert "Rude words" not in text(ben.get(f"{AT}forum/1/"))
    assert "Rude words" in text(Client().get(f"{AT}forum/1/"))
    assert "Whom you do not hear" in text(ben.get(f"{AT}forum/"))
    ben.post(f"{AT}forum/unmute/", {"name": "Ann"})
    assert "Rude words" in text(ben.get(f"{AT}forum/1/"))


def test_talk_about_proposals_and_entries_stands_in_the_list(game, ann):
    domain.order(game, "Ann", "propose", {"title": "Rent", "text": "x"})
    ann.post(f"{AT}proposals/1/comment/", {"body": "Well?"})
    ann.post(f"{AT}log/2/question/", {"body": "Was that right?"})
    page = ann.get(f"{AT}forum/").content.decode()
    assert "Proposal 1: Rent" in page
    assert f"{AT}proposals/1/#talk" in page
    assert "Entry 2: " in page
    assert f"{AT}log/2/#talk" in page


def test_an_announcement_stays_at_the_top_and_is_mailed(keeper, ann, told):
    begin(keeper, "Holidays", "We pause in August.", announcement="1")
    begin(ann, "Later", "x")
    told()
    page = text(ann.get(f"{AT}forum/"))
    assert page.index("Holidays") < page.index("Later")
    assert [each for each in mail.outbox if "Holidays" in each.subject and "We pause in August." in each.body]
    begin(ann, "Mine", "x", announcement="1")
    assert text(ann.get(f"{AT}forum/")).count("announcement") == 1


# ---- posts that are orders


@pytest.fixture
def second(start_second, people):
    game, _ = start_second("Ann", slug="friday")
    return people("ann"), game


def test_a_post_with_the_title_of_an_order_is_one_once_it_is_confirmed(second):
    ann, game = second
    before = live.of(game).n
    page = begin(ann, "exploit block: Free rides", "They ride for nothing.")
    assert "This is more than talk" in text(page)
    assert live.of(game).n == before
    sent = {"title": "exploit block: Free rides", "body": "They ride for nothing.", "sure": "1", "once": token(page)}
    page = ann.post(f"{AT}forum/new/", sent, follow=True)
    assert "EXPLOIT BLOCK: Free rides, posted by Ann" in text(page)
    things = live.of(game).view("visitor")["things"]
    assert [each["name"] for each in things.values() if each["kind"] == "exploit"] == ["Free rides"]
    page = begin(ann, "EXPLOIT BLOCK: free rides", "Again", sure="1")
    assert "this exploit is already posted" in text(page)
    assert f'href="{AT}log/4/#talk"' in page.content.decode()
    assert "EXPLOIT BLOCK: Free rides, posted by Ann" in text(ann.get(f"{AT}log/4/"))
    refused = begin(ann, f"EXPLOIT BLOCK: {'x' * 101}", "Too long", sure="1")
    assert "See what was posted" not in text(refused)


def test_a_near_miss_is_talk_with_a_hint(second):
    ann, game = second
    page = begin(ann, "exploit block - rides", "They ride for nothing.")
    assert "It is talk alone" in text(page)
    assert not [each for each in live.of(game).view("visitor")["things"].values() if each["kind"] == "exploit"]


def test_without_such_rules_the_title_is_like_any_other(ann, game):
    assert "EXPLOIT BLOCK: x" in text(begin(ann, "EXPLOIT BLOCK: x", "y"))


def test_a_closed_forum_is_for_players_and_the_admin_alone(people, keeper, ann, ben, game):
    """What is said is in no page, twin, answer of the API, feed or mail to anybody else; the game is read as before."""
    begin(ann, "Secretplan", "Secretwords")
    keeper.post(f"{AT}admin/settings/", {"visibility": "public", "readers": "players", "about": ""})
    order = live.of(game).facts("visitor").where(open_to_all=True)[-1]["number"]
    ann.post(f"{AT}log/{order}/question/", {"body": "Secretquestion", "once": token(ann.get(f"{AT}log/{order}/"))})
    stranger = people("stranger")
    addresses = ["forum/", "forum/1/", "rulings/", f"log/{order}/", "log/feed.atom", "", "proposals/"]
    twins = ["forum", "forum/1", "rulings", f"log/{order}"]
    shown = {"ann": "", "ben": "", "keeper": "", "stranger": "", "nobody": ""}
    readers = {"ann": ann, "ben": ben, "keeper": keeper, "stranger": stranger, "nobody": Client()}
    for name, reader in readers.items():
        for path in [f"{AT}{each}" for each in addresses] + [f"/api/v1{AT}{each}" for each in twins]:
            shown[name] += reader.get(path).content.decode()
    for word in ("Secretplan", "Secretwords", "Secretquestion"):
        assert all(word in shown[name] for name in ("ann", "ben", "keeper")), word
        assert not any(word in shown[name] for name in ("stranger", "nobody")), word
    refused = stranger.get(f"{AT}forum/1/")
    assert refused.status_code == 403
    assert "Only players of this game can read its forum" in text(refused)
    assert stranger.get(f"{AT}forum/77/").status_code == 403  # how many threads there are is nobody's business either
    assert "Only the players of this game and its Admin can read" in text(stranger.get(f"{AT}forum/"))
    assert "Only the players of this game and its Admin can read it" in text(ann.get(f"{AT}forum/1/"))


def test_who_asks_to_join_introduces_themselves_in_a_closed_forum(people, keeper, ann, game):
    begin(ann, "Secretplan", "Secretwords")
    keeper.post(f"{AT}admin/settings/", {"visibility": "public", "readers": "players", "about": ""})
    asks = people("cid")
    assert domain.ask_to_join(game, asks.user, "Cid").ok
    page = asks.post(f"{AT}forum/introductions/", follow=True)
    assert page.status_code == 200
    assert "I like dice" in text(answer(asks, "I like dice", 2))
    listed = text(asks.get(f"{AT}forum/"))
    assert "Introductions" in listed
    assert "Secretplan" not in listed
    assert asks.get(f"{AT}forum/1/").status_code == 403
    assert "I like dice" not in text(people("stranger").get(f"{AT}forum/"))

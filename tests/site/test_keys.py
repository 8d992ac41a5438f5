"""Keys for programs: made, shown once, listed, revoked; and the mark of who acts through a program."""

import re

import pytest
from django.test import Client
from pagewords import seated, text, token

from nomopoly.site.accounts import keys
from nomopoly.site.accounts.models import ApiKey
from nomopoly.site.tables import domain

KEYS = "/settings/keys/"


def make(client, **more):
    return client.post(KEYS, {"name": "bot at home", "game": "friday", "scope": "play"} | more)


def shown(answer):
    return re.search(r"nomo_[\w-]{43}", answer.content.decode()).group(0)


def test_a_key_is_shown_once_and_only_its_hash_is_kept(ann):
    answer = make(ann)
    key = shown(answer)
    assert answer["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    row = ApiKey.objects.get()
    assert key not in str(vars(row))
    assert keys.find(key) == row
    page = ann.get(KEYS)
    assert key not in page.content.decode()
    assert "bot at home" in text(page)
    assert key[:9] in text(page)


def test_keys_are_reached_from_the_settings(ann):
    assert f'href="{KEYS}"' in ann.get("/settings/").content.decode()
    assert Client().get(KEYS).url.startswith("/account/login/")


def test_the_last_use_is_listed(ann):
    key = shown(make(ann))
    assert "never" in text(ann.get(KEYS))
    keys.find(key)
    assert "never" not in text(ann.get(KEYS))


def test_a_revoked_key_opens_nothing(ann, people, game):
    key = shown(make(ann))
    number = ApiKey.objects.get().pk
    assert people("eve").post(f"{KEYS}{number}/revoke/").status_code == 404
    assert ann.get(f"{KEYS}{number}/revoke/").status_code == 405
    sent = {"once": token(ann.get(KEYS))}
    assert "opens nothing any more" in text(ann.post(f"{KEYS}{number}/revoke/", sent, follow=True))
    assert keys.find(key) is None


def test_a_key_of_who_is_out_opens_nothing(ann):
    key = shown(make(ann))
    ann.user.is_active = False
    ann.user.save()
    assert keys.find(key) is None


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "x" * 41}, "at most 40 characters"),
        ({"game": "elsewhere"}, "not one of the available choices"),
        ({"scope": "rule"}, "not one of the available choices"),
    ],
)
def test_what_is_no_key_is_refused_with_what_was_typed(ann, sent, told):
    answer = make(ann, **sent)
    assert told in text(answer)
    assert not ApiKey.objects.exists()
    assert sent.get("name", "bot at home") in answer.content.decode()


def test_two_keys_of_one_name_and_too_many_keys_are_refused(ann):
    make(ann)
    assert "a key of this name" in text(make(ann))
    for number in range(keys.MOST):
        answer = make(ann, name=f"bot {number}")
    assert "At most 10 keys" in text(answer)
    assert ApiKey.objects.count() == keys.MOST


def test_a_key_is_for_a_game_one_is_in(ann, people):
    domain.start_game(
        people("boss").user, edition="original", title="Elsewhere", slug="elsewhere", visibility="private"
    )
    page = ann.get(KEYS).content.decode()
    assert "Friday" in page
    assert "Elsewhere" not in page
    assert "you are in none yet" in text(people("eve").get(KEYS))


def test_who_acts_through_a_program_is_marked(ann, game):
    assert domain.order(game, "Ann", "propose", {"title": "By hand"}).ok
    for path in ("players/", "players/Ann/"):
        assert not re.search(r">bot<", Client().get(f"/g/friday/{path}").content.decode())
    assert "by their program" not in text(Client().get("/g/friday/log/"))
    assert domain.order(game, "Ann", "propose", {"title": "By machine"}, by_program=True).ok
    for path in ("players/", "players/Ann/"):
        assert re.search(r">bot<", Client().get(f"/g/friday/{path}").content.decode())
    log = text(Client().get("/g/friday/log/"))
    assert re.search(r"By machine\S*[^(]*\(by their program\)", log)
    assert log.count("by their program") == 1
    assert "by their program" in text(Client().get("/g/friday/log/feed.atom"))


def test_a_private_order_of_a_program_marks_nobody_for_others(ann, people, game):
    bob = people("bob")
    seated(game, bob, "Bob")
    domain.desk_act(game, "grant", {"thing": "#8", "attribute": "owner", "value": "Ann", "because": "a test"})
    deal = {"with": "Bob", "take": {"money": 60}, "give": {"squares": ["#8"]}}
    assert domain.order(game, "Ann", "trade", deal, by_program=True).ok
    assert ">bot<" in bob.get("/g/friday/players/").content.decode()
    assert ">bot<" not in Client().get("/g/friday/players/").content.decode()

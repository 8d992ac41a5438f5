"""Players who are out of the game, by the rules or the Admin, and what a missile takes: mails, notices and the log."""

import re

from django.core import mail
from pagewords import SECOND, grant, order, text, things, well

from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain


def notices(name):
    """What somebody has been told, in one text."""
    return " | ".join(Notice.objects.filter(user__email=f"{name}@example.org").values_list("text", flat=True))


def test_who_is_idle_gets_a_mail_and_the_log_says_what_lapses(start_second, people, told):
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "#4", "owner", "Cid")
    go(7)
    go(7)
    for name in ("Ann", "Ben"):
        grant(game, name, "acted", True)
    well(domain.order(game, "Ann", "trade", {"with": "Cid", "give": {"money": 5}}))
    told()
    mail.outbox.clear()
    go(6.9)
    assert "Cid" not in things(game)
    (letter,) = mail.outbox
    assert letter.to == ["cid@example.org"]
    assert letter.subject == "[Second] You are out of the game"
    assert letter.body.startswith("By the rules of Second you are out of the game.\n\nnothing done in 3 weeks\n")
    log = text(people("ann").get(f"{SECOND}log/"))
    assert "Cid leaves the game (nothing done in 3 weeks); #4 has no owner any more; offer 1 has lapsed" in log
    assert "offer 1 has lapsed" not in text(people("ben").get(f"{SECOND}log/"))
    told()
    assert "Offer 1 has lapsed" in notices("ann")
    assert "You do not play in this game any more" in text(people("cid").get("/me/"))
    first = people("cid").get(SECOND)
    assert "You are not in the game any more Your page says how you went, and when. Ask to join" in text(first)
    assert "New here?" not in text(first)
    assert "nothing done in 3 weeks" in text(
        people("cid").get(re.search(r'href="(\S+)">Your page', first.content.decode())[1])
    )
    assert "New here?" in text(people("dan").get(SECOND))


def test_who_leaves_gets_no_mail_of_it(start_second, people):
    game, _ = start_second("Ann", "Ben", "Cid")
    mail.outbox.clear()
    well(domain.order(game, "Cid", "leave-game", {}))
    assert mail.outbox == []


def test_the_owner_is_told_what_a_missile_takes(start_second, people, told):
    game, go = start_second("Ann", "Ben")
    grant(game, "#4", "owner", "Ann")
    grant(game, "#4", "buildings", ["missile-silo"])
    grant(game, "#7", "owner", "Ben")
    grant(game, "#7", "buildings", ["house"])
    while "#7" in things(game):  # six of ten hit
        grant(game, "#4", "missiles", ["icbm"])
        order(people("ann"), "fire-missile", square="#4", missile="icbm", target="#7")
        grant(game, "Ben", "acted", True)
        go(3.5)
        told()
    assert "the house on #7 is destroyed; #7 is destroyed" in notices("ben").replace("The house", "the house")
    assert "an ICBM is fired from #4 at #7" in text(people("ben").get(f"{SECOND}log/?q=ICBM"))


def test_in_other_editions_too_the_log_says_what_goes_with_whom(start_second, people):
    game, _ = start_second("Ann", "Ben", "Cid", edition="iv")
    well(domain.order(game, "Ann", "trade", {"with": "Cid", "give": {"money": 5}}))
    well(domain.desk_act(game, "remove-player", {"player": "Cid", "because": "rude"}))
    log = {name: text(people(name).get(f"{SECOND}log/")) for name in ("ann", "ben")}
    removed = "The Admin removes Cid from the game: rude; Cid leaves the game; "
    assert f"{removed}offer 1 has lapsed; Cid loses $10,000" in log["ann"]
    assert "has lapsed" not in log["ben"]


def test_every_link_of_the_menu_opens_for_who_has_left(start_second, people):
    """Actions, which are players' alone, stood in it and were refused."""
    game, go = start_second("Ann", "Ben", "Cid", edition="mail")
    go(7)
    well(domain.leave(game, game.memberships.get(player="Ann")))
    ann = people("ann")
    menu = set(re.findall(rf'href="({SECOND}[^"#?]*)', ann.get(SECOND).content.decode()))
    assert {f"{SECOND}rules/", f"{SECOND}log/"} <= menu
    assert {path: ann.get(path).status_code for path in menu if ann.get(path).status_code != 200} == {}

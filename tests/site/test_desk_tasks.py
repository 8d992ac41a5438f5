"""What waits at the desk because the rules say so: applications, exploit blocks, and the orders since one was
posted."""

import re

import pytest
from pagewords import SECOND, grant, text, things, token

from nomopoly.site.tables import domain, live

PATENT = {"sort": "game", "name": "Three Doors", "text": "Bet up to $10. One door in three pays 3 times the bet."}


@pytest.fixture
def second(start_second):
    """Ann, Ben and Cid play, and Ann has #7."""
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "#7", "owner", "Ann")
    return game, go


def applied(second):
    game, go = second
    assert domain.order(game, "Ann", "apply-patent", PATENT).ok
    go(3)
    return game


def test_an_application_waits_at_the_desk_and_is_accepted_after_a_second_look(second, keeper):
    game = applied(second)
    assert "patent 1: Three Doors" in text(keeper.get("/me/"))
    page = keeper.get(f"{SECOND}admin/")
    assert "Patent 1: Three Doors" in text(page)
    assert "One door in three pays" in text(page)
    assert '<span class="count">1</span>' in page.content.decode()
    seen = keeper.post(f"{SECOND}admin/accept/", {"on": "patent-1", "once": token(page)})
    assert "Nothing has been done yet" in text(seen)
    assert things(game)["patent-1"]["status"] == "applied"
    keeper.post(f"{SECOND}admin/accept/", {"on": "patent-1", "confirm": "yes", "once": token(seen)})
    assert things(game)["patent-1"]["status"] == "granted"
    assert "Three Doors" not in text(keeper.get(f"{SECOND}admin/")).partition("Acts")[0].partition("Waiting for you")[2]
    assert "patent 1" not in text(keeper.get("/me/"))


def test_an_application_is_rejected_with_a_reason_from_its_card(second, keeper):
    game = applied(second)
    assert f'href="{SECOND}admin/reject/?on=patent-1"' in keeper.get(f"{SECOND}admin/").content.decode()
    page = keeper.get(f"{SECOND}admin/reject/?on=patent-1")
    assert 'value="patent-1" selected' in page.content.decode()
    sent = {"on": "patent-1", "because": "ugly", "once": token(page)}
    assert "because must be one of" in text(keeper.post(f"{SECOND}admin/reject/", sent))
    keeper.post(f"{SECOND}admin/reject/", sent | {"because": "ambiguous", "confirm": "yes"})
    assert things(game)["patent-1"]["status"] == "rejected"


def test_an_application_is_put_up_in_the_forum(second, keeper, people):
    applied(second)
    card = keeper.get(f"{SECOND}admin/").content.decode()
    address = re.search(r'href="([^"]+forum/new/[^"]+)"', card)[1].replace("&amp;", "&")
    page = keeper.get(address)
    assert 'value="Patent 1: Three Doors"' in page.content.decode()
    assert "One door in three pays" in text(page)
    assert 'name="announcement" value="1" checked' in page.content.decode()


def test_what_players_have_of_patents_is_on_their_pages(second, people):
    applied(second)
    seen = text(people("ben").get(f"{SECOND}players/Ann/"))
    assert "Three Doors" in seen
    assert "applied" in seen


def test_orders_since_an_exploit_block_are_listed_and_struck(second, keeper, people):
    game, go = second
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "Before"}).ok
    go(3)  # the update: what was ordered before it is of another period
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "Free"}).ok
    assert domain.order(game, "Ben", "name-square", {"square": "#7", "name": "Undone"}).ok
    waits = [each["id"] for each in things(game).values() if each["kind"] == "order" and each["owner"] == "Ben"]
    assert domain.order(game, "Ben", "withdraw-order", {"order": waits[0]}).ok
    assert domain.order(game, "Ben", "trade", {"with": "Cid", "give": {"money": 77}}).ok
    assert domain.order(game, "Cid", "post-exploit-block", {"name": "Naming", "text": "Names cost nothing."}).ok
    desk = keeper.get(f"{SECOND}admin/")
    assert "Exploit 1: Naming" in text(desk)
    address = re.search(rf'href="({SECOND}admin/since/\d+/)"', desk.content.decode())[1]
    page = keeper.get(address)
    assert "Free" in text(page)
    assert "waits" in text(page)
    for hidden in ("name Before", "Undone", "77", "Offer"):
        assert hidden not in text(page)
    go(3)
    with domain.acting(game):
        pass  # the days between were an outage of the site, which is over with this
    page = keeper.get(address)
    assert "Free" in text(page)
    assert things(game)["#7"]["name"] == "Free"
    strike = re.search(rf'href="({SECOND}admin/strike/order/\d+/\?since=\d+)"', page.content.decode())[1]
    preview = keeper.get(strike)
    assert "Free" in text(preview)
    assert "Before" in text(preview)
    confirm = re.search(r'name="confirm" value="([^"]+)"', preview.content.decode())[1]
    assert "Say why" in text(keeper.post(strike, {"confirm": confirm}))
    done = keeper.post(strike, {"confirm": confirm, "because": "it used the exploit"}, follow=True)
    assert done.redirect_chain[-1][0] == address
    assert "struck" in text(done)
    assert things(game)["#7"]["name"] == "Before"


def test_the_list_is_the_admins_and_of_posts_alone(second, keeper, people):
    game, _ = second
    assert domain.order(game, "Cid", "post-exploit-block", {"name": "Naming", "text": "x"}).ok
    number = next(entry["number"] for entry in live.of(game).facts("admin") if entry["do"] == "post-exploit-block")
    ann = people("ann")
    assert ann.get(f"{SECOND}admin/since/{number}/").status_code == 403
    assert ann.get(f"{SECOND}admin/strike/order/3/").status_code == 403
    assert keeper.get(f"{SECOND}admin/since/{number}/").status_code == 200
    assert keeper.get(f"{SECOND}admin/since/1/").status_code == 404
    offer = domain.order(game, "Ben", "trade", {"with": "Ann", "give": {"money": 77}})
    assert keeper.get(f"{SECOND}admin/strike/order/{offer.n}/").status_code == 404


def test_an_exploit_is_settled_when_its_vote_is_over(second, keeper):
    game, _ = second
    assert domain.order(game, "Cid", "post-exploit-block", {"name": "Naming", "text": "x"}).ok
    page = keeper.get(f"{SECOND}admin/")
    sent = {"on": "exploit-1", "confirm": "yes", "once": token(page)}
    assert "is not over" in text(keeper.post(f"{SECOND}admin/settle-exploit/", sent))
    assert domain.desk_act(game, "grant", {"thing": "exploit-1", "attribute": "status", "value": "blocked"}).ok
    assert keeper.post(f"{SECOND}admin/settle-exploit/", sent).status_code == 303
    assert "Exploit 1" not in text(keeper.get(f"{SECOND}admin/"))
    assert "Posts that are orders" in text(keeper.get(f"{SECOND}admin/"))


def test_the_admin_of_ii_finds_vetoes_and_rejections(second, keeper):
    game, _ = second
    assert domain.order(game, "Ann", "propose", {"title": "Rent", "text": "More."}).ok
    page = keeper.get(f"{SECOND}admin/").content.decode()
    assert f'href="{SECOND}admin/veto/"' in page
    assert f'href="{SECOND}admin/reject/"' in page


def test_a_pause_asks_for_its_reason_alone(keeper, game):
    page = keeper.get("/g/friday/admin/pause/").content.decode()
    assert 'name="because"' in page
    assert 'name="kind"' not in page  # the site itself says so of an outage
    (pause,) = [each for each in keeper.get("/api/v1/g/friday/admin").json()["acts"] if each["id"] == "pause"]
    assert [each["name"] for each in pause["fields"]] == ["because"]


def test_a_game_that_is_paused_is_not_paused_once_more(keeper, game):
    """The first reason stands, and the log has no second one that counts for nothing."""
    first = keeper.get("/g/friday/admin/pause/")
    second = keeper.get("/g/friday/admin/pause/")
    keeper.post("/g/friday/admin/pause/", {"once": token(first), "because": "Snow", "confirm": "yes"})
    late = keeper.post("/g/friday/admin/pause/", {"once": token(second), "because": "Rain", "confirm": "yes"})
    assert "The game is paused already" in text(late)
    assert domain.desk_act(game, "pause", {"because": "Hail"}).refused == "the game is paused already"
    assert "Pause the game not now: the game is paused already" in text(keeper.get("/g/friday/admin/"))
    assert things(game)["game"]["pause_because"] == "Snow"
    log = text(keeper.get("/g/friday/log/"))
    assert "Snow" in log
    assert "Rain" not in log


def test_a_game_that_goes_on_is_not_resumed(keeper, game):
    """The log says of no second end of a pause, whoever asks for it."""
    last = live.of(game).n
    assert domain.desk_act(game, "resume", {}).refused == "the game is not paused"
    asked = keeper.post("/api/v1/g/friday/admin/resume", {"fields": {}}, content_type="application/json")
    assert (asked.status_code, asked.json()["refused"]) == (409, "the game is not paused")
    assert live.of(game).n == last
    assert domain.desk_act(game, "pause", {"because": "Snow"}).ok
    assert domain.desk_act(game, "resume", {}).ok

"""Forms that are kept: by who has to log in first, by a page that is out of date, and until they are confirmed."""

import re

from django.test import Client
from pagewords import accept, grant, propose, text, token

from nomopoly.site import kept
from nomopoly.site.tables import domain, live

AT = "/g/friday/"
TYPED = "An hour's <thoughts>, of two lines\nand an ampersand &"


def log_in(client, user):
    """As the form of logging in does it: what the session holds is kept."""
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")


def expired(browser):
    """A browser whose session has ended."""
    client = Client()
    client.cookies["sessionid"] = "long-gone"
    return client


def test_what_somebody_typed_waits_for_their_log_in(ann, game):
    propose = {"title": "Slowly", "text": TYPED}
    client = expired(ann)
    answer = client.post(f"{AT}act/propose/", propose)
    assert answer.status_code == 303
    place = re.fullmatch(r"/account/login/\?next=%2Fagain%2F([\w-]+)%2F", answer.url)
    assert place, answer.url
    log_in(client, ann.user)
    page = client.get(f"/again/{place[1]}/")
    assert "An hour&#x27;s &lt;thoughts&gt;, of two lines\nand an ampersand &amp;" in page.content.decode()
    assert f'action="{AT}act/propose/"' in page.content.decode()
    assert client.post(f"{AT}act/propose/", propose).status_code == 303
    assert live.of(game).view("Ann")["things"]["P1"]["text"] == TYPED


def test_nobody_else_finds_it(people, ann, game):
    answer = expired(ann).post(f"{AT}act/propose/", {"title": "Slowly", "text": TYPED})
    address = re.search(r"%2Fagain%2F([\w-]+)%2F", answer.url)[1]
    assert people("eve").get(f"/again/{address}/").status_code == 404
    assert Client().get(f"/again/{address}/").status_code == 404


def test_who_comes_with_what_is_left_of_a_session_logs_in(ann, game):
    answer = expired(ann).get(f"{AT}act/buy-square/?square=%235")
    assert answer.url == "/account/login/?next=%2Fg%2Ffriday%2Fact%2Fbuy-square%2F%3Fsquare%3D%25235"
    page = Client().get(f"{AT}act/buy-square/")
    assert page.status_code == 403
    assert "/account/login/?next=" in page.content.decode()


def test_a_private_game_is_not_given_away_by_the_log_in(keeper, game):
    domain.start_game(
        keeper.user, edition="original", title="H", slug="hidden", at=live.now() - 60, visibility="private"
    )
    found = {Client().post(f"/g/{slug}/act/propose/", {"title": "x"}).url[:31] for slug in ("hidden", "nowhere")}
    assert len(found) == 1


def test_a_page_out_of_date_comes_back_with_what_was_typed(ann, game):
    client = Client(enforce_csrf_checks=True)
    log_in(client, ann.user)
    sent = {"title": "Slowly", "text": TYPED, "csrfmiddlewaretoken": "x" * 64}
    own = client.post(f"{AT}act/propose/", sent, headers={"Origin": "http://testserver"})
    assert own.status_code == 403
    assert "two lines\nand" in own.content.decode()
    assert "csrfmiddlewaretoken" in own.content.decode()
    other = client.post(f"{AT}act/propose/", sent, headers={"Origin": "http://elsewhere.example"})
    assert other.status_code == 403
    assert "two lines" not in other.content.decode()


def test_very_much_is_not_kept(ann, game):
    answer = expired(ann).post(f"{AT}act/propose/", {"text": "x" * (kept.MOST_CHARACTERS + 1)})
    assert answer.url == "/account/login/?next=%2Fg%2Ffriday%2Fact%2Fpropose%2F"


def test_no_more_than_a_few_are_kept(ann, game):
    for number in range(kept.MOST_FORMS + 3):
        ann.post(f"{AT}act/buy-square/", {"square": f"#{number + 1}", "preview": "page"})
    assert len(ann.session[kept.KEY]) == kept.MOST_FORMS


def test_what_a_form_would_do_is_read_with_get(ann, game):
    grant(game, "#5", "option_of", "Ann")
    grant(game, "#5", "option_until", live.now() + 86400)
    answer = ann.post(f"{AT}act/buy-square/", {"square": "#5", "preview": "page"})
    assert answer.status_code == 303
    page = ann.get(answer.url)
    assert "Buy #5 for $50? You have $1,000 and will have $950 ." in text(page)
    assert "Ann buys #5 for $50" in text(page)
    assert live.of(game).view("Ann")["things"]["#5"]["owner"] is None
    done = ann.post(f"{AT}act/buy-square/", {"square": "#5", "once": token(page)})
    assert done.url == AT
    said = text(ann.get(AT))
    assert "Ann buys #5 for $50" in said
    assert "option on #5 ends" not in said
    named = ann.get(f"{AT}act/name-square/")
    ann.post(f"{AT}act/name-square/", {"square": "#5", "name": "Ann's corner", "once": token(named)})
    assert "Ann names" in text(ann.get(AT))
    assert "Ann&#x27;s corner" in ann.get(AT).content.decode()
    again = ann.get(answer.url)
    assert again.status_code == 200
    assert "Refused:" in text(again)


def test_an_act_in_a_trial_copy_waits_for_the_log_in_too(ann, game):
    place = ann.post(f"{AT}try/", {"proposal": ""})["Location"]
    answer = expired(ann).post(f"{place}act/propose/", {"title": "Slowly", "text": TYPED})
    assert answer.status_code == 303
    client = Client()
    answer = client.post(f"{place}act/propose/", {"title": "Slowly", "text": TYPED})
    address = re.search(r"%2Fagain%2F([\w-]+)%2F", answer.url)[1]
    log_in(client, ann.user)
    page = client.get(f"/again/{address}/")
    assert "An hour&#x27;s &lt;thoughts&gt;, of two lines\nand an ampersand &amp;" in page.content.decode()
    assert f'action="{place}act/propose/"' in page.content.decode()
    assert Client().get(f"{place}log/?q=1").url.endswith(f"next={place.replace('/', '%2F')}log%2F%3Fq%3D1")


def test_a_proposal_on_a_page_out_of_date_comes_back_on_the_page_it_is_written_on(ann, game):
    client = Client(enforce_csrf_checks=True)
    log_in(client, ann.user)
    sent = {
        "door": "program",
        "key": "secret-key",
        "title": "Slowly",
        "text": TYPED,
        "changes-0-kind": "enact",
        "changes-0-rule": "X.1",
        "changes-0-text": "Everybody pays.",
        "submit": "1",
        "csrfmiddlewaretoken": "x" * 64,
    }
    own = client.post(f"{AT}proposals/new/", sent, headers={"Origin": "http://testserver"}, follow=True)
    assert own.redirect_chain[0][0].startswith(f"{AT}proposals/new/?kept=")
    assert "This page was out of date" in text(own)
    assert "An hour&#x27;s &lt;thoughts&gt;, of two lines\nand an ampersand &amp;" in own.content.decode()
    assert "Everybody pays." in own.content.decode()
    assert "P1" not in live.of(game).view("Ann")["things"]
    other = client.post(f"{AT}proposals/new/", sent, headers={"Origin": "http://elsewhere.example"})
    assert other.status_code == 403


def confirmed(client, action, **fields):
    """The form in which an action is confirmed: its hidden fields."""
    page = client.post(f"{AT}act/{action}/", fields | {"preview": "page"}, follow=True).content.decode()
    form = page[page.index('id="preview"') : page.index("</form>", page.index('id="preview"'))]
    return dict(re.findall(r'name="(\w[\w-]*)" value="([^"]*)"', form))


def test_a_price_that_has_changed_is_confirmed_again(ann, game):
    grant(game, "#5", "option_of", "Ann")
    grant(game, "#5", "option_until", live.now() + 86400)
    sent = confirmed(ann, "buy-square", square="#5")
    propose(
        game,
        changes=[
            {"enact": "X.1", "text": "w", "code": "@modify('market_value')\ndef f(s, base):\n    return add(7)\n"}
        ],
    )
    accept(game, "P1")
    asked = ann.post(f"{AT}act/buy-square/", sent)
    assert "The game has moved on since you were asked, and nothing was done." in text(asked)
    assert "Buy #5 for $57?" in text(asked)
    assert live.of(game).view("Ann")["things"]["#5"]["owner"] is None
    again = confirmed(ann, "buy-square", square="#5")
    ann.post(f"{AT}act/buy-square/", again)
    assert live.of(game).view("Ann")["things"]["#5"]["owner"] == "Ann"
    assert live.of(game).view("Ann")["things"]["Ann"]["money"] == 1000 - 57


def test_what_was_done_in_another_tab_is_not_done_over_again_unasked(ann, game):
    turn = {"title": "A turn, please", "text": "Words."}
    first, second = confirmed(ann, "propose", **turn), confirmed(ann, "propose", **turn)
    assert ann.post(f"{AT}act/propose/", first).status_code == 303
    asked = ann.post(f"{AT}act/propose/", second)
    assert "P1 is replaced" in text(asked)
    assert "nothing was done" in text(asked)
    assert "P2" not in live.of(game).view("Ann")["things"]


def test_what_comes_to_the_same_is_confirmed_once(ann, ben, game):
    grant(game, "#5", "option_of", "Ann")
    grant(game, "#5", "option_until", live.now() + 86400)
    buy, turn = confirmed(ann, "buy-square", square="#5"), confirmed(ann, "propose", title="T", text="W")
    assert domain.order(game, "Ben", "propose", {"title": "Other", "text": "Words"}).ok
    grant(game, "Ann", "money", 1200)
    assert ann.post(f"{AT}act/buy-square/", buy).status_code == 303
    assert ann.post(f"{AT}act/buy-square/", buy).status_code == 303, "sent twice, done once"
    assert ann.post(f"{AT}act/propose/", turn).status_code == 303
    assert live.of(game).view("Ann")["things"]["P2"]["author"] == "Ann"

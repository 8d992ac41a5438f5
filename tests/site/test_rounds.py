"""What a player is in the middle of, as a hand at a casino: before them on every form of it, and among what waits for
them."""

from pagewords import SECOND, grant, order, text, things

from nomopoly.site.play.sentences import leads, subject_of


def test_a_hand_is_before_its_player_until_it_is_over(start_second, people):
    game, _ = start_second("Ann", "Ben")
    grant(game, "#1", "buildings", ["casino"])
    ann, ben = people("ann"), people("ben")
    assert "Round at a casino" not in text(ann.get(SECOND))

    page = order(ann, "play-blackjack", bet="100")
    hand = things(game, "Ann")["hand-1"]
    assert page.redirect_chain[-1][0].endswith("/act/blackjack-draw/"), "one goes on at the table"
    seen = text(page)
    for said in ("Round at a casino", "blackjack", "$100", *hand["cards"], *hand["dealer"], "Stop at blackjack"):
        assert said in seen
    assert "Exchange cards at poker" not in seen, "that is another game"
    assert 'act/blackjack-stop/">Stop at blackjack</a>' in page.content.decode()
    assert 'act/blackjack-draw/">Draw' not in page.content.decode(), "one is there"
    table = ann.get(SECOND)
    assert '<form method="post" action="/g/second/act/blackjack-draw/"' in table.content.decode()
    assert "Draw a card at blackjack" in text(table)
    for address in ("", "act/", "players/Ann/", "act/blackjack-draw/"):
        assert "Round at a casino" not in text(ben.get(f"{SECOND}{address}"))
    assert "Draw a card at blackjack" not in text(ben.get("/me/"))
    assert "Draw a card at blackjack" in text(ann.get("/me/"))

    page = order(ann, "blackjack-stop")
    assert page.redirect_chain[-1][0] == SECOND
    assert "Draw a card at blackjack" not in text(ann.get("/me/"))


def test_poker_goes_on_by_the_exchange_of_cards(start_second, people):
    game, _ = start_second("Ann", "Ben")
    grant(game, "#1", "buildings", ["casino"])
    page = order(people("ann"), "play-poker", bet="10")
    assert page.redirect_chain[-1][0].endswith("/act/poker-exchange/")
    assert set(things(game, "Ann")["hand-1"]["cards"]) <= set(text(page).split())


def test_a_sentence_that_begins_with_who_acts_stands_for_its_entry():
    skunk = {"event": "creature-land", "mover": "skunk", "square": "#4", "say": "skunk lands on #4"}
    assert subject_of(skunk) == "skunk"
    assert leads(skunk)
    assert leads({"who": "ann", "say": "ann buys #4"})
    assert not leads({"creature": "gorilla", "say": "a banana peel drops on #4"})
    assert subject_of({"who": "Ann", "say": "Annabel is here"}) is None
    assert leads({"say": "Nobody is here"})

"""A square opens as a card: what it is, who is there, what can be done, with the fields filled in; and where one can
act."""

import re
import xml.etree.ElementTree as tree

from django.test import Client
from pagewords import accept, grant, propose, text

from nomopoly.site.play import board, pages, signs, squares
from nomopoly.site.tables import domain, live

AT = "/g/friday/"
SVG = "{http://www.w3.org/2000/svg}"


def squares_of_the_board(page):
    """The links of the drawn board: {number: classes}."""
    return {
        int(number): classes.split()
        for classes, number in re.findall(r'<a class="(sq-link[^"]*)" id="square-(\d+)"', page)
    }


def forms_in(page):
    """The forms that a page offers, with what is filled in."""
    return re.findall(r'href="/g/\w+/(act/[\w-]+/\?[^"]*)"', page)


# ---- where one can act


def test_squares_at_which_one_can_act_are_marked(ann, game):
    grant(game, "#7", "owner", "Ann")
    grant(game, "#9", "owner", "Ann")
    grant(game, "#9", "name", "Baltic")
    mine = squares_of_the_board(ann.get(AT).content.decode())
    assert [number for number, classes in mine.items() if "can" in classes] == [7]  # it has no name yet
    assert "you can act here" in ann.get(AT).content.decode()
    for page in ("?text=1", "board/table/"):
        assert text(ann.get(AT + page)).count("you can act here") == 1
    nobodys = squares_of_the_board(Client().get(AT).content.decode())
    assert not [number for number, classes in nobodys.items() if "can" in classes]
    assert "you can act here" not in text(Client().get(f"{AT}board/table/"))


def test_a_field_that_offers_the_whole_board_marks_none(ann, game):
    code = '@action("wish", "Wish", there=choose("square", "There"))\ndef wish(e):\n    put(e.who, "square", e.there)\n'
    propose(game, changes=[{"enact": "X.1", "text": "Anybody may go anywhere.", "code": code}])
    accept(game, "P1")
    marked = squares_of_the_board(ann.get(AT).content.decode())
    marks = [number for number, classes in marked.items() if "can" in classes]
    assert len(marks) < 10, "what Ann may buy after her turn, but not all squares"
    assert "act/wish/?there=%233" in forms_in(ann.get(f"{AT}squares/3/").content.decode())


# ---- the card


def test_the_card_says_what_the_page_says(ann, ben, game):
    grant(game, "#4", "owner", "Ann")
    grant(game, "Ben", "square", "#4")
    page, card = ann.get(f"{AT}squares/4/"), ann.get(f"{AT}squares/4/?card=1")
    assert "<html" not in card.content.decode()
    for said in ("Owner", "Ann", "Market value", "$40", "Ben", "Name a square", "sets owner of #4"):
        assert said in text(page), said
        assert said in text(card), said
    assert forms_in(card.content.decode()) == ["act/name-square/?square=%234", "act/trade/?with=Ben"]
    assert not forms_in(Client().get(f"{AT}squares/4/?card=1").content.decode())
    assert Client().get(f"{AT}squares/999/?card=1").status_code == 404


def test_a_square_as_it_was(ann, game):
    grant(game, "#4", "name", "Elm Court")
    page = ann.get(f"{AT}squares/4/?at=start")
    assert "Elm Court" not in text(page)
    assert "As of" in text(page)
    assert not forms_in(page.content.decode())
    assert 'href="/g/friday/squares/4/?at=start"' in ann.get(f"{AT}?at=start").content.decode()
    assert ann.get(f"{AT}squares/4/?at=nonsense").status_code == 400


def test_ones_own_fort_offers_its_commands(start_second, people):
    game, _ = start_second("Ann", "Ben", edition="iv")
    assert domain.order(game, "Ann", "build", {"building": "fort"}).ok
    ann = people("ann")
    card = ann.get("/g/second/squares/1/?card=1").content.decode()
    assert [each for each in forms_in(card) if each.startswith("act/command-") and "fort-1" in each]
    assert "fort-1" in card
    assert "Hit points" in card or "hit points" in card
    assert not [
        each for each in forms_in(people("ben").get("/g/second/squares/1/").content.decode()) if "unit=" in each
    ]
    drawn = ann.get("/g/second/").content.decode()
    assert re.search(
        r'<g class="seal owned owner-1" data-piece="fort-1"><title>Ann&#x27;s Fort', drawn
    )  # in the colour of who owns it
    assert 'fill="url(#own-0)"' in drawn
    assert [number for number, classes in squares_of_the_board(drawn).items() if "can" in classes] == [1]


# ---- colours and signs mean something


def view(count, players=(), markers=(), **more):
    things = {"game": {"id": "game", "kind": "game"}}
    for name in players:
        things[name] = {"id": name, "kind": "player", "square": f"#{len(things)}"}
    for number in range(1, count + 1):
        row, along = divmod(number - 1, 10)
        things[f"#{number}"] = {
            "id": f"#{number}", "kind": "square", "number": number, "column": along + 1, "row": row + 1,
            "owner": players[number % len(players)] if players else None, "name": "Street of the Seven Dwarfs",
        } | more.get(f"s{number}", {})  # fmt: skip
    declared = [
        {"name": "tint", "label": "Paint", "type": "colour"},
        {"name": "logo", "label": "", "type": "sign"},
        {"name": "price", "label": "Price", "type": "money"},
    ]
    return {"viewer": "visitor", "things": things, "schema": {"square": declared}, "markers": list(markers)}


def test_a_colour_is_an_owner_or_what_a_rule_declares():
    bare = str(board.draw(view(40), "/g/x/"))
    assert "street" not in bare
    assert "sq-block" not in bare
    assert len(set(re.findall(r'<use class="sq-band"[^>]*>', bare))) == 1  # rows look alike
    painted = str(board.draw(view(4, s2={"tint": "green"}), "/g/x/"))
    assert painted.count("sq-block") == 1
    assert "green block" in painted


def test_places_have_the_sign_that_their_rule_declares():
    zoo = {"square": "#2", "kind": "square", "symbol": "Z", "label": "the Zoo", "rule": "9.1", "sign": "paw"}
    odd = {"square": "#3", "kind": "square", "symbol": "O", "label": "odd", "rule": "9.1", "sign": "no such sign"}
    drawn = str(board.draw(view(4, markers=[zoo, odd], s4={"logo": "crown"}), "/g/x/"))
    assert signs.SIGNS["paw"] in drawn
    assert 'href="#sign-paw"' in drawn
    assert 'href="#sign-crown"' in drawn
    assert "no such sign" not in drawn
    assert drawn.count('class="seal"') == 1  # the odd one's symbol
    assert "the Zoo" in drawn


def test_every_edition_marks_where_one_begins(keeper):
    for edition in ("original", "mail", "ii", "iv"):
        game = domain.start_game(keeper.user, edition=edition, title=edition, slug=f"of-{edition}", at=live.now() - 60)
        shown = live.of(game).view("visitor")
        assert [each["square"] for each in shown["markers"] if each.get("sign") == "start"] == ["#1"], edition
        assert all(each["sign"] in signs.SIGNS for each in shown["markers"] if "sign" in each), edition


def test_a_large_board_is_a_small_file():
    names = [f"Player {number}" for number in range(1, 13)]
    drawn = str(board.draw(view(120, names, s5={"tint": "red"}), "/g/friday/", can={f"#{n}" for n in range(1, 60)}))
    assert len(drawn.encode()) < 120_000
    picture = tree.fromstring(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
    ids = [each.get("id") for each in picture.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    used = {each.get("href") for each in picture.iter(f"{SVG}use")}
    assert used <= {f"#{id}" for id in ids}


def test_a_picture_of_a_board_has_no_links():
    drawn = str(board.draw(view(4, ["Ann"]), ""))
    assert "<a " not in drawn
    assert "Square 2, Street of the Seven Dwarfs" in drawn


def test_a_board_of_more_than_ten_columns_says_so():
    wide = view(12)
    for at, thing in enumerate(each for each in wide["things"].values() if each["kind"] == "square"):
        thing |= {"column": at + 1, "row": 1}
    assert '<svg class="board many"' in board.draw(wide, "/g/x/")
    assert '<svg class="board"' in board.draw(view(40), "/g/x/")


def test_what_stands_on_a_square_is_a_place_to_act_and_players_are_not():
    shown = view(3, ["Ann", "Ben"])
    shown["things"]["ship-1"] = {"id": "ship-1", "kind": "ship", "square": "#3", "owner": "Ann"}
    action = {
        "id": "sail",
        "fields": [{"name": "ship", "choices": [{"id": "ship-1"}]}, {"name": "to", "choices": [{"id": "Ben"}]}],
    }

    class Seat:
        view = shown

    assert squares.actable(Seat, [action]) == {"#3"}
    assert {each[2] for each in squares.choices_at(shown, action)} == {"ship-1", "Ben"}
    assert pages.players(shown)


# ---- the text view


def test_the_text_view_is_remembered_for_the_visit(ann, game):
    assert 'id="board-table"' in ann.get(f"{AT}?text=1").content.decode()
    assert 'id="board-table"' in ann.get(AT).content.decode()
    assert 'class="sq-link' in ann.get(f"{AT}?text=0").content.decode()
    assert 'class="sq-link' in ann.get(AT).content.decode()
    visitor = Client()
    assert 'id="board-table"' in visitor.get(f"{AT}?text=1").content.decode()
    assert 'id="board-table"' in visitor.get(AT).content.decode()
    assert 'class="sq-link' in Client().get(AT).content.decode()


def test_owner_and_price_stand_before_the_history_of_a_square(ann, game):
    page = ann.get("/g/friday/squares/5/").content.decode()
    assert 0 < page.index('id="square-5"') < page.index('id="history"')

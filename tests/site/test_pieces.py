"""Pieces: everybody looks different, and nobody's letters are another's."""

import re

import pytest
from django.test import Client
from pagewords import text, token

from nomopoly.site.lobby.templatetags.nomopoly import small_board
from nomopoly.site.play import board, pieces
from nomopoly.site.tables import domain, live, queries, visits

NAMES = ["Ann", "Ben", "Cid", "Dot", "Dora", "Eve", "Flo", "Gus", "Hal", "Ivy", "Jan", "Kim"]


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (["Dot", "Dora"], ["Dt", "Dr"]),
        (["Ann", "Ben"], ["An", "Be"]),
        (["Jo", "Joe"], ["Jo", "Je"]),
        (["Ann Bo", "Al Bo"], ["An", "Al"]),
        (["Dot", "DOT x", "dora"], ["Dt", "DX", "Dr"]),
        (["!", "?"], ["?2", "?3"]),
    ],
)
def test_letters_are_unique_in_a_game(names, letters):
    assert list(pieces.lettering(names).values()) == letters


def test_letters_are_unique_among_many():
    names = [
        f"{first}{more}" for first in ("Do", "do", "Dö", "D") for more in ("", "t", "ra", "tty", "ttie", " x", "1")
    ]
    found = pieces.lettering([*names, "Player 1", "Player 11", "Player 21", "P 1", "אבג", "אב"])
    assert len({each.casefold() for each in found.values()}) == len(found)
    assert all(1 <= len(each) <= 3 for each in found.values())


def test_twelve_players_have_twelve_shapes():
    looks = pieces.looks(NAMES)
    assert len({look.shape for look in looks.values()}) == 12
    assert not any(look.shared for look in looks.values())
    assert len({(look.colour, look.number) for look in looks.values()}) == 12


def test_what_is_chosen_is_worn_and_the_others_step_aside():
    looks = pieces.looks(NAMES[:3], {"Ben": "pawn", "Zoe": "tower", "Cid": "no such shape"})
    assert looks["Ben"].shape == "pawn"
    assert len({look.shape for look in looks.values()}) == 3
    both = pieces.looks(["Ann", "Ben"], {"Ann": "ship", "Ben": "ship"})
    assert both["Ann"].shared
    assert both["Ben"].shared
    assert len(pieces.looks([f"P {at}" for at in range(40)])) == 40


def test_a_piece_is_drawn_with_letters_only_where_shapes_repeat():
    assert "<b>" not in pieces.badge(pieces.looks(["Ann"])["Ann"])
    assert "<b>Dt</b>" in pieces.badge(pieces.looks(["Dot", "Dora"], {"Dot": "ship", "Dora": "ship"})["Dot"])


def test_a_chosen_piece_is_on_every_page(ann, ben, game):
    seat = game.memberships.get(player="Ben")
    assert visits.choose_piece(seat, "fish")
    assert not visits.choose_piece(seat, "fish")
    fish = pieces.SHAPES["fish"][1]
    for page in ("", "players/", "players/Ben/"):
        assert fish in Client().get(f"/g/friday/{page}").content.decode(), page
    drawn = Client().get("/g/friday/").content.decode()
    assert re.search(r'data-piece="Ben"[^>]*><use href="#shape-fish"', drawn)


def test_a_player_chooses_a_piece(ann, ben, game):
    page = ann.get("/g/friday/piece/")
    assert 'value="pawn" checked' in page.content.decode()
    assert "Ben" in text(page)  # has the tower
    assert 'href="/g/friday/piece/"' in ann.get("/g/friday/players/Ann/").content.decode()
    assert 'href="/g/friday/piece/"' not in ann.get("/g/friday/players/Ben/").content.decode()
    done = ann.post("/g/friday/piece/", {"piece": "tower", "once": token(page)}, follow=True)
    assert "Your piece: tower." in text(done)
    assert '<use href="#shape-tower"' in done.content.decode()
    refused = ann.post("/g/friday/piece/", {"piece": "<b>", "once": token(ann.get("/g/friday/piece/"))})
    assert "Choose one of these shapes" in text(refused)
    assert Client().get("/g/friday/piece/").status_code == 302
    entries = domain.live.of(game).facts("admin")
    assert not [each for each in entries if "tower" in str(each)]  # no state of the game


def test_the_small_board_of_the_home_page_has_the_pieces_of_the_table(game, ann, ben):
    view = live.of(game).view("visitor")
    drawn = small_board(view, game)
    looks = board.looks_of(view, queries.pieces(game))
    assert set(looks) >= {"Ann", "Ben"}
    for look in looks.values():
        assert f'<g class="{look.colour}" transform=' in drawn
        assert f'd="{look.path}"' in drawn
    assert "piece-letter" not in drawn, "each has a shape that nobody else has"

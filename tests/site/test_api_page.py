"""The bot of docs/api.md plays against a running server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from pagewords import text

from nomopoly.site.accounts import keys
from nomopoly.site.api.door import RATE, SAYS
from nomopoly.site.api.routes import api
from nomopoly.site.tables import domain, live

PAGE = (Path(__file__).parents[2] / "docs/api.md").read_text(encoding="utf-8")
BOT = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]


@pytest.fixture
def play(ann, game, live_server, tmp_path):
    """play(scope) runs the bot with a key of Ann's; what it prints comes back."""

    def run(scope):
        shown, _ = keys.make(ann.user, game=game, name=scope, scope=scope)
        file = tmp_path / "bot.py"
        file.write_text(BOT, encoding="utf-8")
        address = f"{live_server.url}/api/v1/g/friday"
        environment = {**os.environ, "NOMOPOLY_GAME": address, "NOMOPOLY_KEY": shown}
        done = subprocess.run(
            [sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def option(game, square):
    for name, value in (("option_of", "Ann"), ("option_until", live.now() + 86400)):
        given = {"thing": square, "attribute": name, "value": value, "because": "a test"}
        assert domain.desk_act(game, "grant", given).ok


def test_the_bot_is_short():
    assert len([line for line in BOT.splitlines() if line.strip()]) <= 20


def test_the_bot_buys_what_it_can(play, game):
    option(game, "#5")
    assert play("play") == "Ann buys #5 for $50. (by their program)\n"
    assert live.of(game).view("visitor")["things"]["#5"]["owner"] == "Ann"
    assert "(by their program)" in text(Client().get("/g/friday/log/"))


def test_the_bot_waits_where_nothing_is_to_be_bought(play):
    assert play("play") == ""


def test_a_bot_that_may_only_read_is_told_so(play, game):
    option(game, "#5")
    assert "may only read" in play("read")
    assert live.of(game).view("visitor")["things"]["#5"]["owner"] is None


def test_each_address_that_the_page_lists_is_there():
    there = {re.sub(r"{.*?}", "<>", path) for path in api.get_openapi_schema()["paths"]}
    cells = re.findall(r"^\| (`(?:GET|POST)\b[^|]*)\|", PAGE, re.MULTILINE)
    listed = {re.sub("<.*?>", "<>", path) for cell in cells for path in re.findall(r"(?<=[ `])/[^`?]+", cell)}
    assert len(listed) > 40
    assert {path if path.startswith("/api/") else f"/api/v1/g/<>{path}" for path in listed} <= there


def test_the_page_says_what_the_door_says():
    for status in SAYS:
        assert f"| {status} |" in PAGE
    assert f"{RATE.partition('/')[0]} requests" in PAGE

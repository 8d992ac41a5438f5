"""What the sandbox answers comes as text where that is quicker: it says the same as CPython does."""

import pytest
from minigames import rule, small_game

BOOK = rule(
    "1.1",
    """
attribute("player", "motto", "")


@value("fortune", of="player", label="Fortune")
def fortune(who):
    return 10**39 + len(who.motto)


@action("say", fact="said", text=words("Text", limit=200))
def say(e):
    put(e.who, "motto", e.text)
    note(pair=(e.who, -1, True, None))
    fact("large", amount=-(10**39))
""",
)
TEXTS = ['"quoted" \\ and / {"a": 1}', "é ß 漢 🎲 ’", "NaN", "\\u0041"]


@pytest.fixture(scope="module")
def games():
    made = {runtime: small_game(BOOK, runtime=runtime) for runtime in ("cpython", "monty")}
    yield made
    for game in made.values():
        game.runtime.close()


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_and_number_comes_as_it_is(games, text):
    said = {name: game.order("Ann", "say", {"text": text}, game.now) for name, game in games.items()}
    assert [fact["what"] for fact in said["monty"].facts] == ["said", "large"]
    assert said["monty"].facts[0]["text"] == text
    assert said["monty"].facts[0]["pair"] == ["Ann", -1, True, None]
    assert said["monty"].facts[1]["amount"] == -(10**39)
    assert said["monty"].facts == said["cpython"].facts
    assert said["monty"].changes == said["cpython"].changes
    assert games["monty"].last_hash == games["cpython"].last_hash


def test_a_view_is_the_same_too(games):
    seen = {name: game.view("Ann") for name, game in games.items()}
    assert seen["monty"]["things"]["Ann"]["fortune"] == 10**39 + len(TEXTS[-1])
    assert seen["monty"]["things"] == seen["cpython"]["things"]


def test_what_has_no_text_comes_all_the_same(games):
    runtime = games["monty"].runtime
    runtime.add("def odd(data):\n    return {'odd': {1, 2}}\n\n\nCALLS['view'] = odd\n")
    assert runtime.call("view", {}) == {"odd": {1, 2}}

"""House rules in the words that people use, said by choices: what is told of them, and what they do."""

import pytest

from nomopoly.rulebook.changes import apply_changes
from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import Book, load_edition
from nomopoly.rulebook.wording import menus
from nomopoly.rulebook.wording.form import NotInForm, from_form, to_form
from nomopoly.rulebook.wording.offers import offers
from nomopoly.rulebook.wording.program import program
from nomopoly.rulebook.wording.read import read
from nomopoly.rulebook.wording.tell import tell
from nomopoly.runtime.scenarios import play

GAME = 'thing("game")'


def fields(*sentences):
    """The fields of sentences; a tuple is a choice and what it asks for."""
    found = {}
    for at, sentence in enumerate(sentences):
        put(found, f"{at}.form", sentence)
    return {key.replace(".form.", ".", 1): content for key, content in found.items()}


def put(found, path, content):
    if isinstance(content, tuple):
        found[path], inner = content
        for name, each in inner.items():
            put(found, f"{path}.{name}", each)
    elif isinstance(content, list):
        for at, each in enumerate(content):
            put(found, f"{path}.{at}", each)
    else:
        found[path] = content


def number(value):
    return ("number", {"value": str(value)})


def square(its_number):
    return ("square", {"numbered": number(its_number)})


def compare(left, op, right):
    return ("compare", {"left": left, "op": op, "right": right})


def one(part, kind="player", **more):
    """The one of a kind, or one drawn by lot."""
    return (part, {"kind": kind, "as": "one", **more})


def made(edition, said):
    """The change of the rulebook, and what is told of its program."""
    book = load_edition(edition)
    offered = offers(book.records, book.commons)
    sentences, problems = from_form(said, offered)
    assert problems == []
    assert from_form(to_form(sentences), offered) == (sentences, [])
    code, params = program(sentences)
    change = {"enact": "99.1", "title": "T", "text": "T", "params": params, "code": code}
    assert check_changes([change], "", book.records, book.commons) == []
    [rule] = [each for each in apply_changes(book.records, [change]) if each["id"] == "99.1"]
    assert [str(each.sentence) for each in read(rule)] == [str(each) for each in ordered(sentences)]
    told = tell(rule, [*book.records, rule], book.commons)
    assert all(each["whole"] for each in told)
    return book, change, [each["text"] for each in told]


def ordered(sentences):
    """Sentences in the order in which they stand in a program."""
    forms = ("attribute", "row", "every", "button", "when", "value")
    return sorted(sentences, key=lambda each: forms.index(each["form"]))


EVERY_DAY = {"weekday": "-1", "hour": "12", "minute": "0"}
POOREST = one("extreme", how="least", by="one.money")
SHARE = ("pay", {"who": "e.to", "to": POOREST, "amount": ("percent", {"of": "e.amount", "part": number(10)})})
NOT_AGAIN = ("not", {"of": ("caused by", {"event": "pay"})})
HOUSE_RULES = {
    "the poorest gets a part of each payment": (
        "original",
        fields(("when", {"event": "pay", "how": "after", "if": NOT_AGAIN, "then": [SHARE]})),
        "When a player pays another player an amount, if “pay” did not lead to it, the other player pays the player "
        "with the least money 10% of the amount.",
        {"Ann": {"money": 1000}, "Ben": {"money": 500}, "Cid": {"money": 100}, "#5": {"owner": "Ben"}},
        [
            {"order": {"by": "Ann", "do": "trade", "with": "Ben", "give": {"money": 100}, "take": {"squares": ["#5"]}}},
            {"order": {"by": "Ben", "do": "accept-trade", "offer": "offer-1"}},
            {"expect": {"Cid": {"money": 110}, "Ben": {"money": 590}}},
        ],
    ),
    "squares that nobody visits become free": (
        "original",
        fields(
            ("attribute", {"kind": "square", "label": "Last visit", "type": "moment", "show": "all"}),
            (
                "when",
                {
                    "event": "land",
                    "how": "after",
                    "then": [("set", {"of": "e.square", "name": "last_visit", "to": "now"})],
                },
            ),
            (
                "every",
                EVERY_DAY
                | {
                    "then": [
                        (
                            "each",
                            {
                                "kind": "square",
                                "as": "one",
                                "if": compare("one.last_visit", "<", ("ago", {"amount": number(2), "unit": "weeks"})),
                                "then": [("set", {"of": "one", "name": "owner", "to": "nothing"})],
                            },
                        )
                    ]
                },
            ),
        ),  # fmt: skip
        "Every day at 12:00, for each square if the last visit of that square is before 2 weeks ago: nobody owns that "
        "square any more.",
        {"#5": {"owner": "Ben"}, "#8": {"owner": "Ben"}},
        [
            {"turn": "Ann", "draws": [1, 3]},
            {"advance": "13d"},
            {"expect": {"#5": {"owner": "Ben"}}},
            {"advance": "3d"},
            {"expect": {"#5": {"owner": None}, "#8": {"owner": "Ben"}}},
        ],
    ),
    "ten squares win": (
        "original",
        fields(
            (
                "every",
                EVERY_DAY
                | {
                    "then": [
                        (
                            "each",
                            {
                                "kind": "player",
                                "as": "one",
                                "if": compare(
                                    (
                                        "count",
                                        {"kind": "square", "as": "two", "if": ("owned by", {"of": "two", "by": "one"})},
                                    ),
                                    ">=",
                                    number(10),
                                ),
                                "then": [("win", {"who": "one"})],
                            },
                        )
                    ]
                },
            )
        ),
        "Every day at 12:00, for each player if the number of the squares that that player owns is at least 10: that "
        "player wins the game.",
        {f"#{at}": {"owner": "Ann"} for at in range(2, 12)},
        [{"advance": "1d"}, {"expect": {"events": [{"what": "won", "who": "Ann"}]}}],
    ),  # fmt: skip
    "a taxi that one must be able to pay": (
        "original",
        fields(
            (
                "button",
                {
                    "label": "Take a taxi",
                    "say": "{who} takes a taxi to {where}",
                    "fields": [("choose", {"label": "Where", "kind": "square"})],
                    "if": compare("e.who.money", ">=", number(200)),
                    "refused": "you need $200, {who}",
                    "then": [
                        ("lose", {"who": "e.who", "amount": number(200)}),
                        ("jump", {"who": "e.who", "to": "e.where"}),
                    ],
                },
            )
        ),
        "When a player chooses “Take a taxi” and says “where”, (1) if their money is less than $200, it is refused: "
        "“you need $200, [their name]”; (2) they lose $200; (3) they jump to the square.",
        {"Ann": {"money": 300}, "Ben": {"money": 100}},
        [
            {"order": {"by": "Ann", "do": "take-a-taxi", "where": "#9"}},
            {"expect": {"Ann": {"money": 100, "square": "#9"}}},
            {"order": {"by": "Ben", "do": "take-a-taxi", "where": "#9"}, "refused": "you need $200, Ben"},
        ],
    ),  # fmt: skip
    "one drawn by lot gets a prize": (
        "mail",
        fields(("every", EVERY_DAY | {"then": [("gain", {"who": one("pick"), "amount": number(7)})]})),
        "Every day at 12:00, one of all players drawn by lot gets $7.",
        {"Ben": {"money": 100}},
        [{"advance": "1d", "draws": ["Ben"]}, {"expect": {"Ben": {"money": 107}}}],
    ),
    "a secret wish": (
        "mail",
        fields(
            ("attribute", {"kind": "player", "label": "Wish", "type": "word", "show": "owner"}),
            (
                "button",
                {
                    "label": "Make a wish",
                    "secret": "yes",
                    "fields": [("words", {"label": "Your wish", "limit": "100"})],
                    "then": [("set", {"of": "e.who", "name": "wish", "to": "e.your_wish"})],
                },
            ),
        ),
        "When a player chooses “Make a wish” and says “your wish” (the order is kept from the others), their wish "
        "becomes the wish.",
        {},
        [
            {"order": {"by": "Ann", "do": "make-a-wish", "your_wish": "a cat"}},
            {"until": "update"},
            {"expect": {"Ann": {"wish": "a cat"}}},
        ],
    ),  # fmt: skip
    "votes of the last count double": (
        "ii",
        fields(
            (
                "value",
                {
                    "value": "votes",
                    "if": compare("who", "is", one("extreme", how="least", by='value("net_worth", one)')),
                    "then": [("change", {"how": "times", "amount": number(2)})],
                },
            )
        ),
        "The votes of the player and the proposal is multiplied by 2, if the player is the player with the least net "
        "worth.",
        {"Ann": {"money": 100}},
        [
            {"propose": {"by": "Cid", "as": "P1", "title": "More for all", "text": "There is more for all."}},
            {"until": "voting-opens", "draws": ["Ann", "Ben", 1, 2, 1, 2, 1, 2]},
            {"vote": {"by": "Ann", "on": "P1", "choice": "yes"}},
            {"vote": {"by": "Ben", "on": "P1", "choice": "no"}},
            {"vote": {"by": "Cid", "on": "P1", "choice": "abstain"}},
            {"until": "votes-counted"},
            {"expect": {"P1": {"yes_votes": 2, "no_votes": 1}}},
        ],
    ),  # fmt: skip
    "a number that nobody sees is guessed": (
        "iv",
        fields(
            (
                "attribute",
                {"kind": "game", "label": "Secret number", "default": "0", "type": "number", "show": "nobody"},
            ),
            (
                "every",
                EVERY_DAY
                | {
                    "then": [
                        ("set", {"of": GAME, "name": "secret_number", "to": ("secret die", {"sides": number(20)})})
                    ]
                },
            ),
            (
                "button",
                {
                    "label": "Guess",
                    "say": "{who} guesses {number}",
                    "fields": [("number", {"label": "Number", "least": "1", "most": "20"})],
                    "if": compare("e.number", "==", f"{GAME}.secret_number"),
                    "then": [("gain", {"who": "e.who", "amount": number(50)})],
                },
            ),
        ),
        "Every day at 12:00, the secret number of the game becomes the roll of a die with 20 sides, made in secret.",
        {},
        [
            {"advance": "1d", "draws": [7]},
            {"order": {"by": "Ann", "do": "guess", "number": 6}},
            {"order": {"by": "Ann", "do": "guess", "number": 7}},
            {"expect": {"Ann": {"money": 10050}}},
        ],
    ),  # fmt: skip
    "from one square to another": (
        "original",
        fields(
            (
                "when",
                {
                    "event": "land",
                    "how": "after",
                    "if": compare("e.square", "is", square(5)),
                    "then": [
                        ("jump", {"who": "e.who", "to": square(2)}),
                        ("set", {"of": square(8), "name": "owner", "to": "e.who"}),
                    ],
                },
            )
        ),
        "When a player lands on a square, if the number of the square is 5, they jump to square 2, and then "
        "they become the owner of square 8.",
        {"Ann": {"square": "#1"}},
        [
            {"turn": "Ann", "draws": [1, 3]},
            {"expect": {"Ann": {"square": "#2"}, "#8": {"owner": "Ann"}}},
        ],
    ),  # fmt: skip
}


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_house_rule_is_said_by_choices_told_back_and_does_what_it_says(name):
    edition, said, sentence, given, steps = HOUSE_RULES[name]
    book, change, told = made(edition, said)
    assert sentence in told
    with_rule = Book(book.edition, book.title, apply_changes(book.records, [change]), book.commons)
    data = {"edition": edition, "players": ["Ann", "Ben", "Cid"], "given": given, "steps": steps}
    for runtime in ("cpython", "monty"):
        assert play.run({"scenario": name, **data}, name, runtime, book=with_rule).failure is None


def test_a_certain_square_is_asked_for_where_there_are_squares_and_nowhere_else():
    book = load_edition("original")
    near = menus.around({"form": "when", "event": "land", "how": "after"}, offers(book.records, book.commons))
    assert {wanted: "square" in ids(near, wanted) for wanted in ("square", "owned", "any", "player", "number")} == {
        "square": True,
        "owned": True,
        "any": True,
        "player": False,
        "number": False,
    }
    without = menus.around({"form": "when", "event": "entry", "how": "after"}, offers([], []))
    assert "square" not in ids(without, "any")


@pytest.mark.parametrize("depth", [11, 12, 13])
def test_a_comparison_that_stands_too_deep_is_a_problem_and_breaks_nothing(depth):
    deep = compare("e.square", "is", square(5))
    for _ in range(depth):
        deep = ("not", {"of": deep})
    said = fields(("when", {"event": "land", "how": "after", "if": deep, "then": ["stop"]}))
    book = load_edition("original")
    problems = from_form(said, offers(book.records, book.commons))[1]
    assert "This is nested too deeply." in [each["message"] for each in problems]


def ids(near, wanted):
    """What can stand where something is wanted."""
    return [each["id"] for each in menus.expressions(near, wanted)]


def test_a_moment_that_is_not_known_yet_breaks_no_comparison():
    book, change, _ = made(*HOUSE_RULES["squares that nobody visits become free"][:2])
    with_rule = Book(book.edition, book.title, apply_changes(book.records, [change]), book.commons)
    steps = [{"until": "moment-2"}, {"expect": {"game": {"paused": False}, "#5": {"last_visit": None}}}]
    data = {"scenario": "none", "edition": "original", "players": ["Ann"], "steps": steps}
    assert play.run(data, "none", "cpython", book=with_rule).failure is None


def test_what_would_set_off_itself_without_end_says_which_condition_helps():
    book = load_edition("original")
    said = fields(("when", {"event": "pay", "how": "after", "then": [SHARE]}))
    [problem] = from_form(said, offers(book.records, book.commons))[1]
    assert problem["path"] == "0.if"
    assert "without end" in problem["message"]
    assert "a player pays another player an amount" in problem["message"]


@pytest.mark.parametrize("unfinished", ["not", "and", "compare", ("compare", {"op": "nonsense"}), "dated", "caused by"])
def test_a_condition_that_is_only_begun_breaks_no_button(unfinished):
    book = load_edition("original")
    said = fields(("button", {"label": "Nap", "if": unfinished, "refused": "no", "then": ["win"]}))
    assert from_form(said, offers(book.records, book.commons))[1]


def test_an_order_that_says_more_than_choices_can_is_not_rewritten_without_it():
    rule = {"id": "99.1", "code": '@action("nap", "Nap", at_once=True)\ndef nap(e):\n    gain(e.who, 5)\n'}
    [part] = read({"params": {}, **rule})
    assert part.sentence["more"] == {"at_once": "yes"}
    with pytest.raises(NotInForm):
        to_form([part.sentence])


@pytest.mark.parametrize("edition", ["original", "ii", "iv"])
def test_rolling_the_dice_is_found_in_words(edition):
    book = load_edition(edition)
    assert "rolls" in menus.event_label("roll", offers(book.records, book.commons))


@pytest.mark.parametrize(
    ("edition", "value", "type"),
    [
        ("original", "successor", "square"),
        ("original", "block", "list"),
        ("original", "neighbour", "square"),
        ("original", "phase", "word"),
        ("mail", "backwards", "yesno"),
        ("mail", "standing", "word"),
        ("ii", "new_square_number", "number"),
        ("ii", "unownable", "word"),
        ("ii", "successor", ""),
    ],
)
def test_of_which_type_a_definition_is_its_program_tells(edition, value, type):
    book = load_edition(edition)
    assert offers(book.records, book.commons).values[value].type == type


def test_what_may_be_no_number_stands_last_among_numbers():
    book = load_edition("ii")
    near = menus.around({"form": "when", "event": "land", "how": "after"}, offers(book.records, book.commons))
    numbers = {each["id"]: each["group"] for each in menus.expressions(near, "number")}
    assert numbers["e.square.number"] != menus.PERHAPS
    assert numbers['value("successor", e.square)'] == menus.PERHAPS
    assert 'value("unownable", e.square)' not in numbers
    anything = {each["id"]: each["group"] for each in menus.expressions(near, "any")}
    assert anything['value("successor", e.square)'] == "The square"


def test_a_number_that_other_things_keep_for_themselves_is_offered_where_all_see_it():
    declared = 'attribute("player", "luck", 1)\n\n\nattribute("game", "luck", 2, show="nobody")\n'
    book = load_edition("iv")
    drafted = {**book.records[0], "id": "99.1", "code": declared, "params": {}}
    near = menus.around({"form": "when", "event": "land", "how": "after"}, offers(book.records, book.commons, drafted))
    offered = ids(near, "number")
    assert "e.who.luck" in offered
    assert f"{GAME}.luck" not in offered

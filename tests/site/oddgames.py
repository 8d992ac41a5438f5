"""Games full of oddities: attributes, facts, questions, timers, labels and choices of every wrong sort, size and
script.

`begun` makes a game as older versions could have left it: what is checked today was not checked while it came about.
`proposed` makes one today, by a proposal that is accepted; what the checks refuse is not in it.
"""

import json
import random
import re

from pagewords import seated

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime import host
from nomopoly.runtime.interpreters import cpython, monty, text
from nomopoly.site.tables import domain, live

SLUG = "odd"
WORDS = (
    "", " ", "\r", "one\rtwo", "a\n\nb", "\x00\x1f\x7f", "\u202eltr\u2066x", "\U000e0041\U000e0042", "e\u0301" * 40,
    "x" * 4000, "y" * 190_000, "<script>alert(1)</script>", "#2", "#99999999999", "P1", "Ann", "Ann/Ben", "..", "?a=b#c", "100%",
    "{0}", "{who}", "{{ x }}", "[]", '{"a":', "null", "[1, {}]", "voting", "Voting", "undecided", "Pending", "javascript:alert(1)",
    "a b " * 900, "\u0664\u0662", "5", "-5", "1e9", "2026-03-02", "$admin", "$", "#", "-", "'\"`\\", "game", "\ud7ff\ue000\uffff", "\u2028",
    "a/b", "/", "../..", "a%2Fb", "%00", "%", "?", "#", "a?b#c%d/e", "O'Neil \"x\"", "\\", "a&b;c=d", "+", "\u0000", "\ufeff", "nan", "\u200b", ".json",
)  # fmt: skip
NUMBERS = (0, 1, -1, 7, 10**5, -(10**5), 10**10, 10**11, -(10**11), 253402300800, 10**17, 10**18, -(10**18))
OTHERS = (
    "None",
    "True",
    "False",
    "()",
    "((),)",
    "(None,)",
    "(('a', 1),)",
    "((1, 2, 3), ('x',))",
    "thing('#2')",
    "e.who",
    "(e.who,)",
    "(e.who, 'Ben', 5)",
    "thing('game')",
    "tuple(range(700))",
    "tuple([str(n) for n in range(700)])",
    "((((((('deep',),),),),),),)",
    "{}",
    "5 / 2",
    "10**41",
)
HALVES = (
    "f'{55296:c}'",
    "f'odd {56320:c}{55357:c}'",
    "(f'{57343:c}',)",
    "format(55296, 'c')",
    "'%c' % 55296",
)  # of characters
IN_ORDERS = (*HALVES, "e", "put", "chance.hidden", "chance.die(6)", "players()")  # fmt: skip
LIST_LIKE = ("{}", "[]", "[1, 'x']", "{'thing': 5}", "{'tuple': 7}", "{'a': {'b': []}}")  # in facts and timers alone
NAMES = (
    "name", "title", "text", "status", "verdict", "outcome", "because", "changes", "run", "author", "owner", "parties", "agreed",
    "asked", "options", "deadline", "until", "closes_at", "made_at", "turn_open_at", "turn_due_at", "option_of", "option_until",
    "number", "column", "row", "color", "square", "money", "price", "seller", "items", "cards", "give", "take", "to", "complete",
    "words", "transfers", "credit", "what", "args", "place", "entry", "week", "update", "over", "paused_at", "joined_at", "yes_votes",
    "no_votes", "on_ballot", "published", "type", "buildings", "health", "holder", "contents", "bid", "winner", "doubts", "days",
)  # fmt: skip
SITE_KINDS = (
    "offer", "agreement", "proposal", "order", "hand", "ticket", "block", "patent", "unit", "creature", "exploit", "lot", "job",
    "request", "account", "newcomer", "odd-thing",
)  # fmt: skip
TYPES = ("", "number", "money", "word", "yesno", "moment", "thing", "list", "percent")
SHOWS = ("'all'", "'owner'", "('owner', 'admin')", "'admin'", "'nobody'")
FACT_KEYS = (
    "text",
    "say",
    "dice",
    "only",
    "amount",
    "who",
    "price",
    "mover",
    "because",
    "until",
    "title",
    "to_",
    "proposal",
    "depth",
)
DRAWS = (
    "chance.die(6)", "chance.hidden.die(6)", "chance.dice((6, 6))", "chance.pick(('a', ODD))".replace("ODD", "'/'"),
    "chance.hidden.sample(('a', 'b', 'c'), 2)", "chance.percent(50)", "chance.die(0)", "chance.hidden.pick(())",
)  # fmt: skip
AFTER_DRAWS = (
    "refuse(str(drawn))", "refuse(ODD)", "refuse(('x', drawn))", "{}[str(drawn)]", "{}[ODD]", "1 // 0", "raise ValueError(ODD)", "tell(e.who, str(drawn))",
    "fact('odd', n=drawn, only=(e.who,), say='{n}')", "note(n=drawn, dice=(ODD,))", "put(e.who, 'name', drawn)", "tell(('Ben',), ODD)",
    "if drawn in (1, 2, 3, True):\n    refuse(ODD)\ntell(None, str(drawn))", "at(now() + 9000, 'odd-bell', "
                                                                             "who=e.who, box=drawn)", "at(now(), 'odd-bell', box=drawn)",
)  # fmt: skip
HANDLERS = """
event("odd-bell", "rang", who="player", box="", say="{who} has {box}")
event("odd-answered", "answered", answers="", why="", say="{answers}, as {why} says")
row("sale", "odd row", price=5, name="Odd")


@value("odd_sum", of="player", label="Odd sum", type="money")
def odd_sum(who):
    return %(shown)s


@value("odd_mark", of="square", label="Odd mark", type="yesno")
def odd_mark(square):
    return %(marked)s


@marker("square")
def odd_marker(square):
    return (%(symbol)s, %(label)s)


def some(who):
    return %(choices)s


@action("odd-act", %(label)s, fact="odd", say="{who} is odd: {n} {w} {o} {x}", n=number("N"), w=words("W", limit=90000, long=True, optional=True),
        o=one_of(some, "O", optional=True), c=choose("", "C", choices=some, optional=True), x=anything("X"), g=goods("G"))
def odd_act(e):
    pass
"""


class Odd:
    """The oddities that one seed makes."""

    def __init__(self, seed, edition):
        self.random = random.Random(seed)
        self.edition = edition
        self.book = load_edition(edition)

    def value(self, more=()):
        """The source of an odd value."""
        pick = self.random.random()
        if pick < 0.45:
            word = self.random.choice(WORDS)
            return repr(word) if len(word) < 5000 else f"{word[0]!r} * {len(word)}"
        if pick < 0.65:
            return repr(self.random.choice(NUMBERS))
        return self.random.choice(OTHERS + tuple(more))

    def constant(self):
        """The same, of what can stand at the top of a rule."""
        found = self.value()
        return found if "e.who" not in found and "thing(" not in found else "None"

    def declarations(self, odd_labels):
        """A rule that declares attributes of known names with odd types, and values, markers and forms that are odd."""
        lines, kinds = [], self.kinds()
        for each in SITE_KINDS:
            if each not in kinds:
                lines.append(f"kind({each!r})")
        known = self.attributes()
        for _ in range(60):
            kind = self.random.choice(("player", "square", "game", *SITE_KINDS))
            name = self.random.choice(NAMES)
            if (kind, name) not in known:
                known.add((kind, name))
                label = self.constant() if odd_labels else repr(self.random.choice(("", "Odd", "Odder: {x}")))
                default = self.constant() if odd_labels else "None"
                more = f"{default}, label={label}, show={self.random.choice(SHOWS)}, type={self.random.choice(TYPES)!r}"
                lines.append(f"attribute({kind!r}, {name!r}, {more}, summary={self.random.random() < 0.4})")
        parts = {
            "shown": self.value().replace("e.who", "who"),
            "marked": self.value().replace("e.who", "square"),
            "symbol": self.value().replace("e.who", "square"),
            "label": self.constant() if odd_labels else "'Odd'",
            "choices": f"({', '.join(self.value(HALVES[:1]).replace('e.who', 'who') for _ in range(12))},)",
        }
        return "\n".join(lines) + "\n" + HANDLERS % parts

    def kinds(self):
        found = {"game", "player", "applicant", "question", "emergency"}
        for source in self.sources():
            found |= set(re.findall(r'^kind\("([\w-]+)"', source, re.M))
        return found

    def attributes(self):
        """(kind, name) of all that is declared."""
        return {(kind, name) for kind, name, _ in self.declared()} | {
            (kind, name)
            for kind in ("game", "question", "emergency", "applicant")
            for name in (
                "paused",
                "paused_at",
                "pause_kind",
                "resumed_at",
                "pause_because",
                "name",
                "asked",
                "text",
                "options",
            )
            + ("default", "deadline", "then", "secret", "about", "answers", "title", "changes", "run", "status")
        }

    def declared(self):
        found = []
        for source in self.sources():
            for kinds, name, rest in re.findall(r'^attribute\((\([^)]*\)|"[\w-]+"), "(\w+)"(.*)\)', source, re.M):
                found += [(kind, name, rest) for kind in re.findall(r'"([\w-]+)"', kinds)]
        return found

    def sources(self):
        return [source for _, source in self.book.commons] + [record["code"] for record in self.book.records]

    def storm(self, many=40):
        """The body of an action: writes, facts, news, questions, timers and things, of whatever sort."""
        made = [self.statement() for _ in range(many)]
        return [each for each in made if each]

    def statement(self):
        return self.draw() if self.random.random() < 0.25 else self.written()

    def draw(self):
        """Draws, hidden and open, with what may come after them: nothing, a refusal, a fault, words for some."""
        dice = self.random.choice(DRAWS)
        return f"drawn = {dice}\n{self.random.choice(AFTER_DRAWS).replace('ODD', self.value())}"

    def written(self):
        pick = self.random.random()
        if pick < 0.25:
            return (
                f"for each in every({self.random.choice(('player', 'square', 'game', *SITE_KINDS))!r})[:2]:\n    "
                f"write(each, {self.random.choice(NAMES)!r}, {self.value()})"
            )
        if pick < 0.55:
            kind, name, _ = self.random.choice(self.declared())
            return f"for each in every({kind!r})[:2]:\n    write(each, {name!r}, {self.value()})"
        if pick < 0.7:
            return (
                f"create({self.random.choice(SITE_KINDS)!r}, id={self.random.choice(('', 'odd '))!r} + "
                f"{self.random.choice(WORDS)!r} + {str(self.random.random())!r})"
            )
        if pick < 0.8:
            fields = ", ".join(f"{key}={self.value(LIST_LIKE + IN_ORDERS)}" for key in self.random.sample(FACT_KEYS, 3))
            return f"fact({self.random.choice(('told', 'odd', 'paid', 'ruled', 'joined', 'removed', 'judged', 'enacted'))!r}, {fields})"
        if pick < 0.85:
            return f"tell({self.random.choice(('None', 'e.who', '(e.who,)'))}, {self.value()})"
        if pick < 0.92:
            return (
                f"ask(e.who, {self.value()}, ({self.value()}, 'b'), 'odd-answered', default={self.value()}, "
                f"by=now() + 9000, why={self.value()})"
            )
        moment = self.random.choice(("now() + 9000", "now() + 10**9", "10**10"))
        return f"at({moment}, 'odd-bell', who=e.who, box={self.value(LIST_LIKE + IN_ORDERS)})"


def action_of(at, statement):
    """An order that carries out one statement, so that what is refused takes nothing else with it; every third is
    private."""
    private = ", private=True" if at % 3 == 0 else ""
    body = "\n".join(f"    {line}" for line in statement.split("\n"))
    return f'@action("storm-{at}", hidden=True{private})\ndef storm_{at}(e):\n{body}\n'


WRITE = """
def write(each, name, content):
    if name in traits(each.kind):
        put(each, name, content)
"""


def records_of(odd, odd_labels):
    """The records of the rules that hold the oddities, and how many orders they have."""
    storms = odd.storm()
    code = odd.declarations(odd_labels) + WRITE
    code += "\n\n" + "\n\n".join(action_of(at, each) for at, each in enumerate(storms))
    text = f"Odd things {odd.random.choice(WORDS)[:3000]} happen."
    about = {"section": "98", "section_title": odd.random.choice(WORDS)[:300], "title": odd.random.choice(WORDS)[:300]}
    number = {"n": odd.random.choice((1, "x", [1, "y"], True, 10**18, "z" * 500))}
    made = {"params": number, "code": code, "since": 0, "made_by": "opening"}
    return [{"id": "98.1", **about, "text": text, **made}], len(storms)


CHECKS = {"    if not fits:\n": "    if not immutable(value):\n"}

ONLY_VIEWERS = """

def fit_for_log(fields):
    if unfit_for_log("only", fields.get("only")):
        raise ValueError("no journal was ever sealed with such a fact")
"""


def unchecked(source):
    """The kernel's text as if it did not look at the sorts of things, as it did not once."""
    for check, instead in CHECKS.items():
        assert check in source, check
        source = source.replace(check, instead)
    for name in re.findall(r"^def (fit_\w+)\(", source, re.M):
        if name != "fit_for_log":
            source += f"\n\ndef {name}(*parts, **more):\n    pass\n"
    source += ONLY_VIEWERS
    return source + "\nWORDS['create'] = create\n"


def begun(keeper, people, seed, edition, monkeypatch):
    """A game as older versions have left it. Returns it, and how many of its odd orders were carried out."""
    odd = Odd(seed, edition)
    records, many = records_of(odd, odd_labels=seed % 2 == 0)
    with monkeypatch.context() as patch:
        source = unchecked(text.kernel_source())
        code = compile(source, "<kernel>", "exec")
        patch.setattr(text, "kernel_source", lambda: source)
        patch.setattr(cpython, "kernel_code", lambda _: code)
        patch.setattr(monty, "_books", {})
        book = Book(edition, "Odd", [*odd.book.records, *records], odd.book.commons)
        patch.setattr(domain, "load_edition", lambda edition: book)
        game = domain.start_game(keeper.user, edition=edition, title="Odd", slug=SLUG, at=live.now() - 3600)
        done = played(game, people, many)
        kept(game)
        live.close_all()
    return game, done


def kept(game):
    """Keep the state as it is: what an old game holds is read from its snapshot, and not computed by the rules of
    today."""
    warm = live.of(game)
    with warm.writing() as running:
        blob = json.dumps(host.take_snapshot(running), separators=(",", ":")).encode()
        warm.keep_snapshot(running.n, blob, running.runtime.name)


def proposed(keeper, people, seed, edition):
    """A game of today. Returns it, and how many of its odd orders were carried out."""
    odd = Odd(seed, edition)
    game = domain.start_game(keeper.user, edition=edition, title="Odd", slug=SLUG, at=live.now() - 3600)
    for name in ("Ann", "Ben"):
        seated(game, people(name.lower()), name)
    domain.desk_act(
        game,
        "grant",
        {"thing": "game", "attribute": "pause_because", "value": odd.random.choice(WORDS), "because": "x"},
    )
    with live.of(game).writing() as running:
        running.checks = False
        for _ in range(20):  # until one is so little odd that it can be in force
            records, many = records_of(odd, odd_labels=False)
            change = {"enact": "98.1", "text": records[0]["text"], "code": records[0]["code"], "title": "Odd"}
            if running.admin("put-in-force", {"changes": [change], "by": "P1"}, live.now()).ok:
                break
    done = stormed(game, many // 3)  # where a rule breaks is looked for in each replay, which takes half a second
    struck(game, odd)
    return game, done


def struck(game, odd):
    """Take two odd orders out of the game, and put one of them back."""
    first = live.of(game).n
    for n in odd.random.sample(range(5, first), 1):
        domain.strike(game, n, odd.random.choice(WORDS)[:2000])
    if live.of(game).n > first:
        domain.strike(game, live.of(game).n, "back")


def played(game, people, many):
    for name in ("Ann", "Ben"):
        seated(game, people(name.lower()), name)
    return stormed(game, many)


def stormed(game, many):
    """Give all the odd orders. Returns how many were carried out; a disruption ends it."""
    done = 0
    with live.of(game).writing() as running:
        for at in range(many):
            done += running.submit("order", "Ann", f"storm-{at}", {}, live.now()).ok
    domain.order(game, "Ann", "propose", {"title": "Odd\u202e\r", "text": "a\x01b" * 50, "changes": []})
    domain.desk_act(game, "rule", {"text": "So\x01 it\x1f is\ufffe", "rules": {"a": [1]}})
    return done

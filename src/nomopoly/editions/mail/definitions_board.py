"""What rules of several sections mean when they speak of the board: words that they share."""

section("D", "Definitions")

rule("D.1", """
A square is mentioned if a rule in force states its number, in digits or in words; so is every square that a rule marks out otherwise:
the first square, Public Property, National Parks and squares of the Bridge. What counts is the number that the square has at the time.
""", title="Mentioned squares")


attribute("game", "mentions", None, show="nobody")  # what `mentions_now` has said since the rules changed last
event("index-mentions")


@after("open")
@after("rules-changed")
def index_now(e):
    do("index-mentions")


@on("index-mentions")
def index_mentions(e):
    put(thing("game"), "mentions", mentions_now())


@value("mentioned", of="square", bands=("set",), label="Mentioned in the rules", type="yesno")
def is_mentioned(place):
    if place.number == 1 or number_stated(place.number) or attribute_of(place, "bridge", False):
        return True
    return value("public_property", place, otherwise=False) or value("national_park", place, otherwise=False)


@word
def mentioned(place):
    """Whether the rules mention a square."""
    return value("mentioned", place)


def mentions_now():
    """The rules in force that state numbers of squares: each with the entry that made its present form, and the numbers."""
    found = ()
    for id, text in prose():
        stated = numbers_stated_in(text)
        if stated:
            found = (*found, (id, rule_since(id), stated))
    return found


def known_mentions():
    """What `mentions_now` says, from the index of the game unless a rule in it has another form by now."""
    kept = attribute_of(thing("game"), "mentions")
    if kept is None or [id for id, since, _ in kept if rule_since(id) != since]:
        return mentions_now()
    return kept


def number_stated(number):
    """Whether a rule in force states the number of a square."""
    for _, _, stated in known_mentions():
        if number in stated:
            return True
    return False


rule("D.2", """
The number of a square is stated by its digits after the sign #, or after the word square, in digits or in words, alone or in a list.
""", title="Numbers in words")


UNITS = (
    *(
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
    ),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
DIGITS = tuple("0123456789")
BEGINNINGS = tuple("#0123456789aefnostz")  # of a number


def ends_here(text):
    """Whether what stands before this text ends a word or number."""
    return not (text[:1].isalnum() or text[:1] == "_")


def begins_with(text, letters):
    """What a text begins with, as far as it is of these letters: at most twelve of them."""
    length = 0
    while length < 12 and text[length : length + 1] in letters:
        length = length + 1
    return text[:length]


def small_at(text):
    """The number below a hundred that a text begins with, in words, and what stands after it; None if there is none."""
    head = begins_with(text, LETTERS)
    rest = text[len(head) :]
    if head in UNITS and ends_here(rest):
        return (UNITS.index(head), rest)
    if head not in TENS or not ends_here(rest):
        return None
    ten = 10 * (TENS.index(head) + 2)
    unit = small_at(rest[1:]) if rest[:1] in (" ", "-") else None
    return (ten + unit[0], unit[1]) if unit is not None and 1 <= unit[0] <= 9 else (ten, rest)


def number_at(text):
    """The number that a text begins with, and what stands after it; None if there is none."""
    bare = text.removeprefix("#")
    digits = begins_with(bare, DIGITS)
    if digits:
        rest = bare[len(digits) :]
        return (int(digits), rest) if ends_here(rest) else None
    many = (1, text[1:]) if text[:9] == "a hundred" and ends_here(text[9:]) else small_at(text)
    if many is None or not (1 <= many[0] <= 9 and many[1][:8] == " hundred" and ends_here(many[1][8:])):
        return many
    rest = many[1][8:]
    rest = rest[4:] if rest[:4] == " and" and ends_here(rest[4:]) else rest
    small = small_at(rest[1:]) if rest[:1] == " " else None
    return (100 * many[0] + small[0], small[1]) if small is not None else (100 * many[0], rest)


def list_at(text):
    """The numbers of a list that a text begins with: `5, #7 and twenty to thirty`."""
    found = ()
    number = number_at(text)
    while number is not None:
        found = (*found, number[0])
        further = [each for each in (", and ", " and ", ", or ", " or ", ", ", " to ") if number[1].startswith(each)]
        number = number_at(number[1][len(further[0]) :]) if further else None
    return found


def stated_after(text):
    """The numbers that follow the word `square` where this text comes right after it."""
    rest = text.removeprefix("s")
    if rest[:1] != " ":
        return ()
    for between in (" numbers ", " number ", " no. "):
        if rest.startswith(between):
            return list_at(rest[len(between) :]) or list_at(rest[1:])
    return list_at(rest[1:])


@word
def numbers_stated_in(text):
    """The numbers of squares that a text states, each once."""
    text = " ".join(text.lower().split())
    found = []
    for part in text.split("#")[1:]:
        digits = begins_with(part, DIGITS)
        if digits and ends_here(part[len(digits) :]):
            found.append(int(digits))
    parts = text.split("square")
    for at in range(1, len(parts)):
        before = parts[at - 1] or ("square" if at > 1 else " ")
        if ends_here(before[-1]) and parts[at].removeprefix("s")[1:2] in BEGINNINGS:
            found = [*found, *stated_after(parts[at] if at == len(parts) - 1 else parts[at] + "s")]
    return tuple([found[at] for at in range(len(found)) if found[at] not in found[:at]])


rule("D.3", """
A square can be destroyed unless a rule protects it.
""", title="Protected squares")


@value("protected", of="square", bands=("at_least", "set"), label="Cannot be destroyed", type="yesno")
def protected(place):
    """Whether a square cannot be destroyed: none is protected but by a rule that says so."""
    return False


rule("D.6", """
A player occupies the square that they stand on, and any other that a rule counts as occupied. An order that names no square means the
one that the player stands on.
""", title="Occupying a square")


@word
def stands_on(who, place):
    """Whether a player occupies a square: by standing there, or because the last update has put them there."""
    return who.square is place or (value("put_there", who, place, otherwise=False))


@word
def spot(who, place=None):
    """The square that an order names, or if it names none the player's own; refuses one that the player does not occupy."""
    place = place or who.square
    if not stands_on(who, place):
        refuse(f"not there: {name_of(who)} is on {name_of(who.square)}")
    return place


@word
def occupied_by(who):
    """The squares that count as occupied by a player: where they are, and where the last update has put them."""
    return [
        who.square,
        *[each for each in who.stood if exists(each) and each is not who.square and stands_on(who, each)],
    ]


@word
def in_several_places(who):
    """Whether more squares than one count as occupied by a player."""
    return len(occupied_by(who)) > 1


@word
def any_bombs(who):
    """Whether there is a Blockbuster anywhere, of whoever asks."""
    return len([each for each in squares() if attribute_of(each, "blockbuster") is not None]) > 0


@word
def not_occupied(who, place):
    """Why a player cannot do something that needs occupying a square, or nothing."""
    if not stands_on(who, place):
        return f"not there: you are on {name_of(who.square)}, and do not occupy {place.id}"


@word
def not_owner(who, place):
    """Why a player cannot do something that only the owner of a square can, or nothing."""
    if place.owner is not who:
        return f"not yours: {place.id} belongs to {name_of(place.owner) if place.owner is not None else 'nobody'}"


rule("D.8", """
A square that gets another number keeps all that it has, and whatever refers to it goes on doing so. Nothing refers any longer to a
square that is gone: questions about it and offers of it lapse.
""", title="Numbers that change")


def is_square(content):
    """Whether a value that a thing holds is a square, be it one that is gone."""
    return content is not None and not isinstance(content, (int, str, tuple)) and content.kind == "square"


def speaks_of(content, place):
    """Whether a value is this thing, or holds it in whatever depth."""
    if isinstance(content, tuple):
        return bool([part for part in content if speaks_of(part, place)])
    return content is place


def with_numbers(content, moved):
    """A value with other squares for those that have moved: `moved` gives the new one by the id of the old."""
    if isinstance(content, tuple):
        return tuple([with_numbers(part, moved) for part in content])
    return moved[content.id] if is_square(content) and content.id in moved else content


def without_square(content, place):
    """A value without a square: taken out of lists, None in its stead elsewhere."""
    if isinstance(content, tuple):
        if len(content) == 2 and isinstance(content[0], str) and content[1] is place:
            return (content[0], None)
        return tuple([without_square(part, place) for part in content if part is not place])
    return None if content is place else content


def kinds_there():
    """The kinds of all things that there are."""
    found = []
    for each in every():
        if each.kind not in found:
            found.append(each.kind)
    return found


def holders():
    """All (thing, name of an attribute, content) where a thing holds another thing, or several values."""
    found = []
    for kind in kinds_there():
        names = traits(kind)
        for each in every(kind):
            for name in names:
                content = attribute_of(each, name)
                if content and not isinstance(content, (int, str)):
                    found.append((each, name, content))
    return found


@word
def renumber_squares(moves):
    """Give squares other numbers: `moves` is a list of (square, number), the numbers being those of the same squares.

    A square keeps all it has, and whatever refers to it does so further on. Returns the squares as they are called now.
    """
    moved = {place.id: find(f"#{number}") for place, number in moves}
    for each, name, content in holders():
        changed = with_numbers(content, moved)
        if changed != content:
            put(each, name, changed)
    named = [name for name in traits("square") if name != "number"]
    had = [(moved[place.id], [attribute_of(place, name) for name in named]) for place, _ in moves]
    for place, contents in had:
        for at in range(len(named)):
            put(place, named[at], contents[at])
    return [place for place, _ in had]


@word
def forget_square(place):
    """Take a square out of all that refers to it; what was to be done about it, asked about it or offered lapses."""
    for each in every("question") + every("offer"):
        if [name for name in traits(each.kind) if speaks_of(attribute_of(each, name), place)]:
            if each.kind == "question":
                cancel("question-lapses", question=each)
            destroy(each)
    game = thing("game")
    for name in ("agenda", "following"):
        kept = attribute_of(game, name, ())
        if speaks_of(kept, place):
            put(game, name, tuple([each for each in kept if not speaks_of(each, place)]))
    for each, name, content in holders():
        if speaks_of(content, place):
            put(each, name, without_square(content, place))


rule("D.9", """
Of several squares to be destroyed each is destroyed wherever it has got to by then, and what is protected or insured stays. Of squares
that are equally close the one with the lowest number is the closest.
""", title="Destroying squares")


@word
def destroy_square(place, by=None, who=None):
    """Destroy a square: `by` what, and `who` is to blame. Refused where a rule forbids it. Returns whether it is gone.

    The highest square gets its number, so that there is another square under its id afterwards.
    """
    before = count("square")
    do("destroy", square=place, by=by, who=who)
    return count("square") < before


@word
def destroy_squares(places, by=None, who=None):
    """Destroy several squares one after the other, each wherever it has got by then; what is protected or insured stays."""
    left = list(places)
    while left:
        place = left[0]
        left = left[1:]
        top = find(f"#{last_number()}")
        before = count("square")
        if do("destroy", may=True, square=place, by=by, who=who) and count("square") < before:
            left = [place if each is top else each for each in left if each is not place]


@word
def closest_square(place, wanted):
    """Of some squares the one closest to a place, of equally close ones the lowest; None if there are none."""
    near = None
    for each in sorted(wanted, key=lambda one: one.number):
        far = value("distance", place, each)
        if near is None or far < near[0]:
            near = (far, each)
    return near[1] if near is not None else None


rule("D.10", """
Corners and adjacent squares are those that the rules on the board call so. A new square is made by the rules on new squares, and gets
the number after the highest.
""", title="Corners and new squares")


@word
def adjacent(place, other):
    """Whether one square is north, south, east or west of the other."""
    return value("adjacent", place, other)


@word
def corner(which):
    """A corner square of the board: "SW", "SE", "NW" or "NE"."""
    return value("corner", which)


@word
def corners():
    """The corner squares of the board, each once."""
    found = []
    for which in ("SW", "SE", "NW", "NE"):
        place = value("corner", which)
        if place not in found:
            found.append(place)
    return found


@word
def make_square():
    """A new square with the next number, by the rules in force. Returns it."""
    if can_happen("create-square"):
        do("create-square")
    else:
        add_squares(1)
    return square(last_number())


rule("D.11", """
A Jumpgate joins two squares. It is opened and closed at both ends at once, and asks no toll at first. Where no rule knows of Jumpgates
none can be opened.
""", title="Jumpgates")


@word
def ask_toll(who, mover, place):
    """Let somebody pay what the owner of a square with a Jumpgate asks, if that is anything."""
    if can_happen("pay-toll"):
        do("pay-toll", who=who, mover=mover, square=place, amount=place.toll)


@word
def open_gate(place, sister):
    """Make a Jumpgate between two squares. Refused where there are none."""
    if "jumpgate" not in traits("square"):
        refuse("there are no Jumpgates")
    for one, other in ((place, sister), (sister, place)):
        put(one, "jumpgate", other)
        if "toll" in traits("square"):
            put(one, "toll", 0)


@word
def close_gate(place):
    """Take the Jumpgate of a square away, at both ends."""
    sister = attribute_of(place, "jumpgate")
    for each in (place, sister) if exists(sister) else ():
        put(each, "jumpgate", None)
        if "toll" in traits("square"):
            put(each, "toll", 0)

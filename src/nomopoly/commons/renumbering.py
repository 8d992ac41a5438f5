"""Numbers of squares: what they contain moves from number to number, and all that refers to them goes along."""

_PLAIN = (int, str, tuple)


def is_square(content):
    """Whether a value that a thing holds is a square, be it one that is gone."""
    return content is not None and not isinstance(content, _PLAIN) and content.kind == "square"


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


def holders():
    """All (thing, name of an attribute, content) where a thing holds another thing, or several values."""
    found = []
    for kind in kinds_there():
        names = traits(kind)
        for each in every(kind):
            for name in names:
                content = getattr(each, name)
                if content and not isinstance(content, (int, str)):
                    found.append((each, name, content))
    return found


def kinds_there():
    """The kinds of all things that there are."""
    found = []
    for each in every():
        if each.kind not in found:
            found.append(each.kind)
    return found


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
    had = [(moved[place.id], [getattr(place, name) for name in named]) for place, _ in moves]
    for place, contents in had:
        for at in range(len(named)):
            put(place, named[at], contents[at])
    return [place for place, _ in had]


def forget_square(place):
    """Take a square out of all that refers to it; what was to be done about it, asked about it or offered lapses."""
    for each in every("question") + every("offer"):
        if [name for name in traits(each.kind) if speaks_of(getattr(each, name), place)]:
            if each.kind == "question":
                cancel("question-lapses", question=each)
            destroy(each)
    game = thing("game")
    for name in ("agenda", "following"):
        kept = getattr(game, name, ())
        if speaks_of(kept, place):
            put(game, name, tuple([each for each in kept if not speaks_of(each, place)]))
    for each, name, content in holders():
        if speaks_of(content, place):
            put(each, name, without_square(content, place))


def destroy_square(place, by=None, who=None):
    """Destroy a square: `by` what, and `who` is to blame. Refused where a rule forbids it. Returns whether it is gone.

    The highest square gets its number, so that there is another square under its id afterwards.
    """
    before = count("square")
    do("destroy", square=place, by=by, who=who)
    return count("square") < before


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


def closest_square(place, wanted):
    """Of some squares the one closest to a place, of equally close ones the lowest; None if there are none."""
    near = None
    for each in sorted(wanted, key=lambda one: one.number):
        far = value("distance", place, each)
        if near is None or far < near[0]:
            near = (far, each)
    return near[1] if near is not None else None

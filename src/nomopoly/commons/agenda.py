"""The agenda: what a moment has begun is done step by step, each step an entry of its own, all in the same second.

Moments have steps, which rules declare as rows of the catalogue "step"; steps may put further entries on the agenda.
What breaks is undone alone; the rest waits on the agenda until the game goes on. What begins in a pause is done in the
pause, on an agenda of its own. A step that is a row of the catalogue "quiet" is dropped if it breaks, and stops
nothing.
"""


def step(moment, place, event, when=None):
    """Declare that an event happens at a moment (`"period-end"`, `"judging"`...), in order of `place`.

    A moment is an event, or a row of the catalogue "moment" with its event. `when()` may say no at that time.
    """
    row("step", f"{moment} {event}", moment=moment, place=place, event=event, when=when)


def begin(*moments):
    """Put moments on the agenda, after what is there: their steps are those of the rules in force then."""
    game = thing("game")
    if game.paused and not game.agenda_aside:
        put(game, "agenda_aside", (game.agenda, game.agenda_timer or 0))
        put(game, "agenda", ())
        put(game, "agenda_timer", None)
    put(game, "agenda", (*game.agenda, *[("moment", name, ()) for name in moments]))


def follow(event, **fields):
    """Make an event happen as an entry of its own right after this one; of several, in the order they are named."""
    game = thing("game")
    put(game, "following", (*game.following, ("event", event, tuple(fields.items()))))


def follow_each(event, field, things):
    """The same for each of several things, in their order, in one field of the event.

    Their list, and how far one has come in it, stand beside the agenda: a step costs the same, however many there are.
    """
    game = thing("game")
    if things:
        number = max([number for number, _ in game.agenda_lists], default=0) + 1
        put(game, "agenda_lists", (*game.agenda_lists, (number, tuple(things))))
        put(game, "agenda_places", (*game.agenda_places, (number, 0)))
        put(game, "following", (*game.following, ("each", event, (field, number))))


def next_in_list(field, number):
    """Move on in a list of the agenda, which goes when it is done. Returns the fields of the event that comes now."""
    game = thing("game")
    things = dict(game.agenda_lists)[number]
    place = dict(game.agenda_places)[number]
    others = [each for each in game.agenda_places if each[0] != number]
    if place + 1 < len(things):
        put(game, "agenda_places", (*others, (number, place + 1)))
    else:
        put(game, "agenda", game.agenda[1:])
        put(game, "agenda_places", tuple(others))
        put(game, "agenda_lists", tuple([each for each in game.agenda_lists if each[0] != number]))
    return {field: things[place]}


def carry_on():
    """Set about the next thing on the agenda, unless one is being done: what an `@after("entry")` does."""
    game = thing("game")
    in_pause = game.paused and game.agenda_aside != ()
    single = [each for each in game.following if each[0] == "event"] if len(game.following) == 1 else []
    if game.following and not (single and may_go_on(in_pause)):  # a single one needs no place on the agenda
        put(game, "agenda", (*game.following, *game.agenda))
        put(game, "following", ())
    while (game.agenda or game.following) and may_go_on(in_pause):
        sort, name, fields = (*game.following, *game.agenda[:1])[0]
        if game.following:
            put(game, "following", ())
        elif sort != "each":
            put(game, "agenda", game.agenda[1:])
        if sort == "moment":
            put(game, "agenda", (*steps_of(name), *game.agenda))
            continue
        fields = next_in_list(*fields) if sort == "each" else dict(fields)
        if can_happen(name):
            quiet = name in [each.id for each in rows("quiet")]
            put(game, "agenda_timer", at(now(), name, real=in_pause, quiet=quiet, **fields))
    if game.agenda_aside and not (game.paused or game.agenda or pending(game.agenda_timer)):
        put(game, "agenda", game.agenda_aside[0])
        put(game, "agenda_timer", game.agenda_aside[1])
        put(game, "agenda_aside", ())
        carry_on()


def may_go_on(in_pause):
    """Whether nothing of the agenda is being done, and the game is not paused, or the agenda is one of the pause."""
    game = thing("game")
    return not pending(game.agenda_timer) and (in_pause or not game.paused)


def steps_of(moment):
    """The entries of a moment: its steps in order, and last its event, if there is one."""
    names = [(each.id, each.event) for each in rows("moment") if moment in (each.id, each.event)]
    name, event = names[0] if names else (moment, moment)
    steps = sorted([each for each in rows("step") if each.moment in (name, event)], key=lambda each: each.place)
    entries = [("event", each.event, ()) for each in steps if wanted(each)]
    return (*entries, ("event", event, ())) if can_happen(event) else tuple(entries)


def wanted(part):
    """Whether a step is to be done now."""
    when = part.when  # called as `part.when()` it would be looked for among the methods of the row
    return when is None or when()


def pick_one(options):
    """One of a list, each equally likely; the only one without a draw."""
    return chance.pick(options) if len(options) > 1 else options[0]


def shuffled(options):
    """All of a list in random order, as a tuple; the last one left is not drawn."""
    left = list(options)
    drawn = []
    while left:
        drawn.append(pick_one(left))
        left.remove(drawn[-1])
    return tuple(drawn)

"""A scenario's opening state, and what a proposal would put in force in a copy of a game.

Written in the sandbox dialect, and loaded after the kernel into the same namespace.
"""

from typing import Any

from nomopoly.kernel.events import destroy_by_rules
from nomopoly.kernel.game import EXTRA_ACTS
from nomopoly.kernel.orders import conclude
from nomopoly.kernel.persons import as_kept
from nomopoly.kernel.rules import change_rulebook, run_once
from nomopoly.kernel.things import Thing, create, declared, every, find, plain, put
from nomopoly.kernel.values import value
from nomopoly.kernel.world import refuse, world


def patch(things: Any, alone: bool = False) -> None:
    """Set a scenario's opening state, thing by thing: {id: {attribute: value}}, null takes a thing away.

    What is not there yet is made first, so that things can name each other; what is taken away goes last, the newest
    first, so that numbers never have gaps. Rules hear of it as of the end of any entry. `alone`: what is numbered is
    made without those numbered below it.
    """
    for id in things:
        if things[id] is not None and id not in world.things:
            make_from_id(id, alone)
    for id in things:
        wanted = things[id] or {}
        thing: Any = world.things.get(id)
        if thing is None:
            refuse(f"given: nothing here is called {id}")
        for name in wanted:
            attribute = declared(thing.kind).get(name)
            if attribute is None and follows(thing, name, wanted[name]):
                continue
            if attribute is None:
                refuse(f"given: a {thing.kind} has no attribute '{name}'")
            put(thing, name, as_kept(attribute, wanted[name]))
    for thing in [each for each in world.things.values() if each.id in things and things[each.id] is None][::-1]:
        if thing.id in world.things:  # it may have gone with another one
            destroy_by_rules(thing)
    game = world.things["game"]
    if game.paused and game.paused_at is None:  # a game that is paused at the start: its time stands still from now on
        put(game, "paused_at", world.now)
        put(game, "pause_kind", game.pause_kind or "admin")
    conclude()


def follows(found: Any, name: str, wanted: Any) -> bool:
    """Whether a value of a thing is as it is wanted already: a creature's kind follows from its id."""
    plan = world.index.values.get(name)
    return plan is not None and plan.of == found.kind and bool(plain(value(name, found)) == wanted)


MOST_GIVEN = 10000  # things of a kind whose numbers have no gaps


def make_from_id(id: str, alone: bool) -> Any:
    """Create a thing whose id tells its kind, and unless it is to be `alone` those numbered below it that are
    lacking."""
    for kind in world.index.kinds.values():
        rest = id[len(kind.prefix) :]
        if kind.prefix and id.startswith(kind.prefix) and rest.isdigit():
            if len(rest) > 9 or (kind.numbered and int(rest) > MOST_GIVEN):
                refuse(f"given: {id[:20]} is numbered too high: at most {MOST_GIVEN}")
            if kind.numbered:
                made = None
                for number in range(int(rest) if alone else 1, int(rest) + 1):
                    if kind.prefix + str(number) not in world.things:
                        made = create(kind.name, **{kind.numbered: number})
                return made
            world.counters[kind.name] = max(world.counters.get(kind.name, 0), int(rest))  # the next one is another
            return create(kind.name, id=id)
        for row in world.index.rows.get(kind.name, {}).values() if kind.named else ():
            if id == row.id or (id.startswith(row.id + "-") and id.removeprefix(row.id + "-").isdigit()):
                return create(kind.name, id=id, **{kind.named: row.id})
    refuse(f"given: nothing here is called {id}")


def put_in_force(args: Any) -> None:
    """In a copy of a game: what a proposal says holds from now on, and its program runs."""
    change_rulebook(args.get("changes") or [], args["by"])
    run_once(args.get("run") or "", args["by"], find(args.get("carrier")) or stand_in())
    conclude()


def stand_in() -> Any:
    """What stands for a proposal that nobody has made yet: one with nothing in it, of the player who came first."""
    if "proposal" not in world.index.kinds:
        return None
    made = Thing("proposal", "proposal")
    for name, attribute in declared("proposal").items():
        setattr(made, name, (every("player") or [None])[0] if name == "author" else attribute.default)
    return made


EXTRA_ACTS["given"] = lambda args: patch(args["things"], args.get("alone", False))
EXTRA_ACTS["put-in-force"] = put_in_force

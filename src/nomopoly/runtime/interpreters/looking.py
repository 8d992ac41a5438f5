"""Where an entry broke in the sandbox: carried out again in a scratch worker, with probes in the programs of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pydantic_monty

from nomopoly.runtime.interpreters.errors import WorkerDied
from nomopoly.runtime.interpreters.probes import place_of_entry, place_reached, probed_programs

if TYPE_CHECKING:
    from nomopoly.runtime.interpreters.monty import MontyRuntime

Data = dict[str, Any]
MOST_PROBES = 2500
LOOKING = "READERS[:] = [lambda code: probe_program(code)]\n"  # programs have probes too, where a place is looked for
TELLING = f"{LOOKING}def told(line):\n    tell_place(world.rule, line)\n\n\nEXTRA_WORDS['probe'] = told\n"
# Puts probes into one rule of a game that goes on, and into whatever is read from now on. They note the last line alone
# that is reached in its name. A rule that lends words is in the hands of others already, and so are the shared modules.
LOOKING_AT_ONE = f"""
{LOOKING}

def look_at(id):
    record = world.records.get(id)
    if lends(record) or id.startswith('commons/'):
        return False
    world.reached = last = [('', 0)]

    def noted(line):
        if world.rule == id:
            last[0] = (id, line)

    world.probes = {{'': ''}} if record is None else {{record['code']: probe_program(record['code'])}}
    world.language['probe'] = noted
    if record is not None:
        mark_entry(strict=False)
        programs = {{**world.programs, id: load_rule(record, {{**lexicon(), 'probe': noted}})}}
        index = build_index(world.commons + list(programs.values()), world.index.loud or world.index)
        use_rules(world.records, programs, index)
    return True
"""


def place_in_worker(runtime: MontyRuntime, rule: str, entry: Data, past: bool) -> tuple[str, int]:
    """Rule and line at which an entry broke in a game, whose worker is in the state before it; see
    `probes.place_reached`."""
    seconds = runtime._seconds * (0.25 if runtime._hurry else 2)
    try:
        place = None if past or not rule or runtime.kernel else place_in_rule(runtime, rule, entry, seconds)
        return place or place_in_book(runtime, rule, entry, past, seconds)
    except (pydantic_monty.MontyError, WorkerDied):  # a limit has ended the scratch worker
        return place_watched(runtime, entry)


def place_in_rule(runtime: MontyRuntime, rule: str, entry: Data, seconds: float) -> tuple[str, int] | None:
    """The same in a worker that goes on from where the game is, with probes in that rule alone: no rulebook has to be
    read. None where that does not do."""
    copy = runtime.copied(seconds)
    if copy is None:
        return None
    try:
        copy._feed(LOOKING_AT_ONE)
        return place_of_entry(copy._raw_call, rule, entry) if copy._feed("look_at(rule)", rule=rule) else None
    finally:
        copy.close()


def place_in_book(runtime: MontyRuntime, rule: str, entry: Data, past: bool, seconds: float) -> tuple[str, int]:
    """The same in a worker that reads the whole rulebook."""
    scratch = runtime.scratch(seconds)
    try:
        scratch._feed(LOOKING)
        return place_reached(runtime._raw_call, scratch._raw_call, rule, entry, past)
    finally:
        scratch.close()


def place_watched(runtime: MontyRuntime, entry: Data) -> tuple[str, int]:
    """The last rule and line that an entry reaches before it ends its worker: told at once, from a scratch copy."""
    scratch = runtime.scratch(runtime._seconds / 4, MOST_PROBES)
    reached: list[tuple[str, int]] = []
    telling = {"tell_place": lambda rule, line: reached.append((rule or "", line))}
    try:
        commons = runtime._raw_call("commons", None)
        state = runtime._raw_call("dump", None)
        probes = probed_programs([state, entry])
        scratch._feed(TELLING)
        for name, data in (
            ("restore", {"commons": commons, "state": state, "probes": probes}),
            ("batch", {"entries": [entry]}),
        ):
            reached.clear()
            scratch._feed("call(call_name, call_data)", telling, call_name=name, call_data=data)
    except pydantic_monty.MontyError:
        pass
    finally:
        scratch.close()
    return reached[-1] if reached else ("", 0)

"""The words that rule code may use. Commons add theirs after these."""

# fmt: off
# isort: off
from typing import Any

from nomopoly.kernel.clock import at, cancel, days, hours, minutes, now, pause, resume, weeks
from nomopoly.kernel.dice import chance, name_of
from nomopoly.kernel.events import actor, do, fact, note, tell
from nomopoly.kernel.orders import (action, anything, ask, change_list, choose, goods, number, one_of, program, remove,
                                    words, yes_or_no)
from nomopoly.kernel.rules import (after, amend, attribute, calendar, change_rulebook, check, defers_to, enact, event,
                                   instead, kind, marker, modify, on, overrides, repeal, run_once, setting)
from nomopoly.kernel.things import count, create, destroy, every, exists, find, put, thing
from nomopoly.kernel.values import add, at_least, at_most, factor, percent, set_to, share, value
from nomopoly.kernel.world import refuse

WORDS: dict[str, Any] = {
    # what rules declare
    "kind": kind, "attribute": attribute, "event": event, "check": check, "instead": instead, "on": on, "after": after,
    "modify": modify, "setting": setting, "marker": marker, "calendar": calendar, "overrides": overrides,
    "defers_to": defers_to, "action": action,
    # forms
    "choose": choose, "one_of": one_of, "words": words, "number": number, "yes_or_no": yes_or_no, "goods": goods,
    "change_list": change_list, "program": program, "anything": anything,
    # what they do
    "do": do, "refuse": refuse, "put": put, "create": create, "destroy": destroy, "ask": ask, "remove": remove,
    "fact": fact, "note": note, "tell": tell, "at": at, "cancel": cancel, "pause": pause, "resume": resume,
    "enact": enact, "amend": amend, "repeal": repeal, "change_rulebook": change_rulebook, "run_once": run_once,
    # what they ask
    "thing": thing, "find": find, "every": every, "count": count, "exists": exists, "actor": actor, "now": now,
    "minutes": minutes, "hours": hours, "days": days, "weeks": weeks, "chance": chance, "name_of": name_of,
    # values and what contributes to them
    "value": value, "share": share, "set": set_to, "factor": factor, "percent": percent, "add": add,
    "at_least": at_least, "at_most": at_most,
}

"""The words that rule code may use. Commons add theirs after these."""
# ruff: noqa: I001

from typing import Any

# fmt: off
from nomopoly.kernel.absence import absent
from nomopoly.kernel.clock import at, cancel, days, game_time, hours, minutes, next_moment, now, pause, pending, resume, weeks
from nomopoly.kernel.dice import chance, name_of
from nomopoly.kernel.emergency import way_out
from nomopoly.kernel.events import actor, can_happen, create_by_rules, destroy_by_rules, do, do_each, fact, note, tell, unwatched
from nomopoly.kernel.lending import word
from nomopoly.kernel.declaring import after, also_asks, attribute, calendar, catalogue, check, defers_to, event, instead, kind, marker, modify, on, overrides, row, setting
from nomopoly.kernel.fields import anything, change_list, choose, goods, moment, number, one_of, program, words, yes_or_no
from nomopoly.kernel.orders import action, carry_out, orders_wait
from nomopoly.kernel.persons import ask, remove
from nomopoly.kernel.rules import amend, change_rulebook, enact, prose, repeal, reword, rule_since, rules, run_once
from nomopoly.kernel.things import (
    count, every, exists, find, fixed_traits, put, renew, row_of, rows, thing, traits, was,
)
from nomopoly.kernel.values import add, along, at_least, at_most, factor, percent, set_to, share, value
from nomopoly.kernel.world import refuse, with_article

WORDS: dict[str, Any] = {
    "absent": absent, "action": action, "actor": actor, "add": add, "after": after, "along": along, "also_asks": also_asks, "amend": amend,
    "anything": anything, "ask": ask, "at": at, "at_least": at_least, "at_most": at_most, "attribute": attribute,
    "calendar": calendar, "catalogue": catalogue, "can_happen": can_happen, "cancel": cancel, "carry_out": carry_out, "chance": chance, "change_list": change_list,
    "change_rulebook": change_rulebook, "check": check, "choose": choose, "count": count, "create": create_by_rules,
    "days": days, "defers_to": defers_to, "destroy": destroy_by_rules, "do": do, "do_each": do_each, "enact": enact, "event": event,
    "every": every, "exists": exists, "fact": fact, "factor": factor, "find": find, "fixed_traits": fixed_traits, "game_time": game_time, "goods": goods, "hours": hours,
    "instead": instead, "kind": kind, "marker": marker, "minutes": minutes, "modify": modify, "moment": moment, "name_of": name_of,
    "next_moment": next_moment, "note": note, "now": now, "number": number, "on": on, "one_of": one_of, "orders_wait": orders_wait, "overrides": overrides, "pause": pause, "pending": pending,
    "percent": percent, "program": program, "prose": prose, "put": put, "refuse": refuse, "remove": remove, "renew": renew, "repeal": repeal,
    "resume": resume, "reword": reword, "row": row, "row_of": row_of, "rows": rows, "rule_since": rule_since, "rules": rules, "run_once": run_once,
    "set": set_to, "setting": setting, "share": share, "tell": tell, "thing": thing, "traits": traits, "unwatched": unwatched, "value": value, "was": was,
    "way_out": way_out, "weeks": weeks, "with_article": with_article, "word": word, "words": words, "yes_or_no": yes_or_no,
}
# fmt: on

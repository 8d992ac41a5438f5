"""What may go wrong in an interpreter: a rule broke, the machine did not get to the end, or a worker of the sandbox is
gone."""

from __future__ import annotations

import logging
import re
from typing import Any

from nomopoly.errors import CommandError

log = logging.getLogger("nomopoly.incidents")
Data = dict[str, Any]


class Fault(Exception):
    """A rule broke, or ran into a limit: everything its entry did has been undone.

    `rule` and `line` say where (line 0: unknown), `message` is the interpreter's own word, `limit` is "time", "memory",
    "recursion" or "" and `results` are the outcomes of the entries of the batch that came before it. `drawn` says how
    many draws the entry had made: {"drawn", "hidden", "dice"}, nothing if none.
    """

    def __init__(
        self,
        rule: str,
        line: int,
        message: str,
        limit: str = "",
        results: list[Data] | None = None,
        drawn: Data | None = None,
    ) -> None:
        super().__init__(f"rule {rule or '?'}, line {line}: {message}")
        self.rule = rule
        self.line = line
        self.message = message
        self.limit = limit
        self.results = results or []
        self.drawn: Data = {name: drawn[name] for name in ("drawn", "hidden", "dice") if name in drawn} if drawn else {}


class Incident(Exception):
    """The machine could not carry an entry out within its time and memory, twice: no rule broke, and nothing was done.

    `rule` and `line` say where it was last, `message` what it lacked, `results` are the outcomes of the entries of the
    batch that came before it. The same entry may go well later.
    """

    def __init__(self, rule: str, line: int, message: str, results: list[Data]) -> None:
        super().__init__(f"the machine did not get to the end of it, at rule {rule or '?'}, line {line}: {message}")
        self.rule = rule
        self.line = line
        self.message = message
        self.results = results


class WorkerDied(Exception):
    """A sandbox worker was ended from outside (killed, or by a defect of the interpreter), not by a limit: no rule
    broke."""


class SandboxGone(CommandError):
    """No worker can be kept alive on this machine now: nothing was done, and the same call may work later."""


class SandboxBusy(CommandError):
    """All workers of the sandbox are at work and none came free in time: nothing was done, and the same call may work
    soon."""

    def __init__(self) -> None:
        super().__init__("all sandboxes of this process are at work: try again in some seconds")


def incident_of(fault: Fault) -> Incident:
    """What a limit of time or memory means for an entry; the operator is notified."""
    log.error("not carried out, tried again later: rule %s, line %s: %s", fault.rule, fault.line, fault.message)
    return Incident(fault.rule, fault.line, fault.message, fault.results)


def limit_of(kind: str) -> str:
    """Which limit an exception of this kind means."""
    return {"TimeoutError": "time", "MemoryError": "memory", "RecursionError": "recursion"}.get(kind, "")


def in_plain_words(message: str) -> str:
    """What an interpreter says of a fault; where a name means nothing, that no rule lends such a word."""
    absent = re.fullmatch(r"NameError: name '(\w+)' is not defined", message)
    return f"there is no word '{absent[1]}': no rule in force lends it" if absent else message


def line_named(message: str) -> int:
    """The line that the message of a syntax error names, or 0."""
    found = re.search(r"\(<\w+>, line (\d+)\)", message)
    return int(found[1]) if found else 0

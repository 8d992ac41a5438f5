"""Type errors of rule programs, found by the checker that comes with the sandbox. Nothing of the program is run."""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pydantic_monty

from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.dialect import bound_in
from nomopoly.rulebook.outline import tree_of

MOST = 30_000  # longer programs are not looked at
SECONDS = 1.0  # for one program
CERTAIN = frozenset(
    ("missing-argument", "too-many-positional-arguments", "unknown-argument", "parameter-already-assigned")
)
LIKELY = frozenset(
    ("invalid-argument-type", "unsupported-operator", "call-non-callable", "not-iterable", "not-subscriptable",
     "non-subscriptable", "invalid-key", "index-out-of-bounds", "division-by-zero")
)  # fmt: skip
PLAIN = {
    "int": "a whole number",
    "str": "a word",
    "bool": "yes or no",
    "None": "nothing",
}
MOST_USES = 500  # of one session
_lock = threading.Lock()
_pool: pydantic_monty.Monty | None = None
_kept: Session | None = None  # at most one, so that a worker is left for whoever declares other words


def pool() -> pydantic_monty.Monty:
    """The worker that checks types, started at first use."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = pydantic_monty.Monty(min_processes=1, max_processes=2, request_timeout=2 * SECONDS)
            _pool.__enter__()
        return _pool


def type_problems(
    code: str, params: dict[str, Any], commons: tuple[tuple[str, str], ...] = ()
) -> list[tuple[str, int, str]]:
    """(level, line, message) of each type error. A checker that fails finds none.

    What is certain to fail is an "error", the rest a "warning": things get their attributes from rules, so that the
    checker knows little about them.
    """
    if len(code) > MOST:
        return []
    try:
        return list(checked(code, rule_stub(params), commons))
    except (pydantic_monty.MontyError, ValueError, OSError, RuntimeError):
        return []


@lru_cache(maxsize=1024)
def checked(code: str, numbers: str, commons: tuple[tuple[str, str], ...]) -> tuple[tuple[str, int, str], ...]:
    """What the checker finds in a program, with the rule's own numbers as declarations. Raises what it fails with.

    A rulebook is checked again with each change to it: the rules that stay as they are cost nothing then.
    """
    own = own_words(code, commons)
    # The first line stops the program at once where the checker has nothing to say: `never_run` is declared, but not
    # there.
    text = f"never_run\n{numbers}{code}\n"
    with session(stub_for(own, commons), lasting=not own) as asked:
        try:
            asked.feed_run(text)
        except pydantic_monty.MontyTypingError as error:
            return tuple(read(error.display(), 1 + numbers.count("\n")))
        except pydantic_monty.MontyRuntimeError as error:
            if not isinstance(error.exception(), NameError):
                raise  # it took too long, for example: it may do better next time
    return ()


@contextlib.contextmanager
def session(stub: str, lasting: bool) -> Iterator[Any]:
    """A session of the checker with these declarations.

    To begin one takes ten times as long as to look through a program, which leaves nothing behind: a `lasting` one is
    kept for the next program, unless something has gone wrong in it.
    """
    global _kept
    key = (stub, SECONDS)
    with _lock:
        kept, _kept = (_kept, None) if lasting else (None, _kept)
    if kept is not None and (kept.key != key or kept.uses >= MOST_USES):
        kept.close()
        kept = None
    if kept is None:
        kept = Session(key)
    try:
        yield kept.asked
    except BaseException:
        with contextlib.suppress(pydantic_monty.MontyError, RuntimeError):
            kept.close()
        raise
    kept.uses += 1
    with _lock:
        if lasting and _kept is None:
            kept, _kept = None, kept
    if kept is not None:
        kept.close()


class Session:
    """A session of the checker, which has a worker to itself; `key`: its declarations, and the seconds that a program
    may take."""

    def __init__(self, key: tuple[str, float]) -> None:
        self.key, self.uses = key, 0
        self._stack = contextlib.ExitStack()
        self.asked = self._stack.enter_context(
            pool().checkout(
                type_check=True,
                type_check_stubs=key[0],
                type_check_format="json",
                limits={"max_feed_duration_secs": key[1], "max_memory": 64 * 1024 * 1024},
            )
        )

    def close(self) -> None:
        """Give the worker back."""
        self._stack.close()


def read(report: str, above: int) -> list[tuple[str, int, str]]:
    """The diagnostics of the checker, in words of the game; `above`: how many lines stand above the program."""
    found = []
    try:
        for each in json.loads(report):
            code, line = each["code"], each["location"]["row"] - above
            if line > 0 and code in CERTAIN | LIKELY:
                found.append(("error" if code in CERTAIN else "warning", line, in_words(each["message"])))
    except (ValueError, KeyError, TypeError):
        return []
    return found


def in_words(message: str) -> str:
    """A diagnostic as a player can read it."""
    wrong = re.match(r"Argument to [\w ]*`(.+?)` is incorrect: Expected `(.+)`, found `(.+)`$", message, re.DOTALL)
    if wrong:
        return f"{wrong[1]}(...) wants {sort(wrong[2])} here, and not {sort(wrong[3])}"
    operator = re.match(
        r"Operator `(.+?)` is not supported between objects of type `(.+)` and `(.+)`$", message, re.DOTALL
    )
    if operator:
        return f"'{operator[1]}' does not go with {sort(operator[2])} and {sort(operator[3])}"
    missing = re.match(r"No arguments? provided for required parameters? (.+) of [\w ]*`(.+?)`$", message)
    if missing:
        return f"{missing[2]}(...) lacks {missing[1].replace('`', chr(39))}"
    return message.replace("`", "'")


def sort(name: str) -> str:
    """A type as a player can read it."""
    literal = re.fullmatch(r"Literal\[(.+)\]", name, re.DOTALL)
    function = re.match(r"def (\w+)\(", name)
    if function:
        return f"the word '{function[1]}' of the language"
    return literal[1] if literal else PLAIN.get(name, name)


def own_words(code: str, commons: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """The words of the language to which a program gives another meaning at its top."""
    tree = tree_of(code)
    bound = set(bound_in(tree.body)) if isinstance(tree, ast.Module) else set()
    return frozenset(bound & {"proposal", *language(commons)})


def stub_for(own: frozenset[str], commons: tuple[tuple[str, str], ...]) -> str:
    """The words of the language as declarations. A word to which a program gives another meaning may be anything."""
    declared = {"proposal": "proposal: Any", **language(commons)}
    lines = [f"{name}: Any" if name in own else line for name, line in declared.items()]
    return "\n".join(["from typing import Any, NoReturn", "never_run: Any", *lines]) + "\n"


@lru_cache(maxsize=16)
def language(commons: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The words of the language, those of the shared modules included, each with its declaration."""
    found = {
        name: signature(name, word) if inspect.isfunction(word) else f"{name}: Any" for name, word in WORDS.items()
    }
    for _, source in commons:
        tree = tree_of(source)
        for node in tree.body if isinstance(tree, ast.Module) else ():
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                found[node.name] = f"def {node.name}({ast.unparse(node.args)}) -> Any: ..."
    return found


def signature(name: str, function: Any) -> str:
    """A word of the kernel as a declaration."""
    shape = inspect.signature(function)
    simple = (int, str, bool)
    parameters = []
    for each in shape.parameters.values():
        kind = each.annotation.__name__ if each.annotation in simple and each.default is not None else "Any"
        star = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        default = "" if each.default is each.empty else " = ..."
        parameters.append(f"{star}{each.name}: {kind}{default}")
    returns = shape.return_annotation
    answer = "NoReturn" if name == "refuse" else returns.__name__ if returns in simple else "Any"
    return f"def {name}({', '.join(parameters)}) -> {answer}: ..."


def rule_stub(params: dict[str, Any]) -> str:
    """The rule's own numbers as declarations."""
    lines = ["class Rule:", "    id: str"]
    for name, number in params.items():
        if isinstance(name, str) and name.isidentifier():
            lines.append(f"    {name}: {type(number).__name__ if type(number) in (int, str, bool) else 'Any'}")
    return "\n".join([*lines, "rule: Rule = Rule()"]) + "\n"

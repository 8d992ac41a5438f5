"""The shape of what a worker says of a future: whatever a proposal made it say, what goes on from here is numbers and
short words."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

from nomopoly.runtime.interpreters import WorkerDied

Data = dict[str, Any]
Word = Annotated[str, msgspec.Meta(max_length=300)]
Sentence = Annotated[str, msgspec.Meta(max_length=4000)]
Number = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Of = TypeVar("Of", bound=msgspec.Struct)
MOST_ARGUMENTS = 100_000  # characters of what was said in one step


class Shape(msgspec.Struct, forbid_unknown_fields=True):
    """What all shapes have in common."""


class Trouble(Shape):
    """Something that broke, and the steps of players before it."""

    rule: Word
    message: Sentence
    at: Number
    do: Word
    by: Word | None
    entries: Number
    steps: Annotated[list[tuple[Number, Word, Word | None, Word, dict[Word, Any]]], msgspec.Meta(max_length=20_000)]


class Told(Shape):
    """What `ahead.go_ahead` tells of a future."""

    numbers: Annotated[list[dict[Word, dict[Word, Number]]], msgspec.Meta(min_length=1, max_length=60)]
    over: bool
    paused: bool
    winner: Word | None
    stopped: Annotated[str, msgspec.Meta(pattern="^(broken|long|)$")]
    troubles: Annotated[list[Trouble], msgspec.Meta(max_length=20_000)]
    entries: Number
    orders: Number
    rules: dict[Word, Number]


class Broke(Shape):
    """What broke when a proposal was put in force."""

    rule: Word
    message: Sentence


class Begun(Shape):
    """What `ahead.begin_base` tells: nothing, or why there is no such beginning."""

    refused: Sentence | None = None
    broke: Broke | None = None


def verified(shape: type[Of], told: Any) -> Data:
    """What a worker told, which is plain data, if it has that shape. Raises WorkerDied for anything else."""
    try:
        msgspec.convert(told, shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise WorkerDied(f"the worker says what is no answer: {error}") from None
    found: Data = told
    for trouble in found.get("troubles", ()):
        for step in trouble["steps"]:
            if len(str(step[4])) > MOST_ARGUMENTS:
                raise WorkerDied("the worker says too much of a step")
    return found

"""Kinds of options that several commands take."""

from pathlib import Path
from typing import Annotated, Literal

import cyclopts
import cyclopts.types


def some_host(_: object, host: str) -> None:
    """Refuse no address at all, which servers take for all addresses of the machine."""
    if not host.strip():
        raise ValueError("say an address, for example 127.0.0.1")


RuntimeName = Literal["cpython", "monty"]
Host = Annotated[str, cyclopts.Parameter(validator=some_host)]
Port = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=65535))]
Count = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=1000))]
DataFolder = Annotated[Path, cyclopts.Parameter(env_var="NOMOPOLY_DATA")]
Policy = Literal["greedy", "random", "careful", "mixed"]
ProposalFile = Annotated[cyclopts.types.ExistingFile, cyclopts.Parameter(name="--proposal")]

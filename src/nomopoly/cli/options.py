"""Kinds of options that several commands take."""

from pathlib import Path
from typing import Annotated, Literal

import cyclopts
import cyclopts.types

RuntimeName = Literal["cpython", "monty"]
Port = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=65535))]
Count = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=1000))]
DataFolder = Annotated[Path, cyclopts.Parameter(env_var="NOMOPOLY_DATA")]
Policy = Literal["greedy", "random", "careful", "mixed"]
ProposalFile = Annotated[cyclopts.types.ExistingFile, cyclopts.Parameter(name="--proposal")]

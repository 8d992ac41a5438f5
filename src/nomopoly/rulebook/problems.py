"""A problem of a rule, as `check` reports it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong with a rule, and what to do: `level` is "error" or "warning", `rule` its number (`run`: the
    one-time program of a proposal, `example`: the example of one), `line` that of its program (0: the rule as a
    whole)."""

    level: str
    rule: str
    line: int
    message: str
    more: int = field(default=0, compare=False)  # how many others it stands for

    def __str__(self) -> str:
        place = self.rule if self.rule in ("run", "example") else f"rule {self.rule}" if self.rule else "changes"
        return f"{place}{f' line {self.line}' if self.line else ''}: {self.level}: {self.message}"

    @property
    def reason(self) -> str:
        """The same as the reason of a refusal; of a program that stands alone it names the line."""
        known = {"": "", "run": "one-time program", "example": "example"}
        place = (known.get(self.rule, f"rule {self.rule}"), f"line {self.line}" if self.line else "")
        return ": ".join(each for each in (", ".join(filter(None, place)), self.message) if each)

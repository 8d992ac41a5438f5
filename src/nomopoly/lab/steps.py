"""How many steps the rules of a game take to say what a form offers and what a value is, against what a page may take.

Written in the sandbox dialect: it is loaded after `filling`, whose way of asking rules it takes.
"""

from typing import Any

from nomopoly.kernel.budgets import MOST_STEPS, steps_taken
from nomopoly.kernel.fields import choices_of
from nomopoly.kernel.game import CALLS, begin_entry, redraw
from nomopoly.kernel.things import every
from nomopoly.kernel.values import value
from nomopoly.kernel.world import world
from nomopoly.lab.filling import asked

TOO_MANY: Any = []  # stands for the answer where there is none


def steps_of(function: Any, of: Any) -> int:
    """How many steps an answer of rules takes; all that there are, where it takes more."""
    return MOST_STEPS if asked(lambda: function(*of), TOO_MANY) is TOO_MANY else steps_taken()


def dear_readings(data: Any) -> Any:
    """What takes most of the steps that a page may take: {name: [steps, whose]}, the dearest of each name.

    `data`: {"at", "least": how many steps are worth a word}.
    """
    begin_entry({"n": world.n, "at": data["at"]})
    questions: list[tuple[str, str, Any, Any]] = [
        (f"the choices of {name}: {key}", who.id, choices_of, (field, who))
        for name, form in world.index.forms.items()
        for key, field in form.items()
        for who in every("player")
    ]
    questions += [
        (f"the value {name}", thing.id, value, (name, thing))
        for name, plan in world.index.values.items()
        if plan.of in world.index.kinds
        for thing in every(plan.of)
    ]
    found: dict[str, Any] = {}
    for name, whose, function, of in questions:
        steps = steps_of(function, of)
        if steps >= data["least"] and steps > found.get(name, (0, ""))[0]:
            found[name] = [steps, whose]
    redraw()
    return found


CALLS["dear-readings"] = dear_readings

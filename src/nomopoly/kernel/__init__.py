"""The kernel: things, events, rules, dice and time, and no game.

Its modules are written in the sandbox dialect and are loaded as one text, in the order of `MODULES`, into a namespace
of their own for every game: by CPython and by Monty in the same way (`nomopoly.runtime.interpreters`). No two modules
may use the same name at their top.
"""

MODULES = (
    "world",
    "beyond",
    "budgets",
    "things",
    "absence",
    "sorts",
    "dice",
    "casting",
    "precedence",
    "index",
    "lending",
    "parts",
    "rules",
    "declaring",
    "values",
    "events",
    "clock",
    "waiting",
    "fields",
    "orders",
    "persons",
    "emergency",
    "state",
    "language",
    "game",
)

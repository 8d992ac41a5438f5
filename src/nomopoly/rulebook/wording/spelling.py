"""How parts of sentences are spelled in programs: signs, calls with their slots in order, contributions, stations."""

MATH = {"plus": ("+", 5), "minus": ("-", 5), "times": ("*", 6), "divided by": ("//", 6), "remainder of": ("%", 6)}
CALLS = {  # parts that are a call with these slots, in order
    "pay": ("pay", "who", "to", "amount"),
    "gain": ("gain", "who", "amount"),
    "lose": ("lose", "who", "amount"),
    "award": ("award", "who", "amount"),
    "fine": ("fine", "who", "amount"),
    "move": ("move", "who", "steps"),
    "jump": ("jump", "who", "to"),
    "give item": ("give_item", "who", "item"),
    "take item": ("take_item", "who", "item"),
    "destroy": ("destroy", "of"),
    "refuse": ("refuse", "because"),
    "tell": ("tell", "to", "text"),
    "win": ("win", "who"),
    "share": ("share", "of", "part", "whole"),
    "percent": ("share", "of", "part"),
    "die": ("chance.die", "sides"),
    "secret die": ("chance.hidden.die", "sides"),
    "chance": ("chance.one_in", "in"),
    "exists": ("exists", "of"),
    "name": ("name_of", "of"),
    "now": ("now",),
    "square": ("square", "numbered"),
}
CHANGES = {
    "more": "add({})",
    "less": "add(-{})",
    "percent": "percent({})",
    "percent less": "percent(-{})",
    "times": "factor({})",
    "divided by": "factor(1, {})",
    "at least": "at_least({})",
    "at most": "at_most({})",
    "exactly": "set({})",
}
STATIONS = {"after": "after", "instead": "instead", "forbidden": "check", "on": "on"}

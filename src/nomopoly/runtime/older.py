"""What books say of themselves to pages, and what stands for it in books that were written before one could say it.

A game whose form of the language is below 4 has a book that declares neither how proposals stand nor what an attribute
asks, what is for sale or weighty; below 5, which acts judge proposals. All such books come from the editions as they
were; what those meant is kept here, as tables, so that their games are shown as before. Books of later forms are taken
at their word, and nothing is made up for them.

Written in the sandbox dialect: it is loaded before `window`.
"""

from typing import Any

from nomopoly.kernel.emergency import PHASES, RESULTS
from nomopoly.kernel.values import value
from nomopoly.kernel.world import world

DECLARES = 4  # the first form of the language in which books say all this themselves
DECLARES_JUDGES = 5  # and which of the Admin's acts judge proposals
TOLD_OF_PROPOSALS = ("phase", "result", "standing")  # values of proposals that pages read
LEAVES_AT = "leaves_at"
DAY = 86400

# ---- tables of what older books leave unsaid

JUDGED = {"undecided": "to-judge", "pending": "to-judge", "made": "made", "sent-back": "made", "open": "made"}
CAME_TO = {
    "replaced": "replaced",
    **dict.fromkeys(("accepted", "implemented", "pending"), "accepted"),
    **dict.fromkeys(("rejected", "refused", "vetoed"), "rejected"),
    **dict.fromkeys(("retracted", "discarded"), "withdrawn"),
}
ASKS = {
    "square.option_of": {"asks": "buy-square", "until": "option_until", "asking": "you may buy {id}"},
    "player.turn_open_at": {"asks": "take-turn", "until": "turn_due_at", "asking": "your turn is possible"},
}
FOR_SALE = ("sale", "product", "ware")
WITH_PAGES = ("square", "order", "proposal")
WEIGHTY = ("veto", "reject", "remove-player", "declare-winner")
JUDGES = {"accept": "accepts", "implement": "implements", "reject": "rejects", "veto": "rejects"}
DONE = {
    "accept": "{on} is accepted and in force.",
    "reject": "{on} is rejected.",
    "implement": "{on}: done.",
    "veto": "{on} is refused.",
    "remove-player": "{player} is out of the game.",
    "declare-winner": "The game is over.",
}


def unsaid() -> bool:
    """Whether the book of the game was written before it could say how it wants to be shown."""
    return bool(world.form < DECLARES)


# ---- how proposals stand


def how_it_stands(shown: Any) -> Any:
    """{"phase", "result", "standing"} of a proposal of the kernel's own or of an older book, from what a viewer sees of
    it."""
    status = str(shown.get("status") or "")
    word = status.lower()
    verdict, outcome, closes = shown.get("verdict"), shown.get("outcome"), shown.get("closes_at")
    if word == "voting" and type(closes) is int:
        phase = "voting" if closes > world.now else "decided"
    elif word == "voting":
        phase = "voting" if shown.get("on_ballot") else "made"
    else:
        phase = JUDGED.get(word, "done")
        phase = "decided" if phase == "to-judge" and verdict else phase
    told = str(verdict or outcome or status)
    return {"phase": phase, "result": CAME_TO.get(told.lower(), ""), "standing": told}


def checked(shown: Any) -> None:
    """Look at what rules say of how a thing stands: a phase and a result that there are not are none."""
    shown["phase"] = shown["phase"] if shown.get("phase") in PHASES else ""
    shown["result"] = shown["result"] if shown.get("result") in RESULTS else ""
    told = shown.get("standing")
    shown["standing"] = told if type(told) is str and told else shown["result"] or shown["phase"]


# ---- the other things


def asked_by() -> Any:
    """What attributes and values ask, by kind and name: {"square.option_of": {"asks", "until", "asking", "field"}}.
    `field` is that of the action in which the thing is named; "" if it has none."""
    asks = {**ASKS, **world.index.asks} if unsaid() else world.index.asks
    return {
        key: {**asks[key], "field": field_for(key.split(".")[0], asks[key]["asks"])}
        for key in asks
        if asks[key]["asks"] in world.index.actions
    }


def field_for(kind: str, name: str) -> str:
    """The first field of an action that names a thing of a kind; "" if it has none."""
    form = world.index.forms[name]
    fitting: list[str] = [each.rstrip("_") for each in form if form[each].sort == "thing" and form[each].kind == kind]
    return (fitting or [""])[0]


def for_sale() -> Any:
    """The catalogues of what the rules sell."""
    declared = world.index.catalogues
    found = [each for each in FOR_SALE if each not in declared] if unsaid() else []
    return [*found, *[each for each in declared if declared[each]]]


def with_pages() -> Any:
    """The kinds whose things have pages of their own."""
    kinds = world.index.kinds
    return [each for each in kinds if kinds[each].page or (unsaid() and each in WITH_PAGES)]


def marks_of(action: Any) -> Any:
    """Whether an action is weighty, what is said when it is done, how it judges proposals, and other names of its
    fields."""
    older = unsaid() and action.by == "admin"
    weighty = action.weighty is True or (older and action.name in WEIGHTY)
    done = action.done or (DONE.get(action.name, "") if older else "")
    also = {str(other): str(name) for other, name in dict(action.also).items()}
    return {"weighty": weighty, "done": done, "judges": judgement_of(action), "also": also}


def judgement_of(action: Any) -> str:
    """How an act of the Admin's judges the proposal that it names: "accepts", "implements", "rejects" or not at all."""
    if action.by == "player":
        return ""
    if world.form < DECLARES_JUDGES:
        return action.judges or JUDGES.get(action.name, "")
    return action.judges if action.judges in JUDGES.values() else ""


def is_wanted(action: Any, name: str, field: Any) -> bool:
    """Whether who fills in a form has to say something in a field that may be left out."""
    older = unsaid() and action.by == "admin" and action.name in WEIGHTY
    return bool(field.wanted) or bool(older and name == "because" and field.optional)


def leaving(who: Any) -> Any:
    """When the rules take a player out of the game: (moment, days of warning, what keeps them in), or None."""
    values = world.index.values
    if LEAVES_AT in values:
        return value(LEAVES_AT, who)
    if unsaid() and "login_limit" in values:
        moments = [getattr(who, name, None) for name in ("last_login", "joined_at")]
        seen = max([each for each in moments if type(each) is int], default=0)
        kept = "Sign in to the site before then: that is enough to stay."
        return (seen + 3600 * value("login_limit"), (7, 1), kept) if seen else None
    if unsaid() and "idle_weeks" in values:
        if getattr(who, "idle_for", 0) < value("idle_weeks") - 1 or getattr(who, "acted", False):
            return None
        monday = world.now - (world.now + 3 * DAY) % (7 * DAY) + 7 * DAY  # day 0 of 1970 was a Thursday
        return (monday, (7,), "An order, a vote or a proposal before then is enough to stay.")
    return None

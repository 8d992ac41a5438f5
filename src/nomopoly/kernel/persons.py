"""What nobody rewrites: who somebody is, questions and their answers, joining and leaving, and the Admin's own acts.

Pause and resume are here too. What stands here is beyond the reach of rules.
"""

from typing import Any

from nomopoly.kernel.clock import at, cancel, pause
from nomopoly.kernel.declaring import attribute, event, kind, on
from nomopoly.kernel.events import do, fact
from nomopoly.kernel.fields import anything, choose, words
from nomopoly.kernel.orders import action, silence
from nomopoly.kernel.sorts import fit_question
from nomopoly.kernel.things import (
    Thing,
    create,
    declared,
    destroy,
    every,
    exists,
    misfit,
    plain,
    put,
    thing,
)
from nomopoly.kernel.waiting import forget_waiting
from nomopoly.kernel.world import (
    mark_entry,
    refuse,
    refuse_as,
    roll_back,
    savepoint,
    with_article,
    world,
)

# ---- questions


def ask(
    who: Any,
    text: str,
    options: Any,
    then: str,
    default: Any = None,
    by: Any = None,
    secret: bool = False,
    **about: Any,
) -> Any:
    """Ask a player (or several: a tuple) to choose one of `options`.

    When all have answered, or at the moment `by`, the event `then` happens with `answers`, a tuple of
    (player, answer), the default standing for who said nothing, and the fields `about`.
    """
    plan = world.index.events.get(then)
    for field in ("answers", *about):
        if plan is None or plan.closed or field not in plan.sorts:
            raise ValueError(f"there is no event '{then}' with a field '{field}'")
    asked = who if type(who) is tuple else (who,)
    fit_question(asked, text, options, default, by)
    more = {"deadline": by, "secret": secret, "about": tuple([(key, about[key]) for key in about])}
    question = create("question", asked=asked, text=text, options=tuple(options), then=then, default=default, **more)
    if by is not None:
        at(by, "question-lapses", question=question)
    return question


def close_question(question: Any) -> None:
    """Hand the answers to the event that waits for them, as long as the rules have one with these fields."""
    plan, given, about = world.index.events.get(question.then), dict(question.answers), dict(question.about)
    answers = tuple([(each, given.get(each.id, question.default)) for each in question.asked if exists(each)])
    cancel("question-lapses", question=question)
    destroy(question)
    if plan is not None and not [field for field in ("answers", *about) if field not in plan.sorts]:
        do(plan.name, answers=answers, **about)


def questions_to(who: Any) -> Any:
    """The questions that wait for somebody's answer."""
    return [each for each in every("question") if who in each.asked]


def answer_question(e: Any) -> None:
    """Effect of the action `answer`."""
    question = e.question
    if e.who not in question.asked:
        refuse("this question is not for you")
    options = [plain(option) for option in question.options]
    if e.answer not in options:
        refuse(f"answer must be one of {', '.join([str(option) for option in options])}")
    chosen = question.options[options.index(e.answer)]
    kept = tuple([each for each in question.answers if each[0] != e.who.id])
    put(question, "answers", (*kept, (e.who.id, chosen)))
    if not [each for each in question.asked if exists(each) and each.id not in dict(question.answers)]:
        close_question(question)


# ---- the Admin's own acts, and coming and going


def applicant_named(name: str) -> Any:
    """Who has asked to join under that name."""
    found = [each for each in every("applicant") if each.name == name]
    if not found:
        refuse(f"nobody called {name} has asked to join")
    return found[0]


def approve(e: Any) -> None:
    """Effect of `approve-player`: the applicant becomes a player."""
    destroy(applicant_named(e.player))
    do("join", who=create("player", id=e.player))


def remove(who: Any, because: str, how: str) -> None:
    """Take a player out of the game, by the rules on leaving."""
    do("remove", who=who, because=because, how=how)
    if exists(who):
        destroy(who)
    forget_waiting(who)


def whatever_rules_say(act: Any) -> None:
    """Do something that rules may add to but not refuse: where one does, it is done without them."""
    w = world
    mark = savepoint()
    try:
        act()
    except FileExistsError:
        if w.refusal is None or w.refusal[0] == "rolls" or w.refusal[1] in (None, "kernel"):
            raise
        w.refusal = None
        roll_back(mark)
        silence(all=True)
        act()


def grant(e: Any) -> None:
    """Effect of `grant`: set one attribute of one thing."""
    attribute = declared(e.thing.kind).get(e.attribute)
    if attribute is None:
        refuse_as("no-attribute", f"a {e.thing.kind} has no attribute '{e.attribute}'")
    if world.form > 2:  # what it cannot hold is refused before the log speaks of it
        fit_to_grant(attribute, as_kept(attribute, e.value))
    fact("granted", thing=e.thing, attribute=e.attribute, value=e.value, because=e.because)
    if "all" not in attribute.show:
        mark_entry(private=True)
        world.facts[-1]["only"] = ["admin"]
    put(e.thing, e.attribute, as_kept(attribute, e.value))


def fit_to_grant(attribute: Any, kept: Any) -> None:
    """Refuse what an attribute can hold, but what would make no sense there: a player on a player, or nowhere."""
    known = list(world.index.rows.get(attribute.holds, {})) if type(attribute.holds) is str else attribute.holds
    if kept is None and attribute.needed:
        refuse(f"{attribute.name} cannot be empty")
    for part in kept if type(kept) is tuple else (kept,):
        if type(part) is Thing and known and part.kind not in known:
            refuse(f"{attribute.name} must name {' or '.join([with_article(kind) for kind in known])}")
        if type(part) is str and known and part not in known:
            refuse(f"{attribute.name} must be one of {', '.join(known)}")


def as_kept(attribute: Any, raw: Any) -> Any:
    """A plain value as an attribute keeps it. Refuses what it cannot hold."""
    kept = thing_or_word(attribute, raw)
    reason = misfit(attribute, kept)
    if reason:
        refuse(f"{attribute.name} {reason}")
    return kept


def thing_or_word(attribute: Any, raw: Any) -> Any:
    """A plain value as the attribute keeps it: ids become things where the attribute holds things, lists tuples."""
    several = type(attribute.default) is tuple or attribute.type not in ("thing", "number", "money", "moment", "yesno")
    if type(raw) is list and several:
        return tuple([thing_or_word(attribute, each) for each in raw])
    if type(raw) is str and (attribute.type == "thing" or (attribute.type == "list" and raw[:1] == "#")):
        return thing(raw)
    if attribute.type == "thing" and raw is not None:
        refuse(f"{attribute.name} must name a thing")
    if attribute.type in ("number", "money", "moment") and type(raw) is not int and raw is not None:
        refuse(f"{attribute.name} must be a whole number")
    if attribute.type == "yesno" and type(raw) is not bool:
        refuse(f"{attribute.name} must be true or false")
    return raw


def declare_kernel() -> None:
    """Declare what every game has: the game, its players, applicants and questions, and the acts that no rule can
    take."""
    for name in ("game", "player", "applicant", "question"):
        kind(name, page=True)
    attribute("game", "paused", False, label="Paused")
    attribute("game", "paused_at", None, label="Paused since", moment="real")
    attribute("game", "pause_kind", label="Sort of pause")
    attribute("game", "resumed_at", None, show="nobody", moment="real")
    attribute("game", "pause_because", label="Why it is paused")
    attribute("game", "offsets", (), show="nobody")
    attribute("applicant", "name", "", label="Name", show="admin")
    labels = {"asked": "Asked", "text": "Question", "options": "Answers", "default": "Answer if none is given"}
    for name, default in (("asked", ()), ("text", ""), ("options", ()), ("default", None)):
        attribute("question", name, default, label=labels[name], show=("owner", "admin"))
    attribute("question", "deadline", None, label="Answered until", show=("owner", "admin"), moment="game")
    for name, default in (("then", ""), ("secret", False), ("about", ()), ("answers", ())):
        attribute("question", name, default, show="nobody")
    event("entry", who="player")
    event("order", who="player", order="", waits="")
    event("rules-changed")
    event("apply", "applied", say="{name} asks to join", name="")
    event("join", "joined", say="{who} joins the game", who="player")
    event("remove", "removed", say="{who} leaves the game", who="player", because="", how="")
    event("question-lapses", say="The time for an answer is over", question="question")
    on("apply")(lambda e: create("applicant", name=e.name) and None)
    on("question-lapses")(lambda e: close_question(e.question))
    form: Any = {"question": choose("question", choices=questions_to), "answer": anything(optional=False)}
    action("answer", "Answer a question", hidden=True, private="order", **form)(answer_question)
    because = words("Because", limit=2000, long=True, optional=True)
    form = {"by": "admin", "player": words("Player")}
    done = "{player} is in the game now, and has been told by mail."
    action("approve-player", "Approve a player", done=done, **form)(approve)
    form = {**form, "because": because, "fact": "declined-player", "say": "{player} may not join"}
    form = {**form, "weighty": True, "done": "{player} has been told by mail."}
    action("decline-player", "Decline a player", **form)(lambda e: destroy(applicant_named(e.player)))
    reason = words("Because", limit=2000, long=True, wanted=True)
    form = {"by": "admin", "because": reason, "kind_": anything(), "say": "The game is paused: {because}"}
    form = {**form, "weighty": True, "done": "The game is paused.", "fact": "paused"}
    kinds = ("disruption", "outage")
    action("pause", "Pause the game", **form)(
        lambda e: pause(e.because or "", e.kind_ if e.kind_ in kinds else "admin")
    )
    form = {"thing": choose("", "Thing"), "attribute": words("Attribute"), "value": anything("Value")}
    form = {**form, "because": reason, "weighty": True, "done": "Set."}
    action("grant", "Set an attribute", by="admin", **form)(grant)
    form = {"text": words("Ruling", limit=20000, long=True), "rules": anything("Rules concerned")}
    form = {**form, "weighty": True, "done": "The ruling is in the log."}
    action("rule", "Post a ruling", by="admin", fact="ruled", say="The Admin rules: {text}", **form)(lambda e: None)

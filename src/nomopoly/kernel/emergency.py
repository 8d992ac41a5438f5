"""The way out of a disruption, which no rule can break: the Admin's proposal and its vote, and suspending a rule.

Rules of an edition usually hold such a vote themselves (iv, 10.3). What stands here closes it where they cannot any
more, and holds it where they do not: more Yes than No after 120 hours, then it is put into effect and the game goes on.
"""

import json
from typing import Any

from nomopoly.kernel.clock import end_outage, hold, hours, pause, resume, set_timer
from nomopoly.kernel.declaring import attribute, event, kind, on
from nomopoly.kernel.events import do, happen, note
from nomopoly.kernel.fields import change_list, choose, number, one_of, program, words
from nomopoly.kernel.orders import action, silence
from nomopoly.kernel.rules import change_rulebook, run_once, suspend
from nomopoly.kernel.things import create, declared, every, put, put_each
from nomopoly.kernel.world import refuse, world, writable

PHASES = ("made", "voting", "to-judge", "decided", "done")  # how far a proposal is, as its rules tell pages
RESULTS = ("accepted", "rejected", "withdrawn", "replaced")  # what came of it


def disrupted() -> bool:
    """Whether the game is paused because a rule broke."""
    return world.things["game"].pause_kind == "disruption"


def way_out(proposal: Any, closes_at: int) -> None:
    """Make sure of a vote that is to end a disruption: one second after its close the kernel does what is left of it.

    The proposal is any thing with `changes` (JSON text), `run` and `status` ("Voting" or "voting" as long as it is
    open).
    """
    writable()
    if proposal.kind == "emergency":
        raise ValueError("a proposal of the kernel's own closes by itself")
    closing = [each for each in world.timers.values() if each.event == "emergency-closes"]
    if not [each for each in closing if proposal in each.fields.values()]:
        set_timer(closes_at + 1, world.index.events["emergency-closes"], {"proposal": proposal}, True)


def propose_way_out(e: Any) -> None:
    """Effect of `emergency-propose`."""
    if not disrupted():
        refuse("this is only for a game that is paused because a rule broke")
    if open_emergencies(None):
        refuse("there already is an emergency proposal in voting")
    closes_at = world.now + hours(120)
    changes = json.dumps(e.changes or [], sort_keys=True, ensure_ascii=False)
    parts = {"title": e.title or "", "text": e.text or "", "changes": changes, "run": e.run or ""}
    proposal = create("emergency", closes_at=closes_at, made_at=world.now, **parts)
    note(proposal=proposal)
    set_timer(closes_at, world.index.events["emergency-closes"], {"proposal": proposal}, True)


def how_many(choice: str, ballots: Any) -> int:
    """How many ballots say this, sealed ones (told as numbers) and open ones (told by name)."""
    return sum([told if type(told) is int else 1 for _, chosen, told in ballots or () if chosen == choice])


def close_way_out(e: Any) -> None:
    """Effect of `emergency-closes`: what is accepted is put into effect, and the game goes on."""
    proposal = e.proposal
    if not disrupted() or proposal.status not in ("Voting", "voting"):
        return
    yes, no = how_many("yes", e.ballots), how_many("no", e.ballots)
    alone = world.given.get("alone")
    holds = yes > no and not (alone and alone["how"] == "over")  # else what it brings has broken
    if "outcome" in declared(proposal.kind):
        status, result = "Dead", "implemented" if holds else "rejected"
    else:
        status = result = "accepted" if holds else "rejected"
    for name, content in (("status", status), ("outcome", result), ("yes_votes", yes), ("no_votes", no)):
        if name in declared(proposal.kind):
            put(proposal, name, content)
    note(yes=yes, no=no)
    if holds:
        change_rulebook(json.loads(proposal.changes), by=proposal.id)
        if alone:
            silence()
        run_once(proposal.run, by=proposal.id)
        resume()


def suspend_rule(e: Any) -> None:
    """Effect of `suspend`: in a pause of whatever kind, so that a rule that pauses the game again and again can be
    stopped."""
    if not world.things["game"].paused:
        refuse("this is only for a game that is paused: pause it first")
    suspend(e.rule, True)


def open_emergencies(who: Any) -> Any:
    """The emergency proposals one can vote on."""
    return [each for each in every("emergency") if each.status == "Voting"]


def vote_on_way_out(e: Any) -> None:
    """Effect of `emergency-vote`: it waits in the ballot box."""
    if e.on.status != "Voting" or world.now >= e.on.closes_at:
        refuse("closed: the voting is over")


def declare_emergency() -> None:
    """Declare what the way out needs."""
    kind("emergency")
    sealed: Any = {"sealed": ("Voting",)}
    for name, default in (("title", ""), ("text", ""), ("changes", "[]"), ("run", ""), ("status", "Voting")):
        attribute("emergency", name, default, **sealed)
    for name in ("outcome", "yes_votes", "no_votes"):
        attribute("emergency", name, **sealed)
    for name in ("made_at", "closes_at"):
        attribute("emergency", name, moment="real", **sealed)
    attribute("game", "operator_stop", None, label="Stopped by the operator", type="word")
    attribute("game", "operator_stop_at", None, type="moment", show="nobody")
    event("operator-stop", "stopped", say="The operator of the site stops the game: {because}", because="")
    event("operator-resume", "resumed", say="The operator of the site lets the game go on")
    on("operator-stop")(stop_by_operator)
    on("operator-resume")(resume_by_operator)
    event("end-disruption", how="")
    event("time-goes-on")
    event("emergency-closes", "closed", say="{proposal}: {yes} Yes, {no} No", proposal="", ballots="")
    on("end-disruption")(lambda e: resume())
    on("emergency-closes")(close_way_out)
    because = words("Because", limit=2000, long=True, optional=True)
    form: Any = {"title": words("Title", limit=200), "text": words("Words", limit=50000, long=True, optional=True)}
    form = {**form, "changes": change_list("Changes of the rules"), "run": program("Program that runs once")}
    form = {**form, "by": "admin", "say": "{who} proposes a way out: {title}"}
    action("emergency-propose", "Propose a way out", fact="proposed", **form)(propose_way_out)
    form = {"on": choose("emergency", choices=open_emergencies), "choice": one_of(("yes", "no", "abstain"))}
    form = {**form, "ballot": "emergency-closes", "sealed": True, "in_pause": True}
    action("emergency-vote", "Vote on a way out", fact="voted", say="{who} votes on {on}", **form)(vote_on_way_out)
    form = {"by": "admin", "rule": words("Rule"), "because": because}
    action("suspend", "Suspend a rule", **form)(suspend_rule)
    action("reinstate", "Let a suspended rule act again", **form)(lambda e: suspend(e.rule, False))
    form = {"by": "admin", "hidden": True, "timer": number("Timer")}
    action("hold", "Put a broken timer off", **form)(lambda e: hold(e.timer))
    form = {"by": "admin", "hidden": True, "since": number("Since"), "fact": "returned", "say": "The site is back"}
    action("end-outage", "End an outage", **form)(lambda e: end_outage(e.since))
    form = {"by": "admin", "weighty": True, "done": "The game goes on."}
    action("resume", "Resume the game", fact="resumed", say="The game goes on", **form)(resume_by_admin)


def operate(name: str, args: Any) -> None:
    """An act of the operator of the site (`stop`, `resume`): no rule hears of it, and no Admin undoes it."""
    plan = world.index.events.get("operator-" + name)
    if plan is None:
        refuse("the operator's acts are stop and resume")
    happen(plan, {"because": str(args.get("because") or "")} if name == "stop" else {})


def stop_by_operator(e: Any) -> None:
    """Effect of `operator-stop`: the game is paused, and stays so until the operator says otherwise."""
    game = world.things["game"]
    if game.operator_stop is not None:
        refuse("the operator has stopped this game already")
    pause(e.because, "operator")
    put_each(game, operator_stop=e.because, operator_stop_at=world.now)


def resume_by_operator(e: Any) -> None:
    """Effect of `operator-resume`: all is as before; what was to come meanwhile in real time comes in a day."""
    game = world.things["game"]
    if game.operator_stop is None:
        refuse("the operator has not stopped this game")
    since = game.operator_stop_at
    put_each(game, operator_stop=None, operator_stop_at=None)
    end_outage(since)
    if game.pause_kind == "operator":
        resume()


def resume_by_admin(e: Any) -> None:
    """Effect of `resume`. Rules may say no to the end of a disruption by the Admin alone, and end what else stands
    still."""
    if disrupted():
        do("end-disruption", how="admin")
    elif world.things["game"].paused:
        resume()
    else:
        do("time-goes-on")

"""What lies beyond the reach of rules: the acts and events of the way out of a disruption, by name."""

from typing import Any

from nomopoly.kernel.world import world

BEYOND = ("emergency-vote", "emergency-closes", "operator-stop", "operator-resume")  # no rule answers to them
NEVER_PREVENTED = ("remove",)  # no rule forbids or bends it: everybody may leave
OFFICE = ("rule", "decline-player", "suspend", "reinstate", "hold", "end-outage", "emergency-propose")  # never refused
STANDS = (*OFFICE, "pause", "resume", "remove-player")  # what rules say after the entry does not undo them
CLOSED = (*BEYOND, *OFFICE, "grant", "approve-player")  # no rule makes them happen
OFFICIAL = (
    "ruled granted struck suspended reinstated enacted amended repealed paused resumed stopped joined left-out".split()
)
CAUSE = dict.fromkeys(("what", "event", "depth", "rule"))  # of a fact: what it says of its cause, which no rule writes
REPLACEABLE = ("answer",)  # of what the kernel declares; everything else of it goes before all rules


def voting(proposal: Any) -> bool:
    """Whether the vote on a proposal is open still."""
    return proposal.id in world.things and proposal.status in ("Voting", "voting")

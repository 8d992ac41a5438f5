"""The acts of the desk that decide a proposal, as all editions name them. No other module of the site says these names for them."""

ACCEPT, IMPLEMENT = "accept", "implement"  # where the Admin judges, and where the players have voted
REJECT, VETO = "reject", "veto"
FOR, AGAINST = (ACCEPT, IMPLEMENT), (REJECT, VETO)


def can_be_about(act, id):
    """Whether an act of the desk (None where rules have none of that name) can be about a thing."""
    return act is not None and any(choice["id"] == id for field in act["fields"] for choice in field["choices"])

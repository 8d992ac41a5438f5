"""Disputes: who is in them, and what a Penalty says."""


def open_disputes(who=None):
    """The disputes that are not settled, of all or of one player."""
    return [each for each in every("dispute") if each.status == "open" and who in (None, each.accuser, each.defendant)]


def no_party(who, dispute):
    """Why somebody cannot do something in a dispute, or nothing."""
    if dispute.status != "open":
        return f"already {dispute.status}: {dispute.id}"
    if who not in (dispute.accuser, dispute.defendant):
        return f"not yours: {dispute.id} is between {name_of(dispute.accuser)} and {name_of(dispute.defendant)}"
    return None


def side_of(who, dispute):
    """The word for what a player is in a dispute."""
    return "accuser" if dispute.accuser is who else "defendant"


def penalty_said(said):
    """A Penalty by its parts, {"sort": "pay", "amount": 500, "to": "Ben"}; said in that way, or as `pay 500 Ben`."""
    found = {}
    if isinstance(said, dict):
        for key in said:
            found[key] = said[key]
    else:
        given = str(said).split()
        for at in range(min(len(given), 3)):
            found[("sort", "amount", "to")[at]] = given[at]
        amount = str(found.get("amount", "")).lstrip("$")
        if amount.isdigit() and len(amount) < 16:
            found["amount"] = int(amount)
    unknown = [key for key in found if key not in ("sort", "amount", "to")]
    if unknown or not isinstance(found.get("sort"), str):
        refuse("a Penalty says sort, and amount and to where they are wanted, as in: pay 500 Ben")
    if found.get("to") is not None and not isinstance(found["to"], str):
        refuse("to must name who is paid")
    return found


def positive(amount):
    """Whether something is a whole number of 1 or more, and no greater than any sum of money."""
    return isinstance(amount, int) and amount is not True and 1 <= amount <= 10**15


def units_of_log(amount):
    """The binary logarithm of a number of 1 or more, rounded up."""
    units = 0
    while 2**units < amount:
        units = units + 1
    return units

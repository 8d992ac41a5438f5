"""Section XXIII: atrocities, who is a terrorist for them, and what that costs."""

section("XXIII", "Terrorism")

rule(
    "XXIII.1",
    """
Who consents to an act that directly leads to an atrocity is a terrorist: after a minor one for the rest of this week and {minor} week
more, after a major one for the rest of this week and {major} weeks more. Whether the act succeeds makes no difference, and a later
act never shortens the time. Who has diplomatic immunity at that moment does not become one.
""",
    title="Who is a terrorist",
    minor=1,
    major=6,
)

attribute("player", "terrorist_until", None, label="Terrorist until week", type="number")
event("atrocity", "atrocity", say="{who} has part in a {grade} atrocity", who="player", grade="")
event("become-terrorist", "became-terrorist", say="{who} is a terrorist until week {until}", who="player", until="")


@value("terrorist", of="player", label="Terrorist", type="yesno")
def terrorist(who):
    return who.terrorist_until is not None and thing("game").week <= who.terrorist_until


@after("atrocity")
def branded(e):
    until = thing("game").week + (rule.major if e.grade == "major" else rule.minor)
    if e.who.terrorist_until is None or e.who.terrorist_until < until:
        do("become-terrorist", may=True, who=e.who, until=until)


@on("become-terrorist")
def become(e):
    put(e.who, "terrorist_until", e.until)


rule(
    "XXIII.2",
    """
A terrorist gets no money for going round the board, and no square is added for it; may not buy lottery tickets; and may not trade
with anybody who is no terrorist.
""",
    title="What a terrorist loses",
)


@instead("lap-money")
@instead("grow")
def nothing_for_terrorists(e):
    if value("terrorist", e.who):
        return False


@check("buy-lottery-ticket")
def no_tickets_for_terrorists(e):
    if value("terrorist", e.who):
        return "terrorist: you may not buy lottery tickets"


@check("trade-made")
def among_themselves(e):
    marked = [each for each in e.parties if value("terrorist", each)]
    if marked and len(marked) < len(e.parties):
        return f"terrorist: {name_of(marked[0])} may only trade with other terrorists"

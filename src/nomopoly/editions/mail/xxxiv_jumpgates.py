"""Section XXXIV: Jumpgates."""

section("XXXIV", "Jumpgates")

rule("XXXIV.1", """
A Jumpgate joins two squares, which are each other's sister. A player who lands on one of them is taken to its sister once all else that
the landing brings is done, and lands there; one who comes by the Jumpgate does not jump back. Passing one does nothing.
""", title="Jumping", landing_place=110)

attribute("square", "jumpgate", None, label="Jumpgate to", type="thing")
event("take-gate", who="", mover="", square="square", how="")
landing(
    "jumpgate", rule.landing_place, "take-gate", when=lambda who, mover, square: square.jumpgate is not None,
    creatures=True
)


@instead("take-gate")
def no_way_back(e):
    by_gate = e.how == "jump" and e.caused_by("take-gate")
    if by_gate or not moves_as_player(e.mover) or e.mover.square is not e.square:
        return False


@on("take-gate")
def through(e):
    sister = e.square.jumpgate
    ask_toll(e.who, e.mover, e.square)
    do("jump", who=e.mover, mover=e.mover, square=sister, how="jump")


@marker("square")
def ring(place):
    if place.jumpgate is not None:
        return ("o", "Jumpgate")


rule("XXXIV.2", """
The owner of a square with a Jumpgate may ask up to ${highest} of others who jump from it, which they pay as they jump. Nothing is asked
until the owner says how much.
""", title="Toll", highest=25)

attribute("square", "toll", 0, label="Toll", type="money")
event("pay-toll", who="", mover="", square="square", amount="")


def with_gate(who):
    return [each for each in owned_by(who) if attribute_of(each, "jumpgate") is not None]


@action(
    "set-toll",
    "Ask a toll",
    fact="toll",
    say="{who} asks ${toll} for a jump from {square}",
    square=choose("square", choices=with_gate),
    toll=number("Toll, in dollars", most=rule.highest, money=True),
)
def set_toll(e):
    if e.square.owner is not e.who:
        refuse(f"not yours: {name_of(e.square)}")
    if attribute_of(e.square, "jumpgate") is None:
        refuse(f"not there: there is no Jumpgate on {name_of(e.square)}")
    put(e.square, "toll", e.toll)


@instead("pay-toll")
def nothing_asked(e):
    if not e.amount or e.square.owner is None or e.square.owner is purse(e.who):
        return False


@on("pay-toll")
def toll(e):
    pay(e.who, e.square.owner, e.amount)

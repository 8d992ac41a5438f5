"""Section XI: The Corporation."""

section("XI", "The Corporation")

rule("XI.1", """
There is The Corporation. It owns money and squares as The Government does. What the Corporate Player gets and pays is The
Corporation's.
""", title="It exists")


@after("open")
def found_corporation(e):
    create("account", id="$corporation", name="The Corporation")


@modify("purse")
def purse_of_its_piece(who, base):
    if who.id == "corporate-player":
        return set(thing("$corporation"))


rule("XI.2", """
At the start of an update The Corporation gives what it has above ${corporate_limit} to The Government.
""", title="Surplus", corporate_limit=15000)

setting("corporate_limit")
event("corporate-surplus", say="The Corporation's surplus")
step("surplus", 10, "corporate-surplus", when=lambda: thing("$corporation").money > value("corporate_limit"))


@on("corporate-surplus")
def give_surplus(e):
    excess = thing("$corporation").money - value("corporate_limit")
    if excess > 0:
        pay("$corporation", "$government", excess)

"""Section XVI: the Bridge, of which only the name is left."""

section("XVI", "The Bridge")

rule("XVI.1", """
The squares of the Bridge belong to The Government, which does not put them up for auction. No square is one of the Bridge until a
rule says so.
""", title="Bridge squares")

attribute("square", "bridge", False, label="Bridge")
row("claim", "bridge", to="$government", by=(), numbers=lambda: (), when=lambda place: place.bridge)
event("make-bridge", say="{square} becomes a square of the Bridge", square="square")


@on("make-bridge")
def bridge(e):
    put(e.square, "bridge", True)


@after("make-bridge")
def bridge_owner(e):
    change_owner(e.square, find("$government"))


@after("grant")
def bridge_granted(e):
    if e.thing.kind == "square" and e.attribute == "bridge" and e.thing.bridge:
        change_owner(e.thing, find("$government"))

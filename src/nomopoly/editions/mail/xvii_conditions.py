"""Section XVII: what may be the matter with a player."""

section("XVII", "Conditions")

rule("XVII.1", """
A Sick player rolls one die in a turn, until something makes the player well; time does not. Being made Sick again changes nothing.
Only players can be Sick.
""", title="Sick")

attribute("player", "sick", False, label="Sick", summary=True)
event("make-sick", "sick", say="{who} is Sick", who="", by="")
event("cure", "cured", say="{who} is well", who="")


@instead("make-sick")
def only_once(e):
    if e.who.kind != "player" or e.who.sick:
        return False


@on("make-sick")
def fall_sick(e):
    put(e.who, "sick", True)


@instead("cure")
def not_ill(e):
    if e.who.kind != "player" or not e.who.sick:
        return False


@on("cure")
def get_well(e):
    put(e.who, "sick", False)


@modify("dice_count")
def weak(who, base):
    if who.kind == "player" and who.sick:
        return set(1)


rule("XVII.2", """
A Hurt player rolls one die in the next turn; with the end of that turn the hurt is over. A turn that changes nothing for want of White
squares does not count.
""", title="Hurt")

attribute("player", "hurt", False, label="Hurt")
event("make-hurt", "hurt", say="{who} is Hurt", who="", by="")


@instead("make-hurt")
def hurts_once(e):
    if e.who.kind != "player" or e.who.hurt:
        return False


@on("make-hurt")
def be_hurt(e):
    put(e.who, "hurt", True)


@modify("dice_count")
def limping(who, base):
    if who.kind == "player" and who.hurt:
        return set(1)


@after("turn-ends")
def hurt_is_over(e):
    if e.who.kind == "player" and e.who.hurt:
        put(e.who, "hurt", False)


rule("XVII.3", """
A turn that a player takes In Reverse goes to predecessors instead of successors. It ends with that turn.
""", title="In Reverse")

attribute("player", "in_reverse", False, label="In Reverse")


@modify("backwards")
def in_reverse(mover, faces, sort, base):
    if mover.kind == "player" and mover.in_reverse:
        return set(True)


@after("turn-ends")
def forward_again(e):
    if e.who.kind == "player" and e.who.in_reverse:
        put(e.who, "in_reverse", False)


rule("XVII.4", """
For each full {weight} pounds of Chains that are not Rusty a player goes one square less in a normal turn, but never less than none.
Chains that are added make all Chains of that player free of rust. Rusty Chains do nothing, and fall off at the next start of a week.
""", title="Chains", weight=50)

attribute("player", "chains", 0, label="Chains, in pounds")
attribute("player", "rusty", 0, label="Rusty Chains, in pounds")
event("add-chains", "chained", say="{who} gets {amount} pounds of Chains", who="player", amount="")
event("rust-chains", who="player")
event("chains-fall-off", say="Rusty Chains fall off")
step("expiry", 20, "chains-fall-off")


@on("add-chains")
def put_on_chains(e):
    put(e.who, "chains", e.who.chains + e.who.rusty + e.amount)
    put(e.who, "rusty", 0)


@on("rust-chains")
def rust(e):
    put(e.who, "rusty", e.who.chains + e.who.rusty)
    put(e.who, "chains", 0)


@after("grant")
def one_heap_at_a_time(e):
    if e.attribute in ("chains", "rusty") and exists(e.thing) and e.thing.kind == "player" and e.value:
        put(e.thing, "rusty" if e.attribute == "chains" else "chains", 0)


@on("chains-fall-off")
def fall_off(e):
    for each in players():
        put(each, "rusty", 0)


@modify("pips")
def dragging(mover, faces, sort, base):
    if mover.kind == "player" and sort in ("normal", "speeding"):
        return add(-(heavy_chains(mover) // max(rule.weight, 1)))

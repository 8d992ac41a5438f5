"""Section I: who runs the game."""

section("I", "The Admin")

rule("I.1", """
One person holds the office of Admin of this game. The game's page shows who it is; the office can be handed over.
""", title="Who the Admin is")

rule("I.2", """
The Admin publishes the history of what players submit and how they move, the state of the board and of the dice, the rules, and
what follows from them.
""", title="Duties of the Admin")

rule("I.3", """
The Admin may tidy a submission before publishing it, as long as it still means the same.
""", title="Editing submissions")

rule("I.4", """
Where there is doubt or dispute, the Admin decides, and the decision is final.
""", title="The last word")

rule("I.5", """
The Admin has an account abroad, the SBA. Anybody may put money into it. No proposal may make money come
out of it: nothing that a rule says takes any from it, and a program or an order that would do so fails.
""", title="The SBA")


@after("open")
def open_abroad(e):
    create("account", id="$sba", name="The SBA")


def abroad(e):
    held = purse(e.who)
    if held is not None and held.id == "$sba":
        if actor() is not None or e.caused_by("judge"):
            broken("protected: no money comes out of the SBA")  # nothing that merely tries to pay goes on after this
        return "protected: no money comes out of the SBA"


@check("pay")
@check("fine")
@check("lose")
def moves_no_money(e):
    return abroad(e)


attribute("account", "money_abroad", 0, show="nobody")  # dollars that were in the SBA after the last entry


@after("grant")
def the_admin_may(e):
    if exists(e.thing) and e.thing.id == "$sba":
        put(e.thing, "money_abroad", e.thing.money)


@after("judge")
@after("entry")
def none_is_missing(e):
    sba = find("$sba")
    if sba is not None and sba.money != sba.money_abroad:
        if sba.money < sba.money_abroad:
            broken("protected: no money comes out of the SBA")
        put(sba, "money_abroad", sba.money)


rule("I.6", """
The Admin lives on an island, and that is where the Admin and the Admin's friends are to be found.
""", title="The island")

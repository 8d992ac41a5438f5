"""Section XXIII: the CL phase."""

section("XXIII", "CL Turns")

rule("XXIII.1", """
If there is a CL phase, each player takes a CL turn in it, in the order in which they joined. For each a color is picked at random among
those on the board, and the player moves to the next square of that color; the player's own square does not count, unless it is the only
one. The squares between are passed, and the player lands on the last, but no dice are rolled. There is no CL phase until something
brings it about.
""", title="The CL phase")

attribute("game", "cl_phase", False, label="CL phase")
event("cl-phase", say="The CL turns")
event("cl-move", "cl-turn", say="{who} moves on by color", who="")
step("cl-movement", 10, "cl-phase", when=lambda: thing("game").cl_phase)


@on("cl-phase")
def all_move(e):
    for each in players():
        follow("turn", who=each, sort="cl", because=rule.id)


@on("cl-move")
def next_of_color(e):
    colors = []
    for each in in_sequence():
        if each.color not in colors:
            colors.append(each.color)
    color = chance.pick(colors)
    back = value("backwards", e.who, (), "cl")
    place = go_on(e.who.square, back)
    steps = 1
    while place.color != color:
        place = go_on(place, back)
        steps = steps + 1
    note(color=color, steps=steps)
    do("move", may=True, who=e.who, mover=e.who, steps=steps, backwards=back, sort="cl")

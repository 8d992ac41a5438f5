"""Ways over the board that are no turns: by taxi and by delivery truck."""


def not_on_the_way(who, start, goal):
    """Why a ride cannot start or end there, or nothing."""
    if goal is start:
        return f"already there: that is {goal.id}"
    return not_occupied(who, start)


def steps_by_road(start, goal, gates=False, through=False):
    """Fewest steps from a square to another over successors, predecessors and, with `gates`, Jumpgates. None: no way.

    No step leads to a square with a Blockbuster, unless it goes `through` them.
    """
    seen = {start.id: True}
    edge = [start]
    steps = 0
    while edge:
        if goal in edge:
            return steps
        steps = steps + 1
        further = []
        for place in edge:
            around = [value("successor", place), value("predecessor", place)]
            if gates:
                around.append(attribute_of(place, "jumpgate"))
            for other in around:
                if exists(other) and other.id not in seen and (through or not attribute_of(other, "blockbuster")):
                    seen[other.id] = True
                    further.append(other)
        edge = further
    return None

"""The WETHA: its Lodges, and the Queue of squares that it gives away."""


def wetha():
    """The account of the WETHA, or None."""
    return find("$wetha")


def is_lodge(place):
    """Whether a square is a Lodge, by its number."""
    return place.number in [each.number for each in rows("lodge")]


def dues_of(who):
    """The dollars that a player has paid in Dues; 0 for a piece that pays none."""
    return attribute_of(who, "dues", 0)


def giveaway_queue():
    """The squares that the WETHA gives away, the next one first."""
    queue = attribute_of(wetha(), "queue") or ()
    return [each for each in queue if exists(each) and each.owner is wetha()]


def dodging(who, place):
    """What comes of trying to get round a rent: False (no rent), how many dollars more it is, or nothing."""
    return can_happen("dodge-rent") and do("dodge-rent", who=who, square=place)


def give_away(who):
    """A player gets the first square of the Giveaway Queue, if there is any."""
    queue = giveaway_queue()
    if queue:
        put(wetha(), "queue", tuple(queue[1:]))
        do("give-away", who=wetha(), square=queue[0], to=who)

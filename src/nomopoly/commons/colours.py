"""Colours of squares: which there are, and in which group each is."""


def color_names(*groups):
    """The names of all colours, or of those in some groups (`Corporate`, `Government`, `Non-Profit`), in book order."""
    return [each.id for each in rows("color") if not groups or each.group in groups]


def corporate_colors():
    """The Corporate Colours."""
    return color_names("Corporate")


def government_colors():
    """The Government Colours."""
    return color_names("Government")


def color_named(word):
    """The colour that a word means. Refuses what is none, naming those that there are."""
    for each in rows("color"):
        if word == each.id or word in each.also:
            return each.id
    refuse(f"there is no color {word}; there are {', '.join(color_names())}")


def color_words(*groups):
    """The words that a form takes for the colours of some groups: their names, and last the other spellings."""
    found = [each for each in rows("color") if not groups or each.group in groups]
    return [each.id for each in found] + [word for each in found for word in each.also]


def color_group(color):
    """The group that a colour is in; None for what is no colour."""
    for each in rows("color"):
        if each.id == color:
            return each.group
    return None


def is_corporate(place):
    """Whether a square has a Corporate Colour."""
    return color_group(place.color) == "Corporate"


def has_government_color(place):
    """Whether a square has a Government Colour."""
    return color_group(place.color) == "Government"


def can_of(color):
    """The item that is a can of paint of a colour."""
    return "paint-" + color.lower()


def paint(who, place, color, by=None):
    """Paint a square by the rules in force: `who` does it, or None. Returns whether it could be done."""
    return do("paint", may=True, who=who, square=place, color=color, by=by)


def block_owner(color):
    """The first player who owns a block of a colour, or None."""
    for each in squares():
        if each.color == color and each.owner is not None and each.owner.kind == "player" and value("block", each):
            return each.owner
    return None


def free_colors(*groups):
    """The colours, of some groups, that players may give to squares now."""
    return [each for each in color_names(*groups) if value("free_color", each)]

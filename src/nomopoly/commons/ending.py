"""What winning takes: squares of all colors, a block, and the most money."""


def colors_to_own():
    """The colors of which a winner owns a square: all but White."""
    return [each.id for each in rows("color") if each.id != "White"]


def richer_and_colorful(who, without=(), less=0, rival=-1):
    """Whether somebody owns a square of each color and a block, and has more money than any other player.

    With the rest, whether it would be so if the squares `without` were those of another player who has `rival` dollars, and
    `who` had so many dollars less.
    """
    mine = [each for each in owned_by(who) if each not in without]
    colors = [each.color for each in mine]
    if not colors_to_own() or [each for each in colors_to_own() if each not in colors]:
        return False
    others = [each.color for each in without if exists(each)]
    if not [each for each in mine if each.color not in others and value("block", each) is not None]:
        return False
    rivals = [each.money for each in players() if each is not who]
    return not [money for money in (*rivals, rival) if money >= who.money - less]

"""Names: of players, what a rule on joining needs to know of them; and attributes by name."""

import re as _re

_LIKE_AN_ID = _re.compile(
    "(?:p|d|[a-z-]+-)[0-9]+"
)  # such as `P1` and `offer-3`: things get such ids as the game goes on
_TWINS = dict(
    zip("авеёзкмнорсстухіјѕԁһԛԝοαβερτυχικν0", "abee3kmhopcctyxijsdhqwoabeptuxikvo")
)  # letters that look like others


def looks(name):
    """A name as it is compared with others: without case, outer blanks and look-alikes of other alphabets."""
    return "".join([_TWINS.get(letter, letter) for letter in name.strip().casefold()])


def taken_names():
    """Names of players and of those who will be, as they are compared."""
    return [looks(each.id) for each in players()] + [
        looks(each.name) for each in every("applicant") + every("newcomer")
    ]


def reserved_name(name):
    """Whether a name belongs to a thing of the game, or could be taken for one."""
    if name[:1] in ("#", "$") or name.casefold() in ("game", "admin", "the admin", "visitor", "nobody", "kernel"):
        return True
    if _LIKE_AN_ID.fullmatch(name.casefold()):
        return True
    return find(name) is not None and find(name).kind != "player"


def name_problem(said, longest):
    """Why nobody can join under this name, or nothing."""
    name = said.strip()
    if name != said and looks(name) not in taken_names():
        return "a name may not begin or end with a blank"
    if not name or len(name) > longest:
        return f"a name has 1 to {longest} characters"
    if not name.isprintable():
        return "a name may not hold control characters: leave out what nobody can see, which joins some emoji"
    if looks(name) in taken_names():
        return "name taken: choose another one"
    if reserved_name(name):
        return "name taken: it belongs to something in the game"


def attribute_of(member, name, otherwise=None):
    """An attribute of a thing; `otherwise` where no rule in force declares it."""
    return getattr(member, name, otherwise)

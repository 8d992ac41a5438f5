"""Section XIII: the colours of squares, who paints them, and what they are coated with."""

section("XIII", "Colours")

rule("XIII.1", """
There are thirteen colors, and no others. Red, Orange, Yellow, Green, Blue and Indigo are the Corporate Colors; Maroon, Navy, Khaki,
Teal, Lime and Fuchsia are the Government Colors; White is the only Non-Profit-Organization Color.
""", title="The colors")

attribute("square", "color", "White", label="Color", holds="color", needed=True)
event("paint", "painted", say="{square} is painted {color}", who="", square="square", color="", by="")
row("color", "Red", group="Corporate", phantom="Expansion", also=())
row("color", "Orange", group="Corporate", phantom="Bonus Issues", also=())
row("color", "Yellow", group="Corporate", phantom="Extortion", also=())
row("color", "Green", group="Corporate", phantom="Pollution", also=())
row("color", "Blue", group="Corporate", phantom="Creative Accounting", also=())
row("color", "Indigo", group="Corporate", phantom="Negligence", also=())
row("color", "Maroon", group="Government", phantom="Social Security", also=())
row("color", "Navy", group="Government", phantom="Health Care", also=())
row("color", "Khaki", group="Government", phantom="Science & Technology", also=())
row("color", "Teal", group="Government", phantom="Infrastructure", also=())
row("color", "Lime", group="Government", phantom="Palm-Greasing", also=())
row("color", "Fuchsia", group="Government", phantom="Taxation", also=("Fuschia",))
row("color", "White", group="Non-Profit", phantom="", also=())


@check("paint")
def known_color(e):
    color_named(e.color)


@instead("paint")
def well_spelled(e):
    color = color_named(e.color)
    if color != e.color:
        return e.but(color=color)


@on("paint")
def paint_it(e):
    put(e.square, "color", e.color)


@value("free_color")
def free_color(color):
    return True


rule("XIII.2", """
A square is {first_color} until somebody gives it another color.
""", title="White first", first_color="White")


@after("create-square")
def first_color(e):
    put(e.result, "color", color_named(rule.first_color))


rule("XIII.3", """
The owner of a square may paint it in a Corporate Color at any time and from any place, for ${corporate_paint} to The Corporation.
""", title="Corporate paint", corporate_paint=50)

setting("corporate_paint")


@check("paint-square")
def own_square(e):
    return not_owner(e.who, e.square)


@action(
    "paint-square",
    "Paint a square in a Corporate Color",
    square=choose("square", "Square", choices=owned_by),
    color=one_of(lambda who: color_words("Corporate"), "Color"),
)
def paint_square(e):
    spend(e.who, "$corporation", value("corporate_paint"))
    do("paint", who=e.who, square=e.square, color=color_named(e.color), by="paint")


rule("XIII.4", """
A can of Government Issue Paint in any one Government Color costs ${can_price}, paid to The Government. Who has a can may pour it on the square
they occupy, whoever owns it: the square gets the color of the paint, and the can is used up.
""", title="Government Issue Paint", can_price=100)

setting("can_price")
item("paint-maroon", "A can of Maroon paint")
item("paint-navy", "A can of Navy paint")
item("paint-khaki", "A can of Khaki paint")
item("paint-teal", "A can of Teal paint")
item("paint-lime", "A can of Lime paint")
item("paint-fuchsia", "A can of Fuchsia paint")


@action(
    "buy-paint",
    "Buy a can of Government Issue Paint",
    fact="bought",
    say="{who} buys a can of {color} paint",
    color=one_of(lambda who: color_words("Government"), "Color"),
)
def buy_paint(e):
    can = can_of(color_named(e.color))
    price = value("can_price")
    spend(e.who, "$government", price)
    give_item(e.who, can)
    note(item=can, price=price)


def cans_first(who):
    """The colors of paint, those first of which a player has a can."""
    known = color_words("Government")
    mine = [each for each in known if can_of(color_named(each)) in who.items]
    return mine + [each for each in known if each not in mine]


@check("pour-paint")
def may_pour(e):
    can = can_of(color_named(e.color))
    if can not in e.who.items:
        return f"not yours: you have no can of {e.color} paint"
    return not_occupied(e.who, e.square)


@action(
    "pour-paint",
    "Pour a can of paint on the square you occupy",
    fact="used",
    say="{who} pours {color} paint on {square}",
    color=one_of(cans_first, "Color"),
    square=choose("square", "Square", choices=occupied_by, default=lambda who: who.square),
)
def pour_paint(e):
    color = color_named(e.color)
    take_item(e.who, can_of(color))
    note(item=can_of(color))
    do("paint", who=e.who, square=e.square, color=color, by="can")


rule("XIII.5", """
For ${gipper_extra} above the price of the paint one may hire a Government Issue Painting Person, the GIPPer, who pours a new can of
Government Issue Paint on any square of the hirer's. All of it is paid to The Government at once.
""", title="The GIPPer", gipper_extra=50)

setting("gipper_extra")


def gipper_targets(who):
    return [*owned_by(who), *[each for each in every("creature") if can_be_painted(each)]]


def can_be_painted(target):
    """Whether the GIPPer paints this creature, and not only squares: see XIII.6."""
    return bool([each for each in rows("gipper-target") if each.id == target.id])


@check("hire-gipper")
def may_hire(e):
    if e.target.kind == "square":
        return not_owner(e.who, e.target)
    if not can_be_painted(e.target):
        return f"the GIPPer does not paint {e.target.id}"


@action(
    "hire-gipper",
    "Hire a GIPPer",
    target=choose("", "What is to be painted", choices=gipper_targets),
    color=one_of(lambda who: color_words("Government"), "Color"),
)
def hire_gipper(e):
    color = color_named(e.color)
    if e.target.kind == "square":
        hire(e.who, "head-gipper", e.target, value("can_price") + value("gipper_extra"))
        do("paint", who=e.who, square=e.target, color=color, by="gipper")
    else:
        wanted = row_of("gipper-target", e.target.id)
        extra = wanted.extra
        hire(e.who, "head-gipper", e.target.square, value("can_price") + extra())
        do(wanted, who=e.who, creature=e.target, color=color)


rule("XIII.6", """
The GIPPer also paints the elephant, for ${elephant_extra} above the price of the paint. That changes the Elephant Skin Color to the
color of the paint, which may be one in which somebody owns a block.
""", title="Painting the elephant", elephant_extra=1000)

setting("elephant_extra")
event("paint-elephant", "painted", say="{creature} is painted {color}", who="player", creature="creature", color="")
row("gipper-target", "elephant", event="paint-elephant", extra=lambda: value("elephant_extra"))


@on("paint-elephant")
def paint_the_elephant(e):
    put(e.creature, "color", e.color)


rule("XIII.7", """
While any player owns a block of a color, no player may turn any square into that color by any means, not even the owner of that
block, unless a rule says otherwise. What The Government paints is not bound by this.
""", title="Protected block colors")


@check("paint")
def block_color(e):
    if e.who is None or e.who.kind not in ("player", "creature"):
        return
    owner = block_owner(e.color)
    if owner is not None:
        return f"block color: {name_of(owner)} owns a block of {e.color}"


@modify("free_color")
def not_free(color, base):
    if block_owner(color) is not None:
        return set(False)


rule("XIII.8", """
What the elephant, or a Sick player without meaning to, colors may get a color in which somebody owns a block.
""", title="Exceptions")

overrides("XIII.7")


@check("paint")
def without_intent(e):
    if e.by in ("elephant", "sick"):
        return True


rule("XIII.9", """
The owner of a square may have it coated with Tefflon for ${tefflon_price} to The Corporation, from any place. While it is so coated, whatever
would give it another color, whoever does it, fails.
""", title="Tefflon", tefflon_price=300)

setting("tefflon_price")
coating("tefflon", "coat-with-tefflon")
event("coat-with-tefflon", "coated", say="{square} is coated with Tefflon", who="player", square="square", coating="")


@on("coat-with-tefflon")
def put_on_tefflon(e):
    note(price=value("tefflon_price"))
    spend(e.who, "$corporation", value("tefflon_price"))
    put(e.square, "coating", e.coating)


@check("coat")
def own_square_for_tefflon(e):
    if e.coating == "tefflon":
        return not_owner(e.who, e.square)


@check("paint")
def tefflon_keeps(e):
    if coating_of(e.square) == "tefflon":
        return f"tefflon: {e.square.id} is coated with Tefflon and keeps its color"


rule("XIII.10", """
The owner of a square may have the Tefflon taken off it for ${tefflon_off_price} to The Corporation, from any place.
""", title="Tefflon off", tefflon_off_price=300)

setting("tefflon_off_price")


@check("remove-tefflon")
def tefflon_there(e):
    reason = not_owner(e.who, e.square)
    if reason is not None:
        return reason
    if coating_of(e.square) != "tefflon":
        return f"not coated: there is no Tefflon on {e.square.id}"


@action(
    "remove-tefflon",
    "Have Tefflon taken off",
    square=choose(
        "square", "Square", choices=lambda who: [each for each in owned_by(who) if coating_of(each) == "tefflon"]
    ),
)
def remove_tefflon(e):
    spend(e.who, "$corporation", value("tefflon_off_price"))
    uncoat(e.square, "taken off")


rule("XIII.11", """
For ${glue_factor} times its number, paid to The Government, anybody may have a square that they own or occupy coated with glue. A player other than the
owner of the square rolls one die fewer in a normal turn that starts there, and has one pip fewer on passing through in a normal turn;
either uses that glue up. Who has no pip left then has landed there because of the glue: as long as they stay, the owner of the square
collects no rent for it from them. To land with the last pip is not to pass. The Corporate Player is held like a player whose
squares are The Corporation's; other pseudoplayers are not.
""", title="Glue", glue_factor=10, landing_place=10)

setting("glue_factor")
attribute("square", "stuck", (), label="Held by glue", type="thing")
coating("glue", "coat-with-glue")
event("coat-with-glue", "coated", say="{square} is coated with glue", who="player", square="square", coating="")


@on("coat-with-glue")
def put_on_glue(e):
    price = e.square.number * value("glue_factor")
    note(price=price)
    hire(e.who, "head-gipper", e.square, price)
    put(e.square, "coating", e.coating)


@check("coat")
def near_enough_for_glue(e):
    if e.coating == "glue" and e.square.owner is not e.who and e.square not in occupied_by(e.who):
        return f"not there: {e.square.id} is not yours, and you do not occupy it"


def feels_glue(mover, place):
    """Whether the glue on a square holds a piece."""
    if coating_of(place) != "glue":
        return False
    if mover.kind == "player":
        return place.owner is not mover
    return mover.id == "corporate-player" and place.owner is not find("$corporation")


event("pass-glue", who="", mover="", square="square", how="")
event("held-by-glue", who="", mover="", square="square", how="")
passing("glue", "pass-glue", when=lambda who, mover, square: feels_glue(mover, square))
landing(
    "glue", rule.landing_place, "held-by-glue", when=lambda who, mover, square: mover not in square.stuck,
    creatures=True
)


@modify("dice_count")
def die_in_the_glue(mover, base):
    if attribute_of(mover, "square") is not None and feels_glue(mover, mover.square):
        return add(-1)


@after("roll")
def glue_has_a_die(e):
    if feels_glue(e.mover, e.mover.square):
        uncoat(e.mover.square, e.mover)


@modify("pips_lost")
def pip_in_the_glue(mover, place, sort, base):
    if sort in ("normal", "speeding") and feels_glue(mover, place):
        return add(1)


@instead("pass-glue")
def in_normal_turns(e):
    if e.how not in ("normal", "speeding"):
        return False


@on("pass-glue")
def glue_has_a_pip(e):
    uncoat(e.square, e.mover)


@instead("held-by-glue")
def by_nothing_else(e):
    if e.how != "glue":
        return False


@on("held-by-glue")
def stick(e):
    put(e.square, "stuck", (*e.square.stuck, e.mover))


@modify("rent_due")
def no_rent_while_held(who, place, base):
    if who in place.stuck:
        return set(0)


@instead("pay-rent")
def no_rent_for_being_held(e):
    if e.mover in e.square.stuck:
        return False


def free_of_glue(mover, place):
    put(place, "stuck", tuple([each for each in place.stuck if each is not mover]))


@after("leave")
def free_to_leave(e):
    free_of_glue(e.mover, e.square)


@after("occupy")
def free_elsewhere(e):
    for place in squares():
        if e.mover in place.stuck and place is not e.square:
            free_of_glue(e.mover, place)


@after("remove")
def free_for_good(e):
    for place in squares():
        if e.who in place.stuck:
            free_of_glue(e.who, place)


@marker("square")
def glue_there(place):
    if coating_of(place) is not None:
        return ("=", f"coated with {coating_of(place)}")


rule("XIII.12", """
The owner of a square may have it coated with grease at no cost; it stays. A player or pseudoplayer who would land there lands on the
successor of that square instead, even In Reverse. Each greased square moves a landing on once: where the grease goes all round, one
lands where one would have landed.
""", title="Grease")

coating("grease", "coat-with-grease")
event("coat-with-grease", "coated", say="{square} is coated with grease", who="player", square="square", coating="")


@on("coat-with-grease")
def put_on_grease(e):
    put(e.square, "coating", e.coating)


@check("coat")
def own_square_for_grease(e):
    if e.coating == "grease":
        return not_owner(e.who, e.square)


@modify("landing_square")
def slide_on(mover, place, base):
    slid = []
    while coating_of(place) == "grease" and place not in slid:
        slid.append(place)
        place = value("successor", place)
    if slid:
        return set(place)


rule("XIII.13", """
Glue, grease and Tefflon are coatings. A square has one coating at most: while it has one, it takes no other, and no second coat of
the same.
""", title="One coating")

attribute("square", "coating", None, label="Coating")
event("uncoat", "uncoated", say="The {coating} on {square} is gone", square="square", coating="", because="")


@on("uncoat")
def take_off(e):
    put(e.square, "coating", None)


@check("coat")
def one_coating(e):
    if e.square.coating is not None:
        return f"coated: there is {e.square.coating} on {e.square.id}"


def within_reach(who):
    mine = owned_by(who)
    return mine + [each for each in occupied_by(who) if each not in mine]


@action(
    "coat",
    "Have a square coated",
    square=choose("square", "Square", choices=within_reach, default=lambda who: who.square),
    coating=one_of(lambda who: [each.id for each in rows("coating")], "Coating"),
)
def coat(e):
    do(row_of("coating", e.coating), who=e.who, square=e.square, coating=e.coating)

"""Section X: The Government, what belongs to it, and what it sells and gives."""

section("X", "The Government")

rule("X.1", """
There is The Government. It owns money and squares.
""", title="It exists")


@after("open")
def found_government(e):
    create("account", id="$government", name="The Government")


rule("X.2", """
Squares whose number is a multiple of {public_step} are Public Property: they belong to The Government, unless a rule says
otherwise. What counts is the number that a square has at the time: one that gets such a number is The Government's from then on,
and one that gets another number stays The Government's, but is Public Property no more.
""", title="Public Property", public_step=10)

setting("public_step")
row(
    "claim",
    "public-property",
    to="$government",
    by=(rule.public_step,),
    numbers=lambda: multiples_of(rule.public_step),
    when=lambda place: value("public_property", place),
)


@value("public_property", of="square", bands=("set",), label="Public Property", type="yesno")
def public_property(place):
    step = value("public_step")
    return step > 0 and place.number % step == 0


rule("X.3", """
Squares whose number is an odd multiple of {park_step} above {above} are National Parks and belong to The Government. Who lands on
one pays it an admission of ${park_fee}.
""", title="National Parks", park_step=5, above=20, park_fee=10, landing_place=30)

setting("park_step")
setting("park_fee")
row(
    "claim",
    "national-park",
    to="$government",
    by=(rule.park_step, rule.above),
    numbers=lambda: multiples_of(rule.park_step),
    when=lambda place: value("national_park", place),
)
event("visit-park", who="", mover="", square="square", how="")
landing(
    "park",
    rule.landing_place,
    "visit-park",
    when=lambda who, mover, square: value("national_park", square) and purse(who) is not None,
    creatures=True,
)


@value("national_park", of="square", bands=("set",), label="National Park", type="yesno")
def national_park(place):
    step = value("park_step")
    multiple = step > 0 and place.number > rule.above and place.number % step == 0
    return multiple and place.number // step % 2 == 1


@on("visit-park")
def visit_park(e):
    pay(e.who, "$government", value("park_fee"))


rule("X.4", """
For ${voter_price}, paid to The Government, a player becomes a Registered Voter.
""", title="Registering to vote", voter_price=100)

setting("voter_price")
attribute("player", "voter", False, label="Registered Voter")


@check("register-to-vote")
def not_twice(e):
    if e.who.voter:
        return "already: you are a Registered Voter"


@action("register-to-vote", "Register to vote", fact="registered", say="{who} is a Registered Voter")
def register_to_vote(e):
    spend(e.who, "$government", value("voter_price"))
    put(e.who, "voter", True)


rule("X.5", """
Squares of The Government that are neither Public Property nor National Parks nor of the Bridge are put up for auction, and so are
lots of objects that have come to it. At the start of each week, by number, and lots after squares: what is Gone goes to the
highest bidder, who pays The Government; what is Going Twice is Gone; what is Going Once is Going Twice; what is new is Going
Once. Any player may bid more than the highest bid for what is Going Once or Twice, and cannot take that back. When a square
becomes Going Once, The Corporation bids half of its market value, if it has that much. The highest bid is shown, the bidder is
not; no money is set aside for it. If there is no bid, if the highest bidder cannot pay, or leaves the game, all bids are void and
it is Going Once again; where that comes between two starts of a week, it is so still after the next one. Where the update between
two starts of a week is left out, what is Going stays as it is, so that the bids which wait are in time.
""", title="Auctions")

kind("lot", prefix="grab-bag-", page=True)
attribute("lot", "name", None, label="Name")
attribute("lot", "contents", (), label="Contents", type="list")
attribute("lot", "owner", None, label="Owner", type="thing")
attribute(("square", "lot"), "going", None, label="Going")
attribute(("square", "lot"), "bid", 0, label="Highest bid", type="money")
attribute(("square", "lot"), "bidder", None, label="Highest bidder", type="thing", show="admin")
attribute(
    ("square", "lot"), "restarted", False, show="nobody"
)  # whether it became Going Once between two starts of a week
attribute("game", "auctions_after", None, show="nobody")  # how many updates there had been at the last auctions
event("auctions", say="The auctions")
event("call", "auction", say="{lot} is called: {told}", lot="", square="", going="", told="")
event("higher-bid", "bid", say="${amount} is bid for {lot}", lot="", square="", amount="")
event("sell", "sold", say="{lot} goes to {who} for ${amount}", lot="", square="", who="", amount="")
event("make-lot", contents="", owner="")
step("auction-rounds", 10, "auctions")


@on("make-lot")
def make_lot(e):
    lot = create("lot", contents=e.contents, owner=e.owner)
    many = len(e.contents) > 12  # its page lists them
    inside = f"{len(e.contents)} objects" if many else ", ".join([object_called(each) for each in e.contents])
    put(lot, "name", f"Grab Bag {lot.id.removeprefix('grab-bag-')} ({inside})")


@word
def up_for_auction(lot):
    """Whether a square or a lot is The Government's to auction; a lot that belongs to nobody is."""
    if lot.kind == "lot":
        return lot.owner is None or lot.owner is find("$government")
    if lot.kind != "square" or lot.owner is None or lot.owner is not find("$government"):
        return False
    return not claimed_for(lot.owner, lot)


@word
def all_for_auction():
    """All that The Government has to auction now: squares by number, then lots."""
    places = sorted([each for each in squares() if up_for_auction(each)], key=lambda each: each.number)
    return [*places, *[each for each in every("lot") if up_for_auction(each)]]


@word
def is_going(lot):
    """Whether one can bid for a square or lot."""
    return lot.going in ("once", "twice")


@word
def call_off(lot):
    """Forget all bids on a square or lot, and that it was Going."""
    for name, content in (("going", None), ("bid", 0), ("bidder", None), ("restarted", False)):
        put(lot, name, content)


def square_of(lot):
    return lot if lot.kind == "square" else None


def set_bid(lot, who, amount):
    put(lot, "bid", amount)
    put(lot, "bidder", who)
    do("higher-bid", lot=lot, square=square_of(lot), amount=amount)


def call_out(lot, going, because=""):
    told = "gone" if going == "gone" else f"going {going}{because}"
    do("call", lot=lot, square=square_of(lot), going=going, told=told)


@on("auctions")
def auctions(e):
    for lot in [*squares(), *every("lot")]:
        if lot.going is not None and not up_for_auction(lot):
            call_off(lot)
    game = thing("game")
    updates = attribute_of(game, "update")
    left_out = updates is not None and game.auctions_after == updates
    put(game, "auctions_after", updates)
    for lot in all_for_auction():
        if is_going(lot) and left_out:
            continue
        if lot.restarted:
            put(lot, "restarted", False)
        elif lot.going == "gone":
            conclude_auction(lot)
        elif lot.going == "twice":
            call_out(lot, "gone")
        elif lot.going == "once":
            call_out(lot, "twice")
        else:
            call_out(lot, "once")


@on("call")
def call(e):
    if e.going == "once":
        call_off(e.lot)
        put(e.lot, "going", "once")
        corporation = find("$corporation")
        if e.lot.kind == "square" and corporation is not None:
            half = share(value("market_value", e.lot), 1, 2)
            if half > 0 and corporation.money >= half:
                set_bid(e.lot, corporation, half)
    else:
        put(e.lot, "going", e.going)


def conclude_auction(lot):
    winner = lot.bidder
    if exists(winner) and winner.money >= lot.bid:
        do("sell", lot=lot, square=square_of(lot), who=winner, amount=lot.bid)
    else:
        call_out(lot, "once", " again, as there is no bid that can be paid")


@on("sell")
def sell(e):
    pay(e.who, "$government", e.amount)
    if e.lot.kind == "square":
        change_owner(e.lot, e.who)
    else:
        contents = e.lot.contents
        destroy(e.lot)
        for each in contents:
            hand_object(each, e.who)


@after("change-owner")
def bids_end(e):
    if e.square.going is not None:
        call_off(e.square)


@check("bid")
def may_bid(e):
    if e.lot.kind not in ("square", "lot") or not is_going(e.lot) or not up_for_auction(e.lot):
        return f"not going: {e.lot.id} is not up for auction"
    if e.amount <= e.lot.bid:
        return f"bid more: the highest bid for {e.lot.id} is ${e.lot.bid}"


def lots_going(who):
    return [each for each in [*squares(), *every("lot")] if is_going(each) and up_for_auction(each)]


@action(
    "bid",
    "Bid in an auction",
    private="order",
    lot=choose("", "Lot", choices=lots_going, shows="bid"),
    amount=number("Dollars", least=1, money=True),
)
def bid(e):
    set_bid(e.lot, e.who, e.amount)
    tell((e.who,), f"You bid ${e.amount} for {e.lot.id}")


@after("remove")
def bids_void(e):
    for lot in [*squares(), *every("lot")]:
        if lot.bidder is e.who:
            call_out(lot, "once", " again, as the bids for it are void")
            put(lot, "restarted", True)


@marker("square")
def going_mark(place):
    if is_going(place):
        return ("$", f"Going {place.going}", "coin")


rule("X.6", """
At the start of an update The Government gives what it has above ${government_limit} to the players: the same to each, in whole
dollars. What cannot be divided goes to the SBA.
""", title="Surplus", government_limit=15000)

setting("government_limit")
event("share-surplus", say="The Government's surplus")
step("surplus", 20, "share-surplus", when=players)


@on("share-surplus")
def share_surplus(e):
    surplus = max(
        thing("$government").money - value("government_limit"), 0
    )  # what The Corporation has just given counts
    for who in players() if surplus >= count("player") else ():
        pay("$government", who, surplus // count("player"))
    if surplus % count("player") and find("$sba") is not None:
        pay("$government", "$sba", surplus % count("player"))


rule("X.7", """
Square #{zoo} is the Zoo. It belongs to The Government, is no National Park and is not auctioned. Who lands there pays The
Government ${zoo_fee}; a player then has the choice of a Souvenir Hat or of paying ${zoo_extra} more. Who makes no choice before the
next update gets the hat.
""", title="The Zoo", zoo=45, zoo_fee=25, zoo_extra=5, landing_place=40)

setting("zoo")
setting("zoo_fee")
setting("zoo_extra")
row(
    "claim",
    "zoo",
    to="$government",
    by=(rule.zoo,),
    numbers=lambda: (rule.zoo,),
    when=lambda place: value("is_zoo", place),
)
item("souvenir-hat", "Souvenir Hat", "A hat from the Zoo.")
event("visit-zoo", who="", mover="", square="square", how="")
event("zoo-choice", answers="", who="player", choice="")
event("get-hat", "gained", say="{who} gets a Souvenir Hat", who="player")
landing(
    "zoo",
    rule.landing_place,
    "visit-zoo",
    when=lambda who, mover, square: value("is_zoo", square) and purse(who) is not None,
    creatures=True,
)


@value("is_zoo", of="square", type="yesno")
def is_zoo(place):
    return place.number == value("zoo")


@modify("national_park")
def no_park(place, base):
    if value("is_zoo", place):
        return set(False)


@on("visit-zoo")
def visit_zoo(e):
    pay(e.who, "$government", value("zoo_fee"))
    if e.who.kind == "player":
        text = f"The Zoo: a Souvenir Hat, or a fine of ${value('zoo_extra')} more?"
        ask_until_update(e.who, "zoo", text, ("hat", "fine"), "zoo-choice", "hat")


@instead("zoo-choice")
def whose_choice(e):
    if e.answers and e.who is None:
        who, choice = e.answers[0]
        return e.but(who=who, choice=choice)


@on("zoo-choice")
def zoo_choice(e):
    if e.choice == "fine":
        pay(e.who, "$government", value("zoo_extra"))
    elif e.who is not None:
        do("get-hat", who=e.who)


@on("get-hat")
def get_hat(e):
    give_item(e.who, "souvenir-hat")


@marker("square")
def park_mark(place):
    if value("is_zoo", place):
        return ("Z", "the Zoo", "paw")

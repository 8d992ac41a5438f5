"""Section IX: the week, its two updates, and the orders that wait for them."""

section("IX", "Schedule of Events")

rule(
    "IX.1",
    """
The game goes by the week, from Monday to Sunday. Every Thursday and every Sunday, as the day begins, there is an update: the
waiting orders are carried out, and then every player has one turn, in random order. The first week begins with the game if that is a
Monday, Tuesday or Wednesday, else on the next Monday; until then nothing is done but joining and leaving, and orders wait.
""",
    title="Two updates a week",
)

attribute("game", "week", 0, label="Week")
attribute("game", "update", 0, label="Update")
attribute("game", "days", "", label="Part of the week")  # which days of the week it is: see IX.2 and IX.3
attribute("game", "agenda", (), show="nobody")
attribute("game", "agenda_lists", (), show="nobody")
attribute("game", "agenda_places", (), show="nobody")
attribute("game", "following", (), show="nobody")
attribute("game", "agenda_timer", None, show="nobody")
attribute("game", "agenda_aside", (), show="nobody")
event("open", weekday="")
calendar("monday", weekday=0, real=True, say="A new week", label="a new week")
calendar("proposals-close", weekday=3, real=True, say="The proposal period is over")
calendar("voting-opens", weekday=4, real=True, say="The voting opens")
calendar("voting-closes", weekday=6, real=True, say="The voting closes")
event("update", say="The update is over")
event("first-update", say="The first update of the week is over")
event("second-update", say="The second update of the week is over")
event("votes-counted", say="All votes are counted")
event("creatures", say="All creatures have moved")
event("election-result", say="The result of the election", ballots="")
event("week-ends", say="The week ends")
event("week", say="The new week has begun")
event("week-begins", say="A new week begins")
event("update-begins", say="A new update period begins")
event("give-turns", say="Everybody gets a turn")
step("week", 0, "week-begins")
step("new-period", 10, "update-begins")
step("turns", 10, "give-turns")


@value("next_update")
def next_update():
    return min(next_moment("proposals-close"), next_moment("voting-closes"))


@after("open")
def first_week(e):
    if e.weekday in (0, 1, 2):
        put(thing("game"), "days", "proposals")
        begin("week")
        carry_on()


@check("order")
def begun(e):
    if thing("game").week == 0 and not e.waits and e.order not in ("leave-game", "withdraw-order", "move-order"):
        return "the game begins on Monday: before the first week players only join and leave, and give orders that wait"


@on("monday")
def new_week(e):
    put(thing("game"), "days", "proposals")
    if not thing("game").paused:
        if thing("game").week > 0:
            begin("week-ends")
        begin("week")


@on("proposals-close")
def first_update(e):
    put(thing("game"), "days", "between")
    if thing("game").week > 0 and not thing("game").paused:
        begin("orders", "period-end", "new-period", "turns", "creatures", "masks", "candidates", "winner")
        begin("update", "first-update")


@on("voting-opens")
def voting_begins(e):
    if thing("game").week > 0:
        put(thing("game"), "days", "voting")


@on("voting-closes")
def second_update(e):
    put(thing("game"), "days", "sunday")
    if thing("game").week > 0 and thing("game").paused:
        begin("before-count", "votes", "votes-counted")
    elif thing("game").week > 0:
        begin("orders", "before-count", "votes", "votes-counted", "period-end", "new-period", "turns", "creatures")
        begin("masks", "governor", "winner", "update", "second-update")


@after("entry")
def one_after_the_other(e):
    carry_on()


@on("week-begins")
def count_week(e):
    put(thing("game"), "week", thing("game").week + 1)


@on("update-begins")
def count_update(e):
    put(thing("game"), "update", thing("game").update + 1)


@on("give-turns")
def everybody_in_turn(e):
    follow_each("turn", "who", shuffled(players()))


rule(
    "IX.2",
    """
From Monday to Wednesday each player may make {proposals_per_week} proposal a week. A further one takes the place of the latest; one that
its author takes back in that time does not count. They become public with Thursday's update.
""",
    title="Proposals",
    proposals_per_week=1,
)

step("new-period", 20, "publish-proposals")
event("publish-proposals", say="The proposals become public")


@value("proposal_period")
def proposal_period():
    return thing("game").days == "proposals"


@value("proposals_per_week", of="player")
def proposals_per_week(who):
    return rule.proposals_per_week


def made_this_week(who):
    """The proposals of this week that count, oldest first."""
    return [
        each
        for each in every("proposal")
        if each.author is who and each.week == thing("game").week and each.status == "made"
    ]


@check("propose")
def in_time(e):
    if e.who is not None and not value("proposal_period") and value("sent_back", e.who) is None:
        return "proposals are made in the proposal period, from Monday to Wednesday"


@check("retract-proposal")
def retracted_in_time(e):
    if not value("proposal_period"):
        return "proposals are retracted in the proposal period, from Monday to Wednesday"


@after("propose")
def latest_ones_only(e):
    mine = made_this_week(e.who) if e.who is not None else []
    if mine and len(mine) > value("proposals_per_week", e.who):
        do("replace", proposal=mine[-2])


@on("publish-proposals")
def make_public(e):
    for each in every("proposal"):
        if each.status == "made":
            do("publish", proposal=each)


rule(
    "IX.3",
    """
On Friday and Saturday everybody may vote on any or all of the week's proposals.
""",
    title="Voting period",
)

step("votes", 10, "count-votes")
event("count-votes", say="The votes are counted")
event("enact-accepted", say="The accepted proposals are enacted")


@value("voting_period")
def voting_period():
    return thing("game").days == "voting"


@value("closes_at", of="proposal", label="Voting closes", type="moment")
def closes_at(proposal):
    """The moment at which the voting on a proposal closes; nothing as long as nobody votes on it."""
    return next_moment("voting-closes") if value("phase", proposal) == "voting" else None


@check("vote")
def on_the_right_days(e):
    if not value("voting_period"):
        return "votes are given in the voting period, on Friday and Saturday"


@on("count-votes")
def one_by_one(e):
    follow_each("count", "proposal", [each for each in every("proposal") if each.status == "voting" and each.on_ballot])
    follow("enact-accepted")


@on("enact-accepted")
def by_number(e):
    due = [each for each in every("proposal") if each.enact_due]
    for each in due:
        put(each, "enact_due", False)
    follow_each("enact", "proposal", due)


rule(
    "IX.4",
    """
Any legal action may be ordered at any time. What is ordered before the end of Wednesday is carried out in Thursday's update, what
is ordered before the end of Saturday in Sunday's. Until then an order can be taken back or moved. Who answers a question does so at once.
""",
    title="Orders at any time",
)

kind("order", prefix="order-", numbered="entry", page=True)
attribute("order", "entry", 0, label="Number", show=("owner", "admin"))
attribute("order", "owner", None, label="By", type="thing", show=("owner", "admin"))
attribute("order", "what", "", label="Order", show=("owner", "admin"))
attribute("order", "args", "{}", label="Says", show=("owner", "admin"))
attribute("order", "place", 0, label="Place", show=("owner", "admin"))
event("order-waits", who="player", order="", args="", entry="")


@on("order-waits")
def wait_for_update(e):
    if e.order != "answer":
        keep_order(e.who, e.order, e.args, e.entry)
        return
    reason = carry_out(e.who, e.order, e.args)
    if reason is not None:
        refuse(reason)


@check("withdraw-order")
@check("move-order")
def own_to_withdraw(e):
    if e.order.owner is not e.who:
        return f"not yours: {e.order.id} is somebody else's"


@action(
    "withdraw-order",
    "Take an order back",
    at_once=True,
    hidden=True,
    private="order",
    order=choose("order", "Order", choices=orders_of),
)
def withdraw_order(e):
    destroy(e.order)


@action(
    "move-order",
    "Move an order",
    at_once=True,
    hidden=True,
    private="order",
    order=choose("order", "Order", choices=orders_of),
    place=number("To place", least=1),
)
def move_order(e):
    others = [each for each in orders_of(e.who) if each is not e.order]
    others = [*others[: e.place - 1], e.order, *others[e.place - 1 :]]
    for place in range(len(others)):
        put(others[place], "place", place + 1)


@after("remove")
def forget_orders(e):
    for each in orders_of(e.who):
        destroy(each)


rule(
    "IX.5",
    """
Waiting orders are carried out in rounds: the players, in random order, have one order each carried out, then the next one each, and
so on. Who wants to buy a square that another, who has ordered it too, may buy before them waits for that.
""",
    title="Orders that depend on each other",
)

attribute("game", "round", (), show="nobody")
attribute("game", "round_place", 0, show="nobody")
event("begin-orders", say="The waiting orders are carried out")
event("next-order", say="An order is carried out")
event("order-refused", "refused", say="{who} cannot {wish}: {because}", who="player", order="", wish="", because="")
step("orders", 10, "begin-orders", when=lambda: every("order"))


@on("begin-orders")
def draw_order(e):
    put(thing("game"), "round", shuffled(who_ordered()))
    put(thing("game"), "round_place", 0)
    follow("next-order")


def square_wanted(order):
    """The square that an order to buy is about, or None."""
    if order.what != "buy-square":
        return None
    said = fields_of_order(order).get("square")
    return find(said) if said else square_to_buy(order.owner)


def before(order):
    """The order that must come before this one: to buy the same square, of somebody who landed there earlier."""
    place = square_wanted(order)
    for who in place.option_queue if place is not None else ():
        if who is order.owner:
            return None
        for each in orders_of(who):
            if square_wanted(each) is place:
                return each
    return None


@on("next-order")
def one_order(e):
    game = thing("game")
    order, place = next_in_rounds(game.round, game.round_place, before)
    if order is None:
        return
    put(game, "round_place", place)
    who = order.owner
    what = order.what
    args = order.args
    destroy(order)
    if every("order"):
        follow("next-order")
    reason = carry_out(who, what, args)
    if reason is not None:
        do("order-refused", who=who, order=what, wish=what.replace("-", " "), because=reason)

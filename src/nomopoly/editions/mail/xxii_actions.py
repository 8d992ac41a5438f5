"""Section XXII: actions: the week with its update, and the orders that wait for it."""

section("XXII", "Actions")

rule("XXII.1", """
An action is whatever a player attempts that would change the state of the game, voluntarily or not, unless a rule says that it is
none.
""", title="What an action is")

rule("XXII.2", """
An action is voluntary if its player has decided upon it: voluntary actions are sent to the Admin as orders. An action that the rules
force on a player is involuntary and needs no order. What follows from a voluntary action is part of it.
""", title="Voluntary and involuntary actions")

rule("XXII.3", """
Talk about the game, its rules and its proposals is never an action, wherever it is held.
""", title="Talk")

rule("XXII.4", """
An action that is impossible or breaks a rule fails. A failed action changes nothing: whatever was paid, gained or moved in it is
undone, unless a rule says otherwise.
""", title="Failing")

rule("XXII.6", """
A week goes from Monday to Sunday. On Sunday evening, at 20:00 of the game's own time, is the update; it carries out the week's
orders in the order in which they came, then the proposals that were judged, and all else that the rules do week by week. Orders that
come later wait for the next update. The results of all actions, of those too that failed, are posted with the proposals of the week;
who has failed in a bid is not told to others. What is done at once on arrival: joining, proposals, answers, what concerns a dispute,
votes for a favorite name, and what is drunk to come first or to propose more.
""", title="The week and its results")

attribute("game", "agenda", (), show="nobody")
attribute("game", "following", (), show="nobody")
attribute("game", "agenda_timer", None, show="nobody")
attribute("game", "agenda_aside", (), show="nobody")
attribute("game", "queue", (), show="nobody")  # the orders of this update that are still to be carried out
calendar("sunday-evening", weekday=6, hour=20, real=True)
calendar("monday", weekday=0, real=True)
event("U1")
event("U2")
event("U3")
event("U4")
event("U5")
event("U6")
event("U7")
event("U8")
event("U9")
event("U10")
event("U11")
event("U12")
event("update")
event("W1")
event("W2")
event("W3")
event("W4")
event("W5")
event("week")
kind("order", prefix="order-", numbered="entry")
attribute("order", "entry", 0, show=("owner", "admin"))
attribute("order", "owner", None, label="By", type="thing", show=("owner", "admin"))
attribute("order", "what", "", label="Order", show=("owner", "admin"))
attribute("order", "args", "{}", label="Says", show=("owner", "admin"))
attribute("order", "place", 0, label="Place", show=("owner", "admin"))
attribute("question", "sort", "", label="Kind", show=("owner", "admin"))
event("order-waits", who="player", order="", args="", entry="")
event("seal-queue")
event("close-questions")
event("next-order")
step("U1", 5, "seal-queue")
step("U1", 20, "close-questions", when=lambda: every("question"))
step("U3", 10, "next-order", when=lambda: thing("game").queue)


def time_goes_on():
    """Whether updates and weeks come."""
    return not thing("game").paused and not attribute_of(thing("game"), "time_stopped", False)


@on("sunday-evening")
def begin_update(e):
    if time_goes_on():
        begin("U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "U9", "U10", "U11", "U12", "update")


@on("monday")
def begin_week(e):
    if time_goes_on():
        begin("W1", "W2", "W3", "W4", "W5", "week")


@after("entry")
def one_after_the_other(e):
    carry_on()


@on("order-waits")
def wait_for_update(e):
    if e.order == "answer":
        reason = carry_out(e.who, e.order, e.args)
        if reason is not None:
            refuse(reason)
    else:
        keep_order(e.who, e.order, e.args, e.entry)


@on("seal-queue")
def seal_queue(e):
    put(thing("game"), "queue", tuple(waiting_orders()))


@on("close-questions")
def close_questions(e):
    for each in every("question"):
        if each.deadline is None:
            follow("question-lapses", question=each)


@on("next-order")
def one_order(e):
    game = thing("game")
    left = [each for each in game.queue if exists(each)]
    put(game, "queue", tuple(left[1:]))
    if len(left) > 1:
        follow("next-order")
    if left:
        who = left[0].owner
        what = left[0].what
        args = left[0].args
        destroy(left[0])
        reason = carry_out(who, what, args)
        if reason is not None:
            fact("failed", who=who, order=what, because=reason)


@after("remove")
def forget_orders(e):
    for each in orders_of(e.who):
        destroy(each)


rule("XXII.8", """
A square in which an involuntary action has put a player in the course of an update counts as occupied by that player for the
voluntary actions that are carried out at the start of the next update.
""", title="Where the update put you")

event("forget-squares")
step("U4", 10, "forget-squares")


@on("forget-squares")
def forget_squares(e):
    for each in players():
        if attribute_of(each, "landed", ()):
            put(each, "landed", ())
        if attribute_of(each, "stood", ()):
            put(each, "stood", ())

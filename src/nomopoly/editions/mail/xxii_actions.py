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
Talk about the game, with the Admin or among players, is never an action, even if something in the game changes because of it.
""", title="Talk")

rule("XXII.4", """
An action that is impossible or breaks a rule fails. A failed action changes nothing: whatever was paid, gained or moved in it is
undone, unless a rule says otherwise.
""", title="Failing")

rule("XXII.5", """
A voluntary action that would make its player Bankrupt is invalid: it fails, at no cost.
""", title="No bankruptcy of one's own making")


@check("owe")
def not_by_own_order(e):
    if e.who is actor():
        return f"would be bankrupt: {name_of(e.who)} has ${e.who.money} and would have to pay ${e.amount}"


rule("XXII.6", """
A week goes from Monday to Sunday. On Sunday evening, at 20:00 by the clock of the game, is the update. It carries out the orders that
have come since the last one, one by one in the order in which they came; then what was proposed and judged, and whatever else the
rules do week by week. What the rules do as a week begins is done on Monday at 0:00. An order that comes too late waits for the next
update. An update that falls into a pause of the game is left out, and the orders wait on; what is done as a week begins is done when
the pause ends.

Some actions are carried out as they arrive: joining, answering a question that a rule has asked, all acts of the Admin, and others of
which a rule says so. A question that is not answered when the update begins is answered as the rule says that has asked it.

The results of all actions, of those too that failed, are posted with the proposals of the week. Who has failed in a bid, or in what
the rules keep secret, is told to that player alone.
""", title="The week and its results")

attribute("game", "agenda", (), show="nobody")
attribute("game", "following", (), show="nobody")
attribute("game", "agenda_timer", None, show="nobody")
attribute("game", "agenda_aside", (), show="nobody")
attribute("game", "queue", (), show="nobody")  # the orders of this update that are still to be carried out
attribute("game", "week", 0, label="Week")
attribute("game", "update", 0, label="Update")
calendar("next-update", weekday=6, hour=20, real=True, say="It is time for the update", label="update")
calendar("new-week", weekday=0, real=True, say="It is time for a new week", label="a new week")
event("U1", say="The update begins")
event("U2", say="Surplus is shared")
event("U3", say="The orders are carried out")
event("U4", say="The rights to buy end")
event("U5", say="Proposals are judged")
event("U6", say="Authors take their turns")
event("U7", say="The CL phase")
event("U8", say="The pseudoplayers move")
event("U9", say="Weekly money is settled")
event("U10", say="What is due happens")
event("U11", say="The Tornado passes, if it was announced")
event("U12", say="The update ends")
event("update", "updated", say="The update is over")
event("W1", say="The week begins")
event("W2", say="Charity gives its squares")
event("W3", say="The auctions go on")
event("W4", say="Jobs are given and offered")
event("W5", say="What has had its time goes")
event("week", say="A new week")
kind("order", prefix="order-", numbered="entry", page=True)
attribute("order", "entry", 0, label="Number", show=("owner", "admin"))
attribute("order", "owner", None, label="By", type="thing", show=("owner", "admin"))
attribute("order", "what", "", label="Order", show=("owner", "admin"))
attribute("order", "args", "{}", label="Says", show=("owner", "admin"))
attribute("order", "place", 0, label="Place", show=("owner", "admin"))
attribute("question", "sort", "", label="Kind", show=("owner", "admin"))
attribute("question", "until", None, label="Answer before", show=("owner", "admin"), moment="real")
row("moment", "update-begins", event="U1")
row("moment", "surplus", event="U2")
row("moment", "orders", event="U3")
row("moment", "rights-end", event="U4")
row("moment", "judging", event="U5")
row("moment", "awards", event="U6")
row("moment", "cl-movement", event="U7")
row("moment", "pseudoplayers", event="U8")
row("moment", "weekly-money", event="U9")
row("moment", "what-is-due", event="U10")
row("moment", "tornado", event="U11")
row("moment", "update-ends", event="U12")
row("moment", "week-begins", event="W1")
row("moment", "charity-gifts", event="W2")
row("moment", "auction-rounds", event="W3")
row("moment", "job-market", event="W4")
row("moment", "expiry", event="W5")
row("secret-order", "bid")
event("order-waits", who="player", order="", args="", entry="")
event("seal-queue", say="The queue of orders is closed")
event("put-question", "asked", say="A question to {who}: {text}", who="", question="question", text="")
event("close-questions", say="Questions that nobody has answered get their default")
event("next-order", say="An order is carried out")
event(
    "order-fails", "failed", say="{who} cannot {wish}: {because}", who="player", order="", wish="", because="", only=""
)
step("update-begins", 5, "seal-queue")
step("update-begins", 20, "close-questions", when=lambda: every("question"))
step("orders", 10, "next-order", when=lambda: thing("game").queue)


UPDATE = (
    "update-begins", "surplus", "orders", "rights-end", "judging", "awards",
    "cl-movement", "pseudoplayers", "weekly-money", "what-is-due", "tornado", "update-ends",
)
WEEK = ("week-begins", "charity-gifts", "auction-rounds", "job-market", "expiry")


def time_stands():
    """Whether no update and no week comes."""
    return attribute_of(thing("game"), "time_stopped", False)


@value("stands_still")
def stands_still():
    return time_stands()


@value("next_update")
def next_update():
    return None if time_stands() else next_moment("next-update")


@on("next-update")
def begin_update(e):
    if not thing("game").paused and not time_stands():
        begin(*UPDATE, "update")
        return
    for each in (*every("question"), *every("offer")):  # what waits for an update that is left out waits for the next
        if attribute_of(each, "until") is not None:
            put(each, "until", value("next_update"))


@on("new-week")
def begin_week(e):
    game = thing("game")
    if time_stands():
        return
    put(game, "week", game.week + 1)
    if not game.paused:
        begin(*WEEK, "week")
    elif ("moment", WEEK[0], ()) not in game.agenda:  # in a pause it waits for its end, once
        put(game, "agenda", (*game.agenda, *[("moment", name, ()) for name in (*WEEK, "week")]))


@on("update")
def count_updates(e):
    put(thing("game"), "update", thing("game").update + 1)


@after("open")
def first_week(e):
    put(thing("game"), "week", 1)


@after("entry")
def one_after_the_other(e):
    carry_on()


@on("order-waits")
def wait_for_update(e):
    if not works_on_arrival(e.order, e.args):
        keep_order(e.who, e.order, e.args, e.entry)
        return
    reason = carry_out(e.who, e.order, e.args)
    if reason is not None:
        refuse(reason)


@check("withdraw-order")
def own_to_withdraw(e):
    if e.order.owner is not e.who:
        return f"not yours: {e.order.id} is somebody else's"


@action(
    "withdraw-order",
    "Take an order back",
    at_once=True,
    hidden=True,
    private="order",
    order=choose("order", "Order", choices=lambda who: orders_of(who)),
)
def withdraw_order(e):
    destroy(e.order)


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
            only = (who, "admin") if secret_order(what, args) else None
            do("order-fails", who=who, order=what, wish=what.replace("-", " "), because=reason, only=only)


@after("remove")
def forget_orders(e):
    for each in orders_of(e.who):
        destroy(each)


overrides("kernel")


@action(
    "answer",
    "Answer a question",
    fact="answered",
    say="{who} answers: {choice}",
    hidden=True,
    private="order",
    at_once=True,
    also=(("choice", "answer"),),
    question=one_of(words_for_questions, "Question", otherwise="this question is not for you"),
    answer=anything("Answer"),
)
def answer_question(e):
    if e.answer is None:
        refuse("choice is missing")
    question = question_of(e.who, e.question)
    note(question=question, choice=e.answer)
    answer_to(question, e.who, e.answer)


rule("XXII.7", """
An action that has been submitted counts as done, though nobody knows its result before the update: it cannot be taken back. Another
action may undo what it does.
""", title="No taking back")


@check("withdraw-order")
def stands(e):
    return "cannot be taken back: an action that is submitted counts as done"


rule("XXII.8", """
A square in which an involuntary action has put a player in the course of an update counts as occupied by that player for the
voluntary actions that are carried out at the start of the next update.
""", title="Where the update put you")

event("forget-squares", say="Where the last update put its players counts no more")
step("rights-end", 10, "forget-squares")


@value("put_there")
def put_there(who, place):
    """Whether a square counts as occupied because an update has put the player there."""
    return place in who.stood


@on("forget-squares")
def forget_squares(e):
    for each in players():
        if attribute_of(each, "landed", ()):
            put(each, "landed", ())
        if attribute_of(each, "stood", ()):
            put(each, "stood", ())

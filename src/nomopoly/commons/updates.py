"""The weekly update: the queue of orders that it carries out, and the questions that it closes."""


def ask_until_update(who, sort, text, options, then, default=None, **about):
    """Ask a player to choose one of `options` before the next update begins; then, or when answered, `then` happens.

    The event `then` gets `answers`, a tuple of (player, answer), and the fields `about`. `sort` is the word by which the
    question can be answered. Without an answer `default` holds.
    """
    question = ask(who, text, options, then, default, **about)
    if "sort" in traits("question"):
        put(question, "sort", sort)
    return question


def question_of(who, word):
    """The question to a player that an id or a word means: of several of a sort the oldest. None if there is none."""
    for each in every("question"):
        if who in each.asked and word in (each.id, attribute_of(each, "sort")):
            return each
    return None


def waiting_orders():
    """All orders that wait, in order of arrival."""
    return sorted(every("order"), key=lambda each: each.entry)


def go_first(people):
    """Put the orders of these players before those of all others in the queue of this update."""
    queue = thing("game").queue
    early = tuple([each for each in queue if each.owner in people])
    put(thing("game"), "queue", (*early, *[each for each in queue if each.owner not in people]))

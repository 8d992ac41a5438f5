"""The weekly update: the queue of orders that it carries out, and the questions that it closes."""

import json as _json


def ask_until_update(who, sort, text, options, then, default=None, **about):
    """Ask a player to choose one of `options` before the next update begins; then, or when answered, `then` happens.

    The event `then` gets `answers`, a tuple of (player, answer), and the fields `about`. `sort` is the word by which the
    question can be answered. Without an answer `default` holds.
    """
    question = ask(who, text, options, then, default, **about)
    if "sort" in traits("question"):
        put(question, "sort", sort)
    if can_happen("put-question"):
        do("put-question", who=who, question=question, text=text)
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


def works_on_arrival(order, args):
    """Whether an order to use an item is carried out as it arrives: the item is a row of the catalogue "at-once"."""
    return order == "use-item" and _json.loads(args).get("item") in [each.id for each in rows("at-once")]


def secret_order(order, args):
    """Whether nobody else is told of an order: it is a row of the catalogue "secret-order", or uses a secret product."""
    item = _json.loads(args).get("item")
    secret = [each.id for each in rows("product") if order == "use-item" and each.secret]
    return order in [each.id for each in rows("secret-order")] or item in secret


def words_for_questions(who):
    """The words by which a player can name the questions that wait for an answer: their ids, and their sorts."""
    asked = [each for each in every("question") if who in each.asked]
    found = [each.id for each in asked]
    for each in asked:
        if attribute_of(each, "sort") and each.sort not in found:
            found.append(each.sort)
    return found


def answer_to(question, who, said):
    """Take a player's answer to a question; when nobody else is to answer, what it was asked for happens."""
    chosen = [option for option in question.options if name_of(option) == str(said)]
    if not chosen:
        refuse(f"choice must be one of {', '.join([name_of(option) for option in question.options])}")
    kept = [each for each in question.answers if each[0] != who.id]
    put(question, "answers", (*kept, (who.id, chosen[0])))
    given = [each for each, _ in question.answers]
    if not [each for each in question.asked if exists(each) and each.id not in given]:
        do("question-lapses", question=question)
    return chosen[0]

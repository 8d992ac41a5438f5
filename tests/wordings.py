"""Somebody who goes through the second door at random: chooses what is offered, types what is asked, presses
buttons."""

from nomopoly.rulebook.wording.form import controls, from_form, pressed

WORDS = ("Flag", "a red flag", "Hut 7", 'say "no"', "größer", "It's {who}", "x" * 50, "0", "back\\slash", "{nobody}")
NUMBERS = ("0", "1", "2", "17", "$1,500", "-3", "100000")


def at_random(offers, choose, steps=25):
    """The fields of a rule in which nothing is missing, as (fields, sentences); None if the steps did not do.

    `choose(list)` picks one of a list.
    """
    fields = {}
    for step in range(steps):
        shown = controls(fields, offers)
        fields = {each["name"]: each["value"] for each in shown if each["sort"] not in ("add", "remove")}
        sentences, problems = from_form(fields, offers)
        if sentences and not problems:
            return fields, sentences
        wrong = {each["path"] for each in problems}
        for each in shown:
            empty = each["name"] in wrong or (step == 0 and choose((True, False)))
            if each["sort"] == "select" and each["choices"] and (empty or not each["value"]):
                fields[each["name"]] = choose(simple(each["choices"], step))["id"]
            elif each["sort"] == "text" and (empty or choose((True, False, False, False))):
                fields[each["name"]] = choose(WORDS[:2] if step > 5 else WORDS)
            elif each["sort"] == "number" and empty:
                fields[each["name"]] = choose(NUMBERS)
            elif each["sort"] == "tick" and choose((True, False, False)):
                fields[each["name"]] = "yes"
        buttons = [each["name"] for each in shown if each["sort"] == "add"]
        if step < 3 and buttons and choose((True, False)):
            fields = pressed(fields, choose(buttons))
    return None


NESTED = ("and", "or", "not", "each", "some", "math", "least", "most", "count", "all")


def simple(choices, step):
    """The choices, after some steps without those that ask for more."""
    plain = [each for each in choices if each["id"] not in NESTED]
    return plain if step > 4 and plain else choices

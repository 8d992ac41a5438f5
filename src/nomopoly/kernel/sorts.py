"""What is of the right sort: values in the log, in timers, questions and answers of rules, and what rules declare.

Pages, feeds and files are drawn from all of these, so that each is refused where a rule writes it. What a thing keeps
is looked at by `put` (`things.misfit`).
"""

from typing import Any

from nomopoly.kernel.budgets import MOST_DEEP, MOST_LABEL, MOST_MOMENT, MOST_TOLD, MOST_TOLD_NUMBER
from nomopoly.kernel.things import KEPT, SORTS, Thing, immutable, in_short
from nomopoly.kernel.world import world

WORDS_OF_FACTS = ("what", "event", "rule", "say", "text")  # fields of the log that pages read as words


def plain_data(value: Any) -> bool:
    """Whether a value can stand in the log: plain values, lists and tuples of these, and dicts of these by words."""
    sort = type(value)
    if sort is str:
        return True
    left = [MOST_TOLD // 2]  # parts that are looked at: more of them weigh more than an entry may tell
    return are_plain(value, MOST_DEEP, left) and (left[0] > 0 or sort is not dict)


def are_plain(value: Any, deep: int, left: Any) -> bool:
    """The same of a value within another. What is beyond the parts that are looked at is left to who weighs it."""
    left[0] -= 1
    if left[0] <= 0:
        return True
    sort = type(value)
    if sort is int:
        return -MOST_TOLD_NUMBER <= value <= MOST_TOLD_NUMBER
    if value is None or sort is str or sort is bool or sort is Thing:
        return True
    if deep <= 0:
        return False
    if sort is dict:
        for key in value:
            if left[0] > 0 and (type(key) is not str or not are_plain(value[key], deep - 1, left)):
                return False
        return True
    if sort is not tuple and sort is not list:
        return False
    for part in value:
        if left[0] > 0 and not are_plain(part, deep - 1, left):
            return False
    return True


READ_AS = dict.fromkeys((*WORDS_OF_FACTS, "depth", "only", "dice"))  # fields of which pages read a certain sort


def unfit_for_log(name: str, content: Any) -> str:
    """Why a field of a fact cannot stand in the log, as a sentence; "" if it can."""
    sort = type(content)
    if name in WORDS_OF_FACTS and sort is not str and content is not None:
        return f"'{name}' of a fact must be a word: {in_short(content)}"
    if name == "depth" and sort is not int:
        return f"'{name}' of a fact must be a whole number: {in_short(content)}"
    if name == "only" and content is not None and not (listed(content) and viewers(content)):
        return f"'{name}' of a fact must be a tuple of players: {in_short(content)}"
    if name == "dice" and content is not None and not listed(content):
        return f"'{name}' of a fact must be a tuple: {in_short(content)}"
    if not plain_data(content):
        return f"'{name}' of a fact holds whole numbers, words, yes/no, things and tuples of these: {in_short(content)}"
    return ""


def listed(content: Any) -> bool:
    """Whether something is a list or a tuple."""
    return type(content) is tuple or type(content) is list


def viewers(content: Any) -> bool:
    """Whether all parts of a list name somebody: things or words."""
    return not [each for each in content if type(each) is not Thing and type(each) is not str]


def fit_for_log(fields: Any) -> None:
    """Raise ValueError for the first field of a fact that cannot stand in the log."""
    for name, content in fields.items():
        if type(content) is int and name not in READ_AS and -MOST_TOLD_NUMBER <= content <= MOST_TOLD_NUMBER:
            continue
        reason = unfit_for_log(name, content)
        if reason:
            raise ValueError(reason)


def fit_news(who: Any, text: Any) -> None:
    """Raise ValueError unless there is somebody whom news can be told, and it is words."""
    if who is not None and type(who) is not str and type(who) is not Thing and not (listed(who) and viewers(who)):
        raise ValueError(f"news is for a player, several, or all (None): {in_short(who)}")
    if not plain_data(text):
        raise ValueError(f"news is a word: {in_short(text)}")


def fit_for_timer(event: str, moment: Any, fields: Any, sorts: Any) -> None:
    """Raise ValueError unless a timer can keep this: its moment a whole number, its fields values that things can keep.

    `sorts`: the kinds of things that the event declares for its fields, "" for anything.
    """
    if type(moment) is not int or not -MOST_MOMENT < moment < MOST_MOMENT:
        raise ValueError(f"there is no moment like this: {in_short(moment)}")
    for name in fields:
        content = fields[name]
        if not immutable(content):
            must = "must be a whole number, a word, a thing or a tuple of these, not too long"
            raise ValueError(f"'{name}' of the event '{event}' {must}: {in_short(content)}")
        if sorts[name] and content is not None and type(content) is not Thing:
            raise ValueError(f"'{name}' of the event '{event}' must be a {sorts[name]} or None: {in_short(content)}")


def fit_question(who: Any, text: Any, options: Any, default: Any, by: Any) -> None:
    """Raise ValueError unless pages can ask this question."""
    if [each for each in who if type(each) is not Thing]:
        raise ValueError("a question is asked of a player, or of a tuple of players")
    if type(text) is not str:
        raise ValueError(f"the text of a question must be a word: {in_short(text)}")
    if [each for each in (*options, default) if type(each) is tuple or not immutable(each)]:
        raise ValueError("the options of a question, and its default, are words, whole numbers or things")
    if by is not None and (type(by) is not int or not 0 <= by <= MOST_MOMENT):
        raise ValueError(f"a question is answered by a moment: {in_short(by)}")


ANSWERS = (str, bool, type(None), Thing, tuple, list, dict)  # what a value is, if it is no whole number


def fit_value(name: str, result: Any) -> None:
    """Raise ValueError unless what a rule says a value is can be shown."""
    if type(result) is int and not -MOST_TOLD_NUMBER <= result <= MOST_TOLD_NUMBER:
        raise ValueError(f"the value '{name}' must be a number of at most 40 digits")
    if type(result) is not int and type(result) not in ANSWERS and not isinstance(result, tuple):
        raise ValueError(f"the value '{name}' must be a whole number, a word, yes/no, a thing or several of these")


def fit_record(record: Any) -> None:
    """Raise ValueError unless a rule can be printed: its number a short line, its parts words, its numbers plain."""
    id = record["id"]
    if type(id) is not str or not id or len(id) > MOST_LABEL or not id.isprintable():
        raise ValueError(f"the number of a rule must be a line of at most {MOST_LABEL} characters: {in_short(id)}")
    for part in ("section", "section_title", "title", "text", "code", "made_by"):
        if type(record[part]) is not str:
            raise ValueError(f"the {part} of rule {id} must be a word: {in_short(record[part])}")
    params = record["params"]
    for name in params:
        if type(name) is not str or not plain_data(params[name]):
            raise ValueError(f"the numbers of rule {id} must be whole numbers, words, yes/no or tuples of these")


# ---- what rules declare; a rulebook that is taken up again is as it is: pages show its oddities as words


def fit_words(what: str, said: Any) -> None:
    """Raise ValueError unless everything that a declaration says is a short line of words."""
    for part in said if world.entry.strict else ():
        words = said[part]
        if words is not None and (type(words) is not str or len(words) > MOST_LABEL or not words.isprintable()):
            raise ValueError(
                f"the {part} of {what} must be a line of at most {MOST_LABEL} characters: {in_short(words)}"
            )


def fit_name(what: str, name: Any) -> None:
    """Raise ValueError unless a name is made of letters, digits, - and _."""
    fit_line(what, name)
    if world.entry.strict and not str(name).replace("-", "a").replace("_", "a").isalnum():
        raise ValueError(f"the name of {what} is made of letters, digits, - and _: {in_short(name)}")


def fit_line(what: str, name: Any) -> None:
    """Raise ValueError unless a name is a short line of words; `ii` names the use of an item after its patent."""
    fit_words(what, {"name": name})
    if world.entry.strict and not name:
        raise ValueError(f"the name of {what} is missing")


def fit_attribute(attribute: Any) -> None:
    """Raise ValueError unless an attribute is declared as pages can show it."""
    what = f"the attribute '{attribute.name}'"
    fit_name("an attribute", attribute.name)
    fit_words(what, {"label": attribute.label, "kind": attribute.kind, "type": attribute.type})
    if world.entry.strict and not immutable(attribute.default):
        raise ValueError(f"the default of {what} must be a whole number, a word or a tuple of these")
    if world.entry.strict and type(attribute.default) not in attribute.sorts:
        raise ValueError(f"the default of {what} must be {SORTS[attribute.type][1]}: {in_short(attribute.default)}")
    if world.entry.strict and [each for each in attribute.show if type(each) is not str]:
        raise ValueError(f"{what} is shown to all, owner, admin, nobody, or since an attribute is true")


def fit_moment(name: str, **parts: Any) -> None:
    """Raise ValueError unless the clock can reach a moment of the calendar: (part, least, most) of each."""
    for part in parts if world.entry.strict else ():
        content, least, most = parts[part]
        if type(content) is not int or not least <= content <= most:
            raise ValueError(
                f"the {part} of the moment '{name}' is a number from {least} to {most}: {in_short(content)}"
            )


def fit_form(action: str, fields: Any) -> None:
    """Raise ValueError unless a page can draw the form of an action."""
    for name in fields if world.entry.strict else ():
        field, what = fields[name], f"the field '{name}' of the action '{action}'"
        if not hasattr(field, "counted"):
            raise ValueError(f"{what} must be choose(...), one_of(...), words(...), number(...) or another field")
        fit_words(what, {"label": field.label, "kind": field.kind, "refusal": field.otherwise})
        for part in ("least", "most", "limit"):
            number = getattr(field, part)
            if number is not None and (type(number) is not int or not plain_data(number)):
                raise ValueError(f"'{part}' of {what} must be a whole number: {in_short(number)}")
        for part in ("parts", "named", "counted"):
            if not listed(getattr(field, part)) or [each for each in getattr(field, part) if type(each) is not str]:
                raise ValueError(f"'{part}' of {what} must be a tuple of words")
        if type(field.default) in (float, dict, list, set) or (
            type(field.default) in KEPT and not immutable(field.default)
        ):
            raise ValueError(f"the default of {what} must be a word, a whole number or a function of who asks")

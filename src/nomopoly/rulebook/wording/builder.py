"""Fields of a page walked once: the controls to show, the sentences that they say, and what is missing in them."""

from __future__ import annotations

import re
from typing import Any

from nomopoly.rulebook.wording import menus
from nomopoly.rulebook.wording.labels import RESERVED
from nomopoly.rulebook.wording.menus import Around
from nomopoly.rulebook.wording.offers import readable
from nomopoly.rulebook.wording.places import MOST_ITEMS, Places, slug
from nomopoly.rulebook.wording.sentence import BUTTON_FIELDS, FORMS, Part, Sentence, opposite, plainest

TAKES = {
    "choose": "a thing of a kind",
    "one_of": "one of some words",
    "words": "text",
    "number": "a whole number",
    "yes_or_no": "a tick",
}
DAYS = {
    "-1": "every day",
    **{
        str(at): day
        for at, day in enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
    },
}


AGAIN = (
    "If: what is done here sets off the same event again, without end. Choose a condition: “it is not so that”, then "
    "“something else has led to it”, then “{event}”."
)


class Builder(Places):
    """One walk over the fields of a rule."""

    def rule(self) -> list[Sentence]:
        """All sentences in which nothing is missing."""
        found = []
        at = 0
        while at < MOST_ITEMS and (at == 0 or any(key.startswith(f"{at}.") for key in self.fields)):
            before = len(self.problems)
            sentence = self.sentence(str(at))
            if sentence is not None and len(self.problems) == before:
                found.append(sentence)
            at += 1
        self.depth = 0
        self.control("add:", "add", "Another sentence")
        return found

    def sentence(self, path: str) -> Sentence | None:
        """One sentence."""
        self.depth = 0
        without = ("event", "kind", *menus.forms_without(self.offers))
        offered = [each for each in menus.plain(menus.FORMS) if each["id"] not in without]
        form = self.select(f"{path}.form", "What the rule says", offered)
        if path != "0":
            self.control(f"remove:{path}", "remove", "Take this sentence away")
        if form not in FORMS or form in ("event", "kind"):
            return None
        sentence: Sentence = {"form": form}
        refused: Part | None = None
        for slot, sort in FORMS[form]:
            near = menus.around(sentence, self.offers)
            sentence[slot] = self.form_slot(path, slot, sort, sentence, near)
            if form == "button" and slot == "if" and sentence["if"] is not None:
                refused = self.refused(f"{path}.refused", near)
        if form == "when" and sentence.get("if") is None and sentence["event"] in set_off(sentence["then"]):
            text = menus.event_label(sentence["event"], self.offers)
            self.missing(f"{path}.if", AGAIN.format(event=text))
        if refused is not None:
            unless: Part = {"is": "if", "if": plainest(opposite(sentence["if"])), "then": [refused], "otherwise": []}
            sentence.update({"if": None, "then": [unless, *sentence["then"]]})
        if form in ("attribute", "button"):
            self.declares.append({**sentence, "if": None, "then": []})
        return plainest(sentence)

    def refused(self, path: str, near: Around) -> Part | None:
        """Why a button is refused where its condition does not hold; None where it then does nothing."""
        if not self.get(path):
            self.control(path, "text", self.label("", "refused"))
            return None
        return {"is": "refuse", "because": self.words(path, self.label("", "refused"), near)}

    def form_slot(self, path: str, slot: str, sort: str, sentence: Sentence, near: Around) -> Any:
        """What a slot of a sentence holds."""
        form, here = sentence["form"], f"{path}.{slot}"
        label = self.label(form, slot)
        if sort.startswith("new:"):
            return self.new_name(path, slot, sort[4:], form)
        if slot == "weekday":
            return number_or(self.select(here, label, menus.plain(DAYS), "-1"), -1)
        if slot in ("hour", "minute"):
            least, most, usual = 0, 23 if slot == "hour" else 59, "12" if slot == "hour" else "0"
            number = self.whole(here, label, usual)
            if number is not None and not least <= number <= most:
                self.missing(here, f"{label}: give a number from {least} to {most}.")
            return number
        if slot == "default":
            return self.text(here, label, optional=True)  # read by its type below
        if slot == "type":
            type = self.select(here, label, menus.plain(menus.WORDS_OF_CHOICES["type"]), optional=True)
            sentence["default"] = self.literal(f"{path}.default", str(sentence["default"]), type)
            return type
        if slot == "columns":
            return self.columns(here, self.offers.catalogues.get(sentence["catalogue"]))
        if slot == "fields":
            return self.button_fields(here)
        if sort == "names":
            value = self.offers.values.get(sentence["value"])
            return list(value.takes) if value is not None else []
        if sort == "word":
            return self.text(here, label, optional=slot == "say")
        if sort == "yesno":
            return self.tick(here, label)
        return self.slot(here, form, slot, sort, near, sentence)

    def new_name(self, path: str, slot: str, sort: str, form: str) -> str:
        """A name that is made of what the thing is called, and stays once it is made."""
        here = f"{path}.{slot}"
        kept = self.get(here)
        told = kept or self.get(f"{path}.{'name' if form == 'row' else 'label'}")
        if form == "every":
            told = kept or f"moment {path}" if path != "0" else kept or "moment"
        name = slug(told, "_" if sort == "attribute" else "-")
        known = self.before
        taken: Any = known.attributes if sort == "attribute" else known.events if sort in ("event", "action") else ()
        if form == "row":
            catalogue = known.catalogues.get(self.get(f"{path}.catalogue"))
            taken = catalogue.rows if catalogue is not None else ()
        at, found = 2, name
        while (not kept and found in taken) or (sort, found) in self.made:
            found = f"{name}{'_' if sort == 'attribute' else '-'}{at}"
            at += 1
        self.made.add((sort, found))
        if kept:
            self.control(here, "hidden", "", found)
        return found

    def literal(self, path: str, said: str, type: str) -> Any:
        """What everybody has at first, by its type."""
        bare = re.sub(r"[$,\s]", "", said)
        is_number = re.fullmatch(r"-?\d{1,13}", bare) is not None
        if type in ("money", "number") or (not type and is_number):
            if is_number:
                return int(bare)
            if said:
                self.missing(path, "What everybody has at first: give a whole number.")
            return 0
        if type == "yesno":
            return said.casefold() in ("yes", "true", "1")
        if type in ("thing", "moment"):
            if said:
                self.missing(path, "What everybody has at first: leave it empty.")
            return None
        return said

    def columns(self, path: str, catalogue: Any) -> dict[str, Part]:
        """The columns of a row; those that are left empty are as the catalogue has them."""
        found: dict[str, Part] = {}
        for name, sort in catalogue.columns.items() if catalogue is not None else ():
            here = f"{path}.{name}"
            label = readable(name)
            self.depth += 1
            if sort == "yesno":
                if self.get(here) in ("yes", "on") or self.get(f"{here}.value"):
                    found[name] = {"is": "yes", "value": True}
                self.control(f"{here}.value", "tick", label, "yes" if name in found else "")
            elif sort == "number":
                number = self.whole(f"{here}.value", label, optional=name not in catalogue.needed)
                if number is not None:
                    found[name] = self.named(number, self.get(f"{here}.name"), name)
            elif said := self.text(f"{here}.value", label, optional=name not in catalogue.needed):
                found[name] = {"is": "word", "value": said}
            self.depth -= 1
        return found

    def button_fields(self, path: str) -> list[Part]:
        """What players fill in."""
        found: list[Part] = []
        self.depth += 1
        for at in range(self.count(path, 0)):
            here = f"{path}.{at}"
            takes = self.select(here, "It asks for", menus.plain(TAKES))
            self.control(f"remove:{here}", "remove", "Take this field away")
            label = self.text(f"{here}.label", "What it is called")
            if takes not in BUTTON_FIELDS:
                continue
            kept = self.get(f"{here}.name")
            name = slug(kept or label, "_")
            name = name if name not in ("who", *RESERVED, *[each["name"] for each in found]) else f"{name}_{at + 1}"
            if kept:
                self.control(f"{here}.name", "hidden", "", name)
            made: Part = {"name": name, "takes": takes, "label": label}
            for slot, sort in BUTTON_FIELDS[takes]:
                made[slot] = self.field_slot(f"{here}.{slot}", slot, sort)
            found.append(made)
        self.control(f"add:{path}", "add", "Another field to fill in")
        self.depth -= 1
        return found

    def field_slot(self, path: str, slot: str, sort: str) -> Any:
        """What a slot of a field of a button holds."""
        label = self.label("", slot)
        if sort == "name:kind":
            return self.select(path, label, menus.names("kind", Around(self.offers, {})))
        if sort == "yesno":
            return self.tick(path, label)
        if sort == "words":
            options = [each.strip() for each in self.text(path, label).split(",")]
            return list(dict.fromkeys([each for each in options if each]))
        return self.whole(path, label, {"limit": "100", "least": "0"}.get(slot, ""), optional=sort.endswith("?"))


def set_off(effects: list[Part]) -> set[str]:
    """The events that come of effects under no condition."""
    found: set[str] = set()
    for each in effects:
        found.update(menus.SETS_OFF.get(each["is"], ()))
        found.update([each["event"]] if each["is"] in ("do", "to") else ())
        if each["is"] == "each" and each.get("if") is None:
            found |= set_off(each["then"])
    return found


def number_or(text: str, otherwise: int) -> int:
    """A number that is posted, or another one."""
    return int(text) if re.fullmatch(r"-?\d{1,3}", text) else otherwise

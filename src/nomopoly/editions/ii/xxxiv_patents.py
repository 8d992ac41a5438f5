"""Section XXXIV: patents on games and items for casinos."""

section("XXXIV", "Patents")

rule("XXXIV.1", """
For ${fee} a player may apply for a patent on a new game, with its full rules, bets and payouts, or on a new item, with its price, its
use and its full effect, to be offered at their casinos.
""", title="Applying", fee=100)

kind("patent", label="Patent", page=True)
attribute("patent", "owner", None, label="Owner", type="thing", holds=("player",))
attribute("patent", "sort", "game", label="Sort")
attribute("patent", "name", "", label="Name")
attribute("patent", "text", "", label="Words")
attribute("patent", "price", None, label="Price", type="money")
attribute("patent", "code", "", label="Program")
attribute("patent", "status", "applied", label="Status")
attribute("patent", "because", None, label="The Admin's reason")


@action(
    "apply-patent",
    "Apply for a patent",
    fact="patent-applied",
    say="{who} applies for a patent on {name}",
    sort=one_of(("game", "item"), "Sort"),
    name=words("Name", limit=100),
    text=words("Rules, or use and effect", limit=20000, long=True),
    price=number("Price of an item", optional=True, money=True),
    code=program("Program of its rule"),
)
def apply(e):
    must_afford(e.who, rule.fee)
    pay(e.who, "$admin", rule.fee)
    create("patent", owner=e.who, sort=e.sort, name=e.name, text=e.text, price=e.price, code=e.code or "")


rule("XXXIV.2", """
The Admin rejects an application that lacks something, or is ambiguous, paradoxical, too much like a patent there is, or plain stupid,
and gives ${back} back.
""", title="The Admin decides", back=50)


@check("reject")
def reason_to_reject(e):
    if e.on.kind == "patent":
        reasons = ("missing", "ambiguous", "paradoxical", "too-similar", "stupid")
        if e.on.status != "applied":
            return f"{e.on.id} is {e.on.status}"
        if e.because not in reasons:
            return f"because must be one of {', '.join(reasons)}"


event(
    "refuse-patent", "no-patent", say="{who} gets no patent on {name}: {because}", notify="who", who="player",
    patent="patent", name="", because=""
)


@after("reject")
def reject_patent(e):
    if e.on.kind == "patent":
        put(e.on, "status", "rejected")
        put(e.on, "because", e.because)
        if e.on.owner is not None:
            because = e.because.replace("-", " ")
            do("refuse-patent", who=e.on.owner, patent=e.on, name=e.on.name, because=because)
            pay("$admin", e.on.owner, rule.back)


rule("XXXIV.3", """
Whose application is accepted owns a patent on the name and the idea. It is an item, which can be traded and not used. What is patented
becomes a rule of this section.
""", title="Owning a patent")

attribute("patent", "actions", (), show="nobody")  # of a game, by which it is played
attribute("patent", "number", "", show="nobody")  # of its rule
event(
    "patent", "patented", say="{who} has a patent on {name}", notify="who", who="player", patent="patent", name="",
    number=""
)


def item_name(patent):
    """The id of the item that is patented: its name in small letters."""
    return "-".join([each for each in listed(patent.name.casefold().replace("_", " "))])


def rule_of(patent):
    """The number of a patent's rule, in this section."""
    return f"{rule.id.partition('.')[0]}.p{patent.id.removeprefix('patent-')}"


def actions_in(code):
    """The ids of the actions that a program declares."""
    found = ()
    for part in code.split("@action(")[1:]:
        part = part.lstrip()
        id = part[1:].partition(part[0])[0] if part[:1] in ('"', "'") else ""
        if id and not [each for each in id if not (each.isalnum() or each in "_-")]:
            found = (*found, id)
    return found


def program_of(patent):
    """The program of a patent's rule: its own, and for an item how it is sold."""
    if patent.sort == "game" or patent.price is None:
        return patent.code
    parts = [patent.code.strip("\n")]
    if not patent.code.strip():
        parts = [f"item({item_name(patent)!r}, {patent.name!r}, usable=True)"]
    return "\n\n".join([*parts, f"sale({patent.id!r}, {patent.price}, casino=True)"])


@check("accept")
def may_accept(e):
    if e.on.status != "applied":
        return f"{e.on.id} is {e.on.status}"
    if e.on.owner is None:
        return f"{e.on.id} belongs to nobody"


@action(
    "accept",
    "Accept an application for a patent",
    by="admin",
    done="{on} is accepted and in force.",
    task=True,
    on=choose("patent", "Patent", choices=lambda who: [each for each in every("patent") if each.status == "applied"]),
)
def accept(e):
    patent = e.on
    put(patent, "status", "granted")
    if patent.sort == "game":
        put(patent, "actions", tuple([each for each in actions_in(patent.code) if not can_happen(each)]))
    give_item(patent.owner, patent.id)
    part = {"title": patent.name, "text": patent.text, "code": program_of(patent)}
    number = change_rulebook([{"enact": rule_of(patent), **part}], by=patent.id)[0]
    put(patent, "number", number)
    do("patent", who=patent.owner, patent=patent, name=patent.name, number=number)


event("patents-lost", "patents-lost", say="{told}", notify="who", who="player", patents="", told="")


@after("reset")
@after("remove")
def owner_is_gone(e):
    mine = [each for each in every("patent") if each.owner is e.who]
    for patent in mine:
        put(patent, "owner", None)
    granted = tuple([each for each in mine if each.status == "granted"])
    if granted:
        do("patents-lost", who=e.who, patents=granted)


@on("patents-lost")
def nobodys_patents(e):
    named = ", ".join([each.name for each in e.patents])
    one = len(e.patents) == 1
    note(told=f"The patent{'' if one else 's'} on {named} {'has' if one else 'have'} no owner any more")


rule("XXXIV.4", """
What is patented is offered at all casinos on squares of the patent's owner, and nowhere else, as long as its rule stands.
""", title="Where it is offered")


def patent_of(number):
    """The patent to which the rule of a number belongs, or None."""
    for patent in every("patent"):
        if number and patent.number == number:
            return patent
    return None


def elsewhere(who, patent):
    """Why what is patented is not offered where somebody is, or nothing."""
    if patent is not None and not has_building(who.square, "casino"):
        return f"{patent.name} is offered at a casino of the patent's owner: there is none on your square"
    if patent is not None and (patent.owner is None or who.square.owner is not patent.owner):
        return f"{patent.name} is offered at a casino of the patent's owner: this is none"


@check("order")
def played_here(e):
    for patent in () if e.waits else every("patent"):
        if e.order in patent.actions:
            return elsewhere(e.who, patent)


@check("bet")
def patented_game_here(e):
    return elsewhere(e.who, patent_of(e.rule or ""))


@check("buy-item")
def patented_item_here(e):
    return elsewhere(e.who, patent_of(row_of("sale", e.item).rule))

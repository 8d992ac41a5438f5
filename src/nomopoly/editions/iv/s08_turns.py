"""Section 8: turns."""

section("8", "Turns")

rule("8.1", """
A player may take a turn whenever {turn_wait} hours or more have gone by since their last one.
""", title="A turn every three days at most", turn_wait=72)

attribute("player", "last_turn", None, label="Last turn", moment="real")
attribute("player", "turn_from", None, label="Start of the time for turns", moment="game")
setting("turn_wait")


@value(
    "turn_open_at",
    of="player",
    label="Turn possible from",
    type="moment",
    asks="take-turn",
    until="turn_due_at",
    asking="your turn is possible",
)
def turn_open_at(player):
    if player.turn_from is None:
        return None
    if player.last_turn is None:
        return player.turn_from
    return player.turn_from + hours(value("turn_wait")) + now() - game_time()


@check("take-turn")
def rested(e):
    opens = value("turn_open_at", e.who)
    if opens is not None and now() < opens:
        return f"too soon: your next turn is possible from {moment_text(opens)}"


@action("take-turn", "Take a turn", rolls=True, disrupts=True)
def take_turn(e):
    do("turn", who=e.who)


rule("8.2", """
In a turn a player rolls two dice of {dice} sides and moves ahead by their sum.
""", title="The roll", dice=6)

event("turn", "turn-taken", say="{who} takes a turn", who="player", automatic="")
event("roll", "rolled", say="{who} rolls {dice}", who="player")


@value("dice")
def dice():
    return (rule.dice, rule.dice)


@on("turn")
def play_turn(e):
    put(e.who, "last_turn", now())
    put(e.who, "turn_from", game_time())
    faces = do("roll", who=e.who)
    move(e.who, sum(faces))
    return faces


@on("roll")
def roll(e):
    faces = chance.dice(value("dice"))
    note(total=sum(faces))
    return faces


rule("8.3", """
A player who has taken no turn for {turn_limit} hours is fined ${turn_fine}, and a turn is taken for them.
""", title="The turn taken for you", turn_limit=120, turn_fine=100)

setting("turn_limit")
setting("turn_fine")
event("automatic-turn", "overdue", say="{who} has taken no turn in time", who="player")


@value("turn_due_at", of="player", label="Automatic turn", type="moment")
def turn_due_at(player):
    if player.turn_from is None:
        return None
    return player.turn_from + hours(value("turn_limit")) + now() - game_time()


def watch(who):
    """Take a turn for this player when the time is up."""
    cancel("automatic-turn", who=who)
    if who.turn_from is not None:
        at(who.turn_from + hours(value("turn_limit")), "automatic-turn", who=who)


@after("join")
def first_turn(e):
    put(e.who, "turn_from", game_time())
    watch(e.who)


@after("turn")
def next_turn(e):
    if exists(e.who):
        watch(e.who)


@after("grant")
def turn_by_decree(e):
    if e.thing.kind == "player" and exists(e.thing) and e.attribute == "last_turn":
        put(e.thing, "turn_from", e.thing.last_turn if e.thing.last_turn is not None else e.thing.joined_at)
        watch(e.thing)


@after("rules-changed")
def new_times(e):
    for who in players():
        watch(who)


@on("automatic-turn")
def time_is_up(e):
    fine(e.who, value("turn_fine"))
    do("turn", who=e.who, automatic=True)

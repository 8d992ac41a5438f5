"""Section XXXVI: the Tornado, and what it leaves."""

section("XXXVI", "Impending Doom")

rule("XXXVI.1", """
A Tornado may strike, with the effects that the following rules tell. When it does is for the Admin to say: once it is announced it
strikes in the next update, after the proposals, the pseudoplayers and the money of the week.
""", title="The Tornado")

attribute("game", "tornado", False, label="Tornado announced")
event("tornado-nears", "announced", say="The Tornado will strike in the next update", notify="to", to="")


@check("tornado")
def announced_once(e):
    if thing("game").tornado:
        return "already announced"


@action("tornado", "Announce the Tornado", by="admin", weighty=True)
def announce(e):
    put(thing("game"), "tornado", True)
    do("tornado-nears", to=tuple(players()))


rule("XXXVI.2", """
The Tornado tears up all trees, which are gone, whatever other rules say of trees.
""", title="Trees")

overrides("XXVIII.8")
event("tear-up-trees", say="The Tornado tears up the trees")
step("tornado", 20, "tear-up-trees", when=lambda: thing("game").tornado)


@on("tear-up-trees")
def tear_up_trees(e):
    for each in in_sequence():
        if attribute_of(each, "tree", False) and can_happen("fell-tree"):
            do("fell-tree", square=each)


@check("fell-tree")
def not_even_roots(e):
    if e.caused_by("tear-up-trees"):
        return True


rule("XXXVI.3", """
The Tornado shuffles all squares that the rules do not mention, neither by number nor otherwise, as they mention the corners of the board:
these squares get each other's numbers at random, and keep all they have and all that is on them.
""", title="Shuffle")

event("shuffle-squares", "shuffled", say="The Tornado shuffles the squares")
event("swap-number", "renumbered", say="shuffled: {square} becomes #{number}", square="square", number="")
step("tornado", 30, "shuffle-squares", when=lambda: thing("game").tornado)


@on("shuffle-squares")
def shuffle_squares(e):
    anchored = corners()
    loose = [each for each in in_sequence() if each not in anchored and not value("mentioned", each)]
    moves = [(each, to.number) for each, to in zip(shuffled(loose), loose) if each is not to]
    renumber_squares(moves)
    for each, number in moves:
        do("swap-number", square=each, number=number)


rule("XXXVI.4", """
The Tornado puts every player and every pseudoplayer on a random square, each for itself. Then the Phantom Piece, if it is still in the game,
takes {turns} turns with all that follows from them.
""", title="Scattering", turns=3)

event("scatter", say="The Tornado scatters the pieces")
event("phantom-in-the-storm", say="The Phantom Piece in the storm")
step("tornado", 40, "scatter", when=lambda: thing("game").tornado)


@on("scatter")
def scatter(e):
    for each in players() + every("creature"):
        put_on(each, chance.pick(in_sequence()), "tornado")
    for _ in range(rule.turns):
        follow("phantom-in-the-storm")


@on("phantom-in-the-storm")
def phantom_in_the_storm(e):
    if find("phantom") is not None:
        do("creature-move", creature=find("phantom"))


rule("XXXVI.5", """
With the Tornado time stops: what is left of that update is still done, but no week begins and no update comes after it, and orders wait,
until the Admin lets the game go on.
""", title="Time stops")

attribute("game", "time_stopped", False, label="Time has stopped")
event("stop-time", "time-stopped", say="Time has stopped: no week begins and no update comes, until the Admin resumes the game")
step("tornado", 50, "stop-time", when=lambda: thing("game").tornado)


@on("stop-time")
def stop_time(e):
    put(thing("game"), "tornado", False)
    put(thing("game"), "time_stopped", True)


@after("time-goes-on")
def go_on_again(e):
    put(thing("game"), "time_stopped", False)


rule("XXXVI.6", """
Each player may name the square whose name they like best, and may change their mind; nobody else is told. A square without a name
gets no votes. The votes are counted when the Tornado has passed, before the Winner is looked for, or else as the game ends, and are used
up then. If one square has more votes than any other and a player owns it, that player is awarded ${prize}.
""", title="Favorite name", prize=150)

attribute("player", "favorite", None, label="Favorite name", type="thing", show=("owner", "admin"))
event("count-favorites", say="The favorite names are counted")
event("favorite-named", "favorite", say="{square} has the favorite name", square="square", votes="")
step("tornado", 60, "count-favorites", when=lambda: thing("game").tornado)


@action(
    "vote-favorite",
    "Vote for the best name of a square",
    at_once=True,
    private="order",
    square=choose(
        "square", "Square", choices=lambda who: [each for each in every("square") if each.name is not None], shows="name",
        otherwise="no square has a name yet"
    ),
)
def vote_favorite(e):
    if e.square.name is None:
        refuse(f"{e.square.id} has no name: vote for a square that has one")
    put(e.who, "favorite", e.square)


@after("end")
def at_the_end(e):
    do("count-favorites")


@on("count-favorites")
def count_favorites(e):
    votes = [each.favorite for each in players() if each.favorite is not None and each.favorite.name is not None]
    for each in players():
        put(each, "favorite", None)
    most = max([votes.count(each) for each in votes], default=0)
    best = [each for each in in_sequence() if votes.count(each) == most] if most else []
    if len(best) == 1:
        do("favorite-named", square=best[0], votes=most)
        if best[0].owner is not None and best[0].owner.kind == "player":
            award(best[0].owner, rule.prize)


rule("XXXVI.7", """
TISSSG does not wait for the Tornado: as the first thing when it strikes he puts an end to himself, if he is still insane.
""", title="The end of TISSSG")

event("tisssg-ends", say="TISSSG meets its end")
step("tornado", 10, "tisssg-ends", when=lambda: thing("game").tornado)


@on("tisssg-ends")
def tisssg_ends(e):
    which = find("tisssg")
    if which is not None and not attribute_of(which, "sane", False):
        do("destroy-creature", creature=which)

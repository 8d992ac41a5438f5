"""Section II: who plays, Teams, Freemasons and Best Friends, coming and going."""

section("II", "Players")

rule("II.1", """
Anybody may join at any time by telling the Admin, and is in the game at once. Every player needs an e-mail address of their own
and a name of their own, of 1 to {longest_name} characters, that neither confuses nor annoys the others and is no name of anything
else in the game; capitals make no difference.
""", title="Joining", longest_name=30)


@check("apply")
def proper_name(e):
    if looks(e.name) in [looks(each.name) for each in every("account") if each.name]:
        return "name taken: it belongs to something in the game"
    return name_problem(e.name, rule.longest_name)


rule("II.2", """
The Admin is not a player: the Admin does not join, own, propose or move.
""", title="The Admin does not play")

rule("II.3", """
There are four Teams: the North, the South, the East and the West Team. A player is on one of them, or is a Freemason, never both. A newcomer joins one
of those Teams that have the fewest players, each of them being equally likely.
""", title="Teams")

row("team", "North")
row("team", "South")
row("team", "East")
row("team", "West")
attribute("player", "team", None, label="Team", holds="team")
event("join-team", "joined-team", say="{who} joins the {team} Team", who="player", team="")
event("leave-team", "left-team", say="{who} leaves the {team} Team", who="player", team="")


@value("team_members", type="list")
def team_members(team):
    return tuple(members_of(team))


@after("join")
def least_of_teams(e):
    size = {name: len(value("team_members", name)) for name in team_names()}
    if size:
        fewest = min(size.values())
        do("join-team", who=e.who, team=chance.pick([name for name in size if size[name] == fewest]))


@on("join-team")
def join_team(e):
    put(e.who, "team", e.team)


@on("leave-team")
def leave_team(e):
    put(e.who, "team", None)


@after("remove")
def out_of_the_team(e):
    if team_of(e.who) is not None:
        do("leave-team", who=e.who, team=e.who.team)


rule("II.4", """
Two players who both declare in one week, Monday to Sunday, that they want to be Best Friends are Best Friends. Either may end it; so does
leaving the game. Nobody has more than one Best Friend at a time, and after an end neither of the two may have a new one for
{friendless_days} days. Only who is free for a Best Friend may declare to want one.
""", title="Best Friends", friendless_days=14)

setting("friendless_days")
attribute("player", "best_friend", None, label="Best Friend", type="thing")
attribute("player", "friend_free_at", None, label="Free for a Best Friend from", moment="game")
attribute(
    "player", "friend_wishes", (), show="nobody"
)  # whom one has declared, and in which week: ((player, week), ...)
attribute("player", "friend_mail", (), show="nobody")  # the weeks in which declarations came that wait for the update
attribute("game", "friend_week", 0, show="nobody")
event("best-friends", "best-friends", say="{who} and {other} are Best Friends", who="player", other="player")
event(
    "end-friendship-of", "friendship-ended", say="{who} and {other} are no longer Best Friends", who="player",
    other="player"
)
event("forget-friend-mail", say="Declarations of friendship are looked through")
event("new-friend-week", say="A new week for declarations of friendship")
step("rights-end", 30, "forget-friend-mail")
step("week-begins", 30, "new-friend-week")


@after("order-waits")
def note_week(e):
    if e.order == "declare-best-friend":
        put(e.who, "friend_mail", (*e.who.friend_mail, thing("game").friend_week))


@on("forget-friend-mail")
def forget_friend_mail(e):
    for each in players():
        put(each, "friend_mail", ())


@on("new-friend-week")
def new_friend_week(e):
    game = thing("game")
    put(game, "friend_week", game.friend_week + 1)
    for each in players():
        # what was mailed after the last update of a week still answers it
        put(each, "friend_wishes", tuple([wish for wish in each.friend_wishes if wish[1] >= game.friend_week - 1]))


@check("declare-best-friend")
def free_for_a_friend(e):
    if e.player is e.who:
        return "nobody is their own Best Friend"
    if e.who.best_friend is not None:
        return f"already: your Best Friend is {name_of(e.who.best_friend)}"
    if e.who.friend_free_at is not None and e.who.friend_free_at > now():
        return "too early: your last friendship has not been over long enough"


@action(
    "declare-best-friend", "Declare somebody your Best Friend", player=choose("player", "Player", choices=other_players)
)
def declare_best_friend(e):
    week = e.who.friend_mail[0] if e.who.friend_mail else thing("game").friend_week
    put(e.who, "friend_mail", e.who.friend_mail[1:])
    put(e.who, "friend_wishes", (*e.who.friend_wishes, (e.player, week)))
    if (e.who, week) in e.player.friend_wishes and e.player.best_friend is None:
        do("best-friends", who=e.player, other=e.who)


@on("best-friends")
def best_friends(e):
    for one, other in ((e.who, e.other), (e.other, e.who)):
        put(one, "best_friend", other)
        put(one, "friend_free_at", None)
        put(one, "friend_wishes", ())


@on("end-friendship-of")
def friends_no_more(e):
    for each in (e.who, e.other):
        put(each, "best_friend", None)
        put(each, "friend_free_at", now() + days(value("friendless_days")))


@check("end-friendship")
def has_a_friend(e):
    if e.who.best_friend is None:
        return "you have no Best Friend"


@action("end-friendship", "End a friendship")
def end_friendship(e):
    do("end-friendship-of", who=e.who, other=e.who.best_friend)


@after("remove")
def a_friend_leaves(e):
    if e.who.best_friend is not None:
        do("end-friendship-of", who=e.who, other=e.who.best_friend)
    for each in players():
        put(each, "friend_wishes", tuple([wish for wish in each.friend_wishes if wish[0] is not e.who]))


rule("II.5", """
If ever a Team that has had a member has no players any more, all references to Teams are taken out of the rules, for good: nobody is on a Team
then, nobody becomes a Freemason by that, and what the rules say of Teams no longer applies. It is put in brackets wherever it stands, until the
rules have been written anew without it; the Admin has a draft of that.
""", title="The empty Team")

attribute("game", "teams_abolished", False, label="Teams abolished")
attribute("game", "teams_draft", None, label="The rules without Teams, a draft", show="admin")
event("abolish-teams", "teams-abolished", say="There are no Teams any more")


@after("leave-team")
def nobody_left(e):
    if teams_on() and e.team in team_names() and not members_of(e.team):
        do("abolish-teams")


@on("abolish-teams")
def abolish_teams(e):
    game = thing("game")
    for each in players():
        put(each, "team", None)
    put(game, "teams_abolished", True)
    put(game, "teams_draft", draft_without("Team"))
    tell("admin", "A draft of the rules without Teams lies on your desk")
    reword("Teams", "[Teams]")
    reword("Team", "[Team]")


def draft_without(word):
    shorter = []
    for id, text in prose():
        sentences = " ".join(text.split()).split(". ")
        kept = [each for each in sentences if word not in each]
        if len(kept) < len(sentences):
            shorter.append(f"{id}: " + (". ".join(kept) or "(nothing is left of it)"))
    return "\n".join(shorter)


rule("II.6", """
A player may declare at any time to be a Freemason. A Freemason is on no Team, and remains a Freemason.
""", title="Becoming a Freemason")

attribute("player", "freemason", False, label="Freemason")
event("become-freemason", "freemason", say="{who} is a Freemason", who="player")


@on("become-freemason")
def freemason_now(e):
    team = team_of(e.who)
    put(e.who, "freemason", True)
    if team is not None:
        do("leave-team", who=e.who, team=team)


@action("declare-freemason", "Become a Freemason")
def declare_freemason(e):
    if e.who.freemason:
        refuse("already a Freemason")
    become_freemason(e.who)


rule("II.7", """
A newcomer gets the lowest-numbered square that has no owner and is not mentioned in the rules. If there is none, a new square is made by New
Clear Fishing, for which nobody pays, and another one if that is mentioned too.
""", title="A square for the newcomer")


event("first-square", "transferred", say="{who} gets {square}", who="player", square="square")


@after("join")
def first_square(e):
    free = [each for each in squares() if each.owner is None and not value("mentioned", each)]
    if free:
        place = sorted(free, key=lambda each: each.number)[0]
    else:
        place = make_square()
        while value("mentioned", place) or place.owner is not None:
            place = make_square()
    do("first-square", who=e.who, square=place)


@on("first-square")
def give_first_square(e):
    change_owner(e.square, e.who)


rule("II.8", """
Whoever leaves the game picks one of five ways for their cash, squares and objects. Objects are items, patents, and all shares together as one.

(1) All goes to The Government, which keeps the cash, auctions the squares, and auctions the objects together as one Grab Bag, by X.5.

(2) All goes to The Corporation, which keeps the cash and offers squares and objects at {leftover_percent}% of their market value to any player,
wherever on the board, first come, first served. The market value of an object is the price of its product; what is no product has none.

(3) All goes to the other players at random, in bundles of one square, one object and up to ${bundle_cash}, squares by number and objects in the
order in which they were got, until all is gone: each bundle to a random player who has had none yet; when all have had one, the count begins
anew.

(4) The same as (3), but only among the members of the leaver's Team.

(5) All goes to one player whom the leaver names.

The first way is also that of players who pick none, who have nobody to whom the third or fourth can give, or whom the Admin removes. A leaver's job is offered anew; the leaver's
bids, questions and Homesteads end; proposals without a verdict by then are out, and those with one earn nothing.
""", title="Leaving", leftover_percent=120, bundle_cash=200)

setting("leftover_percent")
setting("bundle_cash")
attribute("square", "leftover", False, label="For sale by The Corporation")
attribute("account", "leftovers", (), label="For sale besides squares")
attribute("player", "leaving_way", "government", show="nobody")
attribute("player", "heir", None, show="nobody", type="thing")
WAYS = (  # (1) to (5)
    ("government", "all to The Government"),
    ("corporation", "all to The Corporation, which sells it"),
    ("players", "to the other players, at random"),
    ("team", "to your Team mates, at random"),
    ("heir", "all to one player, the heir"),
)
event("estate", who="player", way="", heir="player")
event("leave-all", "left-to", say="{to} gets what {who} leaves: {told}", who="player", to="", told="", goods="")
event(
    "bundle",
    "left-to",
    say="{to} gets of what {who} leaves: {told}",
    who="player",
    to="player",
    square="square",
    item="",
    amount="",
    told="",
    goods="",
)


def way_called(number):
    return WAYS[number - 1][0]


@check("leave-game")
def someone_to_inherit(e):
    if way_called(e.way) == "heir" and e.heir is None:
        return "heir is missing: who is to get all?"
    if e.heir is e.who:
        return "not there: the heir is somebody else"


@action(
    "leave-game",
    "Leave the game",
    in_pause=True,
    way=number(
        "Who gets what you leave",
        least=1,
        most=len(WAYS),
        default=1,
        choices=lambda who: list(range(1, len(WAYS) + 1)),
        called=lambda way: WAYS[way - 1][1],
    ),
    heir=choose("player", "Heir, where the heir gets it", optional=True, choices=other_players),
)
def leave_game(e):
    put(e.who, "leaving_way", way_called(e.way))
    put(e.who, "heir", e.heir)
    remove(e.who, "", "left")


@action(
    "remove-player",
    "Remove a player",
    by="admin",
    fact="expelled",
    say="The Admin removes {player} from the game{told}",
    weighty=True,
    done="{player} is out of the game.",
    player=choose("player", "Player"),
    because=words("Because", limit=2000, long=True, wanted=True),
)
def remove_player(e):
    note(told=f": {e.because}" if e.because else "")
    remove(e.player, e.because or "", "removed")


@on("remove")
def leave_behind(e):
    heir = e.who.heir if exists(e.who.heir) else None
    for name in ("impersonates", "disguise"):
        if attribute_of(e.who, name) is not None:
            put(e.who, name, None)
    way = e.who.leaving_way
    to = {
        "players": [each for each in players() if each is not e.who],
        "team": mates_of(e.who),
        "heir": [heir] if heir is not None else [],
    }
    do("estate", who=e.who, way="government" if way in to and not to[way] else way, heir=heir)


@after("remove")
def questions_void(e):
    for each in every("question"):
        if each.asked == (e.who,):
            cancel("question-lapses", question=each)
            destroy(each)
        elif still_to_answer(each) == [e.who]:
            follow("question-lapses", question=each)


def places_of(who):
    return sorted(owned_by(who), key=lambda each: each.number)


def leave_to_account(who, account):
    if who.money > 0:
        do("pay", who=who, to=account, amount=who.money)
    places = places_of(who)
    for each in places:
        change_owner(each, account)
    return places


def bundles_among(who, people):
    places = places_of(who)
    objects = strip_objects(who)
    left = []
    most = max(value("bundle_cash"), 0)
    while places or objects or (who.money > 0 and most > 0):
        left = left or people
        to = pick_one(left)
        left = [each for each in left if each is not to]
        cash = min(who.money, most)
        place = places[0] if places else None
        object = objects[0] if objects else None
        found = [part for part in (place and place.id, object, f"${cash}" if cash else None) if part]
        goods = ids_of(found)
        do("bundle", who=who, to=to, square=place, item=object, amount=cash, told=told_of(found), goods=goods)
        places = places[1:]
        objects = objects[1:]


@on("bundle")
def hand_bundle(e):
    if e.square is not None:
        change_owner(e.square, e.to)
    if e.item is not None:
        hand_object(e.item, e.to)
    if e.amount > 0:
        do("pay", who=e.who, to=e.to, amount=e.amount)


def tell_who_gets(who, to, objects):
    found = [*[each.id for each in places_of(who)], *objects]
    if found:
        do("leave-all", who=who, to=to, told=told_of(found), goods=ids_of(found))


def told_of(found):
    """Squares, objects and cash in a sentence."""
    return ", ".join([f"the patent of {id}" if each != id else each for each, id in zip(found, ids_of(found))])


def ids_of(found):
    """Their ids, so that pages know what they are called."""
    return tuple([each.removeprefix("patent ") for each in found])


@on("estate")
def wind_up(e):
    who = e.who
    if e.way == "government":
        auctioned = can_happen("make-lot")  # where nothing is auctioned objects are lost
        tell_who_gets(who, thing("$government"), objects_of(who) if auctioned else ())
        leave_to_account(who, thing("$government"))
        objects = strip_objects(who)
        if objects and auctioned:
            do("make-lot", contents=objects, owner=thing("$government"))
    elif e.way == "corporation":
        corporation = thing("$corporation")
        tell_who_gets(who, corporation, objects_of(who))
        for each in leave_to_account(who, corporation):
            put(each, "leftover", True)
        put(corporation, "leftovers", (*corporation.leftovers, *strip_objects(who)))
    elif e.way == "heir":
        tell_who_gets(who, e.heir, objects_of(who))
        for each in places_of(who):
            change_owner(each, e.heir)
        for each in strip_objects(who):
            hand_object(each, e.heir)
        if who.money > 0:
            do("pay", who=who, to=e.heir, amount=who.money)
    else:
        bundles_among(who, mates_of(who) if e.way == "team" else [each for each in players() if each is not who])
        if who.money > 0:  # where bundles hold no cash
            do("pay", who=who, to=thing("$government"), amount=who.money)


@after("change-owner")
def no_longer_for_sale(e):
    if e.square.leftover:
        put(e.square, "leftover", False)


def for_sale(who=None):
    corporation = thing("$corporation")
    return (*[each.id for each in squares() if each.leftover], *corporation.leftovers)


def square_called(lot):
    found = find(lot)
    return found if found is not None and found.kind == "square" else None


def leftover_price(lot):
    place = square_called(lot)
    return share(object_value(lot) if place is None else value("market_value", place), value("leftover_percent"))


def lot_called(lot):
    place = square_called(lot)
    return object_called(lot) if place is None else name_of(place)


@action(
    "buy-leftover",
    "Buy what somebody has left to The Corporation",
    fact="bought",
    say="{who} buys {told} from The Corporation for ${price}",
    lot=one_of(
        for_sale,
        "Square or object",
        otherwise="not on sale: The Corporation has nothing of that name left to sell",
        called=lambda lot: f"{lot_called(lot)} (${leftover_price(lot)})",
    ),
)
def buy_leftover(e):
    corporation = thing("$corporation")
    place = square_called(e.lot)
    price = leftover_price(e.lot)
    note(square=place, price=price, told=lot_called(e.lot))
    spend(e.who, corporation, price)
    if place is not None:
        change_owner(place, e.who)
    else:
        at = corporation.leftovers.index(e.lot)
        put(corporation, "leftovers", corporation.leftovers[:at] + corporation.leftovers[at + 1 :])
        hand_object(e.lot, e.who)


rule("II.9", """
If a leaving makes another player win within {scammer_days} days, the one who left is the Ex-Scammer and takes the second place; several share it. A
leaving has made somebody win by III.2 who would not have met it with the leaver still in the game, in possession of what the leaver had. Where the Admin names
the Winner, the Admin also says who is Ex-Scammer: all who left in those days, unless said otherwise. A player who has come back is none.
""", title="The Ex-Scammer", scammer_days=7)

setting("scammer_days")
attribute("game", "second_place", (), label="Second place", type="list")
attribute("game", "leavers", (), show="nobody")  # (name, moment, dollars, squares, ((who got dollars, how many), ...))
also_asks(
    "declare-winner",
    second_place=words(
        "Second place (names, or nobody)", limit=2000, default=lambda who: ", ".join(recent_leavers()) or "nobody"
    ),
)


def recent_leavers():
    recent = [each[0] for each in thing("game").leavers if each[1] + days(value("scammer_days")) >= now()]
    return [name for name in recent if find(name) is None]


@after("remove")
def remember_leaver(e):
    game = thing("game")
    kept = [each for each in game.leavers if each[0] in recent_leavers()]
    places = tuple([each for each in squares() if was(each, "owner") is e.who])
    gifts = tuple([(each.id, each.money - was(each, "money")) for each in players() if each is not e.who])
    put(game, "leavers", (*kept, (e.who.id, now(), was(e.who, "money"), places, gifts)))


def wins_without(winner, leaver):
    _, _, cash, places, gifts = leaver
    return richer_and_colorful(winner, places, dict(gifts).get(winner.id, 0), cash)


@after("end")
def name_second(e):
    recent = recent_leavers()
    named = [cause.second_place for cause in e.trail if cause.name == "declare-winner"]
    if e.winner is None:
        second = []
    elif named:
        second = [each.strip() for each in (named[0] or "").split(",") if each.strip() not in ("", "nobody")]
        for each in second:
            if each not in recent:
                refuse(f"{each} has not left within the last {value('scammer_days')} days")
        second = [each for each in recent if each in second]
    else:
        second = [each[0] for each in thing("game").leavers if each[0] in recent and not wins_without(e.winner, each)]
    put(thing("game"), "second_place", tuple(second))

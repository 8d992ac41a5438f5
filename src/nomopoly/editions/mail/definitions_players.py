"""What rules of several sections mean when they speak of players: words that they share."""

section("D", "Definitions")

rule("D.18", """
A player is of the Team that a rule has put them in, as long as there are Teams; a Freemason is of none. Where no rule says what a base
is, no square is in one. Two players are Best Friends if each of them is said to be the other's.
""", title="Teams and friends")


@word
def teams_on():
    """Whether there are Teams."""
    return not attribute_of(thing("game"), "teams_abolished", False) and rows("team") != []


@word
def team_names():
    """The names of the Teams, as a list; none once they are abolished."""
    return [each.id for each in rows("team")] if teams_on() else []


@word
def team_of(who):
    """The name of somebody's Team, or None: a Freemason has none."""
    return attribute_of(who, "team") if teams_on() and not attribute_of(who, "freemason", False) else None


@word
def bases_of(place):
    """The names of the Teams in whose bases a square is; none where no rule says what a base is."""
    return value("bases", place, otherwise=())


@word
def members_of(team):
    """The players of a Team, in the order in which they joined the game."""
    return [each for each in players() if team is not None and team_of(each) == team]


@word
def mates_of(who):
    """The other players of somebody's Team."""
    return [each for each in members_of(team_of(who)) if each is not who]


@word
def become_freemason(who):
    """Make a player a Freemason; nothing happens to one who is."""
    if not attribute_of(who, "freemason", True):
        do("become-freemason", who=who)


@word
def is_friend(a, b):
    """Whether two are Best Friends."""
    return a is not None and b is not None and attribute_of(a, "best_friend") is b


rule("D.19", """
A player is Sick, Hurt, In Reverse or in Chains where rules know of these conditions; where they do not, nothing comes of being made so.
Only Chains that are not Rusty weigh anything.
""", title="Conditions")


@word
def make_sick(who, by=None):
    """Make a player Sick."""
    if can_happen("make-sick"):
        do("make-sick", who=who, by=by)


@word
def cure(who):
    """Make a Sick player well."""
    if can_happen("cure"):
        do("cure", who=who)


@word
def make_hurt(who, by=None):
    """Make a player Hurt."""
    if can_happen("make-hurt"):
        do("make-hurt", who=who, by=by)


@word
def turn_round(who):
    """Let the turn of a player go In Reverse."""
    if attribute_of(who, "in_reverse") is False:
        put(who, "in_reverse", True)


@word
def add_chains(who, pounds):
    """Put Chains on a player: these and all the player has are not Rusty then."""
    if can_happen("add-chains"):
        do("add-chains", who=who, amount=pounds)


@word
def rust_chains(who):
    """Make all Chains of a player Rusty."""
    if can_happen("rust-chains"):
        do("rust-chains", who=who)


@word
def heavy_chains(who):
    """The pounds of a player's Chains that are not Rusty; 0 for a piece that can bear none."""
    return attribute_of(who, "chains", 0)


rule("D.20", """
The holder of a job is taken to where it is done and paid a wage by the employer, or by The Government if there is none. Whoever has a job
done pays The Government for it, unless a rule spares them the price; the holder has a part of that.
""", title="Jobs")


@word
def job_holder(id):
    """The player who holds the job of that id, or None."""
    job = find(id)
    if job is None or job.kind != "job":
        return None
    for who in [job.holder, *players()]:
        if who is not None and (who is job.holder or who.job is job):
            return who
    return None


@word
def job_of(who):
    """The job that a player holds, or None."""
    for job in every("job"):
        if job_holder(job.id) is who and who.job in (job, None):
            return job
    return None


@word
def do_job(job, square, wage):
    """Take the holder of a job to where it is done, and pay the wage."""
    who = job_holder(job.id)
    if who is not None and who.square is not square:
        put_on(who, square)
    if who is not None and wage > 0:
        paid_by(job.employer or "$government", who, wage)


@word
def hire(who, job, place, price):
    """Have a job done at a square for a price to The Government. The holder of the job is taken there and has a part of it.

    Where rules declare the event `spare-price`, it says whether the price is spared.
    """
    spared = can_happen("spare-price") and do("spare-price", who=who, job=job, price=price)
    if not spared:
        spend(who, "$government", price)
    if can_happen("job-pay") and find(job) is not None:
        do("job-pay", job=find(job), square=place, amount=0 if spared else price)


rule("D.21", """
A dispute is open until it is settled, and belongs to its accuser and its defendant alone. A Penalty names its sort, and the amount and
who is paid where they are wanted. The units of an amount are its binary logarithm, rounded up.
""", title="Disputes")


@word
def open_disputes(who=None):
    """The disputes that are not settled, of all or of one player."""
    return [each for each in every("dispute") if each.status == "open" and who in (None, each.accuser, each.defendant)]


@word
def no_party(who, dispute):
    """Why somebody cannot do something in a dispute, or nothing."""
    if dispute.status != "open":
        return f"already {dispute.status}: {dispute.id}"
    if who not in (dispute.accuser, dispute.defendant):
        return f"not yours: {dispute.id} is between {name_of(dispute.accuser)} and {name_of(dispute.defendant)}"
    return None


@word
def side_of(who, dispute):
    """The word for what a player is in a dispute."""
    return "accuser" if dispute.accuser is who else "defendant"


@word
def penalty_said(said):
    """A Penalty by its parts, {"sort": "pay", "amount": 500, "to": "Ben"}; said in that way, or as `pay 500 Ben`."""
    found = {}
    if isinstance(said, dict):
        for key in said:
            found[key] = said[key]
    else:
        given = str(said).split()
        for at in range(min(len(given), 3)):
            found[("sort", "amount", "to")[at]] = given[at]
        amount = str(found.get("amount", "")).lstrip("$")
        if amount.isdigit() and len(amount) < 16:
            found["amount"] = int(amount)
    if found.get("sort") is None:
        refuse("Penalty is missing: choose which one the loser is to suffer")
    unknown = [key for key in found if key not in ("sort", "amount", "to")]
    if unknown or not isinstance(found.get("sort"), str):
        refuse("a Penalty says sort, and amount and to where they are wanted, as in: pay 500 Ben")
    if found.get("to") is not None and not isinstance(found["to"], str):
        refuse("to must name who is paid")
    return found


@word
def positive(amount):
    """Whether something is a whole number of 1 or more, and no greater than any sum of money."""
    return isinstance(amount, int) and amount is not True and 1 <= amount <= 10**15


@word
def units_of_log(amount):
    """The binary logarithm of a number of 1 or more, rounded up."""
    units = 0
    while 2**units < amount:
        units = units + 1
    return units


rule("D.22", """
A question waits for its answer until the next update begins; then what is usual holds. It is answered by its number or by its sort; of
several of one sort the oldest is meant. When nobody else is to answer, what was asked for happens at once.
""", title="Questions")


@word
def ask_until_update(who, sort, text, options, then, default=None, **about):
    """Ask a player to choose one of `options` before the next update begins; then, or when answered, `then` happens.

    The event `then` gets `answers`, a tuple of (player, answer), and the fields `about`. `sort` is the word by which the
    question can be answered. Without an answer `default` holds.
    """
    question = ask(who, text, options, then, default, **about)
    if "sort" in traits("question"):
        put(question, "sort", sort)
    if "until" in traits("question"):
        put(question, "until", value("next_update"))
    if can_happen("put-question"):
        do("put-question", who=who, question=question, text=text)
    return question


@word
def question_of(who, word):
    """The question to a player that an id or a word means: of several of a sort the oldest. None if there is none."""
    for each in every("question"):
        if who in each.asked and word in (each.id, attribute_of(each, "sort")):
            return each
    return None


@word
def words_for_questions(who):
    """The words by which a player can name the questions that wait for an answer: their ids, and their sorts."""
    asked = [each for each in every("question") if who in each.asked]
    found = [each.id for each in asked]
    for each in asked:
        if attribute_of(each, "sort") and each.sort not in found:
            found.append(each.sort)
    return found


@word
def answer_to(question, who, said):
    """Take a player's answer to a question; when nobody else is to answer, what it was asked for happens."""
    chosen = [option for option in question.options if name_of(option) == str(said)]
    if not chosen:
        refuse(f"choice must be one of {', '.join([name_of(option) for option in question.options])}")
    kept = [each for each in question.answers if each[0] != who.id]
    put(question, "answers", (*kept, (who.id, chosen[0])))
    if not still_to_answer(question):
        do("question-lapses", question=question)
    return chosen[0]


@word
def still_to_answer(question):
    """The players of whom a question waits for an answer."""
    given = [each for each, _ in question.answers]
    return [each for each in question.asked if exists(each) and each.id not in given]


rule("D.23", """
Orders wait for the update in the order in which they arrived. Some are carried out as they arrive, and some are kept secret, if a rule
says so.
""", title="Waiting orders")


@word
def waiting_orders():
    """All orders that wait, in order of arrival."""
    return sorted(every("order"), key=lambda each: each.entry)


@word
def go_first(people):
    """Put the orders of these players before those of all others in the queue of this update."""
    queue = thing("game").queue
    early = tuple([each for each in queue if each.owner in people])
    put(thing("game"), "queue", (*early, *[each for each in queue if each.owner not in people]))


@word
def works_on_arrival(order, args):
    """Whether an order to use an item is carried out as it arrives: the item is a row of the catalogue "at-once"."""
    return order == "use-item" and from_text(args).get("item") in [each.id for each in rows("at-once")]


@word
def secret_order(order, args):
    """Whether nobody else is told of an order: it is a row of the catalogue "secret-order", or uses a secret product."""
    item = from_text(args).get("item")
    secret = [each.id for each in rows("product") if order == "use-item" and each.secret]
    return order in [each.id for each in rows("secret-order")] or item in secret

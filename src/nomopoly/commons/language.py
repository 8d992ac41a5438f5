"""What every game speaks: its form of the language, how one wins, how a question is withdrawn, how ballots count."""

# 2: what goes in an entry can still be read in it, and forms are held to their choices; 3: words of refusals;
# 4: rules say what pages want to know (`phase`, `asks`, `weighty` ...), so that nothing is made up for them;
# 5: rules say which acts judge proposals (`judges`); 6: what comes of an order that waited bears the rule that did it
LANGUAGE = 6


def win(who, because=""):
    """Name the winner and end the game: `win(e.who, "they have all squares")`. Who wins first has won."""
    if "over" not in traits("game") or not thing("game").over:
        do("end", winner=who, because=because or f"{name_of(who)} has won")


def withdraw_question(question):
    """Take back what `ask` has asked: nobody answers it any more, and what waited for the answers does not happen."""
    if question.kind != "question":
        raise ValueError(f"{question.id} is no question: give what ask(...) returned")
    cancel("question-lapses", question=question)
    destroy(question)


def tally(ballots, about, choice):
    """How many of the ballots that an event was handed choose this on a thing, by name or as numbers."""
    total = 0
    for subject, chosen, count in ballots or ():
        if subject is about and chosen == choice:
            total += count if isinstance(count, int) else 1
    return total

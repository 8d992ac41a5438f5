"""What names stand for that no rule declares any more, so that nearly every rule can be repealed alone."""

section("D", "Definitions")

rule("D.1", """
A rule may speak of what no rule in force knows. Then this holds. A word that names something that happens names nothing: it does not
happen. An amount is nothing, a question is answered no, a list is empty, unless it is said otherwise here. What there is of a kind of thing
stays as it is, and no more of it is made. As soon as a rule says again what a word means, that holds.
""", title="What no rule says any more")

absent("kind", "#", "square")
absent("kind", "P", "proposal")
absent("kind", "offer-", "offer")
absent("event", False, "judge", "land", "lose", "open", "option", "option-ends", "pay", "propose", "turn")
absent("value", (), "dice")
absent("value", 0, "market_value")
absent("value", None, "start_square")
absent("offer", None, "author", "to")
absent("player", 0, "money")
absent("player", None, "square")
absent("proposal", "", "run")
absent("proposal", "[]", "changes")
absent("proposal", "undecided", "status")
absent("proposal", None, "author", "because", "verdict")
absent("square", 0, "number")
absent("square", None, "option_of", "owner")

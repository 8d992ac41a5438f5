"""What names stand for that no rule declares any more, so that nearly every rule can be repealed alone."""

section("D", "Definitions")

rule("D.3", """
A rule may speak of what no rule in force knows. Then this holds. A word that names something that happens names nothing: it does not
happen. An amount is nothing, a question is answered no, a list is empty, unless it is said otherwise here. What there is of a kind of thing
stays as it is, and no more of it is made. As soon as a rule says again what a word means, that holds.
""", title="What no rule says any more")

absent("kind", "#", "square")
absent("kind", "", "building", "unit")
absent("kind", "P", "proposal")
absent("kind", "offer-", "offer")
absent("event", False,
       "close", "command", "end", "fine", "gain", "hit", "implement", "jump", "land", "lose", "make", "move",
       "open", "pay", "propose", "retract-proposal", "turn", "voting-closes")
absent("event", True, "leave")
absent("value", (), "neighbours")
absent("value", 0, "armor", "attack", "cool_down", "range", "speed")
absent("value", 10, "width")
absent("value", False, "bankrupt")
absent("value", None, "distance", "occupant", "price", "start_square", "successor", "turn_due_at")
absent("word", (), "pieces", "pieces_of", "pieces_on", "squares_within")
absent("word", 0, "cool_down_of")
absent("word", False, "can_take", "has_type")
absent("word", None, "building", "command", "create_piece", "make", "type_row", "unit")
absent("building", "", "type")
absent("building", None, "owner", "square")
absent("game", False, "over")
absent("offer", None, "author", "to")
absent("player", (), "items")
absent("player", 0, "money")
absent("player", None, "joined_at", "last_turn", "square", "turn_from")
absent("proposal", "", "run")
absent("proposal", "Voting", "status")
absent("proposal", "[]", "changes")
absent("proposal", "{}", "written_on")
absent("proposal", False, "cleared")
absent("proposal", None, "author", "closes_at", "outcome")
absent("square", 0, "number")
absent("unit", "", "type")
absent("unit", None, "owner", "square")

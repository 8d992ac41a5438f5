"""What names stand for that no rule declares any more, so that nearly every rule can be repealed alone."""

section("D", "Definitions")

rule("D.29", """
A rule may speak of what no rule in force knows. Then this holds. A word that names something that happens names nothing: it does not
happen. An amount is nothing, a question is answered no, a list is empty, unless it is said otherwise here. What there is of a kind of thing
stays as it is, and no more of it is made. As soon as a rule says again what a word means, that holds.
""", title="What no rule says any more")

absent("kind", "#", "square")
absent("kind", "$", "account")
absent("kind", "", "job", "product")
absent("kind", "D", "dispute")
absent("kind", "P", "proposal")
absent("kind", "creature-", "creature")
absent("kind", "grab-bag-", "lot")
absent("kind", "offer-", "offer")
absent("kind", "order-", "order")
absent("event", False,
       "accept", "award", "become-freemason", "build", "build-store", "buy", "change-owner", "coat",
       "create-square", "creature-move", "cure", "declare-winner", "destroy-creature", "discard", "end",
       "fell-tree", "fine", "gain", "give-away", "give-job", "give-name", "give-square", "hire-gipper", "job-pay",
       "judge", "jump", "land", "lap", "leave-team", "leave-things", "lose", "lose-job", "make-sick",
       "move", "occupy", "open", "order-waits", "owe", "paint", "pay", "pay-rent", "pollute", "propose",
       "purchase", "put", "renumber", "royalty", "settle-dispute", "sick", "taxi", "tornado", "turn",
       "turn-ends", "uncoat", "update", "withdraw-order")
absent("event", True, "leave", "pass")
absent("value", (), "judging_order")
absent("value", 0,
       "can_price", "dice_count", "distance", "market_value", "pips", "pips_lost", "proposal_limit", "rent",
       "rent_due")
absent("value", False, "adjacent", "backwards", "lodge", "mentioned", "protected", "public_property")
absent("value", None,
       "block", "corner", "landing_square", "neighbour", "payer", "purse", "start_square")
absent("value", True, "free_color")
absent("word", "", "can_of", "object_called", "side_of")
absent("word", "not now: no rule says how", "no_party", "not_occupied", "not_on_the_way", "not_owner")
absent("word", "nothing", "goods_in_words", "shares_in_words")
absent(
    "word",
    (),
    "bases_of",
    "color_words",
    "corners",
    "free_colors",
    "giveaway_queue",
    "government_colors",
    "mates_of",
    "members_of",
    "multiples_of",
    "numbers_stated_in",
    "occupied_by",
    "open_disputes",
    "originals_of_type",
    "other_players",
    "products_of_type",
    "products_on_sale",
    "renumber_squares",
    "strip_objects",
    "team_names",
    "waiting_orders",
    "words_for_questions",
)
absent("word", 0,
       "dollars_of", "dues_of", "fine_to", "hand_money", "heavy_chains", "move_money", "object_value", "owed_by",
       "paid_by", "penalty_said", "shares_in", "spend", "units_of_log")
absent(
    "word",
    False,
    "any_double",
    "claimed_for",
    "destroy_square",
    "dodging",
    "free_of_rent",
    "has_government_color",
    "in_private_hands",
    "is_corporate",
    "is_friend",
    "is_secret",
    "mentioned",
    "moves_as_player",
    "paint",
    "positive",
    "richer_and_colorful",
    "secret_order",
    "stands_on",
    "teams_on",
    "works_on_arrival",
)
absent("word", None,
       "acting_player", "add_chains", "add_money", "answer_to", "ask_toll", "ask_until_update", "bearer",
       "become_freemason", "bent_by", "block_owner", "close_gate", "closest_square", "coating", "coating_of",
       "color_named", "cure", "destroy_squares", "do_job", "easy_move", "end_on", "forget_square", "give_away",
       "go_first", "go_on", "hand_object", "hand_patent", "hand_shares", "has_been_on", "hire", "hold_price",
       "job_holder", "job_of", "lacks_goods", "land_on", "make_hurt", "make_sick", "make_square", "move_by_color",
       "note_payment", "obtain", "open_gate", "patent_of_product", "product", "product_row", "purse", "put_on",
       "question_of", "rust_chains", "spot", "steps_by_road", "still_to_answer", "team_of", "turn_round",
       "uncoat", "walk_on", "ware", "wetha", "with_piece")
absent("word", True, "no_goods")
absent("account", (), "queue")
absent("account", 0, "money")
absent("account", None, "name")
absent("creature", None, "color", "square")
absent("dispute", "open", "status")
absent("dispute", None, "accuser", "defendant")
absent("game", (), "following", "queue")
absent("game", 0, "update")
absent("game", 1000, "shares_unsold")
absent("game", False, "tornado")
absent("job", "", "title")
absent("job", None, "employer", "holder")
absent("lot", None, "owner")
absent("offer", 0, "updates")
absent("offer", None, "author")
absent("order", 0, "entry")
absent("order", None, "owner")
absent("player", (), "items", "stood", "tickets")
absent("player", 0, "extra_dice", "money", "shares")
absent("player", False, "bad_credit", "sick", "voter")
absent("player", None, "job", "square", "team")
absent("product", 0, "royalty")
absent("product", True, "bought", "on_sale")
absent("product", None, "made_at", "original", "patent", "type")
absent("proposal", "", "run", "text")
absent("proposal", "[]", "changes")
absent("proposal", "undecided", "status")
absent("proposal", False, "sick")
absent("proposal", None, "author", "verdict")
absent("question", "", "sort")
absent("square", "White", "color")
absent("square", 0, "number", "toll")
absent("square", False, "pollutant")
absent("square", None, "building", "coating", "name", "owner", "sells")

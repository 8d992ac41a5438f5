"""What names stand for that no rule declares any more, so that nearly every rule can be repealed alone."""

section("D", "Definitions")

rule("D.17", """
A rule may speak of what no rule in force knows. Then this holds. A word that names something that happens names nothing: it does not
happen. An amount is nothing, a question is answered no, a list is empty, unless it is said otherwise here. What there is of a kind of thing
stays as it is, and no more of it is made. As soon as a rule says again what a word means, that holds.
""", title="What no rule says any more")

absent("kind", "#", "square")
absent("kind", "$", "account")
absent("kind", "", "agreement", "bid", "block", "creature", "exploit", "hand", "newcomer", "patent", "ticket")
absent("kind", "P", "proposal")
absent("kind", "bingo-", "bingo-card")
absent("kind", "offer-", "offer")
absent("kind", "order-", "order")
absent("event", False,
       "add-square", "agree", "atrocity", "ballot-opens", "become-terrorist", "bet", "bet-settled", "bingo-prize",
       "block-agreed", "build", "bury", "buy-item", "buy-lottery-ticket", "buy-missile", "buy-square",
       "change-owner", "charge", "contaminate", "count", "creature-acts", "creature-move", "demolish", "deposit",
       "destroy-square", "die", "draw", "draw-lines", "election", "election-result", "enact", "end", "end-block",
       "finish-round", "fire", "fire-missile", "form-block", "gain", "governor-buys", "grow", "heal", "hurt",
       "infect", "infraction", "jump", "land", "lap", "lap-money", "launch", "leave-car", "lose",
       "lose-square", "lottery", "make-bingo-card", "make-block", "miss-minimum", "missile-hits", "move",
       "name-square", "offer-lapses", "open", "option", "order-waits", "pass-out", "patents-lost", "pay", "pay-price",
       "pay-rent", "place", "pollute", "prize", "propose", "publish", "purchase", "reject", "replace", "reset",
       "retract-proposal", "roll", "send-back", "settle", "show-hand", "spawn", "squares-lost", "stuck",
       "switch-vehicle", "take-card", "take-credit-card", "throw-peel", "trade-in-bingo", "trade-in-cards",
       "trade-made", "turn", "turn-begins", "turn-ends", "update", "use-item", "veto-done", "vote", "votes-counted",
       "voting-closes", "voting-opens", "week", "week-begins", "withdraw")
absent("event", True, "leave")
absent("value", (), "card_sums", "way")
absent("value", (6, 6), "dice")
absent("value", 0,
       "block_price", "building_price", "buying_price", "card_value", "income", "interest_rate", "net_worth",
       "new_square_number", "proposals_per_week", "rent", "rent_base", "shovel_limit", "square_net_worth",
       "square_price", "start_money", "success", "tank")
absent("value", 1, "votes")
absent("value", 10, "columns")
absent("value", 100, "start_health")
absent("value", 1000000, "card_limit")
absent("value", 20, "lottery_top")
absent("value", 3, "election_weeks")
absent("value", 6, "usual_sides")
absent("value", 7, "offer_time")
absent("value", False,
       "bankrupt", "goes_on_ballot", "in_office", "office_taken", "proposal_period", "some_make", "terrorist",
       "voting_period")
absent("value", None,
       "bank_fee", "bank_square", "distance", "fixed_die", "neighbour", "sent_back",
       "unownable", "zoo")
absent("value", True, "may_spend")
absent("word", "", "creature_id", "item_called", "rank_of", "suit_of")
absent("word", "not now: no rule says how", "hindrance")
absent("word", (),
       "agreements_with", "alike", "block_owners", "blocks_of", "by_number", "cards_in_hand", "cards_named",
       "creature_kinds", "creatures", "creatures_there", "deck_without", "joined_by_rail", "listed",
       "owners_among", "possible_blocks", "read_transfers", "silos_of", "squares_named", "squares_said",
       "standard_deck", "sums_of", "targets_of", "those_with_least")
absent("word", 0, "building_price", "card_points")
absent("word", False,
       "all_cards", "can_make", "has_building", "is_blackjack", "is_card", "is_flush", "is_full_house",
       "is_house_of_cards", "is_pair", "is_spade", "is_straight", "is_straight_flush", "is_suit", "is_three",
       "is_twice", "is_two_pairs", "needs_others", "standing", "within_range")
absent("word", None,
       "about_of", "add_agreement", "asks", "block_of", "cards_bought", "carry_out_deal", "close_deals_of",
       "combination", "complete", "creature", "creature_goes", "demolish", "draw_card", "drop_failed_deals",
       "end_block", "form_block", "give_up", "group_of", "hand_of", "heal", "hurt", "item_sold", "line_from",
       "middle_of", "place_bet", "reaction", "receive_card", "round_the_edge", "sale", "seek_agreement",
       "settle_bet")
absent("word", True, "empty_goods")
absent("account", 0, "money")
absent("agreement", "", "text", "then")
absent("agreement", (), "about", "agreed", "credit", "parties", "transfers")
absent("agreement", False, "complete")
absent("agreement", None, "author", "until")
absent("bid", None, "owner")
absent("bingo-card", (), "columns", "marked")
absent("bingo-card", None, "owner")
absent("block", "", "type")
absent("block", (), "squares")
absent("creature", "", "type")
absent("creature", 0, "health")
absent("creature", None, "acts_as", "square")
absent("exploit", "", "name", "text")
absent("exploit", "posted", "status")
absent("game", "", "days")
absent("game", (), "candidate_bids", "candidates", "following", "gone_squares")
absent("game", 0, "squares_added", "update", "week")
absent("game", 3, "next_election")
absent("game", False, "over")
absent("game", None, "governor", "governor_elect", "governor_until")
absent("hand", "", "game")
absent("hand", (), "cards", "dealer", "parties")
absent("hand", 0, "bet")
absent("hand", None, "hole", "player", "square")
absent("offer", (), "give", "parties", "take")
absent("offer", False, "complete")
absent("offer", None, "author", "to", "until")
absent("order", "", "what")
absent("order", "{}", "args")
absent("order", 0, "place")
absent("order", None, "owner")
absent("patent", "", "code", "name", "number", "text")
absent("patent", "applied", "status")
absent("patent", "game", "sort")
absent("patent", (), "actions")
absent("patent", None, "because", "owner", "price")
absent("player", "on-foot", "vehicle")
absent("player", (), "cards", "items", "options")
absent("player", 0,
       "credit_balance", "credit_limit", "credit_paid", "extra_votes", "health", "lottery_choices",
       "lottery_rights", "money", "resets")
absent("player", False, "credit_card")
absent("player", None, "double_votes_week", "fuel", "square")
absent("proposal", "", "run", "text", "title")
absent("proposal", "[]", "changes")
absent("proposal", "made", "status")
absent("proposal", (), "rules_made")
absent("proposal", 0, "week")
absent("proposal", False, "enact_due", "enacted", "on_ballot", "published", "way_out")
absent("proposal", None, "author", "because", "cast", "made_at")
absent("square", (), "abandoned_cars", "buildings", "buried", "missiles", "option_queue")
absent("square", 0, "number")
absent("square", False, "polluted", "railroad")
absent("square", None, "block", "built_in", "card", "mortgage", "name", "owner")
absent("ticket", (), "lines")
absent("ticket", None, "owner")

"""Section XXX: what a player is worth. Each term of the sum is a rule of its own."""

section("XXX", "Net Worth")

rule("XXX.1", """
A player's net worth is the sum of the terms below, in dollars. Prices are those of the rules, whatever was paid. What a hand, a bank
account and a credit card come to is nobody else's business: the net worth of others is told without them.
""", title="The sum")


@value("net_worth", of="player", label="Net worth", type="money")
def net_worth(who):
    return 0


rule("XXX.1/money", """
The player's money.
""", title="Money")


@modify("net_worth")
def money(who, base):
    return add(who.money)


rule("XXX.1/bank", """
What the player has in the bank.
""", title="In the bank")


@modify("net_worth", show=("owner", "admin"))
def bank(who, base):
    return add(attribute_of(who, "bank_balance", 0))


rule("XXX.1/health", """
${each} for each point of health.
""", title="Health", each=10)


@modify("net_worth")
def health(who, base):
    return add(rule.each * attribute_of(who, "health", 0))


rule("XXX.1/squares", """
The price of each of the player's squares.
""", title="Squares")


@modify("net_worth")
def prices(who, base):
    return add(sum([value("square_price", each) for each in owned_by(who)]))


rule("XXX.1/blocks", """
What the block costs for each of the player's squares in it.
""", title="Blocks")


@modify("net_worth")
def blocks(who, base):
    total = 0
    for block in every("block"):
        mine = [each for each in block.squares if each.owner is who]
        if mine:
            total += value("block_price", block.type) * len(mine)
    return add(total)


rule("XXX.1/buildings", """
The price of the buildings on the player's squares.
""", title="Buildings")


@modify("net_worth")
def buildings(who, base):
    built = [id for each in owned_by(who) for id in attribute_of(each, "buildings", ())]
    return add(sum([building_price(id) for id in built]))


rule("XXX.1/railroads", """
${each} for each of the player's squares with a railroad.
""", title="Railroads", each=25)


@modify("net_worth")
def railroads(who, base):
    return add(rule.each * len([each for each in owned_by(who) if attribute_of(each, "railroad", False)]))


rule("XXX.1/cards", """
${each} for each point of the values of the cards in the player's hand. A joker counts nothing until it is declared to be a card.
""", title="Cards", each=10)


@modify("net_worth", show=("owner", "admin"))
def cards(who, base):
    return add(rule.each * sum([value("card_value", each) for each in attribute_of(who, "cards", ())]))


rule("XXX.1/missiles", """
{part}% of the price of the missiles in the player's silos.
""", title="Missiles", part=50)


@modify("net_worth")
def missiles(who, base):
    held = [id for each in owned_by(who) for id in attribute_of(each, "missiles", ())]
    prices = {each.id: each.price for each in rows("missile")} if held else {}
    return add(share(sum([prices.get(id, 0) for id in held]), rule.part))


rule("XXX.1/vehicle", """
The price of the player's method of transport.
""", title="Method of transport")


@modify("net_worth")
def vehicle(who, base):
    id = attribute_of(who, "vehicle", None)
    used = [each for each in rows("vehicle") if each.id == id] if id is not None else []
    return add(sum([each.price for each in used]))


rule("XXX.1/credit-limit", """
{part}% of the limit of the player's credit card, if they have one.
""", title="Credit limit", part=10)


@modify("net_worth", show=("owner", "admin"))
def credit_limit(who, base):
    if attribute_of(who, "credit_card", False):
        return add(share(attribute_of(who, "credit_limit", 0), rule.part))


rule("XXX.1/corporate-power", """
${each} for each point of corporate power on the player's squares.
""", title="Corporate power", each=10)


@modify("net_worth")
def corporate_power(who, base):
    return add(rule.each * sum([attribute_of(each, "corporate_power", 0) for each in owned_by(who)]))


rule("XXX.1/yes-votes", """
${each} for each Yes vote on all proposals that the player has made.
""", title="Yes votes", each=10)


@modify("net_worth")
def yes_votes(who, base):
    return add(rule.each * attribute_of(who, "yes_votes_received", 0))


rule("XXX.1/accepted", """
${each} for each proposal of the player's that has been accepted.
""", title="Accepted proposals", each=100)


@modify("net_worth")
def accepted(who, base):
    return add(rule.each * attribute_of(who, "accepted_proposals", 0))


rule("XXX.1/unanimous", """
${each} for each proposal of the player's that has been accepted without a No.
""", title="Unanimous proposals", each=100)


@modify("net_worth")
def unanimous(who, base):
    return add(rule.each * attribute_of(who, "unanimous_proposals", 0))


rule("XXX.1/nonsense", """
${each} for each proposal of the player's that has added a rule to the section of nonsense.
""", title="Nonsense", each=25)

attribute("player", "nonsense_proposals", 0, label="Proposals of nonsense")


@after("enact")
def count_nonsense(e):
    author = e.proposal.author
    made = [number for _, number in e.proposal.rules_made if number.startswith("XXV.")]
    if made and not e.corrected and exists(author):
        put(author, "nonsense_proposals", author.nonsense_proposals + 1)


@modify("net_worth")
def nonsense(who, base):
    return add(rule.each * attribute_of(who, "nonsense_proposals", 0))


rule("XXX.1/credit-balance", """
The balance of the player's credit card is taken off.
""", title="Credit card balance")


@modify("net_worth", show=("owner", "admin"))
def credit_balance(who, base):
    return add(-attribute_of(who, "credit_balance", 0))


rule("XXX.1/polluted", """
${each} are taken off for each of the player's squares that is polluted.
""", title="Polluted squares", each=100)


@modify("net_worth")
def polluted(who, base):
    return add(-rule.each * len([each for each in owned_by(who) if attribute_of(each, "polluted", False)]))


rule("XXX.1/passed-out", """
${amount} are taken off while the player is passed out.
""", title="Passed out", amount=1000)


@modify("net_worth")
def passed_out(who, base):
    return add(-rule.amount) if attribute_of(who, "passed_out", False) else None


rule("XXX.1/infected", """
${amount} are taken off while the player is infected with anthrax.
""", title="Infected", amount=1000)


@modify("net_worth")
def infected(who, base):
    return add(-rule.amount) if attribute_of(who, "infected", False) else None


rule("XXX.1/resets", """
${each} are taken off for each time that the player has been reset.
""", title="Resets", each=1500)


@modify("net_worth")
def resets(who, base):
    return add(-rule.each * attribute_of(who, "resets", 0))


rule("XXX.1/terrorist", """
${amount} are taken off while the player is a terrorist.
""", title="Terrorist", amount=2500)


@modify("net_worth")
def terrorist(who, base):
    if attribute_of(who, "terrorist_until", None) is not None and value("terrorist", who):
        return add(-rule.amount)

"""Section XXVIII: the Wide Eyed Tree Hugging Anarckists, their dues, Lodges and trees."""

section("XXVIII", "The Wide Eyed Tree Hugging Anarckists")

rule("XXVIII.1", """
The Wide Eyed Tree Hugging Anarckists may be called "the WETHA" without any scorn being meant.
""", title="Short name")

rule("XXVIII.2", """
Any player may pledge to the WETHA at any time by paying it Dues, as many whole dollars as they like. Dues add up.
""", title="Dues")

attribute("player", "dues", 0, label="Dues paid to the WETHA", type="money")


@after("open")
def open_account(e):
    create("account", id="$wetha")


@action("pay-dues", "Pay Dues to the WETHA", amount=number("Dollars", least=1))
def pay_dues(e):
    spend(e.who, "$wetha", e.amount)
    put(e.who, "dues", e.who.dues + e.amount)


rule("XXVIII.3", """
A player who has paid Dues and must pay rent first rolls {dodge_dice} dice once for each dollar of Dues paid, until one of these rolls is
under {dodge_below}: then no rent is due. If none is, it is ${dodge_surcharge} more.
""", title="Dodging rent", dodge_dice=4, dodge_below=5, dodge_surcharge=1)

rule("XXVIII.4", """
The WETHA owns Lodges on squares #{first_lodge} and #{second_lodge}, and on square #{third_lodge} if there is such a square. Lodges are
pollutants, and can be neither coated nor destroyed.
""", title="Lodges", first_lodge=28, second_lodge=53, third_lodge=83)


@value("lodge", of="square", label="Lodge", type="yesno")
def lodge(place):
    return place.number in (rule.first_lodge, rule.second_lodge, rule.third_lodge)


rule("XXVIII.5", """
A member of a Team who has paid no Dues and lands on a Lodge loses, if they own two squares or more, the second least valuable of
them to the WETHA, which puts it at the end of its Giveaway Queue; of equally valuable ones the lower number counts as less. If that
square is part of a Jumpgate or named in the rules, nothing is lost.
""", title="A Lodge and a Team member without Dues")

attribute("account", "queue", (), label="Giveaway Queue", type="thing")

rule("XXVIII.6", """
A member of a Team who has paid Dues and lands on a Lodge is fined ${lodge_fine}, which goes to the WETHA but is no Dues, and gets the first
square of the Giveaway Queue, if there is any.
""", title="A Lodge and a Team member with Dues", lodge_fine=50)

rule("XXVIII.7", """
A Freemason who lands on a Lodge gets the first square of the Giveaway Queue, if there is any.
""", title="A Lodge and a Freemason")

rule("XXVIII.8", """
Who has paid Dues may plant a tree on any square that has none and has no Store, no Tefflon and no pollution on it, at no cost and from
any place. A square with a tree can neither become a Store or a pollutant nor be coated with Tefflon. Nothing but the destruction of its
square removes a tree.
""", title="Trees")

attribute("square", "tree", False, label="Tree")

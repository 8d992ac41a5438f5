"""Section XIV: the lottery."""

section("XIV", "Lottery")

rule("XIV.1", """
A Lottery Ticket bears a number from 1 to {highest_number} that its buyer chooses, and costs ${ticket_price}, which goes to the
Pot.
""", title="Tickets", highest_number=20, ticket_price=20)

setting("highest_number")
setting("ticket_price")
attribute("player", "tickets", (), label="Lottery Tickets")
event("get-ticket", "bought", say="{who} has a Lottery Ticket with the number {number}", who="player", number="")


@after("open")
def open_pot(e):
    create("account", id="$pot", name="The Pot")


@check("buy-ticket")
def number_on_tickets(e):
    if e.number > value("highest_number"):
        return f"not on sale: tickets bear the numbers 1 to {value('highest_number')}"


@action("buy-ticket", "Buy a Lottery Ticket", number=number("Number", least=1))
def buy_ticket(e):
    spend(e.who, "$pot", value("ticket_price"))
    do("get-ticket", who=e.who, number=e.number)


@on("get-ticket")
def get_ticket(e):
    put(e.who, "tickets", (*e.who.tickets, e.number))


rule("XIV.2", """
At each update a number from 1 to {drawn_from} is drawn. The tickets that bear it share the Pot evenly, in whole dollars; what is
left, or all of it if there is no such ticket, stays in the Pot. After the draw all tickets are void.
""", title="The draw", drawn_from=20)

step("weekly-money", 30, "lottery-draw")
event("lottery-draw", "drawn", say="The lottery draws the number {number}", number="")


@on("lottery-draw")
def draw(e):
    drawn = chance.die(max(rule.drawn_from, 1))
    note(number=drawn)
    right = [(who, len([each for each in who.tickets if each == drawn])) for who in players()]
    tickets = sum([count for _, count in right])
    if tickets:
        share = thing("$pot").money // tickets
        for who, count in right:
            if count:
                pay("$pot", who, share * count)
    for who in players():
        put(who, "tickets", ())

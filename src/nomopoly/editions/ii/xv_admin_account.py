"""Section XV: the account that pays and is paid where no player is."""

section("XV", "The Admin Bank Account")

rule("XV.1", """
Money that is paid and goes to no player, and to no other body of the game, goes to the Admin Bank Account.
""", title="What it receives")

kind("account", prefix="$")
attribute("account", "money", 0, label="Money", type="money")


@after("open")
def open_account(e):
    create("account", id="$admin")


rule("XV.2", """
Money that is paid to a player or another body of the game, and comes from no other, comes from the Admin Bank Account. What the
account holds may fall below $0.
""", title="What it pays")

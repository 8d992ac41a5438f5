"""Section I: what the rules are worth."""

section("I", "The Rules")

rule("I.1", """
Every player keeps to the rules in force at all times, and does nothing of their own will that any of them forbids.
""", title="Everybody keeps the rules")

rule("I.2", """
The rulebook is a digest, made for convenience. Where a rule differs from the accepted proposal that it comes from, the proposal is
right, and the Admin puts the rule right. A program that is added to words that stay as they are does not make the rule any younger;
any other correction does.
""", title="The proposal outranks the rulebook")

rule("I.3", """
Where two rules contradict each other, one that gives way to the other, or says that it goes before it, settles the matter. Otherwise
the rule that has stood longest in its present form goes first, and of equally old ones that with the lower number.
""", title="When rules contradict")

"""Section 1: what the rules are worth."""

section("1", "The Rules")

rule("1.1", """
Every player keeps to the rules at all times, and does nothing of their own will that any rule in force forbids.
""", title="Everybody keeps the rules")

rule("1.2", """
The rulebook sums up the proposals that were accepted. Where it differs from the proposal that a rule comes from, the
proposal is right, and the Admin corrects the rule.
""", title="The proposal outranks the rulebook")

rule("1.3", """
Where two rules contradict each other, a rule that says it goes before the other, or gives way to it, settles the matter.
Otherwise the rule that has stood longest in its present form goes first, and of equally old ones that with the lower number.
""", title="When rules contradict")

rule("1.4", """
Whatever players do, they do with the Admin's leave. The Admin may take back any act that was against the rules, even if
this site let it pass: it is then as if it had never been done.
""", title="The Admin can undo any action")

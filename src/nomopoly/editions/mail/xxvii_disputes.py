"""Section XXVII: disputes between players, and the two courts that settle them."""

section("XXVII", "Disputes")

rule("XXVII.1", """
A player may accuse another of a wrong.
""", title="The course")

kind("dispute", prefix="D")
attribute("dispute", "status", "open", label="Status")
attribute("dispute", "winner", None, label="Winner", type="thing")

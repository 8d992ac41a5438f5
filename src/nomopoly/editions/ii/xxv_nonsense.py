"""Section XXV: rules without any effect."""

section("XXV", "Nonsense")

rule("XXV.1", """
Help! A rubber duck keeps me prisoner, and the pies are nearly done. Whoever reads this, come and get me out before they arrive!
""", title="The prisoner")

rule("XXV.2", """
Hold out! We are on our way with a flamethrower. The duck that torments people with pies will quack no more.
""", title="The rescue")

rule("XXV.3", """
Today's news: 1. There is no news today.
""", title="The news")

rule("XXV.4", """
42.
""", title="The answer")

rule("XXV.5", """
Rumour has it that heroes out of the cartoons have come to the aid of the duck.
""", title="The duck's allies")

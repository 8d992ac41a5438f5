"""The `original` edition as a plain loop: what a program that knows only this one game would look like.

It plays what `nomopoly simulate original` plays, with the same dice, and must come out with the same money and squares.
The benchmark measures the program against it. It needs nothing but Python.
"""

import hashlib
import hmac


def play(names, turns, secret, first_entry, squares=48, start_money=1000):
    """Turns in rotation, everybody buying what they may. Returns (money, squares owned, square stood on) by name.

    `first_entry` is the number of the entry of the first turn: its dice depend on it.
    """
    key = bytes.fromhex(secret)
    money = dict.fromkeys(names, start_money)
    place = dict.fromkeys(names, 1)
    owner = [None] * (squares + 1)
    option = [None] * (squares + 1)
    n = first_entry
    for turn in range(turns):
        who = names[turn % len(names)]
        entropy = hmac.digest(key, f"simulation:{n}".encode(), "sha256").hex()
        n += 1
        draws = block_number = 0
        landed = []
        again = True
        while again:
            dice = []
            for _ in range(2):
                at = draws % 8
                if at == 0:
                    block = hashlib.sha256(f"{entropy}:{block_number}".encode()).hexdigest()
                    block_number += 1
                draws += 1
                dice.append((int(block[at * 8 : at * 8 + 8], 16) * 6 >> 32) + 1)
            here = place[who]
            for _ in range(dice[0] + dice[1]):
                here = here + 1 if here < squares else 1
            place[who] = here
            if owner[here] is None and option[here] in (None, who) and money[who] >= 10 * here:
                option[here] = who
                landed.append(here)
            again = dice[0] == dice[1]
        for here in landed:
            if option[here] == who and money[who] >= 10 * here:
                money[who] -= 10 * here
                owner[here] = who
                option[here] = None
                n += 1
    owned = {name: [f"#{at}" for at in range(1, squares + 1) if owner[at] == name] for name in names}
    return money, owned, place

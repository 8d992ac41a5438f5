"""What is left of an answer to a notice, as programs for mail write it: what was typed, and nothing of theirs."""

import pytest

from nomopoly.site.bymail import reading

NOTICE = f"""{reading.ABOVE}

The Friday Table

* Proposal 1, A turn, please: undecided
  https://play.example.org/g/friday/proposals/1/

Answer this mail to play: write for example “vote yes” or “buy”, and nothing else.
"""
QUOTED = "".join(f"> {line}\n" for line in NOTICE.splitlines())
SITE = "Nomopoly <games@example.org>"
HEAD = f"Von: {SITE}\nGesendet: Donnerstag, 26. November 2026 21:35\nAn: dot@example.org\nBetreff: A turn\n\n{NOTICE}"
SENT = f"From: {SITE}\nSent: Thursday, November 26, 2026 9:35 PM\nTo: dot@example.org\nSubject: A turn\n\n{NOTICE}"
DATED = f"Von: {SITE}\nDatum: 26.11.26 21:35 (GMT+01:00)\nAn: dot@example.org\nBetreff: A turn\n\n{NOTICE}"

BELOW = {
    "gmail": f"On Thu, 26 Nov 2026 at 21:35, {SITE} wrote:\n\n{QUOTED}",
    "gmail, broken line": f"On Thu, 26 Nov 2026 at 21:35, Nomopoly\n<games@example.org> wrote:\n\n{QUOTED}",
    "gmail, line broken late": f"On Thu, 26 Nov 2026 at 21:35, {SITE}\nwrote:\n\n{QUOTED}",
    "gmail, German": f"Am Do., 26. Nov. 2026 um 21:35 Uhr schrieb {SITE}:\n\n{QUOTED}",
    "gmail, German, broken line": f"Am Do., 26. Nov. 2026 um 21:35 Uhr schrieb Nomopoly <\ngames@example.org>:\n\n{QUOTED}",
    "thunderbird": f"On 26/11/2026 21:35, Nomopoly wrote:\n{QUOTED}",
    "thunderbird, German": f"Am 26.11.26 um 21:35 schrieb Nomopoly:\n{QUOTED}",
    "apple mail, German": f"> Am 26.11.2026 um 21:35 schrieb {SITE}:\n> \n{QUOTED}",
    "iphone": f"Sent from my iPhone\n\n> On 26 Nov 2026, at 21:35, {SITE} wrote:\n> \n{QUOTED}",
    "iphone, German": f"Von meinem iPhone gesendet\n\n> Am 26.11.2026 um 21:35 schrieb {SITE}:\n> \n{QUOTED}",
    "iphone, French": f"Envoyé de mon iPhone\n\n> Le 26 nov. 2026 à 21:35, {SITE} a écrit :\n> \n{QUOTED}",
    "outlook": f"-----Original Message-----\n{SENT}",
    "outlook, German": f"-----Ursprüngliche Nachricht-----\n{HEAD}",
    "outlook, German, no line": HEAD,
    "outlook in the browser": f"________________________________\n{SENT}",
    "outlook in the browser, German": f"________________________________\n{HEAD}",
    "outlook for android": f"Outlook für Android<https://aka.ms/AAb9ysg> herunterladen\n________________________________\n{SENT}",
    "outlook for ios": f"Get Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\n{SENT}",
    "web.de": f"\n\nGesendet: Donnerstag, 26. November 2026 um 21:35\n{DATED}",
    "gmx app": f"Gesendet mit der GMX Mail App\n\nAm 26.11.26, 21:35 schrieb {SITE}:\n{QUOTED}",
    "t-online": f"-----Original-Nachricht-----\nBetreff: A turn\nDatum: 2026-11-26T21:35:00+0100\n{HEAD}",
    "galaxy": f"Sent from my Galaxy\n\n\n-------- Original message --------\n{SENT}",
    "galaxy, German": f"Von meinem/meiner Galaxy gesendet\n\n\n-------- Ursprüngliche Nachricht --------\n{DATED}",
    "proton": f"Sent with Proton Mail secure email.\n\nOn Thursday, 26 November 2026 at 21:35, {SITE} wrote:\n\n{QUOTED}",
    "k-9": f"-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n\n{QUOTED}",
    "yahoo": f"    On Thursday, 26 November 2026 at 21:35:06 GMT+1, {SITE} wrote:  \n \n {NOTICE}",
    "aol, German": f"    Am Donnerstag, 26. November 2026 hat {SITE} Folgendes geschrieben:  \n \n {NOTICE}",
}
TYPED = [
    "vote yes",
    "name-square #5 Sent from my garden\nbuy",
    "propose\ntitle: A bank\ntext: There is a bank.\n-----\n- It lends money.\nGrüße von der Bank\nSent from here, it wrote:\nnothing",
]


@pytest.mark.parametrize("typed", TYPED, ids=["vote", "orders", "proposal"])
@pytest.mark.parametrize("program", BELOW)
def test_of_an_answer_is_left_what_was_typed(program, typed):
    assert reading.typed_of(f"{typed}\n\n{BELOW[program]}") == typed
    assert reading.typed_of(f"{typed}\n\n{BELOW[program]}".replace("\n", "\r\n")) == typed

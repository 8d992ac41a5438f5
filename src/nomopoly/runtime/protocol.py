"""The names by which the host meets the rules: where rules declare one of these, the host listens for it.

Rules of a game may leave any of them out, or take them out later: the host then does without. The kernel's own names
are the second half: it declares them in every game. `docs/decisions/0002-interfaces.md` has the same table for readers.
"""

from __future__ import annotations

# ---- what rules may declare

LOG_IN = "log-in"
TAKE_HOLIDAY = "take-holiday"
END_HOLIDAY = "end-holiday"
NOTE_VOTE = "note-vote"
PROPOSE = "propose"
VOTE = "vote"
ORDER_WAITS = "order-waits"
WITHDRAW_ORDER = "withdraw-order"
MOVE_ORDER = "move-order"
RETRACT_PROPOSAL = "retract-proposal"
OF_RULES = ("enacted", "amended", "repealed", "suspended", "reinstated")  # what the kernel notes of a rule, as facts
LEAVE_GAME = "leave-game"
REMOVE_PLAYER = "remove-player"
TURN = "turn"
MOVE = "-move"  # after the name of a kind
JOINED_AT = "joined_at"
ITEMS = "items"
OVER = "over"
RESUME_RUNS_AGAIN = "resume_runs_again"
STANDS_STILL = "stands_still"

# ---- what values of these names mean to pages

PHASE = "phase"
RESULT = "result"
STANDING = "standing"
LEAVES_AT = "leaves_at"
CUSTOMARY = "customary_proposal"

# ---- kinds of things that the host looks for

NEWCOMER = "newcomer"

# ---- what the kernel declares

PAUSE = "pause"
RESUME = "resume"
HOLD = "hold"
END_OUTAGE = "end-outage"
GRANT = "grant"
APPROVE_PLAYER = "approve-player"
EMERGENCY_PROPOSE = "emergency-propose"
EMERGENCY_VOTE = "emergency-vote"
EMERGENCY_CLOSES = "emergency-closes"
PAUSED = "paused"
PAUSED_AT = "paused_at"
PAUSE_KIND = "pause_kind"
PAUSE_BECAUSE = "pause_because"
RESUMED_AT = "resumed_at"
OPERATOR_STOP = "operator_stop"
OPERATOR_STOP_AT = "operator_stop_at"

RULES = {  # name: (what it is, what the host does where rules declare it)
    LOG_IN: ("action", "enters it for a player who casts a ballot: that the player was here"),
    TAKE_HOLIDAY: (
        "action",
        "enters it for a player who says on the site to be away from the moment `since` to `until`",
    ),
    END_HOLIDAY: ("action", "enters it for a player who is back before that, or stays"),
    NOTE_VOTE: ("action", "enters it for a player who casts a sealed ballot: that they have voted"),
    PROPOSE: ("action", "takes the Admin's one as a way out, where a rule broke and this breaks or is not there"),
    VOTE: ("action", "takes it as a vote on a way out while a rule that broke pauses the game"),
    ORDER_WAITS: ("event", "gives it orders to let wait"),
    WITHDRAW_ORDER: ("action", "offers it beside an order that waits, as its `order`"),
    MOVE_ORDER: ("action", "offers it there, with the `place` it goes to"),
    RETRACT_PROPOSAL: ("action", "offers it to the author of a proposal, as its `on`"),
    LEAVE_GAME: (
        "action",
        "gives it a page of its own, last of all: never at a square, in advance or beside other orders",
    ),
    REMOVE_PLAYER: (
        "act",
        "frees the seat of its `player`; enters it where an account is closed that the rules let not leave",
    ),
    TURN: ("event", "lets a scenario start it for a player"),
    "<kind>" + MOVE: ("event", "lets a scenario start it for a thing of this kind"),
    JOINED_AT: ("attribute of players", "counts no ballot that was cast before"),
    ITEMS: ("attribute of players", "looks whether items that are granted are known"),
    OVER: ("attribute of the game", "stops the clock and reveals the secrets when it is true"),
    RESUME_RUNS_AGAIN: ("value of the game", "ends a disruption only if what broke holds now"),
    STANDS_STILL: ("value of the game", "shows nothing of the calendar as to come while it is true"),
    PHASE: (
        "value of proposals",
        "shows how far one is: `made`, `voting`, `to-judge` (it waits for the Admin), `decided` (but not in "
        "force yet) or `done`",
    ),
    RESULT: (
        "value of proposals",
        "shows what came of one: `accepted`, `rejected`, `withdrawn` or `replaced`, or nothing yet",
    ),
    STANDING: (
        "value of proposals",
        "shows the same in the words of the rules, as short as a label",
    ),
    LEAVES_AT: (
        "value of players",
        "sends mails before the rules take one out: (moment, (days before, ...), the sentence that says what "
        "keeps them in), or nothing",
    ),
    CUSTOMARY: (
        "value",
        "offers a proposal of that title, which changes nothing and only wants its turn",
    ),
    NEWCOMER: ("kind", "keeps the seat of whom the `name` of one says: approved, and not a player yet"),
}
READ = {  # attributes and kinds that pages read by name, wherever rules declare them: what it is
    "square": "a kind: a place of the board; as an attribute, where a thing stands",
    "proposal": "a kind: what changes the rules, with a page of its own",
    "offer": "a kind: what has `parties`",
    "order": "a kind: what waits for an update, by `owner`",
    "owner": "whose a thing is",
    "number": "of a square: its place in the order of squares",
    "name": "what a thing is called",
    "color": "the colour of a square, as `colour`",
    "money": "an amount, of whoever has an account",
    "items": "what a player can give and use",
    "author": "who has made a proposal or an offer",
    "because": "why something was decided",
    "doubts": "what the Admin should look at in a proposal",
    "parties": "whom an offer needs",
    "asks": "a catalogue: its rows are called as the actions whose orders may have to ask other players",
    "agreed": "those of them who have said yes",
    "complete": "whether all have",
    "give": "what the author of an offer gives",
    "take": "and what they get",
    "to": "to whom",
    "transfers": "who hands what to whom, among several",
    "until": "how long it is open",
    "seller": "who offers something to everybody",
    "price": "for how much",
    "what": "the action of an order that waits",
    "args": "its fields, as JSON",
    "entry": "the number of its entry",
    "place": "its place among the orders of its owner",
    "over": "of the game: whether it has ended",
    "winner": "of the game: who has won",
    "week": "of the game: the number of its week, for the log",
    "update": "of the game: the number of its update, for the log",
    "vote_closes": "of the game: until when one can vote about the game itself",
    "creature": "as a field of an event: who acts, beside `who` and `mover`",
}
KERNEL = {
    PAUSE: ("act", "enters it when a rule breaks on the clock or in a turn, and for the time that the site was away"),
    RESUME: ("act", "carries out what broke again, where rules want that"),
    HOLD: ("act", "puts a timer off that breaks"),
    END_OUTAGE: ("act", "enters it when the site is back"),
    GRANT: ("act", "looks at it before it is entered, see `items`"),
    APPROVE_PLAYER: ("act", "lets a scenario approve at once who joins"),
    EMERGENCY_PROPOSE: ("act", "enters it in place of a proposal that cannot be made"),
    EMERGENCY_VOTE: ("ballot", "casts it in place of a vote on a way out"),
    EMERGENCY_CLOSES: ("event", "counts the ballots of a way out with it"),
    PAUSED: ("attribute of the game", "lets no moment of the calendar come, but for real ones"),
    PAUSED_AT: ("attribute of the game", "finds by it the entry that a disruption has undone"),
    PAUSE_BECAUSE: ("attribute of the game", "lets a scenario tell why no moment comes"),
    PAUSE_KIND: ("attribute of the game", "knows a disruption by it"),
    RESUMED_AT: ("attribute of the game", "lets the calendar begin there"),
    OPERATOR_STOP: ("attribute of the game", "stops the clock while it says something"),
    OPERATOR_STOP_AT: ("attribute of the game", "tells since when"),
}

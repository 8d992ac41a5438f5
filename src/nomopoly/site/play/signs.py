"""Signs of squares: a small set of drawings that rules name.

A marker that returns a third word, `("Z", "the Zoo", "paw")`, marks its square as a place: the sign is drawn large. So
is what an attribute of squares of the type `sign` says. A name that is not in the set draws nothing; the marker's
symbol is shown then.
"""

from nomopoly.site.play.pieces import SHAPES
from nomopoly.site.shapes import Data

AS_PIECES = ("star", "crown", "house", "tree", "ship", "bell", "heart", "fish", "tower")
SIGNS = {name: SHAPES[name][1] for name in AS_PIECES} | {
    "start": "M2 8.5h10v-6l10.5 9.5-10.5 9.5v-6h-10z",
    "flag": "M4 1.5h2.5v1.5h14l-3.5 5 3.5 5h-14v9.5h-2.5z",
    "bank": "M12 1.5l10.5 6v2.5h-21v-2.5zM3.5 11.5h3.5v7h-3.5zM10.2 11.5h3.6v7h-3.6zM17 11.5h3.5v7h-3.5zM1.5 "
            "20h21v2.5h-21z",
    "card": "M5 1.5h14a1.5 1.5 0 0 1 1.5 1.5v18a1.5 1.5 0 0 1-1.5 1.5h-14a1.5 1.5 0 0 1-1.5-1.5v-18a1.5 1.5 0 0 1 "
            "1.5-1.5zM12 6l-4.5 6 4.5 6 4.5-6z",
    "paw": "M12 11.5c3.5 0 7 4.2 7 7.3 0 3.5-3.8 3-7 3s-7 .5-7-3c0-3.1 3.5-7.3 7-7.3zM3.7 8.2a2.3 2.9 0 1 0 .1 0zM9 "
           "2a2.3 3 0 1 0 .1 0zM15 2a2.3 3 0 1 0 .1 0zM20.3 8.2a2.3 2.9 0 1 0 .1 0z",
    "coin": "M12 1.5a10.5 10.5 0 1 0 .1 0zM11 5h2v2h2.5v2.5h-5v1.5h5v6h-2.5v2h-2v-2h-2.5v-2.5h5v-1.5h-5v-6h2.5z",
    "flower": "M12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 1 1 0-7zM12 1a3.2 3.2 0 1 0 .1 0zM12 16.6a3.2 3.2 0 1 0 .1 0zM4.2 "
              "8.8a3.2 3.2 0 1 0 .1 0zM19.8 8.8a3.2 3.2 0 1 0 .1 0z",
    "sun": "M12 7a5 5 0 1 0 .1 0zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2h-4zM19 11h4v2h-4zM3.5 5l1.5-1.5 3 3-1.5 "
           "1.5zM16 17.5l1.5-1.5 3 3-1.5 1.5zM19 3.5l1.5 1.5-3 3-1.5-1.5zM6.5 16l1.5 1.5-3 3-1.5-1.5z",
    "moon": "M15 1.5a10.5 10.5 0 1 0 7.5 15a9 9 0 0 1-7.5-15z",
    "bolt": "M13.5 1l-10 13h6.5l-1.5 9 11-13.5h-7z",
    "gate": "M2 22.5v-11a10 10 0 0 1 20 0v11h-6v-11a4 4 0 0 0-8 0v11z",
    "cup": "M5.5 1.5h13v2h4c0 5-1.5 8-5 8.5-1 1.7-2.3 2.7-4 "
           "3v3.5h4v4h-11v-4h4v-3.5c-1.7-.3-3-1.3-4-3-3.5-.5-5-3.5-5-8.5h4z",
}  # fmt: skip


def are(choices: list[Data]) -> bool:
    """Whether what a form offers are signs, and nothing else."""
    return bool(choices) and all(each["id"] in SIGNS for each in choices)

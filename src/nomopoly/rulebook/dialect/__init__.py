"""The checker of one program: what the dialect lacks, what would get round the verbs, and names that nothing declares.

`vocabulary` has the words, `names` what they mean where, `top` and `calls` look at declarations and at calls, and
`checker` walks through the program.
"""

from nomopoly.rulebook.dialect.checker import Checker
from nomopoly.rulebook.dialect.names import bound_in
from nomopoly.rulebook.dialect.vocabulary import MOST

__all__ = ["MOST", "Checker", "bound_in"]

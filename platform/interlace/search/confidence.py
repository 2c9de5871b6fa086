"""How sure the graph is of a query, from what can be seen without knowing the answer."""

from dataclasses import dataclass

from interlace.search.seeds import Seeds
from interlace.text.tokenizer import tokens

_UNKNOWN = 0.5
_LISTS_AT_LEAST = 0.1
_LISTS_AT_MOST = 0.3


@dataclass(frozen=True, slots=True)
class Confidence:
    """What a question allows to expect of the legs.

    Args:
        graph: 0.5 to 1, by the share of the question's names that the graph knows: neighbours of first-stage chunks are of use
            even where it knows none.
        lists: what the fused lists say beside the walk in the rerank: little where the graph knows every name.
    """

    graph: float
    lists: float


def assess(question: str, seeds: Seeds) -> Confidence:
    """Assess a question by the names in it that the linker knows.

    Args:
        question: as asked.
        seeds: its names.
    """
    known = name_coverage(question, seeds)
    return Confidence((1 + known) / 2, _LISTS_AT_MOST - (_LISTS_AT_MOST - _LISTS_AT_LEAST) * known)


def name_coverage(question: str, seeds: Seeds) -> float:
    """Return the share (0 to 1) of capitalised words, less the question's first, that lie in a known name.

    Without such words it is 1 where a name was found all the same, and 0.5 where none was: nothing is known to be missing.
    """
    words = [token for place, token in enumerate(tokens(question)) if place and token.capital]
    if not words:
        return 1.0 if seeds.matches else _UNKNOWN
    covered = sum(any(match.start <= word.start < match.end for match in seeds.matches) for word in words)
    return covered / len(words)

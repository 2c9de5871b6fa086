"""Redundant mentions: chunks that lead nowhere once the document about an entity of the question comes first.

The rest of the answer is reached from there, over what that document mentions. A chunk that only mentions the same entity, or a namesake that the
same words of the question may mean, is one step from the restart of PageRank and therefore ranks high, yet nothing leads to it. As in maximal
marginal relevance (Carbonell and Goldstein 1998), what is first decides what else is worth showing.
"""

from collections.abc import Mapping, Sequence

from interlace.search.candidates import Candidate, is_direct
from interlace.search.seeds import SeedMatch


def redundant(order: Sequence[str], reached: Mapping[str, Candidate], matches: Sequence[SeedMatch]) -> list[str]:
    """Return the candidates that only mention the entity that the first one's document is about, or a namesake of the entity.

    A candidate is not redundant if its best path leads over another entity, if it mentions another entity of the question, if its own document is
    about the entity or the namesake, or if it mentions the entity itself and the documents about the entity mention what its document is about.

    Args:
        order: candidates, best first.
        reached: the candidates of the graph leg by id.
        matches: the entities in the question.
    """
    first = reached.get(order[0]) if order else None
    if first is None or not is_direct(first.path) or (subject := first.path[0].id) not in first.subjects:
        return []
    spans = [(match.start, match.end) for match in matches if match.entity == subject]
    namesakes = {
        match.entity for match in matches if any(match.start < end and start < match.end for start, end in spans)
    }
    others = {match.entity for match in matches} - namesakes
    led_to = {entity for each in reached.values() if subject in each.subjects for entity in each.mentions}

    def is_redundant(one: Candidate) -> bool:
        start = one.path[0].id
        if start not in namesakes or start in one.subjects or one.mentions & others:
            return False
        return start != subject or not one.subjects & led_to

    return [
        each for each in order[1:] if each in reached and is_direct(reached[each].path) and is_redundant(reached[each])
    ]

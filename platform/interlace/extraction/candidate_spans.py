"""Token ranges that may be entities, while their boundaries are being corrected."""

from dataclasses import dataclass

RECOGNISED = 0.85
"""Confidence in what the recogniser takes for a name."""
PROPER_NOUN = 0.5
"""Confidence in what the tagger alone takes for one."""


@dataclass(frozen=True, slots=True)
class CandidateSpan:
    """A token range that may be an entity, or part of one.

    Args:
        first: index of its first token.
        last: index after the last token.
        kind: type of the entity.
        confidence: ``RECOGNISED`` or ``PROPER_NOUN``.
        whole: whether its boundaries are final.
    """

    first: int
    last: int
    kind: str
    confidence: float
    whole: bool = False

    def __len__(self) -> int:
        """Return the number of tokens."""
        return self.last - self.first

    @property
    def tagged(self) -> bool:
        """Whether only the tagger takes it for a name."""
        return self.confidence == PROPER_NOUN

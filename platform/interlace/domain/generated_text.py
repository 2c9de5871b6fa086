"""What a language model wrote about an entity or a community: sentences, each with the chunks that support it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class GeneratedSentence:
    """A sentence that was verified against what it cites.

    Args:
        text: the sentence on one line.
        chunk_ids: the chunks that it cites; there is at least one.
    """

    text: str
    chunk_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A summary or a description by a language model.

    Args:
        text: its sentences, with spaces between them.
        sentences: each with its citations.
        model: who wrote it, ``provider/model``.
    """

    text: str
    sentences: tuple[GeneratedSentence, ...]
    model: str


def generated_text(model: str, sentences: Sequence[Mapping[str, Any]]) -> GeneratedText | None:
    """Return a text from its sentences as they are kept; none where nothing that the model wrote was verified."""
    made = tuple(GeneratedSentence(str(each["text"]), tuple(each["chunks"])) for each in sentences)
    return GeneratedText(" ".join(each.text for each in made), made, model) if made else None

"""What a provider answers that is asked for summaries and descriptions: the first sentence of each piece of evidence, with itself as its quote."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interlace.text.sentences import sentence_spans

Sentences = list[dict[str, Any]]
_PIECE = re.compile(r"EVIDENCE (\d+) (\w+)\n([^\n]*)\n(.*?)\nEND \1 \2", re.DOTALL)


def quoting(name: str, pieces: Mapping[int, str]) -> Sentences:
    """Return the first sentence of each piece."""
    del name
    found = []
    for number, text in pieces.items():
        start, end = next(iter(sentence_spans(text)))
        sentence = text[start:end]
        found.append({"text": sentence, "citations": [{"evidence": number, "quote": sentence}]})
    return found


@dataclass
class Describer:
    """Answers with sentences for the evidence, and counts what it was asked.

    Args:
        write: the name and the pieces of evidence by number to what is written.
    """

    write: Callable[[str, Mapping[int, str]], Sentences] = quoting
    asked: Counter[str] = field(default_factory=Counter)

    def __call__(self, body: Mapping[str, Any]) -> str:
        prompt = body["messages"][1]["content"]
        self.asked[f"{body['messages'][0]['content'][:25]} {prompt}"] += 1
        pieces = {int(number): text for number, _, _, text in _PIECE.findall(prompt)}
        return json.dumps({"sentences": self.write(prompt.rpartition("Write about: ")[2], pieces)})

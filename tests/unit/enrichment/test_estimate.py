"""What it would cost to have texts read: counted and priced before anything is asked."""

from collections.abc import Sequence
from typing import Any

from tests.support.collecting_graph import CollectingGraph

from interlace.domain.ids import checksum
from interlace.enrichment.estimate import ANSWER_SHARE, ExtractionEstimate
from interlace.enrichment.setup import ExtractionSetup
from interlace.extraction.schema import load_schema
from interlace.ports.language_model import Message

SETUP = ExtractionSetup("openai/m", load_schema())


class Words:
    """A model whose tokens are words, at a cent for each that it reads and two for each that it writes."""

    model = "openai/m"

    def count_tokens(self, messages: Sequence[Message]) -> int:
        return sum(len(message.content.split()) for message in messages)

    def price(self, prompt_tokens: int, completion_tokens: int) -> float:
        return 0.01 * prompt_tokens + 0.02 * completion_tokens


def test_a_text_costs_once_and_one_that_was_read_nothing() -> None:
    model: Any = Words()
    known = SETUP.record_id("t", checksum("read before"))
    records: dict[str, Any] = {"extraction_records/read_extraction_records": [{"id": known, "output": "{}"}]}
    estimate = ExtractionEstimate(CollectingGraph(records), model, SETUP)
    text = "Ada Byron met Charles Babbage"
    prompt, answer = model.count_tokens(SETUP.messages(text)), round(ANSWER_SHARE * 5)
    assert estimate("t", [text, "read before", text]) == (prompt + answer, model.price(prompt, answer))
    assert estimate("t", ["read before"]) == (0, 0.0)

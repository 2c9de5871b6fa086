"""Thirty-two callers at once on real servers: no leg is named as degraded because it waited for a thread."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.integration.ingestion_world import World

from interlace.domain.hits import QueryRequest

pytestmark = pytest.mark.stack

CALLERS = 32
DOCUMENTS = {
    "ferry.md": "# The Grey Ferry\n\nThe Grey Ferry is a silent film of 1911. It was directed by Orla Venning.\n",
    "venning.md": "# Orla Venning\n\nOrla Venning was a Danish director. She was born in Aalborg and married Knud Strand.\n",
    "strand.md": "# Knud Strand\n\nKnud Strand was a painter. He died in Viborg after a long illness.\n",
}
QUESTIONS = (
    "Whom did the director of The Grey Ferry marry?",
    "Where did Knud Strand die?",
    "In which town was the director of The Grey Ferry born?",
    "Which films did Orla Venning direct?",
)


def test_thirty_two_callers_degrade_no_leg(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    questions = world.platform.questions  # whose legs may take long, but a thread must be free within ten seconds
    alone = [questions.search(tenant, QueryRequest(text)) for text in QUESTIONS]
    assert [answer.degraded for answer in alone] == [()] * len(QUESTIONS)
    with ThreadPoolExecutor(CALLERS) as callers:
        texts = [QUESTIONS[number % len(QUESTIONS)] for number in range(2 * CALLERS)]
        answers = list(callers.map(lambda text: questions.search(tenant, QueryRequest(text)), texts))
    assert [answer.degraded for answer in answers] == [()] * len(texts)
    assert any("queued" in answer.timings for answer in answers), "the pool was full"
    for number, answer in enumerate(answers):
        assert answer.hits == alone[number % len(QUESTIONS)].hits

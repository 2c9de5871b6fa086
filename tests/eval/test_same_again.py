"""Delete everything and ingest it again in another order: 100 questions have the same answers, every rank and score included.

Real workers, so that also which of them was faster may differ. It holds without tolerance as long as the index searches exactly, that is
below some thousand chunks (docs/adr/0015-scores-without-a-past.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import waiting_for_legs
from tests.eval.shared_corpus import chunks_of, delete, ingest

from interlace.bootstrap import Platform
from interlace.domain.hits import QueryRequest
from interlace.evaluation.collection import load_collection
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(1800)]

SETS = ("hotpotqa", "musique", "2wiki")
QUESTIONS = 100


@pytest.fixture
def platform(full_stack: Settings, eval_root: Path) -> Iterator[Platform]:
    tenant = load_collection(eval_root / SETS[0]).tenant
    opened = Platform(waiting_for_legs(full_stack).model_copy(update={"tenant": tenant}))
    yield opened
    opened.close()


def answers(platform: Platform, questions: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return all of each answer but how long it took and when a document was ready."""
    found = {}
    for question in questions:
        answer = platform.questions.search(
            platform.settings.tenant, QueryRequest(question, mode="hybrid", explain=True)
        )
        assert (answer.degraded, len(answer.hits)) == ((), 10)
        whole = asdict(answer)
        # When a document became ready is another time.
        whole["hits"] = [{name: value for name, value in hit.items() if name != "indexed_at"} for hit in whole["hits"]]
        found[question] = {name: value for name, value in whole.items() if name != "timings"}
    return found


def test_the_same_documents_give_the_same_answers(platform: Platform, eval_root: Path) -> None:
    collections = [load_collection(eval_root / name) for name in SETS]
    questions = list(dict.fromkeys(text for each in collections for text in each.queries.values()))[:QUESTIONS]
    assert len(questions) == QUESTIONS
    chunks, tenant = chunks_of(collections[0]), platform.settings.tenant
    ingest(platform, tenant, chunks, fresh=True)
    before = answers(platform, questions)
    delete(platform, tenant)
    assert platform.vectors.count(tenant, "chunks") == 0
    ingest(platform, tenant, chunks[::-1], fresh=True)
    after = answers(platform, questions)
    assert {leg for answer in before.values() for leg in answer["rankings"]} >= {
        "keyword",
        "graph",
        "community",
        "fused",
    }
    differing = [question for question in questions if after[question] != before[question]]
    assert differing == [], (before[differing[0]], after[differing[0]])

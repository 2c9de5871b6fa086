"""Lists of documents while documents are deleted: only the last page is short."""

from collections.abc import Sequence

import pytest
from tests.support.collecting_graph import Answer, CollectingGraph

from interlace.documents.repository import DocumentRepository, DocumentSort
from interlace.ports.graph import Row

NAMES = "abcdef"
GONE = {"b", "c", "d"}
"""Deleted after a query has listed them."""
DATES = {name: f"202{number}" for number, name in enumerate(NAMES)}


def _listed(after: str, limit: int, **_: object) -> Sequence[Row]:
    return [{"id": f"id-{name}", "source": name} for name in NAMES if name > after][:limit]


def _oldest(date: str, after: str, limit: int, **_: object) -> Sequence[Row]:
    places = [(DATES[name], f"id-{name}") for name in NAMES]
    return [{"id": each, "dated": dated} for dated, each in places if (dated, each) > (date, after)][:limit]


def _summaries(ids: list[str], **_: object) -> Sequence[Row]:
    names = [each.removeprefix("id-") for each in ids]
    return [
        {"id": f"id-{name}", "source": name, "document": {"modifiedAt": DATES[name]}, "record": None}
        for name in names
        if name not in GONE
    ]


@pytest.mark.parametrize("sort", ["source", "oldest"])
@pytest.mark.parametrize(("limit", "expected"), [(1, "a"), (2, "ae"), (3, "aef"), (4, "aef")])
def test_documents_that_follow_take_the_places_of_those_deleted_meanwhile(
    sort: DocumentSort, limit: int, expected: str
) -> None:
    answers: dict[str, Answer] = {
        "documents/document_list": _listed,
        "filters/oldest_documents": _oldest,
        "documents/document_summaries": _summaries,
    }
    repository = DocumentRepository(CollectingGraph(answers))
    assert "".join(each.source_uri for each in repository.list("t", sort=sort, limit=limit)) == expected

"""Tags and metadata that senders and people give: for every format, changed without reading anything again, kept by later versions."""

import io
import json
from collections.abc import Iterator
from typing import Any

import docx
import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World, source
from tests.support.office import BOOK, open_document, slides, titled, workbook
from tests.support.parsing import packed
from tests.unit.parsing.pdf.test_pdf import pdf_bytes

from interlace.documents.repository import DocumentRepository, DocumentSummary
from interlace.documents.texts import Texts
from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import QueryRequest
from interlace.domain.ids import document_id
from interlace.ingestion.labelling import LabelChange
from interlace.search.questions import QuestionSearch
from interlace.search.searches import Searches

pytestmark = pytest.mark.stack

NOTE = "---\ntags: [harbour]\nyear: 1911\nowner:\n  name: Ada\n  team: cranes\n---\n# Crane Manual\n\nA crane lifts.\n\n## Install\n\nBolt it.\n"
PLAIN = "A winch pulls a rope.\n"


@pytest.fixture
def questions(world: World) -> Iterator[QuestionSearch]:
    platform = world.platform
    settings = waiting_for_legs(platform.settings).query
    made = Searches(platform.graph, platform.vectors, {}, platform.entity_linkers, settings)
    yield made.questions
    made.close()


def summary(world: World, tenant: str, uri: str) -> DocumentSummary:
    return DocumentRepository(world.platform.graph).get(tenant, document_id(tenant, uri)).document


def label(world: World, tenant: str, uri: str, **change: Any) -> None:
    world.platform.labels.change(tenant, [document_id(tenant, uri)], LabelChange(**change))


def tag_nodes(world: World, tenant: str) -> set[str]:
    return {row["name"] for row in world.rows("MATCH (t:Tag {tenant: $tenant}) RETURN t.name AS name", tenant)}


def payloads(world: World, tenant: str, uri: str) -> list[dict[str, Any]]:
    wanted = document_id(tenant, uri)
    points = world.platform.vectors.scroll(tenant, "chunks")
    return [dict(point.payload) for point in points if point.payload["document_id"] == wanted]


def office_file() -> bytes:
    document, buffer = docx.Document(), io.BytesIO()
    document.add_paragraph(PLAIN.strip())
    document.save(buffer)
    return buffer.getvalue()


CONTENTS: dict[str, str | bytes] = {
    "a.md": PLAIN,
    "a.txt": PLAIN,
    "a.html": PLAIN,
    "a.json": json.dumps({"title": "Winch", "text": PLAIN, "tags": ["own"]}),
    "a.pdf": pdf_bytes(PLAIN.strip()),
    "a.docx": office_file(),
    "a.xlsx": workbook({"Sheet1": [[PLAIN.strip()]]}),
    "a.pptx": slides(titled("Winch", PLAIN.strip())),
    "a.odt": open_document(f"<text:p>{PLAIN.strip()}</text:p>"),
    "a.rtf": f"{{\\rtf1 {PLAIN.strip()}}}",
    "a.epub": packed(BOOK | {"OEBPS/text/two.xhtml": f"<html><body><p>{PLAIN}</p></body></html>"}),
}


@pytest.mark.parametrize("uri", CONTENTS)
def test_tags_of_the_sender_are_tags_in_every_format(
    world: World, tenant: str, questions: QuestionSearch, uri: str
) -> None:
    world.receive(tenant, [source(uri, CONTENTS[uri], tags=["Rope/Wire", "#boats"], team="cranes")])
    world.work()
    found = summary(world, tenant, uri)
    assert set(found.tags) == {"rope/wire", "boats"} | ({"own"} if uri == "a.json" else set())
    assert (dict(found.metadata).get("team"), "tags" in found.metadata) == ("cranes", False)
    assert tag_nodes(world, tenant) == set(found.tags)
    where = Filter(must=(Condition("tags", "eq", "boats"),))
    for mode in ("keyword_only", "metadata_only"):
        hits = questions.search(tenant, QueryRequest("winch rope", mode=mode, where=where)).hits
        assert [hit.source_uri for hit in hits] == [uri], mode


def test_the_same_bytes_with_other_tags_are_a_change(world: World, tenant: str) -> None:
    for tag, unchanged in (("one", 0), ("one", 1), ("two", 0)):
        receipt = world.receive(tenant, [source("a.txt", PLAIN, tags=[tag])])
        world.work()
        assert summary(world, tenant, "a.txt").tags == (tag,)
        assert receipt.unchanged == unchanged


def test_labels_change_in_graph_payloads_and_answers_and_nothing_is_embedded(
    world: World, tenant: str, questions: QuestionSearch
) -> None:
    world.ingest(tenant, {"crane.md": NOTE, "winch.txt": PLAIN})
    before = {each: vectors for each, (*vectors, _) in world.points(tenant).items()}
    label(
        world,
        tenant,
        "crane.md",
        tags=["boats"],
        metadata={"year": None, "owner": {"team": None}, "reviewed": "2024-05-31"},
    )
    found = summary(world, tenant, "crane.md")
    assert found.tags == ("boats",)
    assert dict(found.metadata) == {"owner": '{"name":"Ada"}', "reviewed": "2024-05-31"}
    assert tag_nodes(world, tenant) == {"boats"}
    assert {each: vectors for each, (*vectors, _) in world.points(tenant).items()} == before
    for payload in payloads(world, tenant, "crane.md"):
        assert (payload["tags"], payload["metadata"].get("year")) == (["boats"], None)
        assert "reviewed" in payload["instants"]
    where = Filter(must=(Condition("tags", "eq", "boats"), Condition("metadata.reviewed", "lt", "2024-06-01")))
    for mode in ("keyword_only", "metadata_only"):
        hits = questions.search(tenant, QueryRequest("crane lifts", mode=mode, where=where)).hits
        assert {hit.title for hit in hits} == {"Crane Manual"}
        assert hits[0].tags == ("boats",)
    assert world.platform.reconciler.check(tenant) == []


def test_a_new_version_keeps_what_people_changed(world: World, tenant: str) -> None:
    world.ingest(tenant, {"crane.md": NOTE})
    label(world, tenant, "crane.md", add=["Boats"], remove=["harbour"], metadata={"year": 1912, "owner": None})
    world.ingest(tenant, {"crane.md": NOTE.replace("[harbour]", "[harbour, new]").replace("Bolt it", "Bolt it well")})
    found = summary(world, tenant, "crane.md")
    assert found.tags == ("boats", "new")
    assert dict(found.metadata) == {"year": 1912}
    assert {tuple(payload["tags"]) for payload in payloads(world, tenant, "crane.md")} == {("boats", "new")}
    assert tag_nodes(world, tenant) == {"boats", "new"}


def test_a_deleted_document_takes_its_labels_with_it(world: World, tenant: str) -> None:
    world.ingest(tenant, {"crane.md": NOTE})
    clean = world.dump(tenant)
    label(world, tenant, "crane.md", add=["boats"])
    world.delete(tenant, "crane.md")
    assert world.left(tenant) == []
    world.ingest(tenant, {"crane.md": NOTE})
    assert world.dump(tenant) == clean


def test_a_change_that_is_refused_changes_nothing(world: World, tenant: str) -> None:
    world.ingest(tenant, {"crane.md": NOTE})
    before = world.state(tenant)
    for change in ({"metadata": {"atlas_id": "x"}}, {"metadata": {"tags": ["x"]}}, {"add": ["#/"]}):
        with pytest.raises(InvalidInputError):
            label(world, tenant, "crane.md", **change)
    with pytest.raises(NotFoundError, match="no document"):
        world.platform.labels.change(
            tenant, [document_id(tenant, "crane.md"), document_id(tenant, "none.md")], LabelChange(add=["boats"])
        )
    assert world.state(tenant) == before


def test_the_tags_of_an_atom_are_searched_as_they_are_now(world: World, tenant: str) -> None:
    world.ingest(tenant, {"a.md": "---\natlas_id: a1\ntags: [old]\n---\n# Winch\n\nIt pulls.\n"})
    label(world, tenant, "a.md", tags=["hoisting"])
    rows = world.rows("MATCH (a:Atom {tenant: $tenant}) RETURN a.atomTags AS tags", tenant)
    assert [row["tags"] for row in rows] == ["hoist"]


def test_chunks_of_a_document_come_in_pages_in_their_order(world: World, tenant: str) -> None:
    world.ingest(tenant, {"crane.md": NOTE})
    texts, identity = Texts(world.platform.graph), document_id(tenant, "crane.md")
    first = texts.chunks(tenant, identity, limit=1)
    rest = texts.chunks(tenant, identity, limit=50, after=first[-1].start)
    assert [(chunk.position, chunk.section, chunk.section_type) for chunk in (*first, *rest)] == [
        (0, "", "body"),
        (1, "Install", "body"),
    ]
    assert "Bolt it." in rest[0].text
    assert texts.chunks(tenant, identity, limit=50, after=rest[-1].start) == []
    with pytest.raises(NotFoundError):
        texts.chunks(tenant, document_id(tenant, "none.md"), limit=50)

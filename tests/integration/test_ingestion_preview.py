"""What a preview tells is what the ingestion then does, and the preview itself does nothing."""

import pytest
from tests.integration.ingestion_world import Documents, World, source

from interlace.ingestion.preview import ChunkCounts, IngestPreview

PART = "## {name}\n\nThe mill number {name} turned by the river. See [it](b.md).\n\n"
BEFORE = {
    "a.md": "# A\n\n" + "".join(PART.format(name=name) for name in ("Alpha", "Beta", "Gamma", "Delta")),
    "b.md": "# B\n\nwords",
    "gone.md": "# Gone\n\nnobody looks here",
}


def preview(world: World, tenant: str, documents: Documents) -> IngestPreview:
    return world.platform.previewer.preview(tenant, [source(uri, text) for uri, text in documents.items()])


def chunk_ids(world: World, tenant: str) -> set[str]:
    return {row["id"] for row in world.rows("MATCH (c:Chunk {tenant: $tenant}) RETURN c.id AS id", tenant)}


def everything(world: World, tenant: str) -> list[object]:
    nodes = world.rows(
        "MATCH (n {tenant: $tenant}) RETURN labels(n) AS labels, count(*) AS count ORDER BY labels", tenant
    )
    return [world.state(tenant), nodes, list(world.tasks.batches)]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (BEFORE["a.md"].replace("Gamma turned", "Gamma stopped"), ChunkCounts(1, 0, 1, 3)),
        (BEFORE["a.md"] + PART.format(name="Epsilon"), ChunkCounts(1, 0, 0, 4)),
        (BEFORE["a.md"].replace(PART.format(name="Beta"), ""), ChunkCounts(0, 0, 1, 3)),
        (BEFORE["a.md"].replace("b.md", "c.md", 1), ChunkCounts(0, 1, 0, 3)),
        (BEFORE["a.md"].replace("# A\n", "# Another\n"), ChunkCounts(4, 0, 4, 0)),
        ("---\ntags: [new]\n---\n" + BEFORE["a.md"], ChunkCounts(0, 0, 0, 4)),
    ],
)
def test_a_preview_tells_what_the_ingestion_then_does(
    world: World, tenant: str, text: str, counts: ChunkCounts
) -> None:
    world.ingest(tenant, BEFORE)
    before, ids = everything(world, tenant), chunk_ids(world, tenant)
    unreadable = {"broken.pdf": "%PDF-1.7 and nothing", "closed.md": "---\naccess: {board: yes}\n---\nwords"}
    upload = {"a.md": text, "b.md": BEFORE["b.md"], "new.md": "# New\n\nwords", **unreadable}
    reported = preview(world, tenant, upload)
    assert everything(world, tenant) == before
    assert (reported.added, reported.changed, reported.removed, reported.unchanged, reported.llm_tokens) == (
        1,
        1,
        0,
        1,
        0,
    )
    assert {document.source_uri: document.chunks for document in reported.documents} == {
        "a.md": counts,
        "new.md": ChunkCounts(added=1),
    }
    failures = {(failure.source_uri, failure.reason) for failure in reported.failures}
    assert failures == {("broken.pdf", "broken"), ("closed.md", "access")}

    receipt = world.receive(tenant, [source(uri, content) for uri, content in upload.items()])
    world.work()
    after, job = chunk_ids(world, tenant), world.platform.jobs.status(tenant, receipt.job_id)
    assert {(failure.source_uri, failure.reason) for failure in job.failures} == failures
    assert (len(after - ids), len(ids - after)) == (reported.chunks.added, reported.chunks.removed)
    assert job.extracted == reported.chunks.added + reported.chunks.changed
    again = preview(world, tenant, upload)
    assert (again.added, again.changed, again.unchanged, again.words) == (0, 0, 3, 0)


def test_what_another_pipeline_made_would_be_read_again(world: World, tenant: str) -> None:
    world.ingest(tenant, BEFORE)
    world.run("MATCH (d:Document {tenant: $tenant}) SET d.fingerprint = 'of old'", tenant)
    reported = preview(world, tenant, BEFORE)
    assert (reported.changed, reported.unchanged, reported.chunks) == (3, 0, ChunkCounts(changed=6))

"""A collection that several tests evaluate, ingested once: what is there already costs nothing to hand in again."""

from interlace.bootstrap import Platform
from interlace.cli.commands.communities import refresh_with_retry
from interlace.cli.waiting import wait_for
from interlace.domain.documents import Source
from interlace.domain.ids import document_id
from interlace.evaluation.collection import Collection
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources


def chunks_of(collection: Collection) -> list[Source]:
    """Return the collection's chunks in the order of its corpus."""
    return [each for each in find_sources([collection.corpus], limits=ParseLimits()) if isinstance(each, Source)]


def ingest(platform: Platform, tenant: str, chunks: list[Source], *, fresh: bool = False) -> None:
    """Bring chunks to ready and make the communities; ``fresh`` ones are a function of the graph alone.

    Tests leave the chunks there for each other; the stack takes them with it.
    """
    receipt = platform.receiver.receive(tenant, chunks)
    assert wait_for(platform.jobs, tenant, receipt.job_id, workers=platform.queue.workers, quiet=True).failed == 0
    assert platform.entity_linkers.current(tenant).chunks >= len(chunks)
    refresh_with_retry(platform, tenant, fresh=fresh)


def delete(platform: Platform, tenant: str, *uris: str) -> None:
    """Delete the named documents, or all, in graph and vector index."""
    ids = [document_id(tenant, uri) for uri in uris]
    receipt = platform.receiver.delete(tenant, ids=ids, everything=not uris)
    assert wait_for(platform.jobs, tenant, receipt.job_id, workers=platform.queue.workers, quiet=True).failed == 0
    # As the command does: the last worker may still be telling the vector index.
    while platform.outbox.dispatch(tenant):
        pass

"""What a writer of documents leaves for language models: which documents wait for one, and which records of theirs go with their text."""

from collections.abc import Collection, Sequence

from interlace.ingestion.versions import NewVersion
from interlace.ports.graph import Transaction
from interlace.queries import extractions as queries
from interlace.queries.summaries import texts_of_chunks


def removed_texts(tx: Transaction, tenant: str, chunks: Collection[str]) -> list[str]:
    """Return digests of the texts of chunks about to be removed, as far as a language model has read them."""
    if not chunks:
        return []
    return [row.checksum for row in queries.recorded_texts(tx, tenant=tenant, chunks=sorted(chunks))]


def generated_texts(tx: Transaction, tenant: str, chunks: Collection[str]) -> list[str]:
    """Return ids of the summaries and descriptions for which a language model read chunks about to be removed."""
    return [row.id for row in texts_of_chunks(tx, tenant=tenant, chunks=sorted(chunks))] if chunks else []


def await_model(
    tx: Transaction,
    tenant: str,
    key: str,
    versions: Sequence[NewVersion],
    deleted: Sequence[str],
    texts: Sequence[str],
) -> None:
    """Let written documents wait for a language model, and forget what was extracted from texts that are gone.

    Args:
        tx: the transaction that writes the documents, after it has.
        tenant: whose documents.
        key: of the model, with its prompt and schema; empty if there is none, and then nothing waits.
        versions: documents that are written.
        deleted: ids of those that are removed.
        texts: what ``removed_texts`` returned.
    """
    if texts:
        queries.remove_unused_records(tx, tenant=tenant, checksums=texts)
    if deleted:
        queries.drop_extractions(tx, tenant=tenant, ids=deleted)
    if key and versions:
        rows = [{"id": version.claim.id, "job": version.claim.job_id} for version in versions]
        queries.request_extractions(tx, tenant=tenant, rows=rows, key=key)

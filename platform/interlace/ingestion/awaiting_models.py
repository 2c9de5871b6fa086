"""Marks written documents as awaiting a language model, and finds the model's records that must be removed with their text."""

from collections.abc import Collection, Sequence

from interlace.ingestion.versions import NewVersion
from interlace.ports.graph import Transaction
from interlace.queries import extractions as queries
from interlace.queries.extraction_records import recorded_texts, remove_unused_records
from interlace.queries.summaries import texts_of_chunks


def removed_texts(tx: Transaction, tenant: str, chunks: Collection[str]) -> list[str]:
    """Return the digests of those texts of chunks about to be removed that a language model has read."""
    if not chunks:
        return []
    return recorded_texts(tx, tenant=tenant, chunks=sorted(chunks))


def generated_texts(tx: Transaction, tenant: str, chunks: Collection[str]) -> list[str]:
    """Return the ids of summaries and descriptions that a language model wrote from chunks about to be removed."""
    return texts_of_chunks(tx, tenant=tenant, chunks=sorted(chunks)) if chunks else []


def await_model(
    tx: Transaction, tenant: str, key: str, versions: Sequence[NewVersion], deleted: Sequence[str], texts: Sequence[str]
) -> None:
    """Mark written documents as awaiting a language model, and delete what was extracted from texts that are gone.

    Args:
        tx: the transaction that has written the documents.
        tenant: the tenant that owns the documents.
        key: identifies the model with its prompt and schema; if empty, there is no model and nothing waits.
        versions: the documents that were written.
        deleted: ids of the documents that were removed.
        texts: what ``removed_texts`` returned.
    """
    if texts:
        remove_unused_records(tx, tenant=tenant, checksums=texts)
    if deleted:
        queries.drop_extractions(tx, tenant=tenant, ids=deleted)
    if key and versions:
        rows = [{"id": version.claim.id, "job": version.claim.job_id} for version in versions]
        queries.request_extractions(tx, tenant=tenant, rows=rows, key=key)

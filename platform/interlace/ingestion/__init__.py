"""The lifecycle of a document: intake, stages, ledger, outbox, update and delete."""

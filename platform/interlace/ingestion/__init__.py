"""The lifecycle of a document: receiver, stages, ledger, outbox, update and delete."""

"""How a terminal shows what an ingestion would do."""

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interlace.cli.commands.prune import show_vanished
from interlace.cli.output import print_json, print_table, say
from interlace.cli.terminal import write_line

if TYPE_CHECKING:
    from interlace.documents.folders import VanishedDocument
    from interlace.ingestion.preview import IngestPreview

_SHOWN = 50


def show_preview(preview: "IngestPreview", vanished: "Sequence[VanishedDocument]", *, as_json: bool) -> None:
    """Print counts of documents and chunks, the first documents that would change or go, and the cost."""
    if as_json:
        print_json({**dataclasses.asdict(preview), "vanished": vanished})
        return
    show_vanished(vanished)
    for failure in preview.failures:
        say(f"would fail: {failure.source_uri} ({failure.reason}): {failure.message}")
    changes = ("added", "changed", "removed", "unchanged")
    if preview.documents:
        rows = [
            (document.source_uri, document.change, *(getattr(document.chunks, change) for change in changes))
            for document in preview.documents[:_SHOWN]
        ]
        print_table(("chunks of", "document", *changes), rows)
        hidden = preview.added + preview.changed - len(rows)
        if hidden > 0:
            write_line(f"… and {hidden:,} further documents; --json lists the first thousand.")
        write_line("")
    print_table(
        ("", *changes),
        [
            ("documents", *(f"{getattr(preview, change):,}" for change in changes)),
            ("chunks", *(f"{getattr(preview.chunks, change):,}" for change in changes)),
        ],
    )
    spent = f"{preview.llm_tokens:,} tokens of a language model spent"
    price = f" (about {preview.llm_price:.2f} $)" if preview.llm_price else ""
    write_line(f"{preview.words:,} words would be read by the models, {spent}{price}. Nothing was changed.")

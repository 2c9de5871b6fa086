"""Questions and judgements of a collection in the BEIR layout that ``interlace eval`` reads."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import orjson


def write_questions(folder: Path, asked: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Write ``queries.jsonl`` and ``qrels.tsv``: each question with the ids of the documents that answer it together."""
    named = [(f"q{number:03}", text, documents) for number, (text, documents) in enumerate(asked)]
    write_rows(folder / "queries.jsonl", ({"_id": name, "text": text} for name, text, _ in named))
    with (folder / "qrels.tsv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, delimiter="\t")
        lines.writerow(("query-id", "corpus-id", "score"))
        lines.writerows((name, document, 1) for name, _, documents in named for document in documents)


def write_rows(path: Path, rows: Iterable[dict[str, str]]) -> None:
    """Write a JSON object a line."""
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))

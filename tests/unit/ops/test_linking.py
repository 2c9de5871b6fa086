"""Links of chunks against a silver standard."""

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

SCRIPT = Path(__file__).parents[3] / "ops" / "benchmarks" / "linking.py"
LINES: list[dict[str, Any]] = [
    {"kind": "node", "id": "d", "labels": ["Document"], "properties": {"sourceUri": "corpus.jsonl#p"}},
    {"kind": "node", "id": "c", "labels": ["Chunk"], "properties": {"documentId": "d"}},
    {"kind": "node", "id": "e", "labels": ["Entity"], "properties": {"name": "The Grey Ferry"}},
    {"kind": "node", "id": "f", "labels": ["Entity"], "properties": {"name": "Viborg"}},
    {"kind": "node", "id": "t", "labels": ["Tag"], "properties": {}},
    {"kind": "relationship", "start": "c", "end": "e", "type": "MENTIONS", "properties": {"via": "ner"}},
    {
        "kind": "relationship",
        "start": "c",
        "end": "f",
        "type": "MENTIONS",
        "properties": {"via": "linker", "key": "viborg"},
    },
    {"kind": "relationship", "start": "c", "end": "t", "type": "TAGGED", "properties": {}},
]


def test_shares_are_of_names_that_are_equal_or_within_each_other() -> None:
    linking = SimpleNamespace(**runpy.run_path(str(SCRIPT)))
    found = linking.linked(LINES)
    assert found == {"p": {"grey ferry": {"ner"}, "viborg": {"linker"}}}
    wanted = {"p": linking.silver_keys(["Grey Ferry", "Viborg Harbour", "May 1911", "1911", "a long illness"])}
    assert wanted == {"p": {"grey ferry", "viborg harbour"}}
    assert linking.table(found, wanted).splitlines()[2:] == [
        "| silver names that are linked | 2 | 50.0 | 100.0 |",
        "| links by any that are silver names | 2 | 50.0 | 100.0 |",
        "| links by linker that are silver names | 1 | 0.0 | 100.0 |",
        "| links by ner that are silver names | 1 | 100.0 | 100.0 |",
    ]

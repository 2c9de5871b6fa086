"""``interlace eval`` on a real stack: measured, questioned one by one, compared with itself less a leg, and guarded."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from interlace.bootstrap import Platform
from interlace.cli.main import app
from interlace.settings import Settings

pytestmark = [pytest.mark.slow]

CHUNKS = {
    "a": ("The Grey Ferry", "The Grey Ferry is a silent film of 1911. It was directed by Orla Venning."),
    "b": ("Orla Venning", "Orla Venning was a Danish director. She was born in Aalborg and married Knud Strand."),
    "c": ("Knud Strand", "Knud Strand was a painter. He died in Viborg after a long illness."),
    "d": ("Rye bread", "Mix flour, water and salt. Wait a night, then bake for an hour."),
    "e": ("Tugs and cutters", "Ferries, tugs and cutters need paint. The grey one leaves at noon."),
}
QUESTIONS = {
    "q1": ("Whom did the director of The Grey Ferry marry?", ("a", "b")),
    "q2": ("Where did the husband of Orla Venning die?", ("b", "c")),
    "q3": ("How long does rye bread wait?", ("d",)),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "ferries"
    made.mkdir()
    corpus = [{"_id": name, "title": title, "text": text} for name, (title, text) in CHUNKS.items()]
    queries = [{"_id": name, "text": text} for name, (text, _) in QUESTIONS.items()]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (made / f"{name}.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    gold = [f"{question}\t{chunk}\t1\n" for question, (_, found) in QUESTIONS.items() for chunk in found]
    (made / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(gold), encoding="utf-8")
    return made


@pytest.fixture
def interlace(full_stack: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command line, on the test's own stack."""

    def opened(settings: Settings) -> Platform:
        return Platform(full_stack.model_copy(update={"tenant": settings.tenant}))

    monkeypatch.setattr(Platform, "open", opened)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def rows(path: Path) -> dict[str, Any]:
    return {row["question"]: row["legs"] for row in map(orjson.loads, path.read_bytes().splitlines())}


def test_a_collection_is_evaluated_compared_and_guarded(
    folder: Path, tmp_path: Path, interlace: Callable[..., Result]
) -> None:
    whole, less, report = (tmp_path / name for name in ("whole.jsonl", "less.jsonl", "report.json"))
    first = interlace(
        "eval", folder, "--keep", "--no-floor", "--questions", whole, "--json", report, "--guard", "--exact-agreement"
    )
    assert first.exit_code == 0, first.output
    assert "approximate search finds 100 %" in first.output
    assert rows(whole)["q1"]["fused"]["recall@2"] == 1.0
    assert set(rows(whole)["q1"]["graph"]["ranks"]) == {"a", "b"}
    assert orjson.loads(report.read_bytes())["measures"]["fused"]["recall@5"] == 100.0

    second = interlace(
        "eval", folder, "--reuse", "--no-floor", "--without", "graph", "--without", "similarity", "--questions", less
    )
    assert second.exit_code == 0, second.output
    assert "graph" not in rows(less)["q1"]
    assert "without: graph, similarity" in second.output

    compared = interlace("eval", "compare", whole, less, "--json")
    at = {row["measure"]: row for row in orjson.loads(compared.stdout)}
    assert at["recall@2"]["wins"] + at["recall@2"]["losses"] + at["recall@2"]["ties"] == len(QUESTIONS)
    assert "recall@10" in interlace("eval", "compare", whole, less, "--leg", "vector").stdout

    marks = {query: {"fused": {**legs["fused"], "recall@1": 2.0}} for query, legs in rows(whole).items()}
    lines = [orjson.dumps({"question": query, "legs": legs}) for query, legs in marks.items()]
    less.write_bytes(b"\n".join(lines))
    guarded = interlace("eval", folder, "--reuse", "--no-floor", "--guard", "--baseline", less)
    assert guarded.exit_code == 1
    assert "below the baseline with 200.0" in guarded.stderr

    explained = interlace("query", QUESTIONS["q1"][0], "--tenant", "eval-ferries", "--explain")
    assert "term: similarity" in explained.stdout
    assert "path to hit" in explained.stdout

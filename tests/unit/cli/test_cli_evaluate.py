"""``interlace eval``: the plain way needs no second word, wrong words are refused by name, and the guard fails the command."""

from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest
from typer.testing import CliRunner

from interlace.cli.main import app
from interlace.cli.output import print_table
from interlace.domain.answers import Sufficiency
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import QueryRequest
from interlace.evaluation.abstention import Abstention
from interlace.evaluation.answers import AnswerEvaluation
from interlace.evaluation.collection import Collection
from interlace.evaluation.runner import Evaluation
from interlace.evaluation.session import EvaluationSession, RunOptions

FUSED = {
    "recall@2": 80.0,
    "recall@5": 90.0,
    "recall@10": 95.0,
    "all-gold@2": 60.0,
    "all-gold@5": 80.0,
    "all-gold@8": 85.0,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "title": "A", "text": "x"}\n', encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "Who?"}\n', encoding="utf-8")
    (tmp_path / "qrels.tsv").write_text("q\ta\t1\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[RunOptions]:
    """Return the options of each run; the answer is always the same."""
    calls: list[RunOptions] = []

    def run(_: EvaluationSession, collection: Collection, options: RunOptions) -> Evaluation:
        calls.append(options)
        runs = {"graph": {"q": [("a", 1.0)]}, "fused": {"q": [("x", 1.0), ("a", 0.5)]}}
        measures = {"graph": {**FUSED, "recall@2": 80.5}, "fused": FUSED}
        timings = {"q": {"graph": 3.0, "fused": 9.0}}
        return Evaluation(collection.name, collection.qrels, options.template, runs, measures, timings, {"hybrid": 1})

    monkeypatch.setattr(EvaluationSession, "run", run)
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: SimpleNamespace(close=lambda: None))
    return calls


def test_answers_have_a_row_a_mode_and_say_how_well_they_abstain(
    folder: Path, asked: list[RunOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = AnswerEvaluation({"extractive": {"string@3": [1.0, 0.0], "F1": []}}, {"extractive": 0.0})
    answers.abstention = Abstention([Sufficiency(0.9, 0.5)], [Sufficiency(0.1, 0.5)])
    before = EvaluationSession.run

    def run(self: EvaluationSession, collection: Collection, options: RunOptions) -> Evaluation:
        result = before(self, collection, options)
        result.answers = answers
        return result

    monkeypatch.setattr(EvaluationSession, "run", run)
    report = folder / "report.json"
    shown = CliRunner().invoke(app, ["eval", str(folder), "--answers", "--json", str(report)])
    assert asked[0].answers
    assert "50.0 (0-100)" in shown.output
    assert "sufficiency: AUROC 100.0 (100-100); abstentions: precision 100.0, recall 100.0" in shown.output
    assert orjson.loads(report.read_bytes())["answers"]["modes"]["extractive"]["string@3"] == [50.0, 0.0, 100.0]


def test_a_folder_needs_no_second_word(folder: Path, asked: list[RunOptions], tmp_path: Path) -> None:
    lines, report = tmp_path / "questions.jsonl", tmp_path / "report.json"
    words = ["eval", "--reuse", str(folder), "--without", "graph", "--without", "titles", "--mode", "hybrid"]
    result = CliRunner().invoke(app, [*words, "--questions", str(lines), "--json", str(report)])
    assert result.exit_code == 0, result.output
    (options,) = asked
    assert options.template == QueryRequest("", "hybrid", without=frozenset({"graph", "titles"}))
    assert options.reuse
    (row,) = map(orjson.loads, lines.read_bytes().splitlines())
    assert row["legs"]["fused"]["ranks"] == {"a": 2}
    assert orjson.loads(report.read_bytes())["intervals"]["graph"]["recall@1"] == [100.0, 100.0]
    assert "80.0 (100-100)" in result.stdout
    assert "95 % interval by bootstrap" in result.stdout
    assert orjson.loads(report.read_bytes())["asked"] == {"mode": "hybrid", "without": ["graph", "titles"]}
    assert "without: graph, titles" in result.stdout
    assert "-0.5" in result.stdout


@pytest.mark.usefixtures("asked")
def test_the_guard_fails_the_command_and_says_why(folder: Path, tmp_path: Path) -> None:
    marks = tmp_path / "marks.jsonl"
    first = {"ranks": {"a": 1}, "recall@1": 1.0, "recall@2": 1.0, "recall@5": 1.0, "recall@10": 1.0}
    marks.write_bytes(orjson.dumps({"question": "q", "legs": {"fused": first}}))
    result = CliRunner().invoke(app, ["eval", str(folder), "--guard", "--baseline", str(marks)])
    assert result.exit_code == 1
    assert "fused recall@1 is 0.0, below its best leg, graph with 100.0" in result.stderr
    assert "fused recall@1 is 0.0, below the baseline with 100.0" in result.stderr
    assert CliRunner().invoke(app, ["eval", str(folder)]).exit_code == 0


def test_wrong_words_are_refused_by_name(folder: Path) -> None:
    for words, said in (
        (["--without", "gravity"], "--without gravity: use one of vector"),
        (["--baseline", "x.json"], "give both"),
    ):
        error = CliRunner().invoke(app, ["eval", str(folder), *words]).exception
        assert isinstance(error, InvalidInputError)
        assert said in error.message
    refused = CliRunner().invoke(app, ["eval", str(folder), "--mode", "magic"])
    assert refused.exit_code == 2
    assert "'magic' is not one of 'auto'" in " ".join(refused.stderr.replace("│", " ").split())
    error = CliRunner().invoke(app, ["eval", "compare", "missing.jsonl", "missing.jsonl"]).exception
    assert isinstance(error, InvalidInputError)
    assert "eval FOLDER --questions FILE" in error.message


def test_two_runs_are_compared_in_a_table(tmp_path: Path) -> None:
    for name, rank in (("one", 9), ("two", 1)):
        recalls = {f"recall@{at}": float(rank <= at) for at in (1, 2, 5, 10)}
        row = {"question": "q", "legs": {"fused": {"ranks": {"a": rank}, **recalls}}}
        (tmp_path / name).write_bytes(orjson.dumps(row) + b"\n")
    result = CliRunner().invoke(app, ["eval", "compare", str(tmp_path / "one"), str(tmp_path / "two")])
    assert result.exit_code == 0, result.output
    cells = [line.split() for line in result.stdout.splitlines()]
    assert ["recall@2", "0.0", "100.0", "+100.0", "+100.0", "to", "+100.0", "1", "0", "0", "1.000"] in cells
    assert ["recall@10", "100.0", "100.0", "+0.0", "+0.0", "to", "+0.0", "0", "0", "1", "1.000"] in cells


def test_in_a_file_each_row_of_a_table_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    columns = [f"measure number {at}" for at in range(12)]
    print_table(columns, [[f"value {at}" for at in range(12)]])
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("option", ["--json", "--questions"])
@pytest.mark.parametrize("file", ["missing/report.json", "."])
def test_a_file_that_cannot_be_written_is_said_before_the_run(
    folder: Path, asked: list[RunOptions], option: str, file: str
) -> None:
    result = CliRunner().invoke(app, ["eval", str(folder), option, str(folder / file)])
    assert isinstance(result.exception, InvalidInputError)
    assert "cannot be written" in result.exception.message
    assert asked == []

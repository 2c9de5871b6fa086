"""The frame of the command line: errors are one line with their own exit code, and starting it is cheap."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from interlace.cli import main


@pytest.fixture(autouse=True)
def _empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(tmp_path))


def test_a_known_error_is_one_line_and_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INTERLACE_INGEST__CHUNK_WORDS", "many")
    monkeypatch.setattr(sys, "argv", ["interlace", "status"])
    with pytest.raises(SystemExit) as left:
        main.run()
    assert left.value.code == 78
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: INTERLACE_INGEST__CHUNK_WORDS: ")


def test_status_of_a_stack_that_was_never_started() -> None:
    result = CliRunner().invoke(main.app, ["status", "--json"])
    assert result.exit_code == 3
    assert {program["state"] for program in json.loads(result.stdout)} == {"STOPPED"}


def test_down_of_a_stack_that_was_never_started() -> None:
    result = CliRunner().invoke(main.app, ["down", "--json"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, {"stopped": []})


def test_config_check_masks_secrets_and_says_where_values_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_NEO4J__PASSWORD", "hunter2hunter2")
    monkeypatch.setenv("INTERLACE_WORKER__PROCESSES", "7")
    text = CliRunner().invoke(main.app, ["config", "check"]).stdout
    assert "hunter2hunter2" not in text
    (line,) = [line for line in text.splitlines() if line.startswith("INTERLACE_WORKER__PROCESSES ")]
    assert line.split()[1:] == ["7", "environment"]


def test_starting_the_command_line_loads_no_heavy_library() -> None:
    program = "import sys, interlace.cli.main; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"spacy", "celery", "neo4j", "qdrant_client", "numpy", "pandas", "fastapi", "onnxruntime", "litellm"}
    assert heavy & set(answer.stdout.split()) == set()

"""The frame of the command line: errors are one line with their own exit code, and starting it is cheap."""

import errno
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from interlace.cli import main
from interlace.cli.output import file_to_write, in_tenant
from interlace.domain.errors import InvalidInputError, NotFoundError, StackError
from interlace_stack.doctor import Finding


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


OF_A_TENANT = {"communities", "documents", "entities", "jobs", "query", "vectors"}
NO_RESULT = {"api", "worker", "beat", "mcp", "links schemas"}


def commands(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        is_group = hasattr(command, "commands")
        if is_group:
            yield from commands(command, f"{path}{name} ")
        if not is_group or command.invoke_without_command:
            yield f"{path}{name}", command


def test_every_command_with_a_result_has_json() -> None:
    found = dict(commands(typer.main.get_command(main.app)))
    assert len(found) > 60
    without = {name for name, each in found.items() if not any("--json" in param.opts for param in each.params)}
    assert without == NO_RESULT


def test_commands_that_are_named_to_go_on_with_can_be_run_in_every_tenant() -> None:
    known = {tuple(path.split()): command for path, command in commands(typer.main.get_command(main.app))}
    sources = Path(main.__file__).parents[1].rglob("*.py")
    named = {text for file in sources for text in re.findall(r"`interlace [a-z][^`]*`", file.read_text("utf-8"))}
    written = {in_tenant(text, "acme").strip("`") for text in named}
    assert len(written) > 40
    for line in written:
        words = line.split()[1:]
        path = next((tuple(words[:count]) for count in (2, 1) if tuple(words[:count]) in known), None)
        if path is None:
            continue  # a group as a whole
        context = known[path].make_context(line, words[len(path) :], resilient_parsing=True)
        if any(param.name == "tenant" for param in known[path].params) and path[0] in OF_A_TENANT:
            assert context.params["tenant"], line


def test_a_file_that_may_not_be_read_or_written_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def refused() -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/srv/dump.jsonl")

    def lost() -> None:
        raise ConnectionResetError(errno.ECONNRESET, "Connection reset by peer")

    with pytest.raises(SystemExit) as left:
        main.run(refused)
    assert left.value.code == 1
    assert capsys.readouterr().err == "error: /srv/dump.jsonl cannot be read or written: Permission denied.\n"
    with pytest.raises(ConnectionResetError):
        main.run(lost)


def test_files_of_interlace_are_distinguished_from_those_of_the_user(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def missing(file: Path) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(file))

    with pytest.raises(FileNotFoundError):
        main.run(partial(missing, Path(main.__file__).parent / "absent.json"))
    own = tmp_path / "default" / "stack.json"
    with pytest.raises(SystemExit) as left:
        main.run(partial(missing, own))
    assert left.value.code == StackError.exit_code
    line = capsys.readouterr().err
    assert line.startswith(f"error: {own}, a file of the local stack, cannot be read or written: No such file")


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


def test_config_check_shows_values_as_they_would_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_FETCH__HOSTS", '["docs.example"]')
    monkeypatch.setenv("INTERLACE_EMBEDDING__ENABLED", "0")
    lines = CliRunner().invoke(main.app, ["config", "check"]).stdout.splitlines()
    shown = {
        line.split()[0]: line.split(maxsplit=1)[1].rsplit("environment")[0].strip()
        for line in lines
        if "environment" in line
    }
    assert shown["INTERLACE_FETCH__HOSTS"] == '["docs.example"]'
    assert shown["INTERLACE_EMBEDDING__ENABLED"] == "false"


@pytest.mark.parametrize("command", [["graph", "dump", "--canonical"], ["backup"]])
def test_a_file_replaces_no_folder_device_or_pipe(command: list[str], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for target, why in (
        (pipe, "it is not a regular file"),
        (tmp_path, "it is not a regular file"),
        (tmp_path / "nowhere" / "dump", "there is no folder"),
    ):
        result = CliRunner().invoke(main.app, [*command, str(target)])
        assert isinstance(result.exception, InvalidInputError)
        assert str(result.exception).startswith(f"{target} cannot be written: {why}")
    assert pipe.is_fifo()


@pytest.mark.parametrize("command", [["graph", "dump", "--canonical"], ["backup"]])
def test_a_file_is_replaced_only_if_it_is_said_so(command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_text("precious")
    (tmp_path / "latest").symlink_to(file)
    for target in (file, tmp_path / "latest"):
        result = CliRunner().invoke(main.app, [*command, str(target)])
        assert isinstance(result.exception, InvalidInputError)
        assert str(result.exception) == f"{target} exists already; give another name, or replace it with --force."
        assert not isinstance(
            CliRunner().invoke(main.app, [*command, str(target), "--force"]).exception, InvalidInputError
        )
    assert file.read_text() == "precious", "nothing was written, since no database is there"


def test_a_file_is_written_where_its_link_leads(tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(tmp_path / "today")
    assert file_to_write(tmp_path / "latest", force=False) == (tmp_path / "today").resolve()


def test_starting_the_command_line_loads_no_heavy_library() -> None:
    program = "import sys, interlace.cli.main; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"spacy", "celery", "neo4j", "qdrant_client", "numpy", "pandas", "fastapi", "onnxruntime", "litellm"}
    assert heavy & set(answer.stdout.split()) == set()


def test_ctrl_c_while_the_command_line_is_imported_leaves_no_traceback() -> None:
    project = tomllib.loads((Path(main.__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    module, function = project["scripts"]["interlace"].split(":")
    program = (
        "import sys\nclass Interrupt:\n    def find_spec(self, name, *_):\n        if name == 'typer':\n"
        "            raise KeyboardInterrupt\n"
        f"sys.meta_path.insert(0, Interrupt())\nfrom {module} import {function}\n{function}()"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (130, "")


def test_a_process_that_uses_the_graph_loads_nothing_that_only_some_processes_need() -> None:
    program = "import sys, interlace.bootstrap; print(*sys.modules); import pandas, pyarrow, graphdatascience"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.split())
    assert "neo4j" in loaded
    heavy = {"pandas", "pyarrow", "graphdatascience", "spacy", "celery", "redis", "httpx", "jsonschema"}
    assert heavy & loaded == set()


def test_doctor_prints_what_it_found_also_for_a_misspelt_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise NotFoundError("There is no tenant blu. Did you mean blue?")

    found = [Finding("disk", "ok", "enough")]
    monkeypatch.setattr("interlace_stack.doctor.doctor", lambda _: found)
    monkeypatch.setattr("interlace.cli.commands.stack.platform_for", refused)
    result = CliRunner().invoke(main.app, ["doctor", "--tenant", "blu", "--json"])
    assert result.exit_code == 1
    levels = {each["check"]: (each["level"], each["detail"]) for each in json.loads(result.stdout)}
    assert levels["disk"] == ("ok", "enough")
    assert levels["data"] == ("error", "There is no tenant blu. Did you mean blue?")

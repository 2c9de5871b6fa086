"""Commands that work long in their own process, over stand-ins: progress without a terminal, Ctrl-C, and what is left to a worker."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.support.memory_queue import MemoryQueue
from typer.testing import CliRunner, Result

from interlace.cli.commands.evaluate import evaluation_session
from interlace.cli.main import app
from interlace.export.backup_format import Contents
from interlace.settings import load_settings
from interlace.vectors.rebuild_run import RebuildReport


def interrupted(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def run(monkeypatch: pytest.MonkeyPatch, *words: str, rebuild: Callable[..., Any] = interrupted) -> Result:
    """Run a command in the tenant acme, which is not that of the settings."""
    platform = SimpleNamespace(
        settings=load_settings(tenant="acme"),
        graph=SimpleNamespace(run=lambda *_, **__: [{"known": True}]),
        queue=MemoryQueue(),
        vectors=None,
        vector_rebuild=SimpleNamespace(rebuild=rebuild, rebuild_model=rebuild),
        communities=SimpleNamespace(refresh=interrupted, paused=None),
        close=lambda: None,
    )
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: platform)
    monkeypatch.setattr("interlace.export.backup.save", interrupted)
    return CliRunner().invoke(app, words)


def test_a_rebuild_without_a_terminal_writes_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def rebuild(tenant: str, progress: Callable[[int, int], None]) -> RebuildReport:
        progress(64, 1280)
        return RebuildReport(tenant, ("m",), complete=True)

    monkeypatch.setattr("interlace.cli.waiting._LINE_SECONDS", 0.0)
    result = run(monkeypatch, "vectors", "rebuild", rebuild=rebuild)
    assert (result.exit_code, "64/1,280 chunks · " in result.stderr) == (0, True)
    assert run(monkeypatch, "vectors", "rebuild", "--json", rebuild=rebuild).stderr == ""


def test_a_restore_without_a_terminal_writes_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def restore(*_: Any, checked: Callable[[Contents], None], progress: Callable[[int], None], **__: Any) -> Contents:
        contents = Contents((), {}, 8, nodes=1000, relationships=280, digest="")
        checked(contents)
        progress(64)
        return contents

    monkeypatch.setattr("interlace.cli.waiting._LINE_SECONDS", 0.0)
    monkeypatch.setattr("interlace.export.restore.restore", restore)
    (file := tmp_path / "b.gz").touch()
    result = run(monkeypatch, "restore", str(file))
    assert (result.exit_code, "64/1,280 nodes and relationships restored\n" in result.stderr) == (0, True)
    assert run(monkeypatch, "restore", str(file), "--json").stderr == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("vectors", "rebuild"), "written so far stay. `interlace vectors rebuild --tenant acme` makes all of them."),
        (("vectors", "rebuild", "--model", "m"), "`interlace vectors rebuild --model m --tenant acme`"),
        (("communities", "refresh"), "`interlace communities refresh --tenant acme` begins again."),
        (("backup", "kept"), "no backup was written to kept"),
    ],
)
def test_ctrl_c_says_what_is_left_and_how_to_go_on(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(monkeypatch, *words)
    assert (result.exit_code, said in result.stderr) == (130, True), result.output


def test_ctrl_c_during_a_restore_names_every_tenant_without_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rebuild(tenant: str, _: object) -> RebuildReport:
        if tenant != "blue":
            raise KeyboardInterrupt
        return RebuildReport(tenant, ("m",), complete=True)

    contents = SimpleNamespace(tenants=("blue", "green", "red"), settings={}, nodes=1, relationships=0)
    monkeypatch.setattr("interlace.export.restore.restore", lambda *_, **__: contents)
    (tmp_path / "kept").touch()
    result = run(monkeypatch, "restore", str(tmp_path / "kept"), rebuild=rebuild)
    again = "`interlace vectors rebuild --tenant green`, `interlace vectors rebuild --tenant red`."
    assert (result.exit_code, result.stderr.count("Stopped"), again in result.stderr) == (130, 1, True), result.output


def test_ctrl_c_during_an_evaluation_gives_no_advice_about_its_tenant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    platform: Any = SimpleNamespace(communities=SimpleNamespace(refresh=interrupted))
    monkeypatch.setattr("interlace.evaluation.session.EvaluationSession", lambda *parts: parts)
    session: Any = evaluation_session(platform)
    with pytest.raises(KeyboardInterrupt):
        session[3]("eval-x")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("words", [("vectors", "rebuild", "--background"), ("communities", "refresh", "--no-wait")])
def test_what_is_left_to_a_worker_is_json_for_scripts(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert json.loads(run(monkeypatch, *words, "--json").stdout) == {"tenant": "acme", "queued": True}

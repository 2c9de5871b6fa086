"""What ``doctor`` says of ports."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from interlace.domain.errors import StackError
from interlace.settings import (
    ApiSettings,
    Neo4jSettings,
    QdrantSettings,
    RedisSettings,
    Settings,
    StackSettings,
    load_settings,
)
from interlace_stack import doctor as checks
from interlace_stack.layout import layout_of
from interlace_stack.neo4j_http import NotReadyError, RefusedPasswordError
from interlace_stack.programs import ALL
from interlace_stack.state import ensure_state
from interlace_stack.status import ProgramStatus, status


def test_a_running_program_has_the_port_that_it_was_started_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal without the stack's port settings finds them in ``stack.json``."""
    started = load_settings(stack=StackSettings(home=tmp_path))
    layout = layout_of(started)
    layout.root.mkdir(parents=True)
    state = ensure_state(started, layout)
    later: Settings = started.model_copy(
        update={"stack": started.stack.model_copy(update={"ports": started.stack.ports.model_copy(update={"bolt": 9})})}
    )

    def running(settings: Settings) -> list[ProgramStatus]:
        return [replace(each, pid=1) if each.name == "neo4j" else each for each in status(settings)]

    monkeypatch.setattr(checks, "status", running)
    monkeypatch.setattr(
        checks, "listens", lambda pid, port: (pid, port) in {(1, state.bolt_port), (1, state.browser_port)}
    )
    monkeypatch.setattr(checks, "port_is_free", lambda _: True)
    monkeypatch.setattr(checks, "_server", lambda *_: checks.Finding("server", "ok", ""))
    found = {finding.check: finding.detail for finding in checks.doctor(later)}
    assert found[f"port {state.bolt_port}"] == "used by neo4j of this stack"
    assert "port 9" not in found


def test_the_api_of_another_stack_is_not_taken_for_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(stack=StackSettings(home=tmp_path))
    layout = layout_of(settings)
    layout.root.mkdir(parents=True)
    port = ensure_state(settings, layout).api_port
    running = [replace(each, pid=os.getpid()) if each.name == "api" else each for each in status(settings)]
    monkeypatch.setattr(checks, "status", lambda _: running)
    monkeypatch.setattr(checks, "port_is_free", lambda taken: taken != port)
    monkeypatch.setattr("interlace_stack.readiness._get", lambda _: None)
    found = {finding.check: finding for finding in checks.doctor(settings)}
    assert found[f"port {port}"].detail == "taken by another program (api needs it)"
    assert found["api"].level == "error"
    assert found["api"].remedy == "Stop that program, or set INTERLACE_API__PORT."


def test_a_port_that_may_not_be_used_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: int) -> bool:
        raise StackError("Port 80 cannot be used: Permission denied.")

    monkeypatch.setattr(checks, "port_is_free", refused)
    settings = load_settings(api=ApiSettings(port=80))
    found = {finding.check: finding for finding in checks.doctor(settings)}
    assert (found["port 80"].level, found["port 80"].detail) == ("error", "Port 80 cannot be used: Permission denied.")


@pytest.mark.parametrize("answers", [True, False])
def test_where_all_servers_are_elsewhere_nothing_of_a_stack_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    def probe(*_: object, **__: object) -> None:
        if not answers:
            raise NotReadyError("refused")

    monkeypatch.setattr(checks, "probe_api", probe)
    monkeypatch.setattr(checks, "port_is_free", lambda _: False)
    settings = load_settings(
        stack=StackSettings(home=tmp_path),
        neo4j=Neo4jSettings(uri="bolt://neo4j:7687"),
        qdrant=QdrantSettings(url="http://qdrant:6333"),
        redis=RedisSettings(url=SecretStr("redis://redis:6379/0")),
    )
    found = {finding.check: finding for finding in checks.doctor(settings)}
    assert not {"jars", "worker", "beat", f"port {settings.api.port}"} & found.keys()
    assert (found["api"].level, found["api"].remedy) == ("ok", "")
    assert found["api"].detail.startswith("http" if answers else "no ready one on this machine")


def test_a_refused_password_is_to_be_written_where_the_stack_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load_settings(stack=StackSettings(home=tmp_path))
    layout = layout_of(settings)
    layout.prepare()
    ensure_state(settings, layout)

    def refused(*_: object) -> None:
        raise RefusedPasswordError("Neo4j: too many wrong passwords")

    monkeypatch.setattr(checks, "status", lambda _: [ProgramStatus(name, "RUNNING", pid=1) for name in ALL])
    monkeypatch.setattr(checks, "listens", lambda *_: True)
    monkeypatch.setattr(checks, "_answer", refused)
    found = {finding.check: finding for finding in checks.doctor(settings)}
    assert (found["neo4j"].level, found["neo4j"].detail) == ("error", "Neo4j: too many wrong passwords")
    assert f"neo4j_password into {layout.state_file}" in found["neo4j"].remedy


def test_a_server_that_waits_for_disk_space_is_named_with_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load_settings(stack=StackSettings(home=tmp_path))
    layout = layout_of(settings)
    layout.prepare()
    ensure_state(settings, layout)

    def refused(*_: object) -> None:
        raise NotReadyError("refused")

    monkeypatch.setattr(checks, "status", lambda _: [ProgramStatus(name, "RUNNING", pid=1) for name in ALL])
    monkeypatch.setattr(checks, "listens", lambda *_: True)
    monkeypatch.setattr(checks, "_answer", refused)
    monkeypatch.setattr(checks, "neo4j_failure", lambda _: "")
    monkeypatch.setattr(checks, "missing_space", lambda folder: f"0 MiB are free at {folder}.")
    found = {finding.check: finding for finding in checks.doctor(settings)}
    for server, folder in (("qdrant", layout.qdrant), ("neo4j", layout.neo4j)):
        started = f"It is then started automatically; {layout.log(server)} has the details."
        assert found[server].remedy == f"0 MiB are free at {folder}. {started}"
    assert found["redis"].remedy.startswith("See ")

"""The local stack as a whole: starts, is ready, repeats cheaply, stops, survives what is done to it, leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import psutil
import pytest
from pydantic import SecretStr
from tests.support.waiting import until

from interlace.domain.errors import StackError
from interlace.settings import Neo4jSettings, Settings
from interlace_stack import disk_space
from interlace_stack.doctor import doctor
from interlace_stack.down import down
from interlace_stack.environment import settings_environment
from interlace_stack.layout import layout_of
from interlace_stack.neo4j_http import NotReadyError
from interlace_stack.readiness import neo4j_versions, probe_neo4j, probe_redis
from interlace_stack.state import StackState, read_state
from interlace_stack.status import status
from interlace_stack.up import up

pytestmark = pytest.mark.stack
SERVERS = {"neo4j", "redis", "qdrant"}


@pytest.fixture(autouse=True)
def _nothing_left(stack_settings: Settings) -> Iterator[None]:
    yield
    down(stack_settings)
    assert ours(stack_settings) == []


def ours(settings: Settings) -> list[str]:
    """Command lines of living processes that name the stack's folder or hold one of its ports."""
    root, redis = str(layout_of(settings).root), f"127.0.0.1:{settings.stack.ports.redis}"
    lines = []
    for process in psutil.process_iter():
        try:
            line = " ".join(process.cmdline())
        except psutil.Error:
            continue
        if root in line or ("redis-server" in line and redis in line):
            lines.append(line)
    return lines


def state_of(settings: Settings) -> StackState:
    state = read_state(layout_of(settings))
    assert state is not None
    return state


def pids(settings: Settings) -> dict[str, int | None]:
    return {program.name: program.pid for program in status(settings)}


@pytest.mark.slow
def test_servers_start_repeat_and_stop(stack_settings: Settings) -> None:
    first = up(stack_settings, only=SERVERS)
    assert set(first.started) == SERVERS
    before = pids(stack_settings)
    assert {program.name for program in status(stack_settings) if program.state == "RUNNING"} == SERVERS

    second = up(stack_settings, only=SERVERS)
    assert (second.started, set(second.already_running)) == ((), SERVERS)
    assert pids(stack_settings) == before

    levels = {finding.check: finding.level for finding in doctor(stack_settings)}
    assert all(levels[name] == "ok" for name in SERVERS)
    assert neo4j_versions(state_of(stack_settings)) == ("5.26.19", "2.13.9")

    assert set(down(stack_settings)) == SERVERS
    assert ours(stack_settings) == []
    assert down(stack_settings) == ()
    assert list(layout_of(stack_settings).run.iterdir()) == []


def test_strangers_are_refused_by_each_server(stack_settings: Settings) -> None:
    up(stack_settings, only=SERVERS)
    state = state_of(stack_settings)
    answer = httpx.get(f"{state.qdrant_url}/collections/any/exists", headers={"api-key": "wrong"})
    assert answer.status_code in {401, 403}
    stranger = StackState(
        **{name: getattr(state, name) for name in state.__dataclass_fields__}
        | {"neo4j_password": "wrong-password", "redis_password": "wrong"}
    )
    with pytest.raises(NotReadyError, match="Invalid credential"):
        probe_neo4j(stranger)
    with pytest.raises(NotReadyError, match="WRONGPASS"):
        probe_redis(stranger)


@pytest.mark.slow
def test_any_password_a_user_wishes_works(stack_settings: Settings) -> None:
    wished = Neo4jSettings(password=SecretStr("-#@ \"quoted\" 'pass' wörd \\ $x %s"))
    up(stack_settings.model_copy(update={"neo4j": wished}), only={"neo4j"})
    probe_neo4j(state_of(stack_settings))


def test_a_killed_server_comes_back(stack_settings: Settings) -> None:
    up(stack_settings, only={"redis"})
    killed = pids(stack_settings)["redis"]
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    until(lambda: pids(stack_settings)["redis"] not in {None, killed})


def test_nothing_is_left_after_the_supervisor_was_killed(stack_settings: Settings) -> None:
    up(stack_settings, only={"redis"})
    os.kill(int(layout_of(stack_settings).supervisor_pid.read_text()), signal.SIGKILL)
    assert down(stack_settings) == ("redis",)
    assert ours(stack_settings) == []


def test_up_after_a_killed_supervisor_starts_afresh(stack_settings: Settings) -> None:
    up(stack_settings, only={"redis"})
    orphan = pids(stack_settings)["redis"]
    os.kill(int(layout_of(stack_settings).supervisor_pid.read_text()), signal.SIGKILL)
    assert up(stack_settings, only={"redis"}).started == ("redis",)
    assert pids(stack_settings)["redis"] != orphan
    assert len([line for line in ours(stack_settings) if "redis-server" in line]) == 1


def test_a_process_that_took_over_an_old_id_is_left_alone(stack_settings: Settings) -> None:
    layout = layout_of(stack_settings)
    up(stack_settings, only={"redis"})
    down(stack_settings)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        (layout.run / "redis.pid").write_text(f'{{"pid": {stranger.pid}, "started": {time.time()}}}')
        layout.supervisor_pid.write_text(str(stranger.pid))
        assert down(stack_settings) == ()
        assert stranger.poll() is None
        stranger.communicate(b"\n")


def test_two_ups_at_once_start_everything_once(stack_settings: Settings) -> None:
    results = []
    threads = [threading.Thread(target=lambda: results.append(up(stack_settings, only={"redis"}))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result.started for result in results) == [(), ("redis",)]


def test_a_taken_port_is_named_with_its_setting(stack_settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", stack_settings.stack.ports.redis))
        taken.listen()
        with pytest.raises(StackError, match=rf"{stack_settings.stack.ports.redis}.*`redis` in INTERLACE_STACK__PORTS"):
            up(stack_settings, only={"redis"})
    assert ours(stack_settings) == []


def test_the_api_of_another_stack_at_the_same_port_ends_the_start(
    stack_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ready(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

    # The other stack took the port after this one had found it free.
    monkeypatch.setattr("interlace_stack.up.port_is_free", lambda _: True)
    port = stack_settings.api.port
    with ThreadingHTTPServer(("127.0.0.1", port), Ready) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        try:
            with pytest.raises(StackError, match=f"Port {port} is answered by another program"):
                up(stack_settings, only={"api"})
        finally:
            other.shutdown()
            thread.join()
    assert ours(stack_settings) == []


def test_an_external_server_is_not_started(stack_settings: Settings) -> None:
    redis = stack_settings.redis.model_copy(update={"url": SecretStr("redis://queue.example:6379/0")})
    result = up(stack_settings.model_copy(update={"redis": redis}), only={"redis"})
    assert (result.started, result.external) == ((), ("redis",))


def test_a_changed_setting_restarts_the_server_that_reads_it(stack_settings: Settings, free_port: int) -> None:
    up(stack_settings, only={"redis", "qdrant"})
    before = pids(stack_settings)
    ports = stack_settings.stack.ports.model_copy(update={"redis": free_port})
    stack = stack_settings.stack.model_copy(update={"ports": ports})
    moved = stack_settings.model_copy(update={"stack": stack})
    assert up(moved, only={"redis", "qdrant"}).started == ("redis",)
    assert pids(moved)["qdrant"] == before["qdrant"]
    probe_redis(state_of(moved))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_up_stops_what_it_started(stack_settings: Settings, number: signal.Signals) -> None:
    environment = os.environ | settings_environment(stack_settings)
    # The command as it is installed: with `-m`, Python ends by SIGINT itself, whatever the exit code, if Ctrl-C came while a data class was imported.
    with subprocess.Popen([Path(sys.executable).with_name("interlace"), "up"], env=environment) as starting:
        until((layout_of(stack_settings).run / "neo4j.pid").exists)
        starting.send_signal(number)
        assert starting.wait(timeout=150) == 128 + number
    assert ours(stack_settings) == []


def test_neo4j_is_not_started_on_a_full_disk(stack_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(disk_space, "MIN_FREE_BYTES", 2**60)
        with pytest.raises(StackError, match=r"neo4j cannot be started: \d+ MiB are free at .* Free some disk space"):
            up(stack_settings, only={"neo4j"})
    assert ours(stack_settings) == []


def test_a_program_that_cannot_start_is_reported_with_its_last_words(stack_settings: Settings) -> None:
    layout = layout_of(stack_settings)
    layout.prepare()
    (layout.redis / "appendonlydir").write_text("a file where Redis wants a folder")
    with pytest.raises(StackError, match=r"redis ended while starting.*redis\.log"):
        up(stack_settings, only={"redis"})
    assert ours(stack_settings) == []


@pytest.mark.slow
def test_the_whole_stack_is_up(full_stack: Settings) -> None:
    programs = {program.name: program.state for program in status(full_stack)}
    assert set(programs.values()) == {"RUNNING"}, programs
    assert Path(layout_of(full_stack).state_file).stat().st_mode & 0o777 == 0o600

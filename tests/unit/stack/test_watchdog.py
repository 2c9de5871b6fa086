"""When the watchdog restarts a Neo4j that has given up, and when not yet."""

import shutil
import threading
import time
from collections import namedtuple
from pathlib import Path

import pytest

from interlace_stack.disk_space import MIN_FREE_BYTES, missing_space
from interlace_stack.launch import wait_for_space
from interlace_stack.watchdog import (
    FIRST_PAUSE_SECONDS,
    MAX_PAUSE_SECONDS,
    POLL_SECONDS,
    UNHEALTHY_SECONDS,
    Watchdog,
)

Usage = namedtuple("Usage", "total used free")  # noqa: PYI024 - what shutil.disk_usage returns


class Scene:
    """A Neo4j and its disk as the watchdog sees them, and a clock that a test moves."""

    def __init__(self) -> None:
        self.failure = ""
        self.missing = ""
        self.now = 0.0
        self.restarts: list[float] = []
        self._watchdog = Watchdog(
            lambda: self.failure, lambda: self.missing, lambda: self.restarts.append(self.now), lambda: self.now
        )

    def passes(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self._watchdog.check()
            self.now += POLL_SECONDS


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_a_neo4j_that_is_well_is_left_alone(scene: Scene) -> None:
    scene.passes(3600)
    assert scene.restarts == []


def test_a_failure_that_passes_is_waited_for(scene: Scene) -> None:
    for _ in range(10):
        scene.failure = "Its database neo4j is starting."
        scene.passes(UNHEALTHY_SECONDS)
        scene.failure = ""
        scene.passes(POLL_SECONDS)
    assert scene.restarts == []


def test_a_neo4j_that_gave_up_is_restarted_once_there_is_disk_space(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.failure, scene.missing = "No space left on device.", "0 MiB are free. Free some disk space."
    scene.passes(3600)
    assert scene.restarts == []
    scene.missing = ""
    scene.passes(POLL_SECONDS)
    assert scene.restarts == [3600]
    logged = [record.message for record in caplog.records]
    assert logged == [
        "Neo4j refuses all work. No space left on device. 0 MiB are free. Free some disk space.",
        "Killing Neo4j, to be restarted. No space left on device.",
    ]


def test_restarts_that_do_not_help_become_rare(scene: Scene) -> None:
    scene.failure = "Its database neo4j does not start."
    scene.passes(10 * MAX_PAUSE_SECONDS)
    pauses = [later - earlier for earlier, later in zip(scene.restarts, scene.restarts[1:], strict=False)]
    assert pauses[0] == pytest.approx(FIRST_PAUSE_SECONDS, abs=POLL_SECONDS)
    assert pauses == sorted(pauses)
    assert pauses[-1] == pytest.approx(MAX_PAUSE_SECONDS, abs=POLL_SECONDS)


def test_after_a_long_time_well_the_next_restart_does_not_wait(scene: Scene) -> None:
    for _ in range(8):
        scene.failure = "No space left on device."
        scene.passes(UNHEALTHY_SECONDS + POLL_SECONDS)
        scene.failure = ""
        scene.passes(MAX_PAUSE_SECONDS)
    assert len(scene.restarts) == 8


def free(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 0, size))


def test_missing_space_comes_with_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    free(monkeypatch, MIN_FREE_BYTES)
    assert missing_space(tmp_path) == ""
    free(monkeypatch, MIN_FREE_BYTES - 1)
    assert missing_space(tmp_path).startswith(
        f"255 MiB are free at {tmp_path}, and 256 MiB are needed. Free some disk space"
    )


def test_a_program_waits_until_there_is_disk_space(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    free(monkeypatch, 0)
    waiting = threading.Thread(target=wait_for_space, args=(tmp_path, "neo4j"))
    monkeypatch.setattr(time, "sleep", lambda _: free(monkeypatch, MIN_FREE_BYTES))
    waiting.start()
    waiting.join(60)
    assert not waiting.is_alive()
    assert "neo4j waits for disk space: 0 MiB are free" in capfd.readouterr().out

"""What the scheduler sends, and how often."""

import time
from types import SimpleNamespace

import pytest
from tests.support.memory_queue import MemoryQueue

from interlace.adapters.redis.celery_app import RECONCILE, SWEEP, schedule
from interlace_workers import task, tasks


@pytest.mark.parametrize(("lease", "sweep"), [(5, 5 / 3), (30, 10), (3600, 10)])
def test_sweeps_come_three_times_a_lease_and_every_ten_seconds(lease: float, sweep: float) -> None:
    sent = schedule(lease)
    assert sent[SWEEP] == {"task": SWEEP, "schedule": sweep, "options": {"expires": 300}}
    assert (sent[RECONCILE]["schedule"], sent[RECONCILE]["options"]) == (3600, {"expires": 3600})


def test_sweeps_that_piled_up_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, swept = MemoryQueue(), list[int]()
    platform = SimpleNamespace(
        queue=queue,
        sweeper=SimpleNamespace(sweep=lambda: swept.append(1)),
        cached_links=SimpleNamespace(remove_stale_files=lambda: None),
    )
    for module in (tasks, task):
        monkeypatch.setattr(module, "platform", lambda: platform)
    for _ in range(30):
        assert tasks.sweep.apply().successful()
    assert len(swept) == 1
    queue.record_run(SWEEP, "failed", 1)
    monkeypatch.setattr(queue, "_swept", time.monotonic() - 3)
    tasks.sweep.apply()
    assert len(swept) == 2

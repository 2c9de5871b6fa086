"""What ``interlace doctor`` says of the sweeps of a queue."""

import pytest
from tests.support.memory_queue import MemoryQueue

from interlace.adapters.redis.celery_app import SWEEP
from interlace.cli.doctor.servers import _sweeps


@pytest.mark.parametrize(("workers", "swept", "said"), [(1, False, True), (1, True, False), (0, False, False)])
def test_doctor_says_that_workers_run_and_no_sweep_does(
    monkeypatch: pytest.MonkeyPatch, workers: int, swept: bool, said: bool
) -> None:
    monkeypatch.setattr("interlace.cli.doctor.servers._PATIENCE_SECONDS", 0.0)
    queue = MemoryQueue()
    for number in range(workers):
        queue.record_worker(str(number), 60)
    if swept:
        queue.record_run(SWEEP, "succeeded", 1)
    assert [(each.check, each.level) for each in _sweeps(queue)] == [("sweeps", "warn")] * said

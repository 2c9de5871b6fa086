"""What the scheduler sends, and how often."""

import pytest

from interlace.adapters.redis.celery_app import RECONCILE, SWEEP, schedule


@pytest.mark.parametrize(("lease", "sweep"), [(5, 5 / 3), (30, 10), (3600, 10)])
def test_sweeps_come_three_times_a_lease_and_every_ten_seconds(lease: float, sweep: float) -> None:
    sent = schedule(lease)
    assert sent[SWEEP] == {"task": SWEEP, "schedule": sweep, "options": {"expires": sweep}}
    assert sent[RECONCILE]["schedule"] == 3600

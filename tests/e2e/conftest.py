"""What the tests of Neo4j Browser and of the notebooks share: documents, Chromium, and where pictures of them go."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from interlace.bootstrap import Platform
from interlace.domain.errors import ConflictError
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import Settings

SAMPLE = Path(__file__).parents[2] / "ops" / "demo" / "saltmarsh"
ENGINES = Path(__file__).parents[1] / "fixtures" / "engines"
INGESTION_SECONDS = 240
CHROMIUM_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="session")
def engines(full_stack: Settings) -> str:
    """The tenant that holds six documents about early computing, with communities."""
    return _ingested(full_stack, "engines", ENGINES)


@pytest.fixture(scope="session")
def saltmarsh(full_stack: Settings) -> str:
    """The tenant that holds the sample collection of the demo, with communities."""
    return _ingested(full_stack, "saltmarsh", SAMPLE)


def _ingested(settings: Settings, tenant: str, folder: Path) -> str:
    with closing(Platform(settings)) as platform:
        receipt = platform.receiver.receive(tenant, find_sources([folder], limits=ParseLimits()))
        deadline = time.monotonic() + INGESTION_SECONDS
        while not (status := platform.jobs.status(tenant, receipt.job_id)).finished:
            assert time.monotonic() < deadline, status
            time.sleep(0.2)
        assert status.failed == 0, status
        _refresh(platform, tenant, deadline)
    return tenant


def _refresh(platform: Platform, tenant: str, deadline: float) -> None:
    while True:
        try:
            platform.communities.refresh(tenant)
        except ConflictError:  # the worker's own refresh after the batch
            assert time.monotonic() < deadline
            time.sleep(0.2)
        else:
            return


@pytest.fixture
def chrome(tmp_path: Path) -> Iterator[Chrome]:
    """Headless Chromium with an empty profile."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        assert os.environ.get("CI") != "true", "chromium and chromedriver are missing"
        pytest.skip("needs chromium and chromedriver")
    options = ChromeOptions()
    options.binary_location = program
    for flag in (*CHROMIUM_FLAGS.split(), f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    opened = Chrome(options=options, service=Service(driver))
    try:
        yield opened
    finally:
        opened.quit()


@pytest.fixture
def pictures() -> Path | None:
    """The folder whose pictures are to be renewed; None unless ``INTERLACE_TEST_SCREENSHOTS`` names one."""
    folder = os.environ.get("INTERLACE_TEST_SCREENSHOTS")
    return Path(folder).absolute() if folder else None

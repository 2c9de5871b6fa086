"""What the tests share that use a running stack as people do: documents, HTTP, Chromium, and where pictures go."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from tests.support.waiting import until

from interlace.bootstrap import Platform
from interlace.domain.errors import ConflictError
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import Settings
from interlace_stack.readiness import api_url

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
        until(lambda: platform.jobs.status(tenant, receipt.job_id).finished, INGESTION_SECONDS)
        status = platform.jobs.status(tenant, receipt.job_id)
        assert status.failed == 0, status
        # The worker makes communities of its own after the batch.
        until(lambda: platform.communities.refresh(tenant), INGESTION_SECONDS, despite=(ConflictError,))
    return tenant


@pytest.fixture(scope="module")
def address(full_stack: Settings) -> str:
    """The address of the API."""
    return api_url(full_stack.api.host, full_stack.api.port)


@pytest.fixture
def http(address: str, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """Asks the API about the tenant that the module names."""
    headers = {"X-Interlace-Tenant": request.module.TENANT}
    with httpx.Client(base_url=address, headers=headers, timeout=60, trust_env=False) as client:
        yield client


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

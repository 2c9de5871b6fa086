"""What all tests share: the real servers, closed sockets in unit tests, and where the evaluation sets are.

``stack`` are the settings of a fresh Neo4j, Qdrant and Redis, ``full_stack`` those of a second stack with API, worker and beat.
Developers who keep a stack running name its ``stack.json`` in ``INTERLACE_TEST_STACK`` to use it instead.

Of the settings in the environment one is kept: with ``INTERLACE_EMBEDDING__ENABLED=false`` every stack runs without embeddings, and what
is marked ``vectors`` is skipped.
"""

import asyncio
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import psutil
import pytest
import pytest_socket
from hypothesis import HealthCheck
from hypothesis import settings as examples
from tests.support.class_archive import use_class_archive
from tests.support.ports import free_ports

from interlace.adapters.neo4j.migrations import migrate
from interlace.domain.hits import LegName
from interlace.settings import (
    PREFIX,
    ApiSettings,
    Group,
    IngestSettings,
    Neo4jSettings,
    QuerySettings,
    Settings,
    StackSettings,
    default_home,
    load_settings,
)
from interlace.settings_objects import StackPorts
from interlace_stack.connect import connect
from interlace_stack.down import down
from interlace_stack.fetch import fetch_model, fetch_neo4j
from interlace_stack.layout import Layout, layout_of
from interlace_stack.programs import SERVERS
from interlace_stack.up import up

TESTS = Path(__file__).parent
EVAL_ROOT = TESTS.parents[1] / "shared" / "eval"
STACK_FIXTURES = {"stack", "full_stack", "hasty_stack", "stack_settings"}
FOLDER_PREFIX = "interlace-test-"
EMBEDDINGS = f"{PREFIX}EMBEDDING__ENABLED"
RUNNING_STACK = pytest.StashKey[str]()
_terminated = threading.Event()

# A property says what holds, not how fast: on a busy machine any example may take longer than any limit.
examples.register_profile("unhurried", examples(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.load_profile("unhurried")


def pytest_configure(config: pytest.Config) -> None:
    """Keep a developer's own settings out of the tests, and let SIGTERM clean up as Ctrl-C does."""
    config.stash[RUNNING_STACK] = os.environ.get(f"{PREFIX}TEST_STACK", "")
    for name in [name for name in os.environ if name.upper().startswith(PREFIX) and f"{PREFIX}TEST_" not in name]:
        if name != EMBEDDINGS:
            del os.environ[name]
    signal.signal(signal.SIGTERM, _interrupt)
    # Without a loop of its own, as in every other thread: `get_event_loop`, which LiteLLM calls, would make one that no one closes.
    asyncio.set_event_loop(None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if STACK_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.stack)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Fetch servers and model, and archive Neo4j's classes, before the first test, whose time limit that would exceed on a fresh machine."""
    needed = any(item.get_closest_marker("stack") for item in session.items)
    if needed and not session.config.option.collectonly and not session.config.stash[RUNNING_STACK]:
        layout = Layout(default_home(), "default")
        layout.cache.mkdir(parents=True, exist_ok=True)
        fetch_neo4j(layout, print)
        if _embeddings():
            fetch_model(layout, print)
        use_class_archive(layout, fresh_stack, migrate_graph, print)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.path.is_relative_to(TESTS / "unit"):
        pytest_socket.disable_socket(allow_unix_socket=True)
    if item.get_closest_marker("evaluation") and not EVAL_ROOT.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"The evaluation sets are missing: {EVAL_ROOT} is no folder.")
        pytest.skip(f"needs the evaluation sets in {EVAL_ROOT}")

    if item.get_closest_marker("vectors") and not _embeddings():
        pytest.skip(f"speaks of vectors, and embeddings are off ({EMBEDDINGS})")


def _embeddings() -> bool:
    """Return whether this run has embeddings."""
    return load_settings().embedding.enabled


def pytest_runtest_teardown(item: pytest.Item) -> None:
    pytest_socket.enable_socket()
    if _terminated.is_set():
        item.session.shouldstop = "SIGTERM arrived"
    # Commands that serve set a handler of their own, and tests run them in this process.
    signal.signal(signal.SIGTERM, _interrupt)


@pytest.fixture(scope="session")
def dense() -> frozenset[LegName]:
    """The vector leg, or nothing where this run has no embeddings: what to expect in answers besides the other legs."""
    return frozenset({"vector"} if _embeddings() else ())


@pytest.fixture(scope="session")
def eval_root() -> Path:
    """The folder with the evaluation sets; tests that use it carry the marker ``evaluation``."""
    return EVAL_ROOT


@pytest.fixture(scope="session")
def stack(request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings connected to a fresh Neo4j (migrated), Qdrant and Redis; no API, no workers."""
    yield from _stack(request.config, only=set(SERVERS))


@pytest.fixture(scope="session")
def full_stack(request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings connected to a second stack that also runs API, worker and beat.

    It has its own servers: workers that sweep a shared database would take other tests' documents out of their hands. Its legs may take
    long: on a busy machine the plan of a first question does, and which legs answered is not what these tests are about.
    """
    yield from _stack(request.config, only=None, query=QuerySettings(leg_timeout=20.0))


@pytest.fixture(scope="session")
def hasty_stack() -> Iterator[Settings]:
    """Settings connected to a third full stack, whose leases and patience are short: for tests that kill its processes.

    Only its legs may take long, as those of ``full_stack``: a server that was just started again has no plans.
    """
    _end_stacks_of_dead_runs()
    groups = {
        "ingest": IngestSettings(lease_seconds=5, batch_documents=8),
        "neo4j": Neo4jSettings(retry_seconds=3),
        "query": QuerySettings(leg_timeout=20.0),
    }
    with fresh_stack(**groups) as settings:
        yield up(settings, migrate=migrate_graph).settings


def _stack(config: pytest.Config, *, only: set[str] | None, **groups: Group) -> Iterator[Settings]:
    running = config.stash[RUNNING_STACK]
    if running:
        root = Path(running).absolute().parent
        yield connect(load_settings(stack=StackSettings(home=root.parent, name=root.name)))
        return
    _end_stacks_of_dead_runs()
    with fresh_stack(**groups) as settings:
        yield up(settings, only=only, migrate=migrate_graph).settings


@pytest.fixture
def stack_settings() -> Iterator[Settings]:
    """Settings of a stack of its own, not started: free ports, an empty folder, stopped at the end."""
    with fresh_stack() as settings:
        yield settings


@pytest.fixture
def free_port() -> int:
    """A loopback port on which nothing listens."""
    return free_ports(1)[0]


def waiting_for_legs(settings: Settings, **query: object) -> Settings:
    """Return settings whose questions wait for every leg: a busy machine may take longer than callers would wait.

    Args:
        settings: of a stack.
        query: other settings of questions.
    """
    return settings.model_copy(update={"query": settings.query.model_copy(update={"leg_timeout": 60.0, **query})})


@contextmanager
def fresh_stack(**groups: Group) -> Iterator[Settings]:
    """Give settings for a new stack that shares the user's fetched servers and models; stop and remove it at the end.

    Args:
        groups: settings of its own, by group.
    """
    home = Path(tempfile.mkdtemp(prefix=f"{FOLDER_PREFIX}{os.getpid()}-"))
    cache = default_home() / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    (home / "cache").symlink_to(cache)
    bolt, browser, qdrant, redis, api = free_ports(5)
    stack = StackSettings(
        home=home,
        ports=StackPorts(bolt=bolt, browser=browser, qdrant=qdrant, redis=redis),
        neo4j_heap_mb=768,
    )
    settings = load_settings(stack=stack, api=ApiSettings(port=api), **groups)
    try:
        yield settings
    finally:
        down(settings)
        shutil.rmtree(home)


def migrate_graph(settings: Settings) -> None:
    migrate(settings.neo4j)


def _end_stacks_of_dead_runs() -> None:
    """Stop what a run that was killed could not stop itself."""
    for home in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*-*"):
        owner = home.name.removeprefix(FOLDER_PREFIX).split("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)) and home.owner() == Path.home().owner():
            settings = load_settings(stack=StackSettings(home=home))
            if layout_of(settings).root.exists():
                down(settings)
            shutil.rmtree(home, ignore_errors=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    _terminated.set()  # a command that runs in this process may take the interrupt for its own
    raise KeyboardInterrupt

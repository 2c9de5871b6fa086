"""Log lines: JSON for machines, text for people, each with the ids of its request or task."""

import json
import logging
from collections.abc import Iterator

import pytest
from structlog.contextvars import bound_contextvars

from interlace.logs import configure_logging


@pytest.fixture(autouse=True)
def _root_logger() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_line_of_the_standard_library_becomes_json_with_its_context(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging()
    with bound_contextvars(request_id="r1", tenant="blue"):
        logging.getLogger("interlace.some").warning("%d documents wait", 3, extra={"outcome": "deferred"})
    line = json.loads(capsys.readouterr().err)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "3 documents wait",
        "level": "warning",
        "logger": "interlace.some",
        "request_id": "r1",
        "tenant": "blue",
        "outcome": "deferred",
    }


def test_a_traceback_stays_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json")
    try:
        int("a defect")
    except ValueError:
        logging.getLogger("interlace.some").exception("failed")
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["exception"].startswith("Traceback")


def test_people_read_text(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("console")
    logging.getLogger("interlace.some").info("ready")
    text = capsys.readouterr().err
    assert "ready" in text
    assert not text.startswith("{")


def test_requests_of_the_http_client_and_debug_lines_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json")
    logging.getLogger("httpx").info("GET /")
    logging.getLogger("interlace.some").debug("detail")
    assert capsys.readouterr().err == ""

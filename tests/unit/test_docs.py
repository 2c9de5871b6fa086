"""The documentation says what the code does: commands, options, variables, addresses, links and generated pages."""

import ast
import importlib.util
import inspect
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
import yaml
from fastapi.routing import APIRoute
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard
from prometheus_client import CollectorRegistry
from tests.support.memory_queue import MemoryQueue

from interlace.api import app as api
from interlace.api.metrics import Metrics
from interlace.api.readiness import Report
from interlace.api.schemas.questions import QueryBody
from interlace.cli.main import build
from interlace.client import Interlace
from interlace.documents.repository import DocumentRepository
from interlace.jobs.backlog import Backlog
from interlace.reconciliation.last_checks import LastChecks
from interlace.settings import MCP_API_KEY, PREFIX, Group, Settings

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [
    *GUIDES,
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "ops").rglob("*.md")),
    ROOT / "docker" / "README.md",
    ROOT / "cypher" / "README.md",
]
CODE = re.compile(r"^```[^\n]*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:^|[\s/])interlace((?: +[^\s|;&<>]+)+)", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CALL = re.compile(r"\b(GET|POST|PUT|DELETE) (/[\w/{}.-]*)")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def code(path: Path) -> Iterator[str]:
    for fenced, inline in CODE.findall(path.read_text(encoding="utf-8")):
        yield fenced or inline


every_page = pytest.mark.parametrize("page", PAGES, ids=name)


@every_page
def test_commands_and_options_exist(page: Path) -> None:
    root = typer.main.get_command(build())
    for text in code(page):
        for words in COMMAND.findall(text):
            check_command(root, shlex.split(words.replace("…", "").replace("'", "")))


def check_command(command: Any, words: list[str]) -> None:
    rest = list(words)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        default = getattr(command, "default_command", None)
        assert default or rest[0] in command.commands, f"interlace {' '.join(words)}: there is no {rest[0]}"
        command = command.commands[rest.pop(0) if rest[0] in command.commands else default]
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)} | {
        "--help"
    }
    for word in rest:
        if word.startswith("-"):
            assert word.split("=")[0] in options, f"interlace {' '.join(words)}: there is no {word}"


def test_the_check_of_commands_can_fail() -> None:
    root = typer.main.get_command(build())
    with pytest.raises(AssertionError, match="--colour"):
        check_command(root, ["documents", "delete", "--colour"])
    with pytest.raises(AssertionError, match="vanish"):
        check_command(root, ["documents", "vanish"])


@every_page
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for text in code(page):
        for words in re.findall(r"^make ((?:[a-z-]+ ?)+)", text, re.MULTILINE):
            assert set(words.split()) <= targets, f"make {words}"


@every_page
def test_variables_exist(page: Path) -> None:
    known = {*variables(), MCP_API_KEY}
    for variable in re.findall(r"INTERLACE_[A-Z0-9_]+", page.read_text(encoding="utf-8")):
        assert variable.startswith(f"{PREFIX}TEST_") or variable.rstrip("_") in known or variable == PREFIX, variable


def variables() -> Iterator[str]:
    for group, field in Settings.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Group):
            yield from (f"{PREFIX}{group.upper()}__{part.upper()}" for part in field.annotation.model_fields)
        else:
            yield f"{PREFIX}{group.upper()}"


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        place = (page.parent / file).resolve() if file else page
        assert place.exists(), f"{target} of {name(page)}"
        if anchor:
            assert anchor in anchors(place), f"{target} of {name(page)}"


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", GUIDES, ids=name)
def test_guides_have_title_and_tags(page: Path) -> None:
    front, text = page.read_text(encoding="utf-8").removeprefix("---\n").split("---\n", 1)
    values = yaml.safe_load(front)
    assert values["title"]
    assert values["tags"]
    assert text.lstrip().startswith("# ")


def generator() -> ModuleType:
    specification = importlib.util.spec_from_file_location("generate_docs", ROOT / "ops" / "docs" / "generate.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["settings.md", "errors.md"])
def test_generated_pages_are_up_to_date(page: str) -> None:
    written = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert written == generator().PAGES[page](), "run `make docs`"


def test_every_setting_and_code_is_on_its_page() -> None:
    pages = generator().PAGES
    assert all(f"`{variable}`" in pages["settings.md"]() for variable in variables())
    assert all(f"`{kind}`" in pages["errors.md"]() for kind in generator().KINDS)


def test_every_reason_why_a_document_cannot_be_read_is_on_its_page() -> None:
    calls = (
        call
        for file in (ROOT / "platform").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "ParseError"
    )
    given = {ast.unparse(word.value) for call in calls for word in call.keywords if word.arg == "reason"}
    # Constants are named as their values are.
    reasons = {
        reason.strip("'").lower().replace("_", "-") for reason in given if re.fullmatch(r"'[\w-]+'|[A-Z_]+", reason)
    }
    assert {"access", "limit", "not-allowed"} <= reasons
    page = generator().PAGES["errors.md"]()
    assert [reason for reason in sorted(reasons) if f"| `{reason}` |" not in page] == []


@every_page
def test_http_calls_exist(page: Path) -> None:
    calls = {
        (method, route.path_format)
        for router in api._ROUTERS
        for route in getattr(router, "routes", ())
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    calls |= {(method, re.sub(r"\{\w+\}", "{id}", path)) for method, path in calls}
    for method, path in CALL.findall(page.read_text(encoding="utf-8")):
        assert (method, path) in calls, f"{method} {path}"


def test_the_filter_example_is_accepted() -> None:
    examples = re.findall(
        r"^```json\n(.*?)^```", (ROOT / "docs" / "query-api.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert examples
    for example in examples:
        QueryBody.model_validate(json.loads(example))


def test_the_clients_calls_exist() -> None:
    rows = re.findall(
        r"^\| `(\w+)\(([^)]*)\)` \|", (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows
    for method, arguments in rows:
        parameters = inspect.signature(getattr(Interlace, method)).parameters
        assert set(re.findall(r"(\w+)=", arguments)) <= set(parameters), method


def known_metrics() -> set[str]:
    # Without a database behind it: the metrics are only named here, never filled.
    registry: CollectorRegistry = Metrics(
        DocumentRepository.__new__(DocumentRepository),
        lambda: LastChecks({}, None),
        lambda: Backlog({}, 0),
        MemoryQueue(),
        lambda: Report("ready", {}),
    ).registry
    return {metric.name for metric in registry.collect()}


def unknown_metrics(expression: str) -> set[str]:
    named = re.findall(r"interlace_\w+", expression)
    return {re.sub(r"_(total|bucket|count|sum)$", "", metric) for metric in named} - known_metrics()


def test_alerts_name_metrics_that_exist() -> None:
    alerts = yaml.safe_load((ROOT / "ops" / "monitoring" / "alerts.yml").read_text(encoding="utf-8"))
    for rule in alerts["groups"][0]["rules"]:
        assert not unknown_metrics(rule["expr"])
        assert (ROOT / rule["annotations"]["runbook"]).is_file()


def test_alerts_fire_where_metrics_are_missing() -> None:
    """A queue that is away tells of no workers, and the time of the last check is NaN before the first one."""
    alerts = yaml.safe_load((ROOT / "ops" / "monitoring" / "alerts.yml").read_text(encoding="utf-8"))
    rules = {(rule["alert"], rule["for"]): rule["expr"] for rule in alerts["groups"][0]["rules"]}
    assert "or absent(interlace_workers)" in rules["InterlaceNoWorker", "2m"]
    assert (
        "unless max(interlace_invariants_checked_timestamp_seconds) > 0" in rules["InterlaceInvariantsUnchecked", "3h"]
    )
    assert rules["InterlaceServerDown", "2m"] == "min by (server) (interlace_server_up) == 0"


def test_the_grafana_board_is_one_of_its_schema_and_names_metrics_that_exist() -> None:
    board = json.loads((ROOT / "ops" / "monitoring" / "grafana-board.json").read_text(encoding="utf-8"))
    read = json.loads(JSONEncoder().encode(Dashboard.from_json(board)))
    # What the schema does not know would be missing in what was read.
    assert {name: read[name] for name in board if name != "panels"}["title"] == "Interlace"
    for written, panel in zip(board["panels"], read["panels"], strict=True):
        assert set(written) <= set(panel), written["title"]
        assert panel["targets"] == written["targets"]
        assert not unknown_metrics(" ".join(target["expr"] for target in written["targets"])), written["title"]


def test_the_walkthrough_names_each_file_once() -> None:
    """A newcomer follows a document and a question from file to file; no file is named twice, and none is gone."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = re.findall(r"`(interlace\w*/[\w/]+\.py)`", text)
    assert len(files) > 30
    assert len(files) == len(set(files))
    assert [file for file in files if not any((ROOT / root / file).is_file() for root in ("platform", "workers"))] == []

"""Checks of this machine and of the stack; each finding comes with a remedy. Servers elsewhere are not asked."""

import importlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from interlace.domain.errors import InterlaceError, StackError
from interlace.settings import Settings
from interlace_stack.disk_space import missing_space
from interlace_stack.external import external_servers
from interlace_stack.fetch import gds_version, is_complete, jars_folder, neo4j_version
from interlace_stack.layout import Layout, layout_of
from interlace_stack.models import model_folder, uses_bundled_model
from interlace_stack.neo4j_http import NotReadyError, RefusedPasswordError
from interlace_stack.processes import listens
from interlace_stack.profiles import cores, profile_of
from interlace_stack.programs import ALL, SERVERS, WATCHDOG, needed_space, port_setting
from interlace_stack.readiness import (
    api_url,
    neo4j_failure,
    neo4j_versions,
    port_is_free,
    probe_api,
    probe_neo4j,
    probe_redis,
    qdrant_version,
)
from interlace_stack.state import StackState, read_state
from interlace_stack.status import ProgramStatus, status
from interlace_stack.tools import find_java, find_maven, find_redis, java_version

Level = Literal["ok", "warn", "error"]
_DISK_LOW = 5_000_000_000
_DISK_TOO_LOW = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Args:
        check: what was checked.
        level: ``ok``; ``warn`` if the stack can run, or is only not started; ``error`` if it cannot run.
        detail: what was found.
        remedy: what to do; empty if nothing.
    """

    check: str
    level: Level
    detail: str
    remedy: str = ""


def doctor(settings: Settings) -> list[Finding]:
    """Run all checks, in the order in which the stack needs things; they start and change nothing."""
    layout = layout_of(settings)
    external = external_servers(settings)
    findings = [Finding("settings", "ok", "valid (`interlace config check` shows them)")]
    findings += [*_tools(settings, layout, external), *_fetched(settings, layout, external), _pipeline(settings)]
    findings += [*_reranker(settings), _disk(layout)]
    try:
        state = read_state(layout)
        programs = {program.name: program for program in status(settings)}
    except InterlaceError as error:
        return [*findings, Finding("stack.json", "error", error.message)]
    if state is None and external.issuperset(SERVERS):
        return [*findings, _api_without_stack(settings)]
    findings += _ports(settings, programs, external, state)
    findings += [_server(settings, name, programs[name], state) for name in ALL if name not in external]
    return findings


def _tools(settings: Settings, layout: Layout, external: frozenset[str]) -> Iterator[Finding]:
    if "neo4j" not in external:
        yield _tool("java", lambda: f"{(java := find_java())} (version {java_version(java)})")
        maven = _tool("maven", lambda: str(find_maven()))
        # Maven is needed only until everything is fetched.
        yield Finding("profile", "ok", f"{profile_of(settings.stack)} ({cores()} cores)")
        yield Finding("maven", "ok", "not needed: everything is fetched") if is_complete(jars_folder(layout)) else maven
    if "redis" not in external:
        yield _tool("redis-server", lambda: str(find_redis()))


def _tool(check: str, find: Callable[[], str]) -> Finding:
    try:
        return Finding(check, "ok", find())
    except InterlaceError as error:
        return Finding(check, "error", "not found", error.message)


def _fetched(settings: Settings, layout: Layout, external: frozenset[str]) -> Iterator[Finding]:
    if "neo4j" not in external:
        yield _folder("jars", jars_folder(layout), f"Neo4j {neo4j_version()}, Graph Data Science {gds_version()}")
    if uses_bundled_model(settings):
        yield _folder("embedding model", model_folder(layout), settings.embedding.model)
    elif settings.embedding.folder is not None:
        there = (settings.embedding.folder / "model.onnx").exists()
        remedy = "" if there else "Set INTERLACE_EMBEDDING__FOLDER to a folder with model.onnx and tokenizer.json."
        yield Finding("embedding model", "ok" if there else "error", str(settings.embedding.folder), remedy)


def _reranker(settings: Settings) -> Iterator[Finding]:
    chosen = settings.reranker
    if chosen.folder is not None:
        there = all((chosen.folder / name).exists() for name in ("model.onnx", "tokenizer.json"))
        remedy = "" if there else "Set INTERLACE_RERANKER__FOLDER to a folder with model.onnx and tokenizer.json."
        yield Finding("reranker", "ok" if there else "error", str(chosen.folder), remedy)
    if chosen.service:
        yield Finding("reranker", "ok", f"{chosen.service} by the package litellm")


def _folder(check: str, folder: Path, what: str) -> Finding:
    if is_complete(folder):
        return Finding(check, "ok", f"{what} in {folder}")
    return Finding(check, "warn", f"{what} has not been fetched yet", "`interlace up` fetches it.")


def _pipeline(settings: Settings) -> Finding:
    name = settings.spacy.pipeline
    try:
        version = getattr(importlib.import_module(name), "__version__", "of unknown version")
    except ImportError as error:
        return Finding(
            "spaCy pipeline",
            "error",
            f"{name}: {error}",
            "Install that package, or set INTERLACE_SPACY__PIPELINE to an installed one.",
        )
    return Finding("spaCy pipeline", "ok", f"{name} {version}")


def _disk(layout: Layout) -> Finding:
    place = next(folder for folder in (layout.root, *layout.root.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    detail = f"{free / 1e9:.1f} GB free at {place}"
    if free >= _DISK_LOW:
        return Finding("disk", "ok", detail)
    level: Level = "error" if free < _DISK_TOO_LOW else "warn"
    return Finding("disk", level, detail, "Free some space, or set INTERLACE_STACK__HOME to another disk.")


def _ports(
    settings: Settings, programs: dict[str, ProgramStatus], external: frozenset[str], state: StackState | None
) -> Iterator[Finding]:
    """Check the ports of the settings; for a program that runs, the port that it was started with."""
    stack = settings.stack.ports
    ports = (
        ("neo4j", stack.bolt, port_setting("bolt"), state and state.bolt_port),
        ("neo4j", stack.browser, port_setting("browser"), state and state.browser_port),
        ("qdrant", stack.qdrant, port_setting("qdrant"), state and state.qdrant_port),
        ("redis", stack.redis, port_setting("redis"), state and state.redis_port),
        ("api", settings.api.port, "INTERLACE_API__PORT", state and state.api_port),
    )
    for name, port, setting, started in ports:
        if name in external:
            continue
        pid = programs[name].pid
        if pid is not None and listens(pid, started or port):
            yield Finding(f"port {started or port}", "ok", f"used by {name} of this stack")
        else:
            yield _wanted(name, port, setting)


def _wanted(name: str, port: int, setting: str) -> Finding:
    try:
        if port_is_free(port):
            return Finding(f"port {port}", "ok", f"free ({name})")
    except InterlaceError as error:
        return Finding(f"port {port}", "error", error.message, f"Set {setting}.")
    taken = f"taken by another program ({name} needs it)"
    return Finding(f"port {port}", "error", taken, f"Stop that program, or set {setting}.")


def _server(settings: Settings, name: str, program: ProgramStatus, state: StackState | None) -> Finding:
    if state is None or program.pid is None:
        return Finding(name, "warn", f"is not running ({program.state.lower()})", "`interlace up` starts it.")
    layout = layout_of(settings)
    try:
        return Finding(name, "ok", _answer(settings, name, program.pid, state))
    except RefusedPasswordError as error:
        remedy = (
            f"`interlace down`, write Neo4j's password as neo4j_password into {layout.state_file}, then `interlace up`."
        )
        return Finding(name, "error", str(error), remedy)
    except StackError as error:
        return Finding(name, "error", str(error), "Stop that program, or set INTERLACE_API__PORT.")
    except NotReadyError as error:
        missing = missing_space(folder) if (folder := needed_space(layout).get(name)) else ""
        failure = neo4j_failure(state) if name == "neo4j" else ""
        remedy = f"See {layout.log(name)}; `interlace down` and `interlace up` restart it."
        if missing or failure:
            log = layout.log(WATCHDOG if failure else name)
            remedy = f"{missing} It is then started automatically; {log} has the details.".strip()
        return Finding(name, "error", failure or str(error), remedy)


def _api_without_stack(settings: Settings) -> Finding:
    """Where no server is the stack's, API, workers and scheduler are started by other means, and may run on other machines."""
    address = api_url(settings.api.host, settings.api.port)
    try:
        probe_api(settings.api.host, settings.api.port, pid=None)
    except NotReadyError:
        return Finding("api", "ok", f"no ready one on this machine ({address})")
    return Finding("api", "ok", f"{address} is ready")


def _answer(settings: Settings, name: str, pid: int, state: StackState) -> str:
    if name == "neo4j":
        probe_neo4j(state)
        neo4j, gds = neo4j_versions(state)
        return f"{state.bolt_uri}, version {neo4j}, Graph Data Science {gds}"
    if name == "qdrant":
        return f"{state.qdrant_url}, version {qdrant_version(state)}"
    if name == "redis":
        probe_redis(state)
        return f"127.0.0.1:{state.redis_port} answers"
    if name == "api":
        probe_api(settings.api.host, settings.api.port, pid)
        return "ready"
    return "runs"

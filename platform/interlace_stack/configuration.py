"""Configuration files that the programs read at startup: the servers', the child processes' environments, and the supervisor's."""

import hashlib
import json
from string import Template

from interlace.settings import Settings
from interlace_stack.environment import (
    app_environment,
    settings_environment,
    system_environment,
    tracing_environment,
)
from interlace_stack.fetch import jars_folder
from interlace_stack.layout import Layout, template, write_private
from interlace_stack.profiles import heap_mb
from interlace_stack.programs import ALL, APPS, WATCHDOG, StackProgram, neo4j_conf, qdrant_key_file, redis_conf
from interlace_stack.state import StackState

# Plugin procedures and functions that may be called: all algorithms in stream, stats and mutate mode, those that Interlace runs in every mode, and projections in memory. Those
# that write files (`gds.graph.export`, `gds.backup`, `gds.model.store`) are left out.
ALLOWED_PROCEDURES = (
    "db.*",
    "dbms.*",
    "tx.*",
    "gds.version",
    "gds.list",
    "gds.listProgress",
    "gds.isLicensed",
    "gds.license.state",
    "gds.debug.arrow",
    "gds.debug.sysInfo",
    "gds.graph.project",
    "gds.graph.project.*",
    "gds.graph.exists",
    "gds.graph.list",
    "gds.graph.drop",
    "gds.graph.filter",
    "gds.graph.nodeProperty.*",
    "gds.graph.nodeProperties.*",
    "gds.graph.relationships.*",
    "gds.graph.relationshipProperty.*",
    "gds.graph.relationshipProperties.*",
    "gds.util.*",
    "gds.similarity.*",
    "gds.*.stream",
    "gds.*.stats",
    "gds.*.mutate",
    "gds.*.stream.estimate",
    "gds.*.stats.estimate",
    "gds.*.mutate.estimate",
    "gds.leiden.*",
    "gds.pageRank.*",
    "gds.degree.*",
    "gds.wcc.*",
    "gds.shortestPath.*",
)
_PAGECACHE_MB = 512  # off-heap, allocated as it fills
# Fractions of the heap for one transaction, and for all of them together. A document is one transaction, so the first bounds its length.
_TRANSACTION_SHARE = 0.5
_TRANSACTIONS_SHARE = 0.75


def render_neo4j(settings: Settings, layout: Layout, state: StackState) -> str:
    """Return ``neo4j.conf``: loopback, authentication, LOAD CSV without files and URLs, only the procedures that are used, limits."""
    heap = heap_mb(settings.stack)
    return _template("neo4j.conf").substitute(
        bolt_port=state.bolt_port,
        browser_port=state.browser_port,
        api_port=state.api_port,
        tenant=settings.tenant,
        plugins=jars_folder(layout) / "plugins",
        logs=layout.logs / "neo4j",
        allowlist=",".join(ALLOWED_PROCEDURES),
        pagecache_mb=_PAGECACHE_MB,
        transaction_mb=int(heap * _TRANSACTION_SHARE),
        transactions_mb=int(heap * _TRANSACTIONS_SHARE),
    )


def render_redis(layout: Layout, state: StackState) -> str:
    """Return ``redis.conf``: loopback, password, an append-only file and no eviction."""
    return _template("redis.conf").substitute(
        redis_port=state.redis_port, redis_password=state.redis_password, redis_data=json.dumps(str(layout.redis))
    )


def render_supervisor(layout: Layout, programs: dict[str, StackProgram], digests: dict[str, str]) -> str:
    """Return ``supervisord.conf`` with a section for each of ``programs``."""
    folders = {"socket": layout.socket, "pid_file": layout.supervisor_pid, "logs": layout.logs, "run": layout.run}
    # supervisord expands %(…)s in its file, and in the logs of programs once more.
    values = {name: str(path).replace("%", "%%") for name, path in folders.items()}
    values["program_logs"] = values["logs"].replace("%", "%%")
    for name in (*ALL, WATCHDOG):
        values[f"{name}_command"] = programs[name].launch_line(layout) if name in programs else ""
        values[f"{name}_digest"] = digests.get(name, "")
    return _without_unused(_template("supervisord.conf").substitute(values), frozenset(programs))


def write_configuration(
    settings: Settings, layout: Layout, state: StackState, programs: dict[str, StackProgram]
) -> bool:
    """Write every file that the programs read, and return whether the supervisor's file changed.

    The supervisor's file has a digest of what each program reads, so it changes whenever a running program is out of date.
    """
    neo4j, redis = render_neo4j(settings, layout, state), render_redis(layout, state)
    neo4j_conf(layout).mkdir(exist_ok=True)
    (layout.neo4j / "import").mkdir(exist_ok=True)
    write_private(neo4j_conf(layout) / "neo4j.conf", neo4j)
    write_private(redis_conf(layout), redis)
    write_private(qdrant_key_file(layout), state.qdrant_api_key)
    # Without the system's variables: another shell's PATH is no reason to restart a server.
    contents = dict.fromkeys(APPS, json.dumps(settings_environment(settings) | tracing_environment(), sort_keys=True))
    # The watchdog reads `stack.json` at each check.
    contents |= {"neo4j": neo4j, "redis": redis, "qdrant": state.qdrant_api_key, WATCHDOG: ""}
    digests = {}
    for name in programs:
        environment = app_environment(settings) if name in APPS else system_environment()
        write_private(layout.run / f"{name}.env.json", json.dumps(environment))
        digests[name] = hashlib.sha256(contents[name].encode()).hexdigest()[:16]
    text = render_supervisor(layout, programs, digests)
    changed = not layout.supervisor_conf.exists() or layout.supervisor_conf.read_text(encoding="utf-8") != text
    write_private(layout.supervisor_conf, text)
    return changed


def _without_unused(text: str, used: frozenset[str]) -> str:
    # A section without a command would be refused, so unplanned programs lose theirs.
    head, *sections = text.split("[program:")
    return head + "".join(f"[program:{section}" for section in sections if section.split("]")[0] in used)


def _template(name: str) -> Template:
    return Template(template(name).read_text(encoding="utf-8"))

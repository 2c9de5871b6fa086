"""Gives Neo4j its password before its first start, without the password ever standing on a command line."""

import json
import subprocess

from interlace.domain.errors import StackError
from interlace_stack.environment import system_environment
from interlace_stack.layout import Layout, write_private
from interlace_stack.programs import neo4j_conf, neo4j_java
from interlace_stack.state import StackState

_SECONDS = 120


def has_data(layout: Layout) -> bool:
    """Tell whether Neo4j was started before or has its password already; only later changes by a query count then."""
    data = layout.neo4j / "data"
    return (data / "dbms" / "auth.ini").exists() or (data / "databases").exists()


def set_initial_password(layout: Layout, state: StackState) -> None:
    """Set the password of the user ``neo4j``; the server must not have been started yet.

    Raises:
        StackError: Neo4j's admin tool refused, for example a password shorter than eight characters.
    """
    words = layout.run / "neo4j.password"
    # The admin tool reads words from a file: the end of the options (a password may begin with a dash), then a quoted string.
    write_private(words, f"--\n{json.dumps(state.neo4j_password, ensure_ascii=False)}\n")
    tool = (*neo4j_java(layout, "-Xmx256m", "-Dfile.encoding=UTF-8"), "org.neo4j.cli.AdminTool")
    places = {"NEO4J_HOME": str(layout.neo4j), "NEO4J_CONF": str(neo4j_conf(layout))}
    try:
        answer = subprocess.run(
            [*tool, "dbms", "set-initial-password", f"@{words}"],
            env=system_environment() | places,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    finally:
        words.unlink()
    if answer.returncode != 0:
        raise StackError(f"Neo4j's password could not be set: {(answer.stderr or answer.stdout).strip()}")

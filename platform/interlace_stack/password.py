"""Sets Neo4j's password before its first start, without the password ever being on a command line."""

import json
import subprocess

from interlace.domain.errors import StackError
from interlace_stack.environment import system_environment
from interlace_stack.layout import Layout, write_private
from interlace_stack.programs import neo4j_conf, neo4j_java
from interlace_stack.state import StackState

_SECONDS = 120


def has_data(layout: Layout) -> bool:
    """Return whether Neo4j was started before or already has its password; then only a query can change it."""
    data = layout.neo4j / "data"
    return (data / "dbms" / "auth.ini").exists() or (data / "databases").exists()


def set_initial_password(layout: Layout, state: StackState) -> None:
    """Set the password of the user ``neo4j``; the server must not have been started yet.

    Raises:
        StackError: Neo4j's admin tool refused, for example a password shorter than eight characters.
    """
    arguments = layout.run / "neo4j.password"
    # The admin tool reads arguments from a file: the end of the options (a password may begin with a dash), then a quoted string.
    write_private(arguments, f"--\n{json.dumps(state.neo4j_password, ensure_ascii=False)}\n")
    tool = (*neo4j_java(layout, "-Xmx256m", "-Dfile.encoding=UTF-8"), "org.neo4j.cli.AdminTool")
    folders = {"NEO4J_HOME": str(layout.neo4j), "NEO4J_CONF": str(neo4j_conf(layout))}
    try:
        answer = subprocess.run(
            [*tool, "dbms", "set-initial-password", f"@{arguments}"],
            env=system_environment() | folders,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    finally:
        arguments.unlink()
    if answer.returncode != 0:
        raise StackError(f"Neo4j's password could not be set: {(answer.stderr or answer.stdout).strip()}")

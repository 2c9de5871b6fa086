"""An archive of the classes that Neo4j loads (Java's class data sharing): with it a test's server listens after half the time.

Tests start Neo4j dozens of times in a run, and half of the processor time until it listens goes into reading, checking and linking the same classes.
Java takes them from the archive as they were in memory. An archive that does not fit the jars, the class path or the Java runtime is ignored by Java
itself.
"""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from interlace.settings import Settings
from interlace_stack.fetch import Progress, jars_folder
from interlace_stack.layout import Layout
from interlace_stack.locks import locked
from interlace_stack.tools import find_java
from interlace_stack.up import up

_OPTIONS: Final = "JDK_JAVA_OPTIONS"


def use_class_archive(
    layout: Layout,
    stack: Callable[[], AbstractContextManager[Settings]],
    migrate: Callable[[Settings], None],
    progress: Progress,
) -> None:
    """Let every Neo4j that this process starts use the archive; make it, in half a minute, if there is none for these jars and this Java.

    Args:
        layout: of the cache that holds the jars, and the archive beside them.
        stack: gives the settings of a stack of its own, and removes it at the end.
        migrate: brings the schema up to date, so that the archive also has the classes that queries need.
        progress: called before the archive is made.
    """
    archive = jars_folder(layout) / f"classes-{find_java().resolve().stat().st_mtime_ns}.jsa"
    with locked(layout.cache / "archive.lock"):
        if not archive.exists():
            progress("archiving the classes of Neo4j (once)")
            recorded = archive.with_suffix(".partial")
            recorded.unlink(missing_ok=True)
            os.environ[_OPTIONS] = f'"-XX:ArchiveClassesAtExit={recorded}"'
            with stack() as settings:
                up(settings, only={"neo4j"}, migrate=migrate)
            del os.environ[_OPTIONS]  # the stack is down: its Neo4j has written what it had loaded
            if not recorded.exists():  # a runtime without an archive of its own classes cannot make one
                recorded.touch()
            recorded.replace(archive)
    if archive.stat().st_size:
        os.environ[_OPTIONS] = f'"-XX:SharedArchiveFile={archive}"'

"""Splits the jars that Maven fetched into those of the server and those of the plugins.

Neo4j has its own versions of many libraries that Graph Data Science also depends on; on one class path the server's must win.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path, PurePath

_PLUGIN_GROUP = "org.neo4j.gds"
# group folders / artifact / version / file
_MINIMUM_PARTS = 4


@dataclass(frozen=True, slots=True)
class Jar:
    """A jar with its Maven coordinates.

    Args:
        group: for example ``org.neo4j.gds``.
        artifact: for example ``proc``.
        path: where it is in Maven's repository layout, ``group/as/folders/artifact/version/file.jar``.
    """

    group: str
    artifact: str
    path: PurePath


def read_jars(root: Path) -> list[Jar]:
    """Return the jars below a folder in Maven's repository layout, sorted by path."""
    return [jar_at(path.relative_to(root)) for path in sorted(root.rglob("*.jar"))]


def jar_at(path: PurePath) -> Jar:
    """Read the coordinates from a path in Maven's repository layout.

    Raises:
        ValueError: the path has fewer parts than that layout needs.
    """
    if len(path.parts) < _MINIMUM_PARTS:
        raise ValueError(f"{path} is not in Maven's repository layout (group/artifact/version/file).")
    # A group may have several folders, and the rest has exactly three parts.
    *group, artifact, _version, _file = path.parts
    return Jar(group=".".join(group), artifact=artifact, path=path)


def plugin_jars(server: list[Jar], plugins: list[Jar]) -> list[Jar]:
    """Return the plugin jars to add to the server's.

    These are all jars of Graph Data Science, including those whose artifact the server has under the same name (``annotations`` and
    ``neo4j-values`` are different code), and third-party jars whose artifact the server does not have.
    """
    present = {jar.artifact for jar in server}
    return [jar for jar in plugins if jar.group == _PLUGIN_GROUP or jar.artifact not in present]


def flatten(jars: list[Jar], source: Path, target: Path) -> None:
    """Move jars from Maven's layout into one folder; a file name that two groups share is prefixed with its group."""
    target.mkdir(parents=True)
    for jar in jars:
        place = target / jar.path.name
        if place.exists():
            place = target / f"{jar.group}.{jar.path.name}"
        shutil.move(source / jar.path, place)

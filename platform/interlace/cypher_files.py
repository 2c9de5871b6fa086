"""Loads the Cypher files: each query becomes a frozen ``Query`` with its declared contract.

``EXPAND = query("retrieve/expand_neighbourhood")`` at module level fails at import when the file is missing or its header is wrong.
"""

import html
import itertools
import re
from functools import cache
from pathlib import Path

from interlace.ports.graph import Query

_HEADER = re.compile(r"// (params|mode|returns|rows|note|allows|untyped): (.*)")
_SAVED = re.compile(r"\{\{([a-z_]+/[a-z_]+)\}\}")
_PARAM = re.compile(r"\$(\w+) ([A-Z<> |]+\??)")


def files_root() -> Path:
    """Return the folder that holds ``cypher``: inside an installed wheel, or the checkout's root."""
    packaged = Path(__file__).parent / "_files"
    return packaged if packaged.is_dir() else Path(__file__).parents[2]


def cypher_root() -> Path:
    """Return the folder with ``migrations``, ``queries`` and ``browser``."""
    return files_root() / "cypher"


@cache
def query(name: str) -> Query:
    """Return the query of ``cypher/queries/<name>.cypher``.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: its header lacks title, mode or returns, or has a malformed parameter.
    """
    path = cypher_root() / "queries" / f"{name}.cypher"
    return parse_query(name, path.read_text(encoding="utf-8"))


def query_names() -> list[str]:
    """Return the names of all query files, sorted."""
    root = cypher_root() / "queries"
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.cypher"))


def guide(name: str) -> str:
    """Return a guide for Neo4j Browser as HTML; a ``{{folder/name}}`` in it stands for that saved query.

    Raises:
        FileNotFoundError: there is no such guide, or it names a saved query that is not there.
    """
    if not re.fullmatch(r"[a-z0-9_]+", name):
        raise FileNotFoundError(f"{name!r} is no name of a guide.")
    text = (cypher_root() / "browser" / "guides" / f"{name}.html").read_text(encoding="utf-8")
    return _SAVED.sub(lambda match: html.escape(_saved_text(match[1]), quote=False), text)


def _saved_text(name: str) -> str:
    text = (cypher_root() / "browser" / "saved" / f"{name}.cypher").read_text(encoding="utf-8")
    query = parse_query(name, text)
    return f"// {query.title}\n{query.text}"


def header_fields(text: str) -> dict[str, str]:
    """Return the fields of a header by name; a line that begins with ``//   `` continues the field before it."""
    fields: dict[str, str] = {}
    current = ""
    for line in itertools.takewhile(lambda line: line.startswith("//"), text.splitlines()):
        if match := _HEADER.fullmatch(line):
            current = match[1]
            fields[current] = match[2].strip()
        elif current and line.startswith("//   "):
            fields[current] += " " + line.removeprefix("//").strip()
    return fields


def parse_query(name: str, text: str) -> Query:
    """Read the header of a query file: title, then ``params``, ``mode``, ``returns`` and, if needed, ``rows``, ``note``, ``allows``."""
    lines = text.splitlines()
    fields = header_fields(text)
    if not lines or not lines[0].startswith("//") or _HEADER.fullmatch(lines[0]):
        raise ValueError(f"{name}.cypher must begin with a comment that is its title.")
    if fields.get("mode") not in {"read", "write"} or "returns" not in fields:
        raise ValueError(f"{name}.cypher must declare '// mode: read' or 'write', and '// returns: …'.")
    declared = fields.get("params", "")
    params = {match[1]: match[2].strip() for match in _PARAM.finditer(declared)}
    if len(params) != declared.count("$"):
        raise ValueError(
            f"{name}.cypher: cannot read '// params: {declared}'; write '$name TYPE, $other LIST<STRING>'."
        )
    return Query(
        name=name,
        title=lines[0].removeprefix("//").strip(),
        text="\n".join(line for line in lines if not line.startswith("//")).strip(),
        params=params,
        mode=fields["mode"],
        returns=fields["returns"],
        allows=frozenset(re.findall(r"\w+", fields.get("allows", ""))),
    )

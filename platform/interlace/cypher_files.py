"""Loads the Cypher files: each query becomes a frozen ``Query`` with its declared contract.

``_EXPAND_ENTITIES = query("expansion/expand_entities")`` at module level fails at import when the file is missing or its header is wrong.
"""

import html
import itertools
import re
from functools import cache
from pathlib import Path
from typing import cast

from interlace.ports.graph import Query, Readers

_HEADER = re.compile(r"// (params|mode|returns|rows|note|allows|reader|untyped): (.*)")
_SAVED = re.compile(r"\{\{([a-z_]+/[a-z_]+)\}\}")
_READER = re.compile(r"(filtered)|(anyone|operators) because \S.*")
# Cypher that compares a list of three nodes with a map: valid for the formatter, and never true by chance.
_FILTER = re.compile(r"\[(\w+), (\w+), (\w+)\] = \$filter\b")
_FRAGMENT = re.compile(r"\bWHERE\b(.*)\bRETURN\b", re.DOTALL)
_FRAGMENT_NODE = re.compile(r"\b(document|section|chunk)\b(?!')")
_NESTED = re.compile(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}")
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


@cache
def _filter_fragment() -> str:
    path = cypher_root() / "fragments" / "satisfies.cypher"
    found = _FRAGMENT.search(path.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("satisfies.cypher must have one condition between WHERE and RETURN.")
    return found[1].strip()


def with_filters(text: str) -> str:
    """Return a statement in which ``[document, section, chunk] = $filter`` is the condition of ``fragments/satisfies.cypher``.

    The condition is long, and every query that takes a filter evaluates it where it matches; Cypher has no functions to share it by.
    """

    def condition(match: re.Match[str]) -> str:
        nodes = dict(zip(("document", "section", "chunk"), match.groups(), strict=True))
        return _FRAGMENT_NODE.sub(lambda node: nodes[node[1]], _filter_fragment())

    return _FILTER.sub(condition, text)


def guide(name: str, address: str = "") -> str:
    """Return a guide for Neo4j Browser as HTML.

    A ``{{folder/name}}`` in it stands for that saved query, and ``{{guides}}`` for the ``address`` under which guides are served.

    Raises:
        FileNotFoundError: there is no such guide, or it names a saved query that is not there.
    """
    if not re.fullmatch(r"[a-z0-9_]+", name):
        raise FileNotFoundError(f"{name!r} is not the name of a guide.")
    text = (cypher_root() / "browser" / "guides" / f"{name}.html").read_text(encoding="utf-8")
    text = text.replace("{{guides}}", html.escape(address))
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
    """Read the header of a query file: title, then ``params``, ``mode``, ``returns`` and, if needed, ``rows``, ``note``, ``allows``, ``reader``."""
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
    statement = "\n".join(line for line in lines if not line.startswith("//")).strip()
    columns = _columns(fields["returns"])
    return Query(
        name=name,
        title=lines[0].removeprefix("//").strip(),
        text=with_filters(statement),
        unfiltered=_FILTER.sub("true", statement) if "filter" in params else "",
        params=params,
        mode=fields["mode"],
        returns=fields["returns"],
        allows=frozenset(re.findall(r"\w+", fields.get("allows", ""))),
        reader=_readers(name, fields),
        collected=tuple(columns) if fields.get("rows") == "collected" else (),
        required=frozenset(column for column, nullable in columns.items() if not nullable),
    )


def _columns(returns: str) -> dict[str, bool]:
    """Return which columns a header declares, and whether each may be null: ``a STRING, b LIST<(STRING, FLOAT)>?`` has ``a`` and ``b``."""
    if returns == "nothing":
        return {}
    while (outer := _NESTED.sub("", returns)) != returns:
        returns = outer
    return {column.split()[0]: column.endswith("?") for column in returns.split(",")}


def _readers(name: str, fields: dict[str, str]) -> Readers:
    """Return who may run a query; one that does not say is for operators only, so that an omission leads to a refusal, not to a leak.

    Raises:
        ValueError: the header cannot be read, or is that of a write.
    """
    if "reader" not in fields:
        return "operators"
    match = _READER.fullmatch(fields["reader"])
    if match is None or fields["mode"] != "read":
        raise ValueError(
            f"{name}.cypher: write '// reader: filtered', 'anyone because …' or 'operators because …', and only for a read."
        )
    return cast("Readers", match[1] or match[2])

"""Write ``platform/interlace/queries``: for each Cypher file with a typed header one function, and the class of its rows.

The header of a query declares what goes in and what comes out; this turns it into Python that mypy can check, as sqlc and aiosql do for SQL::

    // The chunks that a query shows
    // params: $tenant STRING, $ids LIST<STRING>, $kind STRING?
    // mode: read
    // returns: id STRING, section STRING?, mentions LIST<{entity STRING, count INTEGER}>
    // rows: many

Types: ``STRING INTEGER FLOAT BOOLEAN BYTES DATETIME ANY MAP LIST<T>``, ``{name T, …}`` for a map with known keys (a class of its own),
``(T, T)`` for a list of fixed length, ``?`` for what may be null. ``rows`` says how many come back: ``many`` (default), ``collected``
(many, in no order, sent as one record, which the driver reads faster), ``one`` or ``optional``. ``reader`` says who may run a read: ``filtered`` where the text has a condition on ``$groups``, which is no parameter because
whoever runs it sets it, else ``anyone because …`` or ``operators because …``. ``note`` goes into the docstring. ``untyped: because …`` excuses a query whose text
is used as it is. A line that begins with ``//   `` continues the one before.

A query with one column returns its values, any other one rows with attributes.

Usage: ``generate.py [--check]``; with ``--check`` nothing is written, and files that are not up to date are an error.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interlace.cypher_files import header_fields, parse_query
from interlace.ports.graph import Query, column_of

ROOT = Path(__file__).parents[2]
QUERIES = ROOT / "cypher" / "queries"
TARGET = ROOT / "platform" / "interlace" / "queries"
_SCALARS = {
    "STRING": "str",
    "INTEGER": "int",
    "FLOAT": "float",
    "BOOLEAN": "bool",
    "BYTES": "bytes",
    "DATETIME": "datetime",
    "ANY": "Any",
    "MAP": "Mapping[str, Any]",
}
_READER = (
    "write `// reader: filtered` and leave out in its text what $groups does not open, or `// reader: anyone because …` if it tells of no "
    "document, or `// reader: operators because …`, which refuses keys that are restricted to groups."
)
_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[<>{}(),?$])")


class HeaderError(ValueError):
    """A header cannot be read."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type without parts."""

    python: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of any length."""

    item: "Kind"


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A list of fixed length."""

    items: "tuple[Kind, ...]"


@dataclass(frozen=True, slots=True)
class Record:
    """A map with known keys."""

    columns: "tuple[Column, ...]"


@dataclass(frozen=True, slots=True)
class Optional:
    """What may be null."""

    item: "Kind"


Kind = Scalar | ListOf | TupleOf | Record | Optional


@dataclass(frozen=True, slots=True)
class Column:
    """A name as the Cypher spells it, and its type."""

    name: str
    kind: Kind

    @property
    def attribute(self) -> str:
        """The name in Python, of which the Cypher's can be made again."""
        name = re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", self.name)
        if column_of(name) != self.name:
            raise HeaderError(f"{self.name!r} is not in camel case")
        return name


@dataclass(slots=True)
class _Parser:
    """Reads a comma-separated list of columns by recursive descent."""

    text: str
    at: int = 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        return match[1] if match else ""

    def take(self, expected: str = "") -> str:
        match = _TOKEN.match(self.text, self.at)
        if not match or (expected and match[1] != expected):
            raise HeaderError(f"expected {expected or 'a word'} at {self.text[self.at :]!r}")
        self.at = match.end()
        return match[1]

    def columns(self, end: str = "") -> tuple[Column, ...]:
        found = [self.column()]
        while self.peek() == ",":
            self.take(",")
            found.append(self.column())
        if end:
            self.take(end)
        elif self.text[self.at :].strip():
            raise HeaderError(f"cannot read {self.text[self.at :]!r}")
        return tuple(found)

    def column(self) -> Column:
        if self.peek() == "$":
            self.take()
        return Column(self.take(), self.kind())

    def kind(self) -> Kind:
        word = self.take()
        kind: Kind
        if word == "LIST":
            self.take("<")
            kind = ListOf(self.kind())
            self.take(">")
        elif word == "{":
            kind = Record(self.columns("}"))
        elif word == "(":
            items = [self.kind()]
            while self.peek() == ",":
                self.take(",")
                items.append(self.kind())
            self.take(")")
            kind = TupleOf(tuple(items))
        elif word in _SCALARS:
            kind = Scalar(_SCALARS[word])
        else:
            raise HeaderError(f"{word!r} is not a type")
        if self.peek() == "?":
            self.take()
            kind = Optional(kind)
        return kind


@dataclass(slots=True)
class _Classes:
    """The classes of one module. Rows of several queries with the same columns, at least two, are of one class, and so are values."""

    names: dict[tuple[Column, ...], str] = field(default_factory=dict)
    users: dict[tuple[Column, ...], list[str]] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)

    def name(self, columns: tuple[Column, ...], own: str) -> str:
        """Return the name of the class with these columns: that of the first query that has them."""
        return self.names.setdefault(columns, own) if len(columns) > 1 else own


@dataclass(slots=True)
class _Function:
    """One query as a row class, unless it has one column, the classes of its records, and a function."""

    query: Query
    rows: str
    note: str
    params: tuple[Column, ...]
    columns: tuple[Column, ...]
    shared: _Classes = field(default_factory=_Classes)
    classes: list[str] = field(default_factory=list)

    @property
    def stem(self) -> str:
        return self.query.name.rsplit("/", 1)[1]

    @property
    def row(self) -> str:
        return self.shared.name(self.columns, f"{_camel(self.stem)}Row")

    @property
    def value(self) -> Column | None:
        """The only column, whose values are returned bare."""
        return self.columns[0] if len(self.columns) == 1 else None

    def source(self) -> str:
        row = "None"
        if self.value:
            row = self._python(self.value.kind, self.row, self.value)
        elif self.columns:
            users, row = self.shared.users[self.columns], self.row
            self._class(row, self.columns, f"A row of {' and '.join(f'``{name}``' for name in users)}.")
        return "\n\n".join([*self.classes, self._function(row)])

    def _class(self, name: str, columns: tuple[Column, ...], doc: str) -> None:
        if name in self.shared.written:
            return
        self.shared.written.add(name)
        fields = [f"    {column.attribute}: {self._python(column.kind, name, column)}" for column in columns]
        lines = [f"class {name}(NamedTuple):", f'    """{doc}"""', "", *fields]
        self.classes.append("\n".join(lines))

    def _python(self, kind: Kind, owner: str, column: Column) -> str:
        """Return the annotation of a column; records become classes named after their owner and column."""
        match kind:
            case Scalar(python):
                return python
            case Optional(item):
                return f"{self._python(item, owner, column)} | None"
            case ListOf(item):
                return f"list[{self._python(item, owner, column)}]"
            case TupleOf(items):
                return f"tuple[{', '.join(self._python(item, owner, column) for item in items)}]"
            case Record(columns):
                name = self.shared.name(columns, _record(owner, column))
                self._class(name, columns, f"A value in the column ``{column.name}`` of ``{self.query.name}``.")
                return name

    def _function(self, row: str) -> str:
        params = [f"{column.attribute}: {_argument(column.kind)}" for column in self.params]
        if self.query.mode == "read":
            params.append("timeout: float | None = None")
        returned = (
            {"many": f"list[{row}]", "collected": f"list[{row}]", "one": row, "optional": f"{row} | None"}[self.rows]
            if self.columns
            else row
        )
        signature = f"def {self.stem}(runner: QueryRunner{', *, ' if params else ''}{', '.join(params)}) -> {returned}:"
        note = f"\n\n    {self.note}\n    " if self.note else ""
        return f'{signature}\n    """{self.query.title.rstrip(".")}.{note}"""\n{self._body(row)}'

    def _body(self, row: str) -> str:
        values = "".join(f", {column.name}={column.attribute}" for column in self.params)
        timeout = ", timeout=timeout" if self.query.mode == "read" else ""
        call = f"runner.run(_{self.stem.upper()}{timeout}{values})"
        if not self.columns:
            return f"    {call}"
        if self.value:
            value = f"row[{self.value.name!r}]"
            build = _convert(self.value.kind, value, _record(self.row, self.value), 0, self.shared)
        else:
            build = _build(self.row, self.columns, "row", self.shared)
        if self.rows in {"many", "collected"}:
            return f"    return [{build} for row in {call}]"
        if self.rows == "one":
            made = f"    value: {row} = {build}\n    return value" if self.value else f"    return {build}"
            return f"    (row,) = {call}\n{made}"
        return f"    rows = {call}\n    return next(({build} for row in rows), None)"


def _record(owner: str, column: Column) -> str:
    singular = re.sub("ies$", "y", column.attribute).removesuffix("s")
    return f"{owner.removesuffix('Row')}{_camel(singular)}"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _argument(kind: Kind) -> str:
    """Return the annotation of a parameter: what the driver accepts."""
    match kind:
        case Scalar(python):
            return python
        case Optional(item):
            return f"{_argument(item)} | None"
        case ListOf(item):
            return f"Sequence[{_argument(item)}]"
        case _:
            return "Any"


def _is_plain(kind: Kind) -> bool:
    """Return whether a value comes from the driver as it is."""
    match kind:
        case Scalar():
            return True
        case ListOf(item) | Optional(item):
            return _is_plain(item)
        case _:
            return False


def _build(name: str, columns: tuple[Column, ...], variable: str, shared: _Classes) -> str:
    plain = {column: f"{variable}[{column.name!r}]" for column in columns}
    made = {column: _convert(column.kind, value, _record(name, column), 0, shared) for column, value in plain.items()}
    if made == plain and all(column.attribute == column.name for column in columns):
        return f"{name}(**{variable})"
    if made == plain:
        return f"record_of({name}, {variable})"
    return f"{name}({', '.join(f'{column.attribute}={value}' for column, value in made.items())})"


def _convert(kind: Kind, value: str, record: str, depth: int, shared: _Classes) -> str:
    """Return the expression that makes a typed value of a plain one."""
    if _is_plain(kind):
        return value
    match kind:
        case Optional(item):
            return f"None if {value} is None else {_convert(item, value, record, depth, shared)}"
        case ListOf(TupleOf()):
            # Thousands a query, so they are not copied: the driver's lists serve as tuples.
            return value
        case ListOf(item):
            return f"[{_convert(item, f'item{depth}', record, depth + 1, shared)} for item{depth} in {value}]"
        case TupleOf():
            return f"tuple({value})"
        case Record(columns):
            return _build(shared.name(columns, record), columns, value, shared)
        case _:
            raise AssertionError(kind)


def functions() -> Iterator[tuple[str, _Function]]:
    """Yield noun and function of every query with a typed header.

    Raises:
        HeaderError: a header cannot be read, or two queries have one name.
    """
    seen: dict[str, str] = {}
    for path in sorted(QUERIES.rglob("*.cypher")):
        name = path.relative_to(QUERIES).with_suffix("").as_posix()
        if other := seen.setdefault(path.stem, name) != name and seen[path.stem]:
            raise HeaderError(f"{name} and {other} would become one function; rename one.")
        text = path.read_text(encoding="utf-8")
        query, fields = parse_query(name, text), header_fields(text)
        if fields.get("untyped", "").startswith("because "):
            continue
        if query.mode == "read" and "reader" not in fields:
            raise HeaderError(f"{name}.cypher does not say who may run it; {_READER}")
        if (query.reader == "filtered") != ("$groups" in query.text and query.mode == "read"):
            raise HeaderError(f"{name}.cypher: `// reader: filtered` and a condition on $groups belong together.")
        try:
            params = _Parser(fields["params"]).columns() if fields.get("params") else ()
            columns = () if fields["returns"] == "nothing" else _Parser(fields["returns"]).columns()
        except HeaderError as error:
            raise HeaderError(f"{name}.cypher: {error}") from None
        rows = fields.get("rows", "many")
        if rows not in {"many", "collected", "one", "optional"}:
            raise HeaderError(f"{name}.cypher: rows is {rows!r}; write many, collected, one or optional.")
        if rows == "optional" and len(columns) == 1 and isinstance(columns[0].kind, Optional):
            raise HeaderError(f"{name}.cypher: null would look like no row; return a second column, or no null.")
        if rows == "collected" and re.search(r"\b(?:DATETIME|ANY|MAP)\b", fields["returns"]):
            raise HeaderError(f"{name}.cypher: collected rows hold no DATETIME, ANY or MAP; write many.")
        yield name.split("/")[0], _Function(query, rows, fields.get("note", ""), params, columns)


def modules() -> dict[str, str]:
    """Return the text of each generated module by file name."""
    nouns: dict[str, list[_Function]] = {}
    for noun, function in functions():
        nouns.setdefault(noun, []).append(function)
    texts = {f"{noun}.py": _module(noun, found) for noun, found in nouns.items()}
    first = "Typed queries: a function and a row class for each file of ``cypher/queries``, a module a noun; ``make queries`` writes them."
    return {"__init__.py": f'"""{first}"""\n'} | texts


def _module(noun: str, found: list[_Function]) -> str:
    shared = _Classes()
    for function in found:
        function.shared = shared
        shared.users.setdefault(function.columns, []).append(function.query.name)
    body = "\n\n\n".join(function.source() for function in found)
    collections = [name for name in ("Mapping", "Sequence") if re.search(rf"\b{name}\[", body)]
    typing = [name for name in ("Any", "NamedTuple") if re.search(rf"\b{name}\b", body)]
    imports = [
        f"from collections.abc import {', '.join(collections)}" if collections else "",
        "from datetime import datetime" if re.search(r"\bdatetime\b", body) else "",
        f"from typing import {', '.join(typing)}" if typing else "",
    ]
    constants = "\n".join(f'_{function.stem.upper()} = query("{function.query.name}")' for function in found)
    return "\n".join(
        [
            f'"""Queries of ``cypher/queries/{noun}``, typed. Generated by ``make queries``: edit the Cypher, not this."""',
            "",
            *filter(None, imports),
            "",
            "from interlace.cypher_files import query",
            f"from interlace.ports.graph import {'QueryRunner, record_of' if 'record_of(' in body else 'QueryRunner'}",
            "",
            constants,
            "",
            "",
            body,
            "",
        ]
    )


def _formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET / "module.py"), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def main() -> int:
    """Write the modules, or compare them with what is there."""
    texts = {name: _formatted(text) for name, text in modules().items()}
    standing = {path.name: path.read_text(encoding="utf-8") for path in TARGET.glob("*.py")}
    if "--check" in sys.argv[1:]:
        wrong = sorted(name for name in texts.keys() | standing.keys() if texts.get(name) != standing.get(name))
        for name in wrong:
            sys.stderr.write(
                f"platform/interlace/queries/{name} is not what the Cypher files say; run `make queries`.\n"
            )
        return bool(wrong)
    TARGET.mkdir(exist_ok=True)
    for name in standing.keys() - texts.keys():
        (TARGET / name).unlink()
    for name, text in texts.items():
        (TARGET / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

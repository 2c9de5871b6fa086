"""Tables as JSON, CSV or an Arrow stream."""

import csv
import io
import math
from collections.abc import Sequence
from typing import Any, Final

import orjson

from interlace.ports.statements import Table

CSV: Final = "text/csv"
ARROW: Final = "application/vnd.apache.arrow.stream"
_NESTED = (list, dict)
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def encoded(table: Table, accept: str) -> tuple[bytes, str]:
    """Return a table in the form that the caller accepts, and its media type; JSON unless it names another."""
    wanted = accept.lower()
    if ARROW in wanted:
        return _arrow(table), ARROW
    if CSV in wanted:
        return _csv(table), CSV
    return _json({"columns": table.columns, "rows": table.rows, "truncated": table.truncated}), "application/json"


def _json(value: Any) -> bytes:
    return orjson.dumps(value, default=_text, option=orjson.OPT_NON_STR_KEYS)


def _csv(table: Table) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return out.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return _json(value).decode() if isinstance(value, _NESTED) else value


def _arrow(table: Table) -> bytes:
    """Return the table as an Arrow stream; a column whose values have no common type becomes JSON text."""
    import pyarrow as pa

    columns = [_column(pa, [row[place] for row in table.rows]) for place in range(len(table.columns))]
    made = pa.table(columns, names=list(table.columns))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, made.schema) as writer:
        writer.write_table(made)
    return bytes(sink.getvalue())


def _column(pyarrow: Any, values: Sequence[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if len(kinds - {int, float}) <= (0 if kinds & {int, float} else 1) and not kinds & set(_NESTED):
        try:
            return pyarrow.array(values)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError):
            pass
    return pyarrow.array([None if value is None else _json(value).decode() for value in values], pyarrow.string())


def _text(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.isoformat() if hasattr(value, "isoformat") else str(value)

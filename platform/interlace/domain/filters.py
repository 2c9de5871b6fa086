"""The filter language of queries: typed conditions that compile to Cypher parameters and to Qdrant filters alike.

What a condition means, wherever it is evaluated:

- A field has values: those of a list, a single one, or none where the key is missing. A condition holds if *any* value satisfies it.
- Nothing satisfies a condition on a missing key, so ``not`` of that condition holds.
- Texts equal only texts (case-sensitively), Booleans only Booleans, numbers only numbers: as 64-bit floats, so 1 equals 1.0.
- A range compares numbers with a number, and dates with a date, as instants. Metadata is compared with a date where it is one.
- ``prefix`` compares texts, character by character and case-sensitively; the empty prefix matches every text.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal, get_args

from interlace.domain.errors import InvalidInputError
from interlace.domain.instants import instant
from interlace.domain.validation import SURROGATE

Scalar = str | int | float | bool
Operator = Literal["eq", "in", "gt", "gte", "lt", "lte", "prefix"]

WORDS: Final = ("source", "source_type", "tags", "document_id", "section_type", "checksum", "title", "language")
DATES: Final = ("created_at", "modified_at", "indexed_at")
NUMBERS: Final = ("chunk.position",)
FIELDS: Final = (*WORDS, *DATES, *NUMBERS)
OF_CHUNKS: Final = frozenset({"section_type", *NUMBERS})
"""Fields of which a document has many values, one per chunk."""
METADATA: Final = "metadata."
RANGES: Final = frozenset({"gt", "gte", "lt", "lte"})
MAX_CONDITIONS: Final = 100
MAX_LEVELS: Final = 8
MAX_CHOICES: Final = 1000
MAX_CHARACTERS: Final = 2000
MAX_KEY_CHARACTERS: Final = 200
_INT64: Final = 2**63


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of a document property.

    Args:
        field: one of ``FIELDS`` or ``metadata.<key>``.
        operator: equality, membership, range or prefix.
        value: what to compare with; a tuple for ``in``.

    Raises:
        InvalidInputError: field, operator and value do not go together; the message names the field.
    """

    field: str
    operator: Operator
    value: Scalar | tuple[Scalar, ...]

    def __post_init__(self) -> None:
        flaw = _flaw(self)
        if flaw:
            shown = self.value if len(repr(self.value)) <= MAX_KEY_CHARACTERS else "…"
            raise InvalidInputError(f"The filter {self.field} {self.operator} {shown!r} is invalid: {flaw}.")

    @property
    def choices(self) -> tuple[Scalar, ...]:
        """The values to compare with; more than one only for ``in``."""
        return self.value if isinstance(self.value, tuple) else (self.value,)

    @property
    def compares_instants(self) -> bool:
        """Whether it is the instants of dates that are compared, and not their texts."""
        return self.field in DATES or (self.operator in RANGES and isinstance(self.value, str))


@dataclass(frozen=True, slots=True)
class Filter:
    """A Boolean combination: all of ``must``, at least one of ``should`` (if any), none of ``must_not``."""

    must: tuple["Condition | Filter", ...] = ()
    should: tuple["Condition | Filter", ...] = ()
    must_not: tuple["Condition | Filter", ...] = ()

    @property
    def parts(self) -> tuple["Condition | Filter", ...]:
        """Everything it combines."""
        return (*self.must, *self.should, *self.must_not)


def within_limits(where: Filter) -> Filter:
    """Return the filter unchanged.

    Raises:
        InvalidInputError: it nests too deep or holds too many conditions to be run inside every leg.
    """
    layer: list[Condition | Filter] = [where]
    count = levels = 0
    while layer := [part for outer in layer if isinstance(outer, Filter) for part in outer.parts]:
        count += len(layer)
        levels += 1
        if levels > MAX_LEVELS or count > MAX_CONDITIONS:
            raise InvalidInputError(
                f"The filter is too large: it holds more than {MAX_CONDITIONS} conditions, or nests deeper than {MAX_LEVELS}."
            )
    return where


def fields_of(where: Filter) -> frozenset[str]:
    """Return the names of the fields that a filter looks at."""
    found: set[str] = set()
    for part in where.parts:
        found |= {part.field} if isinstance(part, Condition) else fields_of(part)
    return frozenset(found)


def _flaw(condition: Condition) -> str | None:
    """Return what is wrong with a condition, None if nothing is."""
    name, operator = condition.field, condition.operator
    key = name.removeprefix(METADATA)
    if name not in FIELDS and not (key != name and _is_key(key)):
        return f"{name!r} is not a field to filter by; use one of {', '.join(FIELDS)} or metadata.KEY"
    if operator not in get_args(Operator):
        return f"{operator!r} is not an operator; use one of {', '.join(get_args(Operator))}"
    if isinstance(condition.value, tuple) != (operator == "in"):
        return "the value must be a list for `in`, and one value for every other operator"
    if len(condition.choices) > MAX_CHOICES:
        return f"`in` takes at most {MAX_CHOICES} values"
    flaws = (_value_flaw(name, operator, value) for value in condition.choices)
    return next((flaw for flaw in flaws if flaw), None)


def _is_key(key: str) -> bool:
    return 0 < len(key) <= MAX_KEY_CHARACTERS and not SURROGATE.search(key)


def _value_flaw(name: str, operator: str, value: object) -> str | None:
    if name in NUMBERS and isinstance(value, str | bool):
        return f"{name} is compared with numbers"
    if isinstance(value, str):
        return _text_flaw(name, operator, value)
    if not isinstance(value, int | float):
        return "values are texts, numbers, true or false"
    if name in WORDS:
        return f"{name} is compared with texts"
    if name in DATES:
        return f"{name} is compared with dates like 2024-05-31 or 2024-05-31T12:00:00Z"
    return "`prefix` compares texts" if operator == "prefix" else _number_flaw(operator, value)


def _number_flaw(operator: str, value: float) -> str | None:
    if isinstance(value, bool):
        return f"`{operator}` compares numbers or dates, not true and false" if operator in RANGES else None
    fits = math.isfinite(value) if isinstance(value, float) else -_INT64 <= value < _INT64
    return None if fits else "a number must be finite, and an integer must fit 64 bits"


def _text_flaw(name: str, operator: str, value: str) -> str | None:
    if len(value) > MAX_CHARACTERS:
        return f"a text has at most {MAX_CHARACTERS} characters"
    if SURROGATE.search(value):
        return "a text may not hold half of a surrogate pair"
    if name in DATES and operator == "prefix":
        return "`prefix` does not apply to dates; use gt, gte, lt and lte"
    if name in WORDS and operator in RANGES:
        return "texts are not ordered here; use eq, in or prefix"
    if (name in DATES or operator in RANGES) and instant(value) is None:
        return "dates are written like 2024-05-31 or 2024-05-31T12:00:00Z"
    return None

"""Numbers in texts: digits with and without sign and separators, and number words, in one spelling."""

import re
from types import MappingProxyType

from interlace.text.tokenizer import tokens

# A minus follows a space, an opening bracket or quote, or a sign of its own: that of ``3-5``, ``5%-10%`` or ``2021-03-04`` is a hyphen, as is that of ``9 -12``.
_DIGITS = re.compile(r"((?<![^\s(\[|/:=<>~\"'\u201c\u2018$\u20ac\u00a3])(?<!\d\s)[-\u2212])?(\d+(?:[.,]\d+)*)")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")
_WORDS = MappingProxyType(
    {
        **{
            word: str(value)
            for value, word in enumerate(
                [
                    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
                    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
                ],
                start=2,
            )
        },
        **{
            word: str(10 * value)
            for value, word in enumerate(
                ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"], start=3
            )
        },
        "thousand": "1000",
        "million": "1000000",
        "billion": "1000000000",
        "twice": "2",
        "dozen": "12",
    }
)  # fmt: skip


def numbers_in(text: str) -> frozenset[str]:
    """Return the numbers of a text, ``1,911``, ``-4`` and ``twelve`` as ``1911``, ``-4`` and ``12``; ``one`` is a pronoun more often than a number."""
    found = {_plain(*match.groups()) for match in _DIGITS.finditer(text)}
    return frozenset(found | {_WORDS[token.form] for token in tokens(text) if token.form in _WORDS})


def _plain(minus: str | None, number: str) -> str:
    number = number.replace(",", "") if _GROUPED.match(number) else number
    number = number.lstrip("0") or "0"
    return f"-{number}" if minus and number != "0" else number

"""Numbers in texts: digits with and without separators, and number words, in one spelling."""

import re
from types import MappingProxyType

from interlace.text.tokenizer import tokens

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
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
    """Return the numbers of a text, ``1,911`` and ``twelve`` as ``1911`` and ``12``; ``one`` is a pronoun more often than a number."""
    found = {_plain(match[0]) for match in _DIGITS.finditer(text)}
    return frozenset(found | {_WORDS[token.form] for token in tokens(text) if token.form in _WORDS})


def _plain(number: str) -> str:
    number = number.replace(",", "") if _GROUPED.match(number) else number
    return number.lstrip("0") or "0"

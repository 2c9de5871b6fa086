"""Check the sizes and shapes that the code keeps to: files, functions, class names, settings, raw rows and retired words.

Usage: ``python -m ops.checks.house [--report]``. Without an option each rule is held against its ceiling, and a rule above it is an error.
``--report`` prints every violation, grouped by rule and package, whether or not the ceiling allows it.

A ceiling is the number of violations that the code may still have. It only ever goes down, but for a capability that is new: lines and
settings then rise by what it needs, in the commit that brings it.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ops.checks.words import Text, retired_words
from pydantic import BaseModel

from interlace.settings import Settings

ROOT = Path(__file__).parents[2]
GENERATED = "platform/interlace/queries/"
OWN_PACKAGES = ("platform/interlace_stack/", "platform/interlace_edge/")
MAX_FILE_LINES = 350
MAX_FUNCTION_LINES = 40

_ALIAS = re.compile(r"[A-Z][A-Z0-9]*[a-z]\w*")
CEILINGS: dict[str, int] = {}
LINES = 62_386
SETTINGS_FIELDS = 69
FILE_CEILINGS = {"platform/interlace/bootstrap.py": 199, "platform/interlace/search/pipeline.py": 149}
WORD_CEILINGS: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file: its path from the root of the repository, its text and its syntax tree."""

    path: str
    text: str
    tree: ast.Module

    @classmethod
    def of(cls, path: str, text: str) -> "Source":
        """Parse a text."""
        return cls(path, text, ast.parse(text))

    @property
    def is_generated(self) -> bool:
        """Whether it is a module of generated queries."""
        return self.path.startswith(GENERATED)

    @property
    def lines(self) -> int:
        """The number of lines."""
        return len(self.text.splitlines())


@dataclass(frozen=True, slots=True)
class Violation:
    """A place that breaks a rule, and a sentence that says how."""

    rule: str
    path: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.sentence}"


def long_files(sources: Iterable[Source], limit: int = MAX_FILE_LINES) -> Iterator[Violation]:
    """Yield files with more lines than the limit."""
    for source in sources:
        if source.lines > limit:
            yield Violation("long file", source.path, 1, f"{source.lines} lines; at most {limit}")


def long_functions(sources: Iterable[Source], limit: int = MAX_FUNCTION_LINES) -> Iterator[Violation]:
    """Yield functions whose bodies, without the docstring, have more lines than the limit."""
    for source in sources:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (lines := body_lines(node)) > limit:
                sentence = f"{node.name} has {lines} lines; at most {limit}"
                yield Violation("long function", source.path, node.lineno, sentence)


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines the body of a function has without its docstring."""
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def repeated_classes(sources: Iterable[Source]) -> Iterator[Violation]:
    """Yield each class name that stands in several places, once."""
    places: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for source in sources:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append((source.path, node.lineno))
    for name, found in sorted(places.items()):
        if len(found) > 1:
            others = ", ".join(path for path, _ in found[1:])
            yield Violation("class name defined twice", *found[0], f"class {name} is also defined in {others}")


def repeated_aliases(sources: Iterable[Source]) -> Iterator[Violation]:
    """Yield each name of a type that stands in several modules of a package, once; names in capitals or with an underscore are none."""
    places: defaultdict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for source in sources:
        package = "/".join(source.path.split("/")[:2])
        for node in source.tree.body:
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            for target in targets:
                if isinstance(target, ast.Name) and _ALIAS.fullmatch(target.id):
                    places[package, target.id].append((source.path, node.lineno))
    for (_, name), found in sorted(places.items()):
        if len(found) > 1:
            others = ", ".join(path for path, _ in found[1:])
            yield Violation("alias defined twice", *found[0], f"{name} is also defined in {others}")


def raw_rows(sources: Iterable[Source]) -> Iterator[Violation]:
    """Yield places that read a column of a driver's row by its name; adapters may."""
    for source in sources:
        if source.path.startswith("platform/interlace/adapters/"):
            continue
        for node in ast.walk(source.tree):
            if (
                isinstance(node, ast.Subscript)
                and isinstance(node.value, ast.Name)
                and node.value.id == "row"
                and isinstance(node.slice, ast.Constant)
                and isinstance(node.slice.value, str)
            ):
                sentence = f'row["{node.slice.value}"] reads a raw row; call a function of interlace.queries'
                yield Violation("raw row", source.path, node.lineno, sentence)


def long_heads(sources: Iterable[Source], ceilings: Mapping[str, int]) -> Iterator[Violation]:
    """Yield files that are longer than a ceiling of their own."""
    for source in sources:
        if source.lines > (limit := ceilings.get(source.path, source.lines)):
            yield Violation("file ceiling", source.path, 1, f"{source.lines} lines; at most {limit}")


def too_many_lines(sources: Iterable[Source], limit: int) -> Iterator[Violation]:
    """Yield one violation if the packages, without the local stack and the Qdrant Edge server, have more lines than the limit."""
    lines = sum(source.lines for source in sources if not source.path.startswith(OWN_PACKAGES))
    if lines > limit:
        yield Violation("lines", "platform", 1, f"{lines} lines outside stack and edge; at most {limit}")


def too_many_settings(model: type[BaseModel], limit: int) -> Iterator[Violation]:
    """Yield one violation if the settings have more fields than the limit."""
    if (count := settings_fields(model)) > limit:
        yield Violation("settings", "platform/interlace/settings.py", 1, f"{count} settings; at most {limit}")


def settings_fields(model: type[BaseModel]) -> int:
    """Count the variables: one a field of a group, whatever a JSON object names, and one a field that is no group."""
    kinds = [field.annotation for field in model.model_fields.values()]
    groups = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
    return len(kinds) - len(groups) + sum(len(group.model_fields) for group in groups)


def words(texts: Iterable[Text]) -> Iterator[Violation]:
    """Yield each use of a retired word."""
    for path, line, sentence in retired_words(texts):
        yield Violation("retired word", path, line, sentence)


def over(
    violations: Iterable[Violation], ceilings: Mapping[str, int], word_ceilings: Mapping[str, int]
) -> Iterator[str]:
    """Yield a sentence for each rule, and for retired words each package, that has more violations than its ceiling."""
    found: defaultdict[tuple[str, str], list[Violation]] = defaultdict(list)
    for violation in violations:
        per_package = violation.rule == "retired word"
        found[violation.rule, package(violation.path) if per_package else ""].append(violation)
    for (rule, where), these in sorted(found.items()):
        limit = word_ceilings.get(where, 0) if where else ceilings.get(rule, 0)
        if len(these) > limit:
            yield "\n".join(map(str, these))
            yield f"{rule}{where and f' in {where}'}: {len(these)}, at most {limit}"


def package(path: str) -> str:
    """Return the package or folder of a file, as reports and ceilings name it: ``search``, ``docs/adr``."""
    match Path(path).parent.parts:
        case ("platform", "interlace", name, *_) | ("platform", name, *_):
            return name
        case (("docs" | "tests" | "cypher") as top, name, *_):
            return f"{top}/{name}"
        case (top, *_):
            return top
        case _:
            return path


def report(violations: Iterable[Violation]) -> Iterator[str]:
    """Yield the counts by rule and package, then every violation."""
    these = list(violations)
    for rule in dict.fromkeys(violation.rule for violation in these):
        of_rule = [violation for violation in these if violation.rule == rule]
        counts = Counter(package(violation.path) for violation in of_rule)
        yield f"\n{rule}: {len(of_rule)}"
        for name in sorted(counts):
            yield f"  {name}: {counts[name]}"
            yield from (f"    {violation}" for violation in of_rule if package(violation.path) == name)


def lines_by_package(sources: Iterable[Source]) -> Iterator[str]:
    """Yield the number of lines of each package, the largest first."""
    lines: Counter[str] = Counter()
    for source in sources:
        lines[package(source.path)] += source.lines
    yield "\nlines by package"
    yield from (f"  {name}: {count:,}" for name, count in lines.most_common())


def read_sources(*, generated: bool = False) -> list[Source]:
    """Read the Python files of the packages and the workers; the generated queries only where wanted."""
    files = sorted(path for folder in ("platform", "workers") for path in (ROOT / folder).rglob("*.py"))
    names = {path.relative_to(ROOT).as_posix(): path for path in files}
    sources = [Source.of(name, path.read_text(encoding="utf-8")) for name, path in names.items()]
    return [source for source in sources if generated or not source.is_generated]


def read_texts() -> Iterator[Text]:
    """Read what people read and write: code, tests, Cypher, docs and notebooks, outside what is generated or records the past."""
    kinds = ("*.py", "*.cypher", "*.md", "*.ipynb", "*.yml", "*.html", "*.toml")
    folders = ("platform", "workers", "tests", "ops", "cypher", "docs", "notebooks", "docker")
    skipped = (GENERATED, "cypher/node_modules/", "tests/fixtures/", "ops/checks/words.py", "tests/unit/ops/")
    found = [path for folder in folders for kind in kinds for path in sorted((ROOT / folder).rglob(kind))]
    for path in [*found, ROOT / "README.md"]:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(skipped):
            yield Text(name, path.read_text(encoding="utf-8"))


def violations_of(*, targets: bool) -> list[Violation]:
    """Return every violation; with ``targets`` totals are held against what is wanted, not against the ceilings."""
    everything = read_sources(generated=True)
    sources = [source for source in everything if not source.is_generated]
    return [
        *long_files(everything),
        *long_functions(sources),
        *repeated_classes(everything),
        *repeated_aliases(everything),
        *raw_rows(sources),
        *long_heads(sources, FILE_CEILINGS),
        *too_many_lines(sources, 24_000 if targets else LINES),
        *too_many_settings(Settings, 70 if targets else SETTINGS_FIELDS),
        *words(read_texts()),
    ]


def main(arguments: list[str]) -> int:
    """Print what is over its ceiling, or with ``--report`` everything; return the exit code."""
    if arguments == ["--report"]:
        sys.stdout.writelines(f"{line}\n" for line in report(violations_of(targets=True)))
        sys.stdout.writelines(f"{line}\n" for line in lines_by_package(read_sources()))
        return 0
    problems = list(over(violations_of(targets=False), CEILINGS, WORD_CEILINGS))
    sys.stderr.writelines(f"{line}\n" for line in problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The shape of the repository: what a checker of types or style does not see."""

import ast
import platform
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = {"interlace", "interlace_edge", "interlace_stack", "interlace_workers", "tests"}
MAX_CHARACTERS = 600
CYPHER = re.compile(
    r"\b(?:OPTIONAL MATCH|MATCH|MERGE|UNWIND \$|DETACH DELETE|RETURN DISTINCT)\s*[({$a-z]|\bCREATE \((?:\w*:|\w+\))"
)
# In parts, so that this file does not hold what it looks for.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("repo1", "maven", "org"),
        ("repo", "maven", "apache"),
        ("crates", "io"),
        ("golang", "org"),
        ("deb", "debian", "org"),
    )
]


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def test_platform_is_the_standard_librarys() -> None:
    assert Path(str(platform.__file__)).parent == Path(sysconfig.get_path("stdlib"))
    for folder in ("platform", "workers"):
        assert (ROOT / folder).is_dir()
        assert not (ROOT / folder / "__init__.py").exists()


def test_a_fresh_interpreter_at_the_root_agrees() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import platform; print(platform.system())"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == platform.system()


def strings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield every text of a module but its docstrings."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node


@pytest.mark.parametrize(
    "text", ["MATCH (n) RETURN n", "MERGE (t:Tag {name: $n})", "UNWIND $rows AS row", "CREATE (d:Document)"]
)
def test_the_pattern_knows_cypher(text: str) -> None:
    assert CYPHER.search(text)


def test_no_cypher_in_python() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{text.lineno}"
        for path in sources("platform", "workers")
        for text in strings(ast.parse(path.read_text(encoding="utf-8")))
        if CYPHER.search(str(text.value))
    ]
    assert found == []


def test_no_file_is_too_long() -> None:
    files = sources("platform", "workers", "tests", "ops") + sorted((ROOT / "cypher").glob("[mqb]*/**/*.cypher"))
    # How long a generated file is follows from how many queries its noun has.
    written = [path for path in files if not path.is_relative_to(ROOT / "platform" / "interlace" / "queries")]
    found = {
        str(path.relative_to(ROOT)): lines
        for path in written
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_CHARACTERS
    }
    assert found == {}


def test_no_file_names_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {host}"
        for path in tracked()
        for text in [path.read_bytes().decode("utf-8", "replace")]
        for host in HOSTS
        if host in text
    ]
    assert found == []


def test_every_imported_package_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    lines += [line for extra in project["project"]["optional-dependencies"].values() for line in extra]
    declared = {normal(re.split(r"[\[<>=!;, ]", line)[0]) for line in lines}
    known = packages_distributions()
    for path in sources("platform", "workers", "tests", "ops", "docker"):
        for package in imported(ast.parse(path.read_text(encoding="utf-8"))):
            distributions = {normal(name) for name in known.get(package, ())}
            assert not distributions or distributions & declared, f"{path.relative_to(ROOT)} imports {package}"


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in names:
            package = name.split(".")[0]
            if package not in OURS and package not in sys.stdlib_module_names:
                yield package


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_locks_hold_hashes_and_no_addresses() -> None:
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        pinned = re.findall(r"^[a-z0-9][^ \n]*==[^\n]*\n(    --hash=)", text, re.MULTILINE)
        assert len(pinned) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE)), path
        assert "://" not in text, path

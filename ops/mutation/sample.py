"""Run mutation tests on a sample: change one place of the code, run the fast tests that should notice, and list what none noticed.

Cosmic Ray makes the mutants. It is no dependency of the project, because it is run by hand, every few months: install it with
``uv pip install cosmic-ray==8.7.0``. Everything happens in a copy of the tree. CPU time is bounded by the size of the sample: about two
seconds a mutant.

Usage: ``python ops/mutation/sample.py [--mutants 20] [--seed 1] [--only relink.py]``
"""

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[2]
_COPIED: Final = ("platform", "workers", "tests", "cypher", "ops", "pyproject.toml")
TARGETS: Final = {
    "ingestion/relink.py": ("unit/ingestion/test_relink.py", "property/test_linking_property.py"),
    "ingestion/older_chunks.py": ("unit/ingestion/test_older_chunks.py", "unit/ingestion/test_writer.py"),
    "ingestion/ledger.py": ("unit/ingestion/test_ledger.py",),
    "entities/gazetteer.py": ("unit/entities/test_gazetteer.py", "property/test_linking_property.py"),
    "entities/linker.py": ("unit/entities", "unit/ingestion/test_writer.py"),
    "search/fuse.py": ("unit/search/test_fuse.py", "property/test_fusion_property.py"),
    "parsing/chunking.py": ("unit/parsing/test_chunking.py", "property/test_chunking_locality.py"),
}
"""Module below ``platform/interlace`` to the tests that should notice its mutants."""
_SECONDS: Final = 120
_CONFIG = """
[cosmic-ray]
module-path = "platform/interlace/{module}"
timeout = {seconds}.0
excluded-modules = []
test-command = "{python} -m pytest -q -x -p no:randomly -p no:cacheprovider {tests}"

[cosmic-ray.distributor]
name = "local"
"""


def copy_tree(target: Path) -> None:
    """Copy what tests need, so that a mutant never stands in the working tree."""
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        else:
            shutil.copy(source, target / name)


def keep_sample(session: Path, mutants: int, seed: int) -> tuple[int, int]:
    """Drop all but a random sample of a session's mutants; return how many are kept, and of how many."""
    with closing(sqlite3.connect(session)) as database, database:
        # Job ids are random: with this order a seed gives the same sample each time.
        specs = database.execute("SELECT job_id FROM mutation_specs ORDER BY operator_name, occurrence, operator_args")
        ids = [row[0] for row in specs]
        kept = set(random.Random(seed).sample(ids, min(mutants, len(ids))))  # noqa: S311 - a sample is no secret
        for table in ("mutation_specs", "work_items"):
            database.executemany(f"DELETE FROM {table} WHERE job_id = ?", [(each,) for each in ids if each not in kept])  # noqa: S608 - the two names above
    return len(kept), len(ids)


def examine(tree: Path, module: str, tests: Sequence[str], mutants: int, seed: int) -> None:
    """Run a sample of a module's mutants and print those that survived."""
    config, session = tree / "mutation.toml", tree / "session.sqlite"
    session.unlink(missing_ok=True)
    paths = " ".join(f"tests/{name}" for name in tests)
    config.write_text(_CONFIG.format(module=module, seconds=_SECONDS, python=sys.executable, tests=paths))
    cosmic_ray(tree, "init", config.name, session.name)
    kept, of = keep_sample(session, mutants, seed)
    cosmic_ray(tree, "exec", config.name, session.name)
    with closing(sqlite3.connect(session)) as database:
        rows = database.execute(
            "SELECT s.start_pos_row, s.operator_name, r.diff FROM work_results r JOIN mutation_specs s USING (job_id) "
            "WHERE r.test_outcome = 'SURVIVED' ORDER BY s.start_pos_row"
        ).fetchall()
    sys.stdout.write(f"{module}: {kept} of {of} mutants, {len(rows)} survived\n")
    for line, operator, diff in rows:
        changed = [each for each in diff.splitlines() if each[:1] in "+-" and each[:3] not in {"+++", "---"}]
        sys.stdout.write(f"  line {line}, {operator}\n" + "".join(f"    {each}\n" for each in changed))
    sys.stdout.flush()


def cosmic_ray(tree: Path, *arguments: str) -> None:
    """Run a command of Cosmic Ray in the copied tree, whose packages come before the installed ones."""
    path = f"{tree / 'platform'}:{tree / 'workers'}:{tree}"
    command = ["env", f"PYTHONPATH={path}:{':'.join(sys.path[1:])}", sys.executable, "-m", "cosmic_ray.cli"]
    subprocess.run([*command, *arguments], cwd=tree, check=True)


def main() -> None:
    """Examine every target, or those whose name ends as asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else None)
    parser.add_argument("--mutants", type=int, default=20, help="mutants of each module")
    parser.add_argument("--seed", type=int, default=1, help="another seed, another sample")
    parser.add_argument("--only", default="", help="modules whose path ends so")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_tree(tree)
        for module, tests in TARGETS.items():
            if module.endswith(options.only):
                examine(tree, module, tests, options.mutants, options.seed)


if __name__ == "__main__":
    main()

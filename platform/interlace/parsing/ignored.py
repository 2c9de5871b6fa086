"""Parts of a folder that are for programs, not for readers: what git ignores, virtual environments, build output."""

import re
from collections.abc import Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

_GITIGNORE = ".gitignore"
# Folders that package managers and build tools fill. `build` and `dist` may hold people's documents, so they need a project next to them.
_FILLED_BY_TOOLS = frozenset({"node_modules", "__pycache__", "site-packages", "bower_components"})
_BUILD_OUTPUT = frozenset({"build", "dist", "target", "_build", "out"})
_PROJECTS = (
    "pyproject.toml", "setup.py", "package.json", "pom.xml", "build.gradle", "build.gradle.kts", "CMakeLists.txt",
    "meson.build", "go.mod", "composer.json", "Cargo.toml", "Makefile", "conf.py",
)  # fmt: skip


class IgnoreRules:
    """The ``.gitignore`` files of a root and of its parent folders, up to the root of the repository.

    Args:
        root: the folder that is read; a file given directly is never ignored.
    """

    def __init__(self, root: Path) -> None:
        self._specs: dict[Path, GitIgnoreSpec | None] = {}
        self._top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)

    def ignores(self, path: Path, *, folder: bool) -> bool:
        """Return whether a file or folder is ignored, given that its parent folders are not."""
        if folder and _is_made_by_tools(path):
            return True
        for base, spec in self._rules(path.parent):
            name = path.relative_to(base).as_posix()
            decided = spec.check_file(f"{name}/" if folder else name).include
            # The nearest matching file decides: a later rule may include a path again with `!`.
            if decided is not None:
                return decided
        return False

    def _rules(self, folder: Path) -> Iterator[tuple[Path, GitIgnoreSpec]]:
        """Yield the rules that apply in a folder, the nearest first."""
        for base in (folder, *folder.parents):
            if base not in self._specs:
                self._specs[base] = _read(base / _GITIGNORE)
            spec = self._specs[base]
            if spec is not None:
                yield base, spec
            if base == self._top:
                return


def _read(file: Path) -> GitIgnoreSpec | None:
    try:
        return GitIgnoreSpec.from_lines(file.read_text(encoding="utf-8", errors="replace").splitlines())
    except (OSError, ValueError, re.error):
        # Rules that cannot be read ignore nothing: too many documents are better than silently too few.
        return None


def _is_made_by_tools(folder: Path) -> bool:
    if folder.name in _FILLED_BY_TOOLS or folder.name.endswith(".egg-info"):
        return True
    if (folder / "pyvenv.cfg").is_file() or (folder / "conda-meta").is_dir():
        return True
    return folder.name in _BUILD_OUTPUT and any((folder.parent / project).is_file() for project in _PROJECTS)

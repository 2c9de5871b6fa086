"""Fetches source distributions of other projects, pinned by version and hash, and unpacks them into a cache outside the repository."""

import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

PACKAGES = Path(__file__).with_name("packages.toml")
_AT_ONCE = 3
_SECONDS = 240


class UnreachableError(Exception):
    """A package cannot be fetched."""


@dataclass(frozen=True, slots=True)
class Package:
    """One source distribution: name, version, SHA-256 of its archive, licence, and patterns of its files by format."""

    name: str
    version: str
    sha256: str
    licence: str
    files: dict[str, list[str]]

    def paths(self, root: Path) -> Iterator[tuple[str, Path]]:
        """Yield the format and the path of each file below the folder into which the package was unpacked."""
        for kind, patterns in self.files.items():
            for path in sorted({path for pattern in patterns for path in root.glob(pattern) if path.stat().st_size}):
                yield kind, path


def packages() -> list[Package]:
    """Return the packages of the corpus."""
    return [Package(**each) for each in tomllib.loads(PACKAGES.read_text())["package"]]


def cache_folder() -> Path:
    """Return the folder that keeps what was fetched: ``INTERLACE_TEST_CORPUS``, else one in the user's cache."""
    return Path(os.environ.get("INTERLACE_TEST_CORPUS") or Path.home() / ".cache" / "interlace" / "corpus")


def fetch(cache: Path) -> dict[str, Path]:
    """Return the folder of each package by name; what is in the cache already is not fetched again.

    Raises:
        UnreachableError: a package cannot be fetched.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(pool.map(lambda package: (package.name, _unpacked(package, cache)), packages()))


def _unpacked(package: Package, cache: Path) -> Path:
    folder = cache / f"{package.name}-{package.version}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=cache) as temporary:
            archive = _download(package, Path(temporary))
            if sha256(archive.read_bytes()).hexdigest() != package.sha256:
                raise ValueError(f"{archive.name} is not what packages.toml names; its SHA-256 differs.")
            with tarfile.open(archive) as tar:
                tar.extractall(Path(temporary) / "unpacked", filter="data")
            (inner,) = (Path(temporary) / "unpacked").iterdir()
            inner.rename(folder)
    return folder


def _download(package: Package, folder: Path) -> Path:
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
    options = ("--quiet", "--no-deps", "--no-binary", package.name, "--retries", "1", "--dest", str(folder))
    command = (sys.executable, "-m", "pip", "download", *options, "--require-hashes", "-r", str(pinned))
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        output = (error.stderr or b"").decode("utf-8", "replace").strip()[-300:]
        raise UnreachableError(f"{package.name} {package.version} cannot be fetched: {output or error}") from None
    return next(folder.glob("*.tar.gz"))

"""The folders and files of a stack: one folder for each stack, and one cache that all stacks share."""

from dataclasses import dataclass
from pathlib import Path

from interlace.domain.errors import StackError
from interlace.settings import Settings

# Linux allows 107 bytes in the path of a unix socket, macOS 103.
_SOCKET_PATH_BYTES = 103


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of one stack.

    Args:
        home: ``settings.stack.home``, absolute.
        name: the stack's name.
    """

    home: Path
    name: str

    @property
    def root(self) -> Path:
        """Everything that belongs to this stack alone."""
        return self.home / self.name

    @property
    def cache(self) -> Path:
        """Fetched servers and models, shared by all stacks of this home."""
        return self.home / "cache"

    @property
    def neo4j(self) -> Path:
        """Neo4j's home, with its data."""
        return self.root / "neo4j"

    @property
    def redis(self) -> Path:
        """Redis' data."""
        return self.root / "redis"

    @property
    def qdrant(self) -> Path:
        """The vectors."""
        return self.root / "qdrant"

    @property
    def links(self) -> Path:
        """Copies of the links between documents, which can always be rebuilt."""
        return self.root / "links"

    @property
    def logs(self) -> Path:
        """One log file for each process."""
        return self.root / "logs"

    @property
    def run(self) -> Path:
        """What is needed only while the stack runs: configuration, environments, process ids, the control socket."""
        return self.root / "run"

    @property
    def state_file(self) -> Path:
        """Ports and generated credentials."""
        return self.root / "stack.json"

    @property
    def lock_file(self) -> Path:
        """Locked by ``up`` and ``down``."""
        return self.root / "lock"

    @property
    def socket(self) -> Path:
        """The process supervisor's control socket."""
        return self.run / "supervisor.sock"

    @property
    def supervisor_conf(self) -> Path:
        """The process supervisor's configuration; its path on a command line proves which stack the supervisor belongs to."""
        return self.run / "supervisord.conf"

    @property
    def supervisor_pid(self) -> Path:
        """The process supervisor's id."""
        return self.run / "supervisord.pid"

    def log(self, process: str) -> Path:
        """Return the log file of a process."""
        return self.logs / f"{process}.log"

    def prepare(self) -> None:
        """Create the folders, readable by their owner only.

        Raises:
            StackError: the control socket's path would be longer than the system allows.
        """
        length = len(str(self.socket).encode())
        if length > _SOCKET_PATH_BYTES:
            raise StackError(
                f"{self.socket} has {length} bytes, but a control socket's path may have at most {_SOCKET_PATH_BYTES}. "
                "Set INTERLACE_STACK__HOME to a shorter path."
            )
        self.cache.mkdir(parents=True, exist_ok=True)
        for folder in (self.root, self.neo4j, self.redis, self.qdrant, self.logs, self.run):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def layout_of(settings: Settings) -> Layout:
    """Return the folders of the stack that the settings name."""
    return Layout(home=settings.stack.home.expanduser().absolute(), name=settings.stack.name)


def template(name: str) -> Path:
    """Return a file of ``ops/local``, in a checkout as in an installed wheel."""
    packaged = Path(__file__).parent / "_files"
    return (packaged if packaged.is_dir() else Path(__file__).parents[2] / "ops" / "local") / name


def write_private(path: Path, text: str) -> None:
    """Write a file atomically, readable only by its owner: readers see the old text or the new one, never a part."""
    partial = path.with_name(f".{path.name}.partial")
    # The mode applies only to a new file, so leftovers of an interrupted write go first.
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)

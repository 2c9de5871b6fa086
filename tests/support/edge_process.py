"""A Qdrant Edge server of the tests: a child process on a free port, which may be killed and started again."""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from tests.support.ports import free_port
from tests.support.waiting import until

KEY = "test-key"
START_SECONDS = 120.0
INDEX_EARLY = """
import sys
from interlace_edge.engine import schema
schema.HNSW_FULL_SCAN = 10
schema.OPTIMIZER["indexing_threshold"] = 300
from interlace_edge.__main__ import main
sys.exit(main())
"""


@dataclass
class EdgeProcess:
    """A server over ``folder``; each start takes a new port.

    Args:
        folder: for data, key and log.
        index_early: build HNSW indexes from 300 KB of vectors instead of Qdrant's 10 MB, and search them from 10 KB on.
    """

    folder: Path
    index_early: bool = False
    url: str = ""
    process: subprocess.Popen[bytes] | None = field(default=None)

    def command(self, port: int) -> list[str]:
        key_file = self.folder / "key"
        key_file.write_text(KEY)
        data = str(self.folder / "data")
        options = ["--port", str(port), "--data", data, "--api-key-file", str(key_file)]
        return [sys.executable, *(("-c", INDEX_EARLY) if self.index_early else ("-m", "interlace_edge")), *options]

    def start(self) -> "EdgeProcess":
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        with (self.folder / "log").open("ab") as log:
            self.process = process = subprocess.Popen(self.command(port), stdout=log, stderr=log)

        def is_ready() -> bool:
            assert process.poll() is None, (self.folder / "log").read_text()
            return httpx.get(f"{self.url}/readyz").is_success

        until(is_ready, START_SECONDS, despite=(httpx.TransportError,))
        return self

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=START_SECONDS)

"""The child process that optimises a copy of a shard: ``python -m interlace_edge.storage.optimise FOLDER``.

The engine holds Python's global interpreter lock for as long as it builds an index (seconds to minutes), so a thread of the server
would block every request. A process of its own does not.
"""

import ctypes
import os
import signal
import sys

import qdrant_edge as engine

PR_SET_PDEATHSIG = 1
NICENESS = 10


def main(folder: str) -> None:
    """Build indexes, merge segments and drop deleted points, at low priority; end when the server ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.nice(NICENESS)
    shard = engine.EdgeShard.load(folder)
    shard.optimize()
    shard.flush()
    shard.close()


if __name__ == "__main__":
    main(sys.argv[1])

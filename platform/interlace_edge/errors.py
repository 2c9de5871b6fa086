"""Refusals, each with the HTTP status and the kind of sentence that a Qdrant server gives."""

from http import HTTPStatus
from pathlib import Path


class EdgeError(Exception):
    """A request that is answered with ``{"status": {"error": message}}``.

    Args:
        status: HTTP status code.
        message: what was wrong and, where there is one, the remedy.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def wrong_input(message: str) -> EdgeError:
    """Return a 400: the request contradicts the collection, for example a vector of the wrong size."""
    return EdgeError(400, f"Wrong input: {message}")


def no_collection(name: str) -> EdgeError:
    """Return the 404 for a collection that does not exist."""
    return EdgeError(404, f"Not found: Collection `{name}` doesn't exist!")


def unsupported(what: str) -> EdgeError:
    """Return a 501: Interlace does not use it, so this server does not have it."""
    return EdgeError(501, f"Not implemented: this Qdrant Edge server does not support {what}; a Qdrant server may")


def no_space(folder: Path, free: int, min_free: int) -> EdgeError:
    """Return the 507 for a write while the disk is nearly full.

    Args:
        folder: where the write would go.
        free: bytes that are free there.
        min_free: bytes that must be free.
    """
    return EdgeError(
        HTTPStatus.INSUFFICIENT_STORAGE,
        f"No space left on device: {free // 2**20} MiB are free at {folder}, and writes need {min_free // 2**20} MiB. "
        "Free some disk space; nothing that was written is lost, and writes are accepted again after that",
    )

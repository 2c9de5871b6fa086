"""Engine calls, with engine errors turned into refusals."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from interlace_edge.errors import EdgeError

_logger = logging.getLogger(__name__)
ResultT = TypeVar("ResultT")
INTERNAL = ("IO Error", "Service", "internal", "panicked")


def call_engine(call: Callable[[Any], ResultT], argument: Any) -> ResultT:
    """Return ``call(argument)``. The engine has one exception type, so its message decides the status.

    Raises:
        EdgeError: 400, the engine refuses the request; 404, a named point is missing; 500, the engine itself failed.
    """
    try:
        return call(argument)
    except EdgeError:
        raise
    except Exception as error:
        sentence = str(error)
        if sentence.startswith("No point with id"):
            raise EdgeError(404, f"Not found: {sentence} found") from None
        if any(word in sentence for word in INTERNAL):
            _logger.exception("the engine failed")
            raise EdgeError(500, f"Service internal error: {sentence}") from None
        raise EdgeError(400, f"Bad request: {sentence}") from None

"""Structured logging: every line of a server process, whichever library wrote it, with the ids of the request or task it belongs to.

Services log with the standard library. structlog formats the lines, as JSON for machines or in colour for people, and adds what
``bind_contextvars`` has bound: ``request_id``, ``trace_id``, ``tenant``, ``task``, ``task_id``.
"""

import logging
import sys
from typing import Final

import structlog
from structlog.typing import Processor

from interlace.settings import LogFormat

_SHARED: Final[tuple[Processor, ...]] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
# These loggers write a line for each HTTP request that succeeded.
_CHATTY: Final = ("httpx", "httpcore")


def configure_logging(output: LogFormat = "auto") -> None:
    """Send the logs of this process to standard error, from level INFO on. Calling it again replaces the handler.

    Args:
        output: ``json``, ``console``, or ``auto``: ``console`` on a terminal, ``json`` elsewhere.
    """
    people = output == "console" or (output == "auto" and sys.stderr.isatty())
    # The console renderer formats exceptions itself, in colour.
    final: list[Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if people
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final]
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)

"""Clients that send slowly on purpose (Slowloris): a connection has so many seconds for the head of each request.

uvicorn bounds how long a connection may idle between requests, and not how long the head of a request may take.
"""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS: Final = 15.0
"""Time for the request line and all headers, from the connection or the first byte of a further request on."""


class HeadTimeoutProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol, with a time limit for the head of each request."""

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Begin to count."""
        super().connection_made(transport)
        self._count()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting."""
        self._stop()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Count for a further request on the same connection."""
        if self._head_timer is None:
            self._count()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop counting; the body has a limit of its own, ``BodyLimitMiddleware``."""
        self._stop()
        super().on_headers_complete()

    def _count(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()

"""The port for web pages: addresses that somebody else names, fetched only where the operator allows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from interlace.domain.errors import ParseError

MAX_URLS = 20
"""Addresses that one request may name."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What an address answered.

    Args:
        url: the address that was asked for, also where redirects led elsewhere.
        media_type: as the server says, without parameters; empty if it says nothing.
        content: the bytes; text in UTF-8 where the server names its encoding.
    """

    url: str
    media_type: str
    content: bytes


class PageFetcher(Protocol):
    """Fetches pages."""

    def check_allowed(self) -> None:
        """Check that the settings allow fetching.

        Raises:
            InvalidInputError: they allow none at all.
        """
        ...

    def fetch(self, urls: Sequence[str]) -> list[FetchedPage | ParseError]:
        """Return the page of each address in their order, or why there is none.

        Raises:
            InvalidInputError: as ``check_allowed``.
        """
        ...

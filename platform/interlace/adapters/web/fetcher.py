"""Fetches pages within the guard: pinned addresses, every redirect checked, limits on time and size, no cookies and no credentials."""

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import urljoin

import anyio
import httpx

from interlace import __version__
from interlace.adapters.web.guard import NOT_ALLOWED, UNREACHABLE, Guard, ResolveHost, Target
from interlace.domain.errors import InvalidInputError, ParseError
from interlace.ports.fetcher import FetchedPage
from interlace.settings import FetchSettings

MAX_REDIRECTS: Final = 5
_MAX_CONCURRENT = 4
_SECONDS = 20.0
_TEXTUAL = ("text/", "application/xhtml+xml", "application/xml", "application/json", "application/x-ndjson")
_READABLE = (
    *_TEXTUAL,
    "application/jsonl", "application/json-lines", "application/pdf", "application/x-pdf", "application/octet-stream",
    "application/vnd.openxmlformats-officedocument.", "application/vnd.ms-excel", "application/vnd.oasis.opendocument.spreadsheet",
    "application/epub+zip",
)  # fmt: skip
_NO_DOCUMENT = ("text/css", "text/javascript", "text/event-stream")


async def resolve_name(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host, as the operating system resolves them."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]).partition("%")[0] for each in found]


@dataclass(slots=True)
class WebFetcher:
    """Fetches pages.

    Args:
        settings: the allowed hosts.
        max_bytes: maximum size of a page.
        timeout: seconds within which a page must have arrived in full, redirects included.
        resolve: the name resolver.
        transport: for tests.
    """

    settings: FetchSettings
    max_bytes: int
    timeout: float = _SECONDS
    resolve: ResolveHost = resolve_name
    transport: httpx.AsyncBaseTransport | None = None
    _guard: Guard = field(init=False)

    def __post_init__(self) -> None:
        self._guard = Guard(frozenset(self.settings.hosts), frozenset(self.settings.private_hosts), self.resolve)

    def check_allowed(self) -> None:
        """Check that the settings allow fetching.

        Raises:
            InvalidInputError: they allow none at all.
        """
        if not self.settings.hosts and not self.settings.private_hosts:
            raise InvalidInputError(
                "This server does not fetch addresses. Send the documents themselves, or list the hosts in INTERLACE_FETCH__HOSTS."
            )

    def fetch(self, urls: Sequence[str]) -> list[FetchedPage | ParseError]:
        """Return the page of each address in order, or why there is none.

        Raises:
            InvalidInputError: as ``check_allowed``.
        """
        self.check_allowed()
        return asyncio.run(self._fetch_all(urls))

    async def _fetch_all(self, urls: Sequence[str]) -> list[FetchedPage | ParseError]:
        slots = asyncio.Semaphore(_MAX_CONCURRENT)
        # Environment variables may name proxies, which would resolve names themselves.
        async with httpx.AsyncClient(
            transport=self.transport, trust_env=False, timeout=self.timeout, follow_redirects=False
        ) as client:

            async def one(url: str) -> FetchedPage | ParseError:
                async with slots:
                    try:
                        with anyio.fail_after(self.timeout):
                            return await self._follow(client, url)
                    except ParseError as error:
                        error.uri = url
                        return error
                    except TimeoutError:
                        return ParseError(
                            f"{url} did not answer in full within {self.timeout:g} s.", reason=UNREACHABLE, uri=url
                        )
                    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
                        return ParseError(f"{url} could not be fetched.", reason=UNREACHABLE, uri=url)

            return list(await asyncio.gather(*map(one, urls)))

    async def _follow(self, client: httpx.AsyncClient, url: str) -> FetchedPage:
        address = url
        for _ in range(MAX_REDIRECTS + 1):
            target = await self._guard.check(address)
            async with client.stream(
                "GET", _pinned(target), headers=_headers(target), extensions={"sni_hostname": target.host}
            ) as answer:
                # Nothing may carry over from one page to the next, which may be on another host.
                client.cookies.clear()
                if not answer.has_redirect_location:
                    return await self._page(url, answer)
                where = urljoin(address, answer.headers["location"])
            if address.startswith("https:") and not where.startswith("https:"):
                raise ParseError(f"{url} redirects from https to another scheme.", reason=NOT_ALLOWED)
            address = where
        raise ParseError(f"{url} redirects more than {MAX_REDIRECTS} times.", reason=UNREACHABLE)

    async def _page(self, url: str, answer: httpx.Response) -> FetchedPage:
        if answer.status_code != HTTPStatus.OK:
            raise ParseError(f"{url} answered {answer.status_code}.", reason=UNREACHABLE)
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and (not kind.startswith(_READABLE) or kind in _NO_DOCUMENT):
            raise ParseError(f"{url} is {kind[:60]!r}, which has no readable text.", reason="unknown-type")
        if answer.headers.get("content-encoding", "identity").lower() != "identity":
            raise ParseError(f"{url} came compressed, which was not requested.", reason=UNREACHABLE)
        content = bytearray()
        async for part in answer.aiter_raw():
            content += part
            if len(content) > self.max_bytes:
                raise ParseError(
                    f"{url} has more than {self.max_bytes} bytes; INTERLACE_INGEST__MAX_BYTES is the limit.",
                    reason="too-large",
                )
        return FetchedPage(url, kind, _as_utf8(bytes(content), kind, answer.charset_encoding))


def _host(target: Target) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return host if target.url.port is None else f"{host}:{target.port}"


def _pinned(target: Target) -> httpx.URL:
    """Return the URL with the checked IP address instead of the host name, so that it is not resolved again."""
    path = (target.url.path or "/") + (f"?{target.url.query}" if target.url.query else "")
    host = f"[{target.address}]" if ":" in target.address else target.address
    return httpx.URL(f"{target.url.scheme}://{host}:{target.port}{path}")


def _headers(target: Target) -> dict[str, str]:
    return {
        "Host": _host(target),
        "User-Agent": f"interlace/{__version__}",
        "Accept": "text/html, text/markdown, text/plain, application/pdf, application/json, */*;q=0.1",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }


def _as_utf8(content: bytes, kind: str, encoding: str | None) -> bytes:
    """Return text as UTF-8 if the server declares another encoding; the parser detects encodings declared only in the text."""
    if encoding is None or not kind.startswith(_TEXTUAL):
        return content
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return content
    try:
        return content.decode(encoding).encode()
    except (LookupError, UnicodeError):
        return content

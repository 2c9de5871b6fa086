"""Fetching by address against a real server on loopback that answers as attackers do, and against names that resolve where they like."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from interlace.adapters.web.fetcher import MAX_REDIRECTS, WebFetcher
from interlace.adapters.web.guard import Guard
from interlace.domain.errors import InvalidInputError, ParseError
from interlace.ports.fetcher import FetchedPage
from interlace.settings import FetchSettings

MAX_BYTES = 1000
HTML = {"Content-Type": "text/html; charset=utf-8"}


class Site:
    """A web server on loopback: pages by path, each a status, headers and a body or something that writes one."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, Mapping[str, str], bytes | Callable[[Any], None]]] = {}
        self.asked: list[tuple[str, Mapping[str, str]]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                status, headers, body = site.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if callable(body):
                    body(self.wfile)
                else:
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.close()


def resolving(names: Mapping[str, Sequence[str]]) -> Callable[[str, int], Any]:
    async def resolve(host: str, _: int) -> Sequence[str]:
        await asyncio.sleep(0)
        return names.get(host, [host] if host[0].isdigit() or ":" in host else [])

    return resolve


def fetcher(site: Site, *names: str, timeout: float = 60, **options: Any) -> WebFetcher:
    """Return a fetcher that may ask the site under these names, and every public host."""
    private = [f"{name}:{site.port}" for name in names]
    addresses = {name: ["127.0.0.1"] for name in names} | options.pop("addresses", {})
    settings = FetchSettings(hosts=("*",), private_hosts=tuple(private))
    return WebFetcher(settings, MAX_BYTES, timeout=timeout, resolve=resolving(addresses), **options)


def refusal(found: list[FetchedPage | ParseError]) -> ParseError:
    (error,) = found
    assert isinstance(error, ParseError)
    return error


def test_a_page_of_a_listed_host_comes_with_its_type_and_no_secret_goes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    site.pages["/a?b=c"] = (200, {**HTML, "Set-Cookie": "a=b"}, "<h1>Pläne</h1>".encode())
    url = f"http://wiki.test:{site.port}/a?b=c#part"
    found = fetcher(site, "wiki.test").fetch([url, url])
    assert found == [FetchedPage(url, "text/html", "<h1>Pläne</h1>".encode())] * 2
    _, headers = site.asked[1]
    assert headers["host"] == f"wiki.test:{site.port}"
    assert headers["accept-encoding"] == "identity"
    assert not {"cookie", "authorization", "referer"} & set(headers)


def test_nothing_is_fetched_by_default() -> None:
    with pytest.raises(InvalidInputError, match="INTERLACE_FETCH__HOSTS"):
        WebFetcher(FetchSettings(), MAX_BYTES).fetch(["http://127.0.0.1/"])


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
        "http://0.0.0.0/", "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::7f00:1]/",
        "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::7f00:1]/", "http://[2002:7f00:1::]/", "http://[fe80::1]/",
        "http://[fd00:ec2::254]/", "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/", "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/", "http://168.63.129.16/", "http://100.100.100.200/", "http://224.0.0.1/",
        "http://255.255.255.255/", "http://198.18.0.1/", "http://localhost/", "http://metadata.test/", "http://mixed.test/",
        "http://LOCALHOST./", "http://①②⑦.⓪.⓪.①/",
        "http://public.test:22/", "http://public.test:8080/", "file:///etc/passwd", "ftp://public.test/", "gopher://public.test/",
        "http://user:secret@public.test/", "http://public.test@127.0.0.1/", "http://", "http://[", "https:///x", "x",
    ],
)  # fmt: skip
def test_what_may_not_be_asked_is_refused_before_any_connection(site: Site, url: str) -> None:
    def connect(request: httpx.Request) -> httpx.Response:
        raise AssertionError(request.url)

    addresses = {
        "public.test": ["93.184.216.34"],
        "localhost": ["127.0.0.1"],
        "metadata.test": ["169.254.169.254"],
        "mixed.test": ["93.184.216.34", "10.0.0.1"],
        "127.1": ["127.0.0.1"],
        "2130706433": ["127.0.0.1"],
        "0x7f000001": ["127.0.0.1"],
        "0177.0.0.1": ["127.0.0.1"],
    }
    web = fetcher(site, "wiki.test", addresses=addresses, transport=httpx.MockTransport(connect))
    assert refusal(web.fetch([url])).reason == "not-allowed"


def test_a_refusal_says_nothing_of_the_network(site: Site) -> None:
    """Whether a name exists within, or listens, is the same sentence as for a host that is in no list."""
    settings = FetchSettings(hosts=("other.test", "inner.test"))
    web = WebFetcher(settings, MAX_BYTES, resolve=resolving({"inner.test": ["10.0.0.7"]}))
    inner, unlisted = (refusal(web.fetch([f"http://{host}/"])) for host in ("inner.test", "unlisted.test"))
    assert inner.message.replace("inner", "unlisted") == unlisted.message
    assert site.asked == []


def test_a_host_of_the_private_list_is_asked_but_never_for_credentials_of_a_cloud(site: Site) -> None:
    site.pages["/"] = (200, HTML, b"inside")
    assert isinstance(fetcher(site, "wiki.test").fetch([f"http://wiki.test:{site.port}/"])[0], FetchedPage)
    settings = FetchSettings(private_hosts=("wiki.test",))
    web = WebFetcher(settings, MAX_BYTES, resolve=resolving({"wiki.test": ["169.254.169.254"]}))
    assert refusal(web.fetch(["http://wiki.test/"])).reason == "not-allowed"


def test_a_name_is_resolved_once_and_the_connection_goes_there(site: Site) -> None:
    """DNS rebinding: the second answer of the name service would be another machine."""
    site.pages["/"] = (200, HTML, b"the first address")
    asked: list[str] = []

    async def resolve(host: str, _: int) -> Sequence[str]:
        await asyncio.sleep(0)
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    settings = FetchSettings(private_hosts=(f"wiki.test:{site.port}",))
    (page,) = WebFetcher(settings, MAX_BYTES, resolve=resolve).fetch([f"http://wiki.test:{site.port}/"])
    assert isinstance(page, FetchedPage)
    assert asked == ["wiki.test"]


def test_a_certificate_is_that_of_the_name_though_the_connection_goes_to_an_address() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, headers=HTML, stream=httpx.ByteStream(b"x"))

    settings = FetchSettings(hosts=("docs.test",))
    resolve = resolving({"docs.test": ["2606:2800:220:1::1"]})
    web = WebFetcher(settings, MAX_BYTES, resolve=resolve, transport=httpx.MockTransport(answer))
    assert isinstance(web.fetch(["https://docs.test/a"])[0], FetchedPage)
    (request,) = seen
    assert str(request.url) == "https://[2606:2800:220:1::1]/a"
    assert (request.headers["host"], request.extensions["sni_hostname"]) == ("docs.test", "docs.test")


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.1:{port}/secret",
        "http://169.254.169.254/",
        "//localhost:{port}/secret",
        "file:///etc/passwd",
        "http://inner.test/",
    ],
)
def test_a_redirect_to_where_one_may_not_go_is_refused(site: Site, place: str) -> None:
    site.pages["/"] = (302, {"Location": place.format(port=site.port)}, b"")
    site.pages["/secret"] = (200, HTML, b"secret")
    web = fetcher(site, "wiki.test", addresses={"inner.test": ["10.0.0.1"], "localhost": ["127.0.0.1"]})
    assert refusal(web.fetch([f"http://wiki.test:{site.port}/"])).reason == "not-allowed"
    assert [path for path, _ in site.asked] == ["/"]


def test_redirects_within_the_rules_are_followed_so_many_times(site: Site) -> None:
    for number in range(MAX_REDIRECTS + 1):
        site.pages[f"/{number}"] = (301, {"Location": f"/{number + 1}"}, b"")
    site.pages[f"/{MAX_REDIRECTS + 1}"] = (200, HTML, b"the end")
    web = fetcher(site, "wiki.test")
    found = web.fetch([f"http://wiki.test:{site.port}/1", f"http://wiki.test:{site.port}/0"])
    assert found[0] == FetchedPage(f"http://wiki.test:{site.port}/1", "text/html", b"the end")
    assert "redirects more than" in refusal(found[1:]).message


@pytest.mark.parametrize("status", [300, 302, 304])
def test_a_redirect_to_nowhere_fails_alone(site: Site, status: int) -> None:
    site.pages["/nowhere"] = (status, {}, b"")
    site.pages["/"] = (200, HTML, b"there")
    url = f"http://wiki.test:{site.port}/"
    found = fetcher(site, "wiki.test").fetch([f"{url}nowhere", url])
    assert found[1] == FetchedPage(url, "text/html", b"there")
    assert refusal(found[:1]).message == f"{url}nowhere answered {status}."


def test_https_never_leads_to_http() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"Location": "http://docs.test/"})

    resolve = resolving({"docs.test": ["93.184.216.34"]})
    web = WebFetcher(FetchSettings(hosts=("*",)), MAX_BYTES, resolve=resolve, transport=httpx.MockTransport(answer))
    assert refusal(web.fetch(["https://docs.test/"])).reason == "not-allowed"


def drip(out: Any) -> None:
    for _ in range(600):
        try:
            out.write(b".")
            out.flush()
        except OSError:
            return
        time.sleep(0.05)


def flood(out: Any) -> None:
    try:
        while True:
            out.write(b"x" * 500)
    except OSError:
        pass


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        (HTML, flood, "too-large"),
        (HTML, drip, "unreachable"),
        ({"Content-Type": "image/png"}, b"\x89PNG", "unknown-type"),
        ({"Content-Type": "application/zip"}, b"PK", "unknown-type"),
        ({"Content-Type": "text/javascript"}, b"x", "unknown-type"),
        ({**HTML, "Content-Encoding": "gzip"}, b"\x1f\x8b", "unreachable"),
    ],
)
def test_what_never_ends_or_is_no_document_stops(site: Site, headers: Any, body: Any, reason: str) -> None:
    site.pages["/"] = (200, headers, body)
    timeout = 1 if body is drip else 60
    error = refusal(fetcher(site, "wiki.test", timeout=timeout).fetch([f"http://wiki.test:{site.port}/"]))
    assert error.reason == reason
    assert error.uri == f"http://wiki.test:{site.port}/"


def test_one_bad_address_leaves_the_others_alone(site: Site) -> None:
    site.pages["/good"] = (200, {"Content-Type": "text/plain; charset=latin-1"}, "Müller".encode("latin-1"))
    base = f"http://wiki.test:{site.port}"
    found = fetcher(site, "wiki.test").fetch(
        [f"{base}/none", f"{base}/good", "http://unlisted.test/", "http://wiki.test:1/"]
    )
    assert [each.reason if isinstance(each, ParseError) else each.content.decode() for each in found] == [
        "unreachable",
        "Müller",
        "unreachable",
        "not-allowed",
    ]


def test_a_server_that_is_away_is_named() -> None:
    guard = Guard(frozenset({"*"}), frozenset(), resolving({}))
    with pytest.raises(ParseError, match=r"unlisted\.test has no address"):
        asyncio.run(guard.check("http://unlisted.test/"))

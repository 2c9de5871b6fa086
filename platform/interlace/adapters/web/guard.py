"""The guard against server-side request forgery: which hosts, ports and addresses may be requested.

The rules are those of the OWASP cheat sheet on server-side request forgery: hosts from a list, names resolved once, every resolved
address checked, and the connection made to exactly that address, so that the name cannot be rebound in between.
"""

import ipaddress
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from interlace.domain.errors import ParseError

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
ResolveHost = Callable[[str, int], Awaitable[Sequence[str]]]
"""Return the addresses of a host and port; raises ``OSError`` for a name without any."""

NOT_ALLOWED = "not-allowed"
UNREACHABLE = "unreachable"
_PORTS: Final = {"http": 80, "https": 443}
_EVERY_HOST: Final = "*"
# Never requested, whatever the settings say: cloud metadata services, which hand out credentials to requests from inside, also on addresses
# that are otherwise public, and the local-use translation prefix, which hides an IPv4 address at a position that only the network knows.
_NEVER: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        "169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "fe80::/10", "fd00:ec2::/32", "64:ff9b:1::/48",
    )
)  # fmt: skip
# IPv6 networks that embed an IPv4 address in their low bits: NAT64 and IPv4-compatible.
_EMBEDDING: Final = tuple(ipaddress.IPv6Network(network) for network in ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96"))


@dataclass(frozen=True, slots=True)
class Target:
    """A web address that may be requested.

    Args:
        url: the whole URL.
        host: its host, in lower case and ASCII.
        port: its port.
        address: the IP address to connect to, and to no other.
    """

    url: SplitResult
    host: str
    port: int
    address: str


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides what may be requested.

    Args:
        hosts: hosts that may be requested, as ``host`` (on the ports of HTTP and HTTPS) or ``host:port``; ``*`` for every public one.
        private_hosts: those that may also have an address in private networks; ``*`` has no meaning here.
        resolve: the name resolver.
    """

    hosts: frozenset[str]
    private_hosts: frozenset[str]
    resolve: ResolveHost

    async def check(self, address: str) -> Target:
        """Return where to connect for an address.

        Raises:
            ParseError: it may not be requested (``not-allowed``), or its host has no address (``unreachable``).
        """
        url, host, port = _parts(address)
        private = _is_named(url.scheme, host, port, self.private_hosts)
        public = _is_named(url.scheme, host, port, self.hosts)
        if not private and not public and not (_EVERY_HOST in self.hosts and port == _PORTS[url.scheme]):
            raise _refused(host)
        try:
            found = await self.resolve(host, port)
        except (OSError, UnicodeError):
            found = ()
        if not found:
            raise ParseError(f"{host} has no address; check its spelling.", reason=UNREACHABLE)
        # One bad address refuses the name: its owner must not be able to choose which of them a connection uses.
        if not all(_is_allowed(ipaddress.ip_address(each), private=private) for each in found):
            raise _refused(host)
        return Target(url, host, port, str(found[0]))


def _is_named(scheme: str, host: str, port: int, names: frozenset[str]) -> bool:
    return f"{host}:{port}" in names or (host in names and port == _PORTS[scheme])


def _parts(address: str) -> tuple[SplitResult, str, int]:
    try:
        url = urlsplit(address)
        name = (url.hostname or "").rstrip(".")
        host = name if name.isascii() else name.encode("idna").decode()
        port = url.port or _PORTS.get(url.scheme, 0)
    except (ValueError, UnicodeError):
        raise ParseError("This is not the address of a page.", reason=NOT_ALLOWED) from None
    if url.scheme not in _PORTS or not host or url.username is not None or url.password is not None:
        raise ParseError(
            "An address must begin with http:// or https://, name a host, and contain neither a user nor a password.",
            reason=NOT_ALLOWED,
        )
    return url, host, port


def _is_allowed(address: IpAddress, *, private: bool) -> bool:
    addresses = [address, *_embedded(address)]
    if any(each in network for each in addresses for network in _NEVER):
        return False
    if any(each.is_multicast or each.is_unspecified for each in addresses):
        return False
    return private or all(each.is_global for each in addresses)


def _embedded(address: IpAddress) -> list[IpAddress]:
    """Return the IPv4 addresses embedded in an IPv6 address: mapped, 6to4, Teredo, NAT64 and compatible."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    teredo = address.teredo or ()
    found: list[IpAddress] = [each for each in (address.ipv4_mapped, address.sixtofour, *teredo) if each is not None]
    if any(address in network for network in _EMBEDDING) and not address.is_loopback:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return found


def _refused(host: str) -> ParseError:
    # The same sentence whatever the reason: it must not reveal to a caller what is inside the network.
    return ParseError(
        f"{host} is not a host that this server may fetch from. INTERLACE_FETCH__HOSTS and INTERLACE_FETCH__PRIVATE_HOSTS list them.",
        reason=NOT_ALLOWED,
    )

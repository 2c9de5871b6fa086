"""The settings of the queue's broker: one Redis server, or the sentinels that know which of several is the master."""

from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from interlace.settings_objects import Group

_SENTINEL = "sentinel://"
_FORMS = "write redis://host:6379/0, rediss:// for TLS, or the addresses of sentinels as sentinel://host:26379;sentinel://host2:26379/0"


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """What the addresses of sentinels say.

    Args:
        sentinels: their hosts and ports.
        user: of the Redis servers; empty for the default one.
        password: of the Redis servers; empty if they have none.
        database: its number.
    """

    sentinels: tuple[tuple[str, int], ...]
    user: str
    password: str = field(repr=False)
    database: int


class RedisSettings(Group):
    """The queue's broker."""

    url: SecretStr = Field(
        SecretStr("redis://127.0.0.1:6379/0"),
        description="Redis address, with password if it has one; or those of its sentinels, separated by `;`",
    )
    master: str = Field(
        "", validate_default=True, description="name of the master; for addresses of sentinels, and only for them"
    )

    @field_validator("url")
    @classmethod
    def _has_a_scheme(cls, url: SecretStr) -> SecretStr:
        address = url.get_secret_value()
        if address.startswith(_SENTINEL):
            _sentinel_address(address)
        elif _split(address).scheme not in {"redis", "rediss"}:
            raise ValueError(_FORMS)
        return url

    @field_validator("master")
    @classmethod
    def _belongs_to_sentinels(cls, master: str, info: ValidationInfo) -> str:
        url = info.data.get("url")
        if url is not None and url.get_secret_value().startswith(_SENTINEL) != bool(master):
            raise ValueError(
                "only sentinels need the name of a master: write INTERLACE_REDIS__URL as sentinel://host:26379"
                if master
                else "the sentinels of INTERLACE_REDIS__URL need the name of their master, such as mymaster"
            )
        return master

    @property
    def sentinels(self) -> SentinelAddress | None:
        """The sentinels, which know the server; none if the address is the server's own."""
        address = self.url.get_secret_value()
        return _sentinel_address(address) if address.startswith(_SENTINEL) else None

    @property
    def place(self) -> str:
        """Hosts and ports for messages, without user and password."""
        if self.sentinels is not None:
            return ", ".join(f"{host}:{port}" for host, port in self.sentinels.sentinels)
        address = urlsplit(self.url.get_secret_value())
        return f"{address.hostname}:{address.port or 6379}"


def _sentinel_address(text: str) -> SentinelAddress:
    """Read addresses of sentinels, any of which may have user, password and database.

    Raises:
        ValueError: one of them is malformed, or two of them contradict each other; the message does not repeat them.
    """
    sentinels, credentials, databases = [], set(), set()
    for each in text.split(";"):
        parts = _split(each)
        database = parts.path.removeprefix("/")
        misplaced = parts.query or parts.fragment or (database and not database.isdecimal())
        if parts.scheme != "sentinel" or not parts.hostname or misplaced:
            raise ValueError(_FORMS)
        sentinels.append((parts.hostname, parts.port or 26379))
        if "@" in parts.netloc:
            credentials.add((unquote(parts.username or ""), unquote(parts.password or "")))
        if database:
            databases.add(int(database))
    if len(credentials) > 1 or len(databases) > 1:
        raise ValueError("sentinels have one user, one password and one database between them; write each once")
    user, password = credentials.pop() if credentials else ("", "")
    return SentinelAddress(tuple(sentinels), user, password, databases.pop() if databases else 0)


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:  # its message repeats what it read as the port, such as a part of a password
        raise ValueError(_FORMS) from None
    return parts

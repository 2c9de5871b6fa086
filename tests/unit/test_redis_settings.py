"""The address of Redis: one server, or its sentinels."""

import pytest
from pydantic import SecretStr

from interlace.domain.errors import SettingsError
from interlace.settings import RedisSettings, load_settings


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://:hush@queue.example/0", "queue.example:6379"),
        ("rediss://me:hush@queue.example:6380", "queue.example:6380"),
        ("sentinel://me:hush@a:26380;sentinel://b/0", "a:26380, b:26379"),
    ],
)
def test_messages_name_hosts_and_ports_alone(url: str, place: str) -> None:
    settings = RedisSettings(url=SecretStr(url), master="mymaster" if url.startswith("sentinel") else "")
    assert settings.place == place
    assert "hush" not in repr((settings, settings.sentinels))


@pytest.mark.parametrize(
    "url",
    [
        "sentinel://me:hu%2Fsh@a:26380;sentinel://b/3",
        "sentinel://a:26380/3;sentinel://me:hu%2Fsh@b:26379",
        "sentinel://me:hu%2Fsh@a:26380/3;sentinel://me:hu%2Fsh@b:26379/3",
    ],
)
def test_any_of_the_addresses_has_user_password_and_database(url: str) -> None:
    address = RedisSettings(url=SecretStr(url), master="mymaster").sentinels
    assert address is not None
    assert address.sentinels == (("a", 26380), ("b", 26379))
    assert (address.user, address.password, address.database) == ("me", "hu/sh", 3)


def test_a_server_has_no_sentinels() -> None:
    assert RedisSettings().sentinels is None


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sentinel://:hush@a;b", "sentinel://host:26379;sentinel://host2:26379/0"),
        ("sentinel://:hush@a;", "sentinel://host:26379;"),
        ("sentinel://:hush@a;redis://b", "sentinel://host:26379;"),
        ("sentinel://:hush@", "sentinel://host:26379;"),
        ("sentinel://:hu/hush@a", "sentinel://host:26379;"),
        ("sentinel://a:hush", "sentinel://host:26379;"),
        ("redis://:hush/hush@a", "write redis://host:6379/0"),
        ("sentinel://a/hush", "sentinel://host:26379;"),
        ("sentinel://a?password=hush", "sentinel://host:26379;"),
        ("sentinel://:hush@a;sentinel://:other@b", "one user, one password and one database"),
        ("sentinel://a/1;sentinel://b/2", "one user, one password and one database"),
    ],
)
def test_malformed_addresses_are_refused_without_repeating_them(
    monkeypatch: pytest.MonkeyPatch, url: str, said: str
) -> None:
    monkeypatch.setenv("INTERLACE_REDIS__URL", url)
    monkeypatch.setenv("INTERLACE_REDIS__MASTER", "mymaster")
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert refused.value.message.startswith("INTERLACE_REDIS__URL: ")
    assert said in refused.value.message
    assert "hush" not in refused.value.message


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("URL", "sentinel://a", "INTERLACE_REDIS__MASTER: the sentinels of INTERLACE_REDIS__URL need the name"),
        ("MASTER", "mymaster", "INTERLACE_REDIS__MASTER: only sentinels need the name of a master"),
    ],
)
def test_sentinels_and_the_name_of_the_master_belong_together(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"INTERLACE_REDIS__{variable}", value)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert said in refused.value.message

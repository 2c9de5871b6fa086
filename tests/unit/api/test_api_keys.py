"""Keys over HTTP: shown once, revoked at once, confused with no others; and what the audit log keeps."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from tests.support.clock import Clock
from tests.support.memory_keys import make_key

from interlace.access import keyring, recent
from interlace.domain.errors import UnavailableError

ClientOf = Callable[..., TestClient]
AssertProblem = Callable[..., dict[str, Any]]
GRANT = {"name": "robot", "tenants": ["blue"], "scopes": ["read", "ingest"], "groups": ["staff"]}


@pytest.fixture
def admin(services: Any, client_of: ClientOf) -> Iterator[TestClient]:
    with client_of(services) as opened:
        opened.headers["X-API-Key"] = make_key(services.graph)
        yield opened


def audited(services: Any, client: TestClient) -> list[dict[str, Any]]:
    cast("Any", client.app).state.audit.flush()
    return list(services.graph.access.audit)


def test_a_key_is_made_shown_once_listed_and_used(admin: TestClient, services: Any) -> None:
    made = admin.post("/v1/keys", json=GRANT)
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    key, identity = made.json()["key"], made.json()["id"]
    assert key.startswith(f"{identity}.")
    listed = admin.get("/v1/keys")
    assert key.split(".")[1] not in listed.text
    shown = listed.json()[0]
    assert {name: shown[name] for name in GRANT} == GRANT
    assert (shown["state"], shown["last_used_at"]) == ("active", None)
    assert key.split(".")[1] not in str(services.graph.access.keys)
    assert admin.get("/v1/documents", headers={"X-API-Key": key}).status_code == 200
    cast("Any", admin.app).state.audit.flush()
    assert admin.get("/v1/keys").json()[0]["last_used_at"] is not None


def test_a_key_has_the_rate_that_it_was_given(admin: TestClient) -> None:
    key = admin.post("/v1/keys", json=GRANT | {"rate": 2}).json()["key"]
    assert admin.get("/v1/keys").json()[0]["rate"] == 2
    asked = [admin.get("/v1/documents", headers={"X-API-Key": key}).status_code for _ in range(3)]
    assert asked == [200, 200, 429]
    admin.post("/v1/keys", json=GRANT)
    assert {shown["rate"] for shown in admin.get("/v1/keys").json() if shown["name"] == "robot"} == {2, None}


def test_a_revoked_and_a_rotated_key_are_refused_within_a_second(
    admin: TestClient, services: Any, assert_problem: AssertProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    for module in (keyring, recent):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock))
    made = admin.post("/v1/keys", json=GRANT).json()
    headers = {"X-API-Key": made["key"]}
    assert admin.get("/v1/documents", headers=headers).status_code == 200
    new = admin.post(f"/v1/keys/{made['id']}/rotate").json()
    assert new["id"] == made["id"]
    clock.now += 1
    assert_problem(admin.get("/v1/documents", headers=headers), 401, "unauthorized")
    headers = {"X-API-Key": new["key"]}
    assert admin.get("/v1/documents", headers=headers).status_code == 200
    assert admin.delete(f"/v1/keys/{made['id']}").json()["state"] == "revoked"
    clock.now += 1
    assert_problem(admin.get("/v1/documents", headers=headers), 401, "unauthorized")
    assert_problem(admin.post(f"/v1/keys/{made['id']}/rotate"), 404, "not-found")
    assert [entry["event"] for entry in services.graph.access.audit] == ["created", "rotated", "revoked"]
    assert "refused" in [entry["event"] for entry in audited(services, admin)]


def test_an_expired_key_is_refused_and_the_log_says_why(
    admin: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    made = admin.post("/v1/keys", json={**GRANT, "expires_at": soon}).json()
    services.graph.access.keys[made["id"]]["expiresAt"] = int(time.time() * 1000) - 1
    refused = assert_problem(admin.get("/v1/jobs", headers={"X-API-Key": made["key"]}), 401, "unauthorized")
    assert "expired; ask" in refused["detail"]
    again = assert_problem(admin.post(f"/v1/keys/{made['id']}/rotate"), 404, "not-found")
    assert "neither revoked nor expired; create a new one" in again["detail"]
    entry = audited(services, admin)[-1]
    assert (entry["event"], entry["key"], entry["path"]) == ("refused", made["id"], "/v1/jobs")
    assert entry["detail"] == "unauthorized: the key is expired"


@pytest.mark.parametrize(
    "change",
    [
        {"tenants": []},
        {"tenants": ["A"]},
        {"tenants": ["blue\n"]},
        {"scopes": ["write"]},
        {"scopes": []},
        {"groups": ["a b"]},
        {"name": " "},
        {"name": "a\x1b[2J"},
        {"expires_at": "2001-01-01T00:00:00Z"},
        {"expires_at": "9999-12-31T23:59:59"},
        {"rate": 0},
        {"rate": 10**9},
        {"digest": "0" * 64},
    ],
)
def test_what_cannot_be_a_key_is_refused(
    admin: TestClient, assert_problem: AssertProblem, change: dict[str, Any]
) -> None:
    assert_problem(admin.post("/v1/keys", json=GRANT | change), 422, "invalid-input")


def test_an_administrator_of_some_tenants_reaches_no_further(
    admin: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    other = admin.post("/v1/keys", json={**GRANT, "tenants": ["green"]}).json()["id"]
    everywhere = admin.post("/v1/keys", json={**GRANT, "tenants": ["*"]}).json()["id"]
    mine = admin.post("/v1/keys", json=GRANT).json()["id"]
    admin.headers["X-API-Key"] = make_key(services.graph, "admin", "read", "ingest", tenants=("blue", "red"))
    listed = {key["id"] for key in admin.get("/v1/keys").json()}
    assert mine in listed
    assert not {other, everywhere} & listed
    for identity in (other, everywhere):
        assert_problem(admin.delete(f"/v1/keys/{identity}"), 404, "not-found")
        assert_problem(admin.post(f"/v1/keys/{identity}/rotate"), 404, "not-found")
    for beyond in ({"tenants": ["green"]}, {"tenants": ["*"]}, {"tenants": ["blue", "*"]}, {"scopes": ["cypher"]}):
        assert_problem(admin.post("/v1/keys", json=GRANT | beyond), 403, "forbidden")
    assert {entry["key"] for entry in admin.get("/v1/audit").json()} >= {mine}
    assert not {other, everywhere} & {entry["key"] for entry in admin.get("/v1/audit").json()}


def test_a_key_with_more_scopes_is_not_rotated_into_the_hands_of_one_with_fewer(
    admin: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    strong = admin.post("/v1/keys", json={**GRANT, "scopes": ["cypher"]}).json()["id"]
    admin.headers["X-API-Key"] = make_key(services.graph, "admin")
    assert_problem(admin.post(f"/v1/keys/{strong}/rotate"), 403, "forbidden")


def test_a_caller_without_a_key_passes_on_loopback_until_the_first_key_and_never_again(
    client: TestClient, services: Any, assert_problem: AssertProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "FRESH_SECONDS", 0.0)
    assert client.get("/v1/jobs").status_code == 200
    made = client.post("/v1/keys", json=GRANT).json()
    assert_problem(client.get("/v1/jobs"), 401, "unauthorized")
    services.graph.access.keys[made["id"]]["revokedAt"] = 1
    assert_problem(client.get("/v1/jobs"), 401, "unauthorized")


def test_a_database_that_is_away_opens_nothing_and_closes_nothing(
    client_of: ClientOf, services: Any, assert_problem: AssertProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "FRESH_SECONDS", 0.0)
    run = services.graph.run

    def away(*_: Any, **__: Any) -> Any:
        raise UnavailableError("Neo4j is away.")

    with client_of(services) as client:
        services.graph.run = away
        assert_problem(client.get("/v1/jobs"), 503, "unavailable")  # it may have keys
        services.graph.run = run
        assert client.get("/v1/jobs").status_code == 200
        services.graph.run = away
        assert client.get("/v1/jobs").status_code == 200  # none can have been made meanwhile
        services.graph.run = run
        key = {"X-API-Key": make_key(services.graph)}
        assert client.get("/v1/jobs", headers=key).status_code == 200
        services.graph.run = away
        assert_problem(client.get("/v1/jobs", headers=key), 503, "unavailable")  # it may have been revoked


@pytest.mark.parametrize(
    "headers",
    [
        [("X-API-Key", "good"), ("X-API-Key", "good")],
        [("Authorization", "Bearer good"), ("Authorization", "Bearer bad")],
        [("X-API-Key", "good"), ("Authorization", "Bearer bad")],
        [("X-API-Key", "good"), ("X-Interlace-Tenant", "blue"), ("X-Interlace-Tenant", "green")],
    ],
)
def test_a_header_that_stands_twice_is_refused(
    admin: TestClient, services: Any, assert_problem: AssertProblem, headers: list[tuple[str, str]]
) -> None:
    del admin.headers["X-API-Key"]
    key = make_key(services.graph)
    sent = [(name, value.replace("good", key)) for name, value in headers]
    assert_problem(admin.get("/v1/jobs", headers=sent), 400, "malformed-request")


@pytest.mark.parametrize(
    "change",
    [
        lambda key: key.upper(),
        lambda key: key[:-1],
        lambda key: f"{key}\N{ZERO WIDTH SPACE}",
        lambda key: f"{key}\x00",
        lambda key: f" {key}.",
        lambda key: key.split(".")[0],
        lambda key: f"{key.split('.')[0]}.",
        lambda key: f".{key.split('.')[1]}",
        lambda key: f"{'ik_000000000000'}.{key.split('.')[1]}",
        lambda _: "*",
        lambda _: "x" * 5000,
        lambda _: "' OR 1=1 //",
    ],
)
def test_what_is_nearly_a_key_is_none(admin: TestClient, assert_problem: AssertProblem, change: Any) -> None:
    wrong = change(admin.headers["X-API-Key"]).encode()
    assert_problem(admin.get("/v1/jobs", headers={"X-API-Key": wrong}), 401, "unauthorized")


def test_the_digest_of_a_key_does_not_open(admin: TestClient, services: Any, assert_problem: AssertProblem) -> None:
    (row,) = services.graph.access.keys.values()
    for text in (row["digest"], f"{row['id']}.{row['digest']}"):
        assert_problem(admin.get("/v1/jobs", headers={"X-API-Key": text}), 401, "unauthorized")


def test_a_key_of_the_settings_is_taken_over_and_can_be_revoked(
    make_services: Any, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "FRESH_SECONDS", 0.0)
    digest = "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683"  # of "key"
    services = make_services(keys=(digest,))
    headers = {"X-API-Key": "key"}
    with client_of(services) as client:
        assert client.get("/v1/jobs").status_code == 401
        assert client.get("/v1/jobs", headers=headers).status_code == 200
        (taken,) = client.get("/v1/keys", headers=headers).json()
        assert (taken["tenants"], len(taken["scopes"])) == (["*"], 6)
        client.delete(f"/v1/keys/{taken['id']}", headers=headers)
        assert client.get("/v1/jobs", headers=headers).status_code == 401
    with client_of(services) as again:  # although the settings still name it
        assert again.get("/v1/jobs", headers=headers).status_code == 401


def test_a_flood_of_refusals_is_counted_in_few_entries(admin: TestClient, services: Any) -> None:
    for number in range(200):
        admin.get(f"/v1/{number}", headers={"X-API-Key": "wrong"})
    for _ in range(30):
        admin.get("/v1/jobs", headers={"X-API-Key": "wrong"})
    refused = [entry for entry in audited(services, admin) if entry["event"] == "refused"]
    assert sum(entry["count"] for entry in refused) == 230
    assert len(refused) < 130


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_origin_changes_nothing(
    client: TestClient, services: Any, assert_problem: AssertProblem, headers: dict[str, str]
) -> None:
    files = {"files": ("a.md", b"# planted")}
    assert_problem(client.post("/v1/documents", files=files, headers=headers), 403, "forbidden")
    assert_problem(client.delete("/v1/documents/d1", headers=headers), 403, "forbidden")
    assert services.receiver.calls == services.receiver.deletions == []
    own = {"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/v1/documents", files=files, headers=own).status_code == 202
    assert client.get("/guides/start", headers=headers).status_code == 200

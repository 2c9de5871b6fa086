"""Who sees a job: the key that asked for it, whatever its scopes and groups; others only if they see every document."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from tests.integration.ingestion_world import World, ad_hoc
from tests.support.bridge import Bridge

from interlace.access.keys import ApiKeys, Grant
from interlace.api.app import create_app
from interlace.client import Interlace
from interlace.domain.documents import ACCESS, Source
from interlace.domain.errors import ForbiddenError
from interlace.domain.ids import document_id

pytestmark = pytest.mark.stack
FORGET = ad_hoc("MATCH (n) WHERE n:ApiKey OR n:AuditEntry DETACH DELETE n", "write")


@pytest.fixture
def http(world: World) -> Iterator[TestClient]:
    with TestClient(create_app(world.platform), base_url="http://127.0.0.1") as opened:
        yield opened
    world.platform.graph.run(FORGET)


def new_key(world: World, tenant: str, *scopes: str) -> str:
    return ApiKeys(world.platform.graph).create(Grant("test", (tenant,), scopes)).key


@pytest.mark.parametrize("access", ["", "access: [board]\n"])
def test_a_key_that_ingests_follows_its_own_job_to_the_end(
    world: World, tenant: str, http: TestClient, access: str
) -> None:
    mine, another = (new_key(world, tenant, "ingest") for _ in range(2))
    text = f"---\nyear: 2020\n{access}---\n# A\n\nThe Plover is a data logger.\n"
    with Interlace(tenant=tenant, api_key=mine, transport=Bridge(http)) as client:
        (job,) = client.ingestion.text("a.md", text, timeout=0)["jobs"]
        world.work()
        assert client.ingestion.job(job)["state"] == "done"
    assert "event: finished" in http.get(f"/v1/jobs/{job}/events", headers={"X-API-Key": mine}).text
    with Interlace(tenant=tenant, api_key=another, transport=Bridge(http)) as client, pytest.raises(ForbiddenError):
        client.ingestion.job(job)


def test_a_key_that_deletes_follows_its_own_job(world: World, tenant: str, http: TestClient) -> None:
    world.ingest(tenant, {"a.md": "# A\n\nwords"})
    headers = {"X-API-Key": new_key(world, tenant, "delete")}
    gone = http.delete(f"/v1/documents/{document_id(tenant, 'a.md')}", headers=headers)
    assert http.get(gone.headers["location"], headers=headers).json()["kind"] == "delete"


def test_a_repeated_request_finds_the_job_of_its_key(world: World, tenant: str, http: TestClient) -> None:
    headers = {"X-API-Key": new_key(world, tenant, "ingest"), "Idempotency-Key": "k"}
    body = {"documents": [{"source_uri": "a.md", "text": "# A\n\nwords"}]}
    first, second = (http.post("/v1/documents", json=body, headers=headers) for _ in range(2))
    assert first.headers["location"] == second.headers["location"]
    assert http.get(second.headers["location"], headers=headers).json()["total"] == 1


def test_who_repeats_the_request_of_another_key_follows_its_job_and_who_sends_other_documents_does_not(
    world: World, tenant: str, http: TestClient
) -> None:
    mine, repeating, guessing = (
        {"X-API-Key": new_key(world, tenant, "ingest"), "Idempotency-Key": "k"} for _ in range(3)
    )

    def send(headers: dict[str, str], text: str = "# A\n\nwords") -> Response:
        return http.post("/v1/documents", json={"documents": [{"source_uri": "a.md", "text": text}]}, headers=headers)

    job = send(mine).headers["location"]
    assert [send(repeating).headers["location"] for _ in range(2)] == [job, job]
    assert send(guessing, "other words").status_code == 409
    assert [http.get(job, headers=each).status_code for each in (mine, repeating, guessing)] == [200, 200, 403]


def test_a_document_sent_for_some_groups_is_hidden_from_others_before_it_is_read(
    world: World, tenant: str, http: TestClient
) -> None:
    headers = {"X-API-Key": new_key(world, tenant, "read")}
    world.ingest(tenant, {"a.md": "# A\n\nwords"})
    assert http.get("/v1/jobs", headers=headers).status_code == 200
    identity = document_id(tenant, "zqplans.pdf")
    job = world.receive(tenant, [Source("zqplans.pdf", "application/pdf", b"no PDF", {ACCESS: ["board"]})]).job_id
    for stage in ("received", "quarantined"):
        assert world.platform.jobs.status(tenant, job).stages == {stage: 1}
        for path in (f"/v1/jobs/{job}", "/v1/documents", f"/v1/documents/{identity}"):
            assert "zqplans" not in http.get(path, headers=headers).text, (stage, path)
        world.work()

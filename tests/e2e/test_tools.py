"""Skills and tools through the command line, HTTP and the Python client of a running stack."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.e2e.command_line import command_line

from interlace.client import Interlace
from interlace.settings import Settings
from interlace_stack.readiness import api_url

pytestmark = pytest.mark.stack
TENANT = "tools-e2e"
SKILL = """---
name: parcels
description: Sends and follows parcels.
routing_keywords: [parcel, customs]
tools:
  - {name: track_parcel, description: Says where a consignment is.}
  - {name: declare_customs, description: Fills in papers for goods that cross a border.}
---
Ask [[mail]] to write to the receiver.
"""


@pytest.mark.slow
def test_a_skill_is_ingested_routed_to_and_gone_when_deleted(full_stack: Settings, tmp_path: Path) -> None:
    run = command_line(full_stack, TENANT, INTERLACE_QUERY__LEG_TIMEOUT="20", COLUMNS="200")
    folder = tmp_path / "skills" / "parcels"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL)
    run("ingest", tmp_path / "skills")
    by_command = json.loads(run("tools", "route", "where is my parcel", "--json"))
    assert [hit["tool"] for hit in by_command["tools"]] == ["track_parcel", "declare_customs"]
    shown = run("tools", "route", "where is my parcel", "--explain")
    assert "track_parcel" in shown
    assert "parcel → track_parcel" in shown
    assert run("tools", "route", "x", "--without", "magic", code=2) == ""
    assert "declare_customs, track_parcel" in run("tools", "list")

    address = api_url(full_stack.api.host, full_stack.api.port)
    with httpx.Client(base_url=address, headers={"X-Interlace-Tenant": TENANT}, timeout=60, trust_env=False) as http:
        answer = http.post("/v1/tools/route", json={"query": "papers for customs"}).json()
        assert answer["tools"][0]["tool"] == "declare_customs"
        assert_explained(answer)
        left_out = http.post("/v1/tools/route", json={"query": "papers for customs", "without": ["graph"]}).json()
        assert left_out["tools"][0]["parts"]["graph"] == 0
        refused = http.post("/v1/tools/route", json={"query": " ", "limit": 0})
        assert refused.status_code == 422
        assert {error["field"] for error in refused.json()["errors"]} == {"query", "limit"}
        (skill,) = http.get("/v1/skills").json()["items"]
        assert (skill["name"], skill["keywords"]) == ("parcels", ["customs", "parcel"])

    with Interlace(address, tenant=TENANT, timeout=60) as client:
        frame = client.route("where is my parcel", limit=1)
        assert list(frame["tool"]) == ["track_parcel"]
        assert list(client.skills()["name"]) == ["parcels"]

    run("documents", "delete", "--all", "--yes")
    assert json.loads(run("tools", "route", "where is my parcel", "--json"))["tools"] == []
    assert json.loads(run("tools", "list", "--json")) == []


def assert_explained(answer: dict[str, Any]) -> None:
    first = answer["tools"][0]
    assert first["score"] == pytest.approx(sum(first["parts"].values()))
    assert first["parts"].keys() == {"hybrid", "similarity", "associative", "links", "graph"}
    assert [(path["keyword"], path["hops"]) for path in first["paths"]] == [("customs", 1)]
    assert {leg["leg"] for leg in first["legs"]} <= {"vector", "keyword"}
    assert answer["keywords"].keys() == {"customs"}
    assert set(answer["weights"]) >= {"proximity", "graph_rerank", "entity", "leg.vector", "leg.keyword"}

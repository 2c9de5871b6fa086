"""Atoms and pack through HTTP and the command line of a running stack."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.e2e.command_line import command_line

from interlace.client import Interlace
from interlace.domain.effort import Work, effort
from interlace.domain.hits import LegName
from interlace.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.usefixtures("folder")]
TENANT = "atoms-and-packing"
KINDS = ("legs", "hops", "candidates", "tokens")
NOTES = {
    "tide.md": "---\natlas_id: tide\ntags: [sea]\nepistemic: verified\n---\n# Tide\n\nThe moon lifts the sea twice a day.\n\n"
    "## Usage\n\nSail out when the tide falls.\n\n## Limitation\n\nWind may hide a small tide.\n",
    "anchor.md": "---\natlas_id: anchor\ntags: [sea]\n---\n# Anchor\n\nHolds a boat.\n\n## Usage\n\nDrop the anchor before the tide turns.\n",
    "diary.md": "# Diary\n\nWe saw the tide and dropped an anchor.\n",
}


@pytest.fixture(scope="module")
def run(full_stack: Settings) -> Callable[..., str]:
    """Run the command line against the stack; return what it printed."""
    return command_line(full_stack, TENANT, INTERLACE_QUERY__LEG_TIMEOUT="20", COLUMNS="200")


@pytest.fixture(scope="module")
def folder(run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder ``notes``, ingested."""
    root = tmp_path_factory.mktemp("atoms") / "notes"
    root.mkdir()
    for name, text in NOTES.items():
        (root / name).write_text(text)
    run("ingest", root)
    # A worker makes communities meanwhile; answers before and after that differ.
    run("communities", "refresh")
    return root


def test_atoms_are_found_alike_by_http_by_command_and_from_python(
    http: httpx.Client, run: Callable[..., str], address: str
) -> None:
    answer = http.post("/v1/atoms/search", json={"query": "tide"}).json()
    assert [hit["title"] for hit in answer["hits"]] == ["Tide", "Anchor"]
    first = answer["hits"][0]
    assert (first["atlas_id"], first["tags"], first["coverage"]) == ("tide", ["sea"], 1.0)
    assert [section["type"] for section in first["sections"]] == ["body", "Usage", "Limitation"]
    assert first["terms"][0]["fields"]["exact"] == 5.0
    shown = json.loads(run("atoms", "search", "tide", "--json"))
    assert [hit["title"] for hit in shown["hits"]] == ["Tide", "Anchor"]
    assert shown["hits"][0]["tf_idf"] == pytest.approx(first["tf_idf"])
    assert "Anchor" in run("atoms", "search", "anchor")
    with Interlace(address, tenant=TENANT) as client:
        assert list(client.atoms("tide")["atlas_id"]) == ["tide", "anchor"]


def test_a_query_is_packed_alike_by_http_by_command_and_from_python(
    http: httpx.Client, run: Callable[..., str], address: str
) -> None:
    pack = {"budget": 60, "category_weights": {"Limitation": 0}}
    packed = http.post("/v1/query", json={"query": "When does the tide fall?", "pack": pack}).json()["pack"]
    assert 0 < packed["tokens"] <= 60
    taken = [item for item in packed["items"] if item["taken"]]
    assert taken
    assert all(item["reason"] for item in packed["items"])
    assert [item["taken"] for item in packed["items"] if item["category"] == "Limitation"] == [False]
    words = ("query", "When does the tide fall?", "--pack", 60, "--category-weight", "Limitation=0")
    shown = json.loads(run(*words, "--json"))["pack"]
    assert [item["id"] for item in shown["items"] if item["taken"]] == [item["id"] for item in taken]
    assert f"packed: {packed['tokens']} of 60 tokens" in run(*words)
    with Interlace(address, tenant=TENANT) as client:
        assert client.ask("When does the tide fall?", pack=pack)["pack"]["text"] == packed["text"]
        assert client.ask("When does the tide fall?", pack=60)["pack"]["budget"] == 60


def test_names_are_found_by_four_signals_alike_by_http_by_command_and_from_python(
    http: httpx.Client, run: Callable[..., str], address: str, dense: frozenset[LegName]
) -> None:
    answer = http.post("/v1/search/entities", json={"query": "Anchr"}).json()
    best = answer["matches"][0]
    assert (best["entity"]["name"], best["via"]) == ("Anchor", "fuzzy")
    assert best["signals"].keys() == {"name", "fuzzy", "tokens"} | dense
    assert best["confidence"] == pytest.approx(sum(part["share"] for part in best["signals"].values()))
    assert (answer["degraded"], answer["effort"]["legs"]) == ([], 2 + len(dense))
    assert bool(answer["model"]) == bool(dense)
    shown = json.loads(run("entities", "search", "Anchr", "--json"))
    assert shown["matches"][0]["entity"]["id"] == best["entity"]["id"]
    assert shown["matches"][0]["confidence"] == pytest.approx(best["confidence"])
    assert json.loads(run("entities", "search", "Anchr", "--min-confidence", 0.99, "--json"))["matches"] == []
    run("entities", "search", "Anchr", "--min-confidence", "nan", code=2)
    with Interlace(address, tenant=TENANT) as client:
        frame = client.entities("Anchor")
        assert (frame["via"][0], frame["confidence"][0], frame["type_confidence"][0] <= 1) == ("exact", 1.0, True)


def test_every_answer_says_how_much_work_it_took(http: httpx.Client, run: Callable[..., str], address: str) -> None:
    question = {"query": "When does the tide fall?"}
    whole = http.post("/v1/query", json=question).json()["effort"]
    keyword = http.post("/v1/query", json={**question, "legs": ["keyword"]}).json()["effort"]
    packed = http.post("/v1/query", json={**question, "pack": {"budget": 60}}).json()["effort"]
    atoms = http.post("/v1/atoms/search", json={"query": "tide"}).json()["effort"]
    tools = http.post("/v1/tools/route", json={"query": "tide"}).json()["effort"]
    linked = http.post("/v1/linkgraph/search", json={"query": "tide"}).json()["search_options"]["effort"]
    by_command = json.loads(run("query", question["query"], "--json"))["effort"]
    with Interlace(address, tenant=TENANT) as client:
        from_python = client.ask(question["query"])["effort"]
    for each in (whole, keyword, packed, atoms, tools, linked, by_command, from_python):
        counts = Work(**{kind: int(each[kind]) for kind in KINDS})
        assert each["lambda"] == pytest.approx(effort(counts)) != 0
        if each is packed:
            assert each["lambda"] > effort(replace(counts, tokens=0))
    assert (keyword["legs"], keyword["hops"], keyword["tokens"]) == (1, 0, 0)
    assert whole["lambda"] > keyword["lambda"]
    assert re.search(r"Λ \d+\.\d \(\d legs, \d+ candidates", run("query", question["query"], "--explain"))


@pytest.mark.vectors  # counted by the model's own tokenizer
def test_texts_of_elsewhere_are_packed(http: httpx.Client) -> None:
    items = [{"id": "a", "text": "The moon lifts the sea.", "score": 2}, {"id": "b", "text": "Wind.", "score": 1}]
    packed = http.post("/v1/pack", json={"budget": 6, "items": items}).json()
    assert [(item["id"], item["tokens"], item["taken"]) for item in packed["items"]] == [
        ("a", 6, True),
        ("b", 2, False),
    ]


def test_numbers_that_are_none_are_refused_by_name(http: httpx.Client, run: Callable[..., str]) -> None:
    body = '{"query": "tide", "pack": {"budget": 9, "category_weights": {"Usage": NaN}}}'
    answer = http.post("/v1/query", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "pack.category_weights.Usage")
    for number in ("nan", "inf", "1e999"):
        run("query", "tide", "--pack", 9, "--diversity", number, code=2)
        run("query", "tide", "--pack", 9, "--epistemic-weight", f"fact={number}", code=2)


def test_the_whole_note_as_one_section_by_command_and_by_http(
    http: httpx.Client, run: Callable[..., str], folder: Path
) -> None:
    run("ingest", folder, "--atlas", "atom")
    hit = http.post("/v1/atoms/search", json={"query": "tide"}).json()["hits"][0]
    assert hit["sections"] == [{"heading": "", "type": "atom"}]
    document = {"uri": "notes/tide.md", "text": NOTES["tide.md"], "atlas_strategy": "section"}
    assert http.post("/v1/documents", json={"documents": [document]}).status_code == 202
    run("ingest", folder)
    hit = http.post("/v1/atoms/search", json={"query": "tide"}).json()["hits"][0]
    assert [section["type"] for section in hit["sections"]] == ["body", "Usage", "Limitation"]

"""Metadata first, through HTTP and the command line of a running stack: filters, tags and paths, and files that changed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.e2e.command_line import command_line

from interlace.domain.hits import LegName
from interlace.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.usefixtures("folder")]
TENANT = "metadata-first"
FILES = {
    "harbour/install-guide.md": (
        "---\ntags: [boats, guide/install]\nyear: 1911\nreviewed: 2024-05-31\nships: [3, 4.5]\n---\n# Crane Manual\n\n"
        "About cranes.\n\n## Install\n\nBolt the crane down.\n\n### Linux\n\nNo crane runs Linux.\n\n## Remove\n\nUnbolt it.\n"
    ),
    "harbour/winch.md": "---\ntags: [boats]\nyear: 1950\nreviewed: 2024-06-02\n---\n# Winches\n\nA winch pulls. #guide\n",
    "bread.md": "---\ntags: [food]\nyear: '1911'\n---\n# Rye Bread\n\nMix flour and water.\n",
    "list.jsonl": '{"id": "a", "text": "The first record.", "year": 1911}\n{"id": "b", "text": "The second record."}\n',
}


@pytest.fixture(scope="module")
def run(full_stack: Settings) -> Callable[..., str]:
    """Run the command line against the stack; return what it printed."""
    return command_line(full_stack, TENANT)


@pytest.fixture(scope="module")
def folder(run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder ``notes``, ingested."""
    root = tmp_path_factory.mktemp("metadata") / "notes"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    run("ingest", root)
    return root


def titles(answer: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(hit["title"] for hit in answer["hits"]))


@pytest.mark.parametrize(
    ("text", "body", "expected"),
    [
        ("tags = boats", {"must": [{"field": "tags", "value": "boats"}]}, {"Crane Manual", "Winches"}),
        ("tags ^= guide/", {"must": [{"field": "tags", "op": "prefix", "value": "guide/"}]}, {"Crane Manual"}),
        ("metadata.year = 1911", {"must": [{"field": "metadata.year", "value": 1911.0}]}, {"Crane Manual", "a"}),
        ("metadata.year = '1911'", {"must": [{"field": "metadata.year", "value": "1911"}]}, {"Rye Bread"}),
        ("metadata.ships > 4", {"must": [{"field": "metadata.ships", "op": "gt", "value": 4}]}, {"Crane Manual"}),
        (
            "metadata.reviewed > 2024-06-01T02:00:00+02:00",
            {"must": [{"field": "metadata.reviewed", "op": "gt", "value": "2024-06-01T02:00:00+02:00"}]},
            {"Winches"},
        ),
        (
            "indexed_at > -7 days and not tags in (boats, food)",
            {
                "must": [{"field": "indexed_at", "op": "gt", "value": "2020-01-01"}],
                "must_not": [{"field": "tags", "op": "in", "value": ["boats", "food"]}],
            },
            {"a", "b"},
        ),
        (
            "source ^= notes/ and not (tags in (boats, food) or title = a)",
            {
                "must": [{"field": "source", "op": "prefix", "value": "notes/"}],
                "must_not": [
                    {"field": "tags", "op": "in", "value": ["boats", "food"]},
                    {"field": "title", "value": "a"},
                ],
            },
            {"b"},
        ),
    ],
)
def test_a_filter_finds_the_same_in_every_mode_by_http_and_by_command(
    http: httpx.Client,
    run: Callable[..., str],
    text: str,
    body: dict[str, Any],
    expected: set[str],
    dense: frozenset[LegName],
) -> None:
    listed = http.get("/v1/documents", params={"filter": text}).json()["items"]
    assert {item["title"] for item in listed} == expected
    shown = json.loads(run("documents", "list", "--filter", text, "--json"))
    assert {item["title"] for item in shown} == expected
    asked = {"query": "What is here?", "mode": "metadata_only", "filters": body, "limit": 20}
    answer = http.post("/v1/query", json=asked).json()
    assert set(titles(answer)) == expected
    assert answer["retrieval_mode"] == "metadata_only"
    assert "filter" in answer["strategies"]
    for mode in ("keyword_only", *(f"{leg}_only" for leg in dense), "hybrid"):
        found = http.post("/v1/query", json={**asked, "query": "crane winch bread record", "mode": mode}).json()
        assert set(titles(found)) <= expected, mode
        assert found["hits"] or mode != "vector_only"


@pytest.mark.usefixtures("folder")
def test_a_document_is_shown_by_its_source_and_a_list_says_that_it_goes_on(run: Callable[..., str]) -> None:
    first, *others = json.loads(run("documents", "list", "--json"))
    assert json.loads(run("documents", "show", first["source_uri"], "--json"))["document"] == first
    assert "no document notes/none" in run("documents", "show", "notes/none", code=4, errors=True)
    assert "the first 1; --limit" in run("documents", "list", "--limit", 1, errors=True)
    assert "--limit" not in run("documents", "list", "--limit", len(others) + 1, errors=True)


def test_a_senseless_filter_is_refused_by_name(http: httpx.Client, run: Callable[..., str]) -> None:
    condition = {"field": "metadata.year", "op": "gt", "value": "soon"}
    answer = http.post("/v1/query", json={"query": "x", "filters": {"must": [condition]}})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "filters.must[0]")
    answer = http.get("/v1/documents", params={"filter": "colour = red"})
    assert answer.status_code == 422
    assert "colour" in answer.json()["detail"]
    run("query", "x", "--filter", "tags = (", code=2)


def test_section_types_filter_chunks(http: httpx.Client) -> None:
    filters = {"must": [{"field": "section_type", "value": "body"}, {"field": "title", "value": "Winches"}]}
    answer = http.post("/v1/query", json={"query": "winch", "mode": "graph_only", "filters": filters}).json()
    assert titles(answer) == ["Winches"]
    filters["must"][0]["value"] = "Usage"
    for mode in ("graph_only", "keyword_only", "metadata_only"):
        assert http.post("/v1/query", json={"query": "winch", "mode": mode, "filters": filters}).json()["hits"] == []


def metadata_only(http: httpx.Client, query: str, **options: Any) -> list[tuple[str, str]]:
    answer = http.post("/v1/query", json={"query": query, "mode": "metadata_only", **options}).json()
    return [(hit["title"], hit["section"]) for hit in answer["hits"]]


def test_tags_exactly_and_with_those_below(http: httpx.Client, run: Callable[..., str]) -> None:
    assert {title for title, _ in metadata_only(http, "#guide")} == {"Crane Manual", "Winches"}
    assert {title for title, _ in metadata_only(http, "#guide", tag_strategy="exact")} == {"Winches"}
    assert metadata_only(http, "#guide/install")[0][0] == "Crane Manual"
    shown = json.loads(run("query", "#guide", "--mode", "metadata_only", "--tags", "exact", "--json"))
    assert (titles(shown), shown["strategies"]["tags"]) == (["Winches"], ["exact"])


def test_names_in_full_nearly_and_by_section(http: httpx.Client, run: Callable[..., str]) -> None:
    assert metadata_only(http, "Where is install-guide.md?")[0][0] == "Crane Manual"
    assert metadata_only(http, "the crane manual")[0][0] == "Crane Manual"
    assert metadata_only(http, "the crnae manaul") == []
    assert metadata_only(http, "the crane manaul", path_strategies=["fuzzy"])[0][0] == "Crane Manual"
    assert metadata_only(http, "Crane Manual > Install") == [
        ("Crane Manual", "Install"),
        ("Crane Manual", "Install > Linux"),
    ]
    assert metadata_only(http, "Crane Manual > Linux", path_strategies=["section"]) == [
        ("Crane Manual", "Install > Linux")
    ]
    assert metadata_only(http, "Winches > Install", path_strategies=["section"]) == []
    words = ("query", "Crane Manuel > Instal", "--mode", "metadata_only", "--paths", "section", "--paths", "fuzzy")
    shown = json.loads(run(*words, "--json"))
    assert shown["hits"][0]["section"] == "Install"
    assert shown["strategies"]["paths"] == ["section", "fuzzy"]


def test_labels_change_by_command_and_by_a_merge_patch(http: httpx.Client, run: Callable[..., str]) -> None:
    (bread,) = http.get("/v1/documents", params={"filter": "title = 'Rye Bread'"}).json()["items"]
    address = f"/v1/documents/{bread['id']}"
    assert json.loads(run("documents", "tag", bread["id"], "--add", "baking", "--remove", "food", "--json"))[0][
        "tags"
    ] == ["baking"]
    assert metadata_only(http, "#baking") == [("Rye Bread", "")]
    assert http.get("/v1/linkgraph/bread/metadata").json()["tags"] == ["baking"]
    patch = {"tags": ["food"], "metadata": {"year": None, "oven": "clay"}, "access": ["bakers"]}
    assert http.patch(address, json=patch).status_code == 200
    changed = http.get(address).json()["document"]
    assert (changed["tags"], changed["access"]) == (["food"], ["bakers"])
    assert (changed["metadata"]["oven"], "year" in changed["metadata"]) == ("clay", False)
    assert metadata_only(http, "#baking") == []
    assert http.get("/v1/linkgraph/bread/metadata").json()["tags"] == ["food"]
    assert http.patch(address, json={"metadata": {"year": "1911", "oven": None}, "access": None}).status_code == 200


def test_chunks_of_a_document_come_by_cursor(http: httpx.Client) -> None:
    (crane,) = http.get("/v1/documents", params={"filter": "title = 'Crane Manual'"}).json()["items"]
    found: list[dict[str, Any]] = []
    page: dict[str, Any] = {"next_cursor": ""}
    while page["next_cursor"] is not None:
        given = {"limit": 2} | ({"cursor": page["next_cursor"]} if page["next_cursor"] else {})
        page = http.get(f"/v1/documents/{crane['id']}/chunks", params=given).json()
        found += page["items"]
    assert [chunk["position"] for chunk in found] == list(range(4))
    assert [chunk["section"] for chunk in found] == ["", "Install", "Install > Linux", "Remove"]
    assert {chunk["section_type"] for chunk in found} == {"body"}


def test_files_that_changed_or_vanished_are_found(run: Callable[..., str], folder: Path) -> None:
    report = json.loads(run("documents", "verify", "--json"))
    assert report == {"checked": 5, "states": {"same": 5}, "differing": []}
    winch, bread, records = folder / "harbour/winch.md", folder / "bread.md", folder / "list.jsonl"
    before = {path: path.read_bytes() for path in (winch, bread, records)}
    winch.write_bytes(before[winch] + b"More.\n")
    bread.unlink()
    records.write_bytes(before[records].replace(b"second", b"third"))
    try:
        report = json.loads(run("documents", "verify", "--json", code=1))
        assert {(item["reference"]["source_uri"], item["state"]) for item in report["differing"]} == {
            ("notes/harbour/winch.md", "changed"),
            ("notes/bread.md", "vanished"),
            ("notes/list.jsonl#b", "changed"),
        }
        assert report["states"] == {"changed": 2, "same": 2, "vanished": 1}
        table = run("documents", "verify", "--source", "notes/bread", code=1)
        assert "vanished" in table
        assert "1 document checked: 1 vanished." in table
        run("documents", "verify", "--source", "notes/harbour/install")
    finally:
        for path, content in before.items():
            path.write_bytes(content)
    run("documents", "verify")


def test_a_folder_without_documents_is_said_to_hold_none(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "crane.png").write_bytes(b"\x89PNG")
    said = run("ingest", tmp_path, errors=True)
    assert f"Nothing was found in {tmp_path}. Interlace reads Markdown, " in said
    assert "Nothing was found" in run("ingest", tmp_path, "--dry-run", errors=True)
    (tmp_path / "crane.md").write_text("# Crane\n\nIt lifts.\n")
    assert "Nothing was found" not in run("ingest", tmp_path, "--dry-run", errors=True)

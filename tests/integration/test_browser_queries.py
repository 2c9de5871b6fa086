"""The saved queries of Neo4j Browser on a graph that the pipeline made of documents, and the procedures that analysts may call."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import neo4j
import pytest
from tests.integration.decision_histories import PERSON, different, same
from tests.integration.ingestion_world import World

from interlace.adapters.neo4j.connection import open_driver
from interlace.cypher_files import cypher_root, files_root, parse_query
from interlace.entities.normalization import normalize_name
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import Settings

pytestmark = pytest.mark.stack

SAVED_ROOT = cypher_root() / "browser" / "saved"
SAVED = sorted(path.relative_to(SAVED_ROOT).with_suffix("").as_posix() for path in SAVED_ROOT.rglob("*.cypher"))
SOURCES = [files_root() / "tests" / "fixtures" / "engines", *sorted((files_root() / "docs" / "adr").glob("00*.md"))]
# Names that lower-casing does not turn into their normalised form, or that hold syntax of Lucene.
NOTES = {
    "beatles.md": "---\naliases: [Fab Four]\n---\n# The Beatles\n\nThe Beatles played in Hamburg. See [[AC/DC]] and [[São Paulo]].",
    "acdc.md": "# AC/DC\n\nAC/DC played in São Paulo after [[The Beatles]]. #hard-rock",
    "paulo.md": "# São Paulo\n\nSão Paulo is a city in Brazil. [[AC/DC]] played there.",
    "rec.md": "# [REC]\n\n[REC] is a film by Jaume Balagueró. The [[International Monetary Fund]] did not pay for it.",
    "fund.md": '# International Monetary Fund\n\nThe International Monetary Fund (IMF) lends money. Is it so? "Yes" AND no.',
    "strasse.md": "# Große Straße\n\nDie [[Große Straße]] führt zum Μουσείο Φίλος und zu [[東京タワー]].",
    "tokyo.md": "# 東京タワー\n\n東京タワーは東京にあります。 See [[Große Straße]].",
    "broken.md": "",
}
NAMES = [
    "The Beatles",
    "beatles",
    "fab four",
    "São Paulo",
    "Sao paulo",
    "AC/DC",
    "[REC]",
    "rec",
    "IMF",
    "International Monetary Fund",
    "GROSSE STRAẞE",
    "Große Straße",
    "東京タワー",
]
SPELLINGS = [
    "Große Straße",
    "Μουσείο Φίλος",
    "ΦΙΛΟΣ",
    "東京タワー",
    "ガンダム・ベース",
    "iPhone用ケース",
    "人々",
    "二〇二四年",
    "서울타워",
    "The Beatles' 東京 tour",
    "Minutes of the seventh meeting of the working group on the maintenance of old harbour cranes",
]
"""Names that lower-casing alone does not turn into their normalised form; texts need not hold them."""
PROCEDURES = [
    "betweenness.stream",
    "fastRP.stream",
    "knn.stream",
    "leiden.stats",
    "louvain.mutate",
    "louvain.stream",
    "nodeSimilarity.stream",
    "pageRank.stream",
]
OPTIONS = {
    "fastRP.stream": ", embeddingDimension: 8",
    "knn.stream": ", nodeProperties: 'mark'",
    "louvain.mutate": ", mutateProperty: 'community'",
}


@pytest.fixture(scope="module")
def driver(stack: Settings) -> Iterator[neo4j.Driver]:
    with open_driver(stack.neo4j) as opened:
        yield opened


@pytest.fixture(scope="module")
def read_tenant(world: World) -> Iterator[str]:
    """A tenant with the project's first decisions, six documents about early computing and a few notes, one of them empty."""
    with world.tenant() as name:
        world.platform.receiver.receive(name, find_sources(SOURCES, limits=ParseLimits()))
        world.work()
        world.ingest(name, NOTES)
        world.platform.communities.refresh(name)
        slip = world.platform.decisions.record(name, different("ada lovelace", "charles babbage"))
        world.platform.decisions.record(name, same("ada lovelace", "augusta ada king"))
        world.platform.decisions.undo(name, slip, PERSON, "a slip")
        world.platform.decisions.record(name, different("beatles", "international monetary fund"))
        yield name


class Saved:
    """Runs saved queries as people do who connected to one tenant."""

    def __init__(self, driver: neo4j.Driver, tenant: str) -> None:
        self.driver, self.tenant = driver, tenant

    def run(self, name: str, /, **values: Any) -> list[neo4j.Record]:
        query = parse_query(name, (SAVED_ROOT / f"{name}.cypher").read_text(encoding="utf-8"))
        given = {"tenant": self.tenant, **values}
        with self.driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
            return list(session.run(query.text, {param: given[param] for param in query.params}))


@pytest.fixture
def saved(driver: neo4j.Driver, read_tenant: str) -> Saved:
    return Saved(driver, read_tenant)


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_query_finds_something_and_no_null_column(saved: Saved, name: str) -> None:
    values = {"words": "difference engine", "name": "Ada Lovelace", "other": "Charles Babbage", "tag": "hard-rock"}
    records = saved.run(name, **values)
    assert records
    for column in records[0].keys():  # noqa: SIM118 -- a record iterates over its values
        assert any(record[column] is not None for record in records), f"{column} is always null"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("query", ["find_an_entity", "why_is_this_here"])
def test_an_entity_is_found_by_any_of_its_names(saved: Saved, query: str, name: str) -> None:
    first = saved.run(f"entities/{query}", name=name)[0][0]
    node = first if query == "find_an_entity" else first.nodes[0]
    assert normalize_name(name) in node["keys"]


def test_every_entity_is_found_by_its_own_name(saved: Saved, driver: neo4j.Driver) -> None:
    rows = driver.execute_query(
        "MATCH (e:Entity {tenant: $tenant}) RETURN e.id AS id, e.name AS name", tenant=saved.tenant
    )
    names = {row["id"]: row["name"] for row in rows.records}
    assert len(names) > 150
    check_forms(driver, {*names.values(), *SPELLINGS}, saved.tenant)


def check_forms(driver: neo4j.Driver, names: set[str], tenant: str) -> None:
    """Check that the lines of the saved queries normalise names as the tokenizer does."""
    text = parse_query("x", (SAVED_ROOT / "entities/find_an_entity.cypher").read_text(encoding="utf-8")).text
    form = text.split("CALL\n")[0].replace("$name", "name")
    # The block that normalises, for all names at once, with what follows it in the other saved queries.
    batch = f"UNWIND $names AS name CALL (name) {{ {form} RETURN form }} RETURN name, form"
    found = {
        row["name"]: row["form"] for row in driver.execute_query(batch, names=sorted(names), tenant=tenant).records
    }
    wrong = {name: form for name, form in found.items() if form != normalize_name(name)}
    assert wrong == {}


@pytest.mark.parametrize("name", ["a?", "Ada AND", "NOT", "(", '"', "\\", "a:b", "*", "[REC] OR", ""])
def test_no_text_is_syntax_of_a_search(saved: Saved, name: str) -> None:
    saved.run("entities/find_an_entity", name=name)
    saved.run("documents/search_chunks", words=name)


@pytest.mark.parametrize("words", ["große straße", "GROSSE STRASSE", "ΦΊΛΟΣ", "東京タワー", "東京に"])
def test_chunks_are_found_by_words_in_any_script(saved: Saved, words: str) -> None:
    assert saved.run("documents/search_chunks", words=words)


def test_a_question_mark_is_no_wildcard(saved: Saved) -> None:
    assert saved.run("documents/search_chunks", words="Ad?") == []
    assert saved.run("documents/search_chunks", words="PAULO São?")


def test_the_same_lines_normalise_a_name_in_every_saved_query() -> None:
    blocks = set()
    for path in (SAVED_ROOT / "entities").glob("*.cypher"):
        text = (
            path.read_text(encoding="utf-8").replace("asked,\n  ", "").replace("asked", "$name").split("] AS words")[0]
        )
        if "normalize(" in text:
            blocks.add(text[text.index("WITH\n  reduce(") :])
    assert len(blocks) == 1


def test_top_entities_have_the_counts_of_the_graph(saved: Saved, driver: neo4j.Driver) -> None:
    rows = saved.run("entities/top_entities")
    counts = [(row["documents"], row["mentions"]) for row in rows]
    assert counts == sorted(counts, reverse=True)
    paulo = next(row for row in saved.run("entities/top_entities") if row["name"] == "São Paulo")
    count = "MATCH (c:Chunk)-[:MENTIONS]->(:Entity {tenant: $tenant, name: 'São Paulo'}) RETURN count(DISTINCT c.documentId)"
    assert paulo["documents"] == driver.execute_query(count, tenant=saved.tenant).records[0][0] == 3


@pytest.mark.parametrize(
    ("name", "most"), [("communities/communities_and_members", 80), ("documents/documents_and_their_chunks", 40)]
)
def test_an_overview_is_small_enough_to_read(saved: Saved, name: str, most: int) -> None:
    paths = [record["path"] for record in saved.run(name)]
    assert len({node.element_id for path in paths for node in path.nodes}) <= most


def test_why_is_this_here_leads_from_the_entity_to_its_documents(saved: Saved) -> None:
    kinds = {"Entity", "Fact", "Chunk", "Section", "Document"}
    chains = {
        tuple(next(iter(node.labels & kinds)) for node in record["path"].nodes)
        for record in saved.run("entities/why_is_this_here", name="ada lovelace")
    }
    assert chains == {("Entity", "Fact", "Chunk", "Section", "Document"), ("Entity", "Chunk", "Section", "Document")}


def test_decisions_tell_their_entities_from_one_look_at_all(saved: Saved, driver: neo4j.Driver) -> None:
    name = "decisions/decisions_about_entities"
    listed = {row["names"]: sorted(row["entities"]) for row in saved.run(name)}
    assert listed["beatles ≠ international monetary fund"] == ["International Monetary Fund", "The Beatles"]
    assert "Ada Lovelace" in listed["ada lovelace = augusta ada king"]
    query = parse_query(name, (SAVED_ROOT / f"{name}.cypher").read_text(encoding="utf-8"))
    done = driver.execute_query(f"PROFILE {query.text}", tenant=saved.tenant).summary.profile
    entities = driver.execute_query("MATCH (e:Entity {tenant: $tenant}) RETURN count(e)", tenant=saved.tenant)
    assert done is not None
    assert most_rows(done) == entities.records[0][0]


def most_rows(operator: dict[str, Any]) -> int:
    """Return the most rows that an operator of a plan gave."""
    return max([int(operator["rows"]), *map(most_rows, operator.get("children", []))])


@contextmanager
def projected(driver: neo4j.Driver, tenant: str) -> Iterator[str]:
    """Give the name of a projection of a tenant's related entities."""
    driver.execute_query(
        "MATCH (a:Entity {tenant: $tenant})-[r]-(b:Entity) "
        "RETURN gds.graph.project($tenant, a, b, {sourceNodeProperties: {mark: size(a.name)}, targetNodeProperties: "
        "{mark: size(b.name)}}, {undirectedRelationshipTypes: ['*']})",
        tenant=tenant,
    )
    try:
        yield tenant
    finally:
        driver.execute_query("CALL gds.graph.drop($tenant)", tenant=tenant)


def test_analysts_may_call_algorithms(driver: neo4j.Driver, read_tenant: str) -> None:
    with projected(driver, read_tenant) as graph:
        for name in PROCEDURES:
            call = f"CALL gds.{name}($tenant, {{concurrency: 1{OPTIONS.get(name, '')}}})"
            assert driver.execute_query(call, tenant=graph).records, name
        named = "CALL gds.degree.stream($tenant) YIELD nodeId RETURN gds.util.asNode(nodeId).name AS name"
        assert all(row["name"] for row in driver.execute_query(named, tenant=graph).records)
        start = "MATCH (n:Entity {tenant: $tenant})--(:Entity) WITH n LIMIT 1 "
        found = driver.execute_query(
            f"{start} CALL gds.bfs.stream($tenant, {{sourceNode: n}}) YIELD path RETURN path", tenant=graph
        )
        assert len(found.records[0]["path"].nodes) > 1
    assert driver.execute_query("CALL gds.list() YIELD name RETURN count(name) AS known").records[0]["known"] > 100


def test_no_procedure_writes_files(driver: neo4j.Driver) -> None:
    names = [row["name"] for row in driver.execute_query("SHOW PROCEDURES YIELD name").records]
    assert {"gds.wcc.stream", "gds.fastRP.mutate"} <= set(names)
    assert [
        name for name in names if any(word in name for word in ("export", "backup", "restore", "csv", "store"))
    ] == []

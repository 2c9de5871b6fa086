"""Skills on real servers: what a file declares comes, changes and goes with it, and requests find its tools."""

from dataclasses import replace
from typing import Any

import pytest
from tests.integration.ingestion_world import World

from interlace.domain.hits import LegName
from interlace.domain.policy import RetrievalPolicy
from interlace.domain.tools import RouteRequest, RouteSignal

pytestmark = pytest.mark.stack

PDF = """---
name: pdf
description: Works with PDF files.
routing_keywords: [pdf, form, scan]
tools:
  - {name: fill_form, description: Writes values into the fields of a form.}
  - {name: read_scan, description: Reads text from a scan.}
  - {name: search, description: Finds words on pages.}
---
See [[mail]].
"""
MAIL = """---
name: mail
description: Reads and writes letters.
routing_keywords: [mail, scan]
---
## Commands

- `send TO`: sends a letter
- `search WORDS`: finds letters
"""
NOTE = "# Habits\n\nForms go through [[Fill Form#tool|the form filler]] of [[pdf#skill]], which needs a [[scan#concept]].\n"
DOCUMENTS = {"skills/pdf/SKILL.md": PDF, "skills/mail/SKILL.md": MAIL, "note.md": NOTE}
RELATIONS = """
MATCH (a:Entity {tenant: $tenant})-[r:CONTAINS|RELATED_TO]->(b:Entity)
RETURN a.type + ' ' + a.name AS source, type(r) AS type, b.type + ' ' + b.name AS target, r.weight AS weight, r.documents AS documents
"""
DECLARED = "MATCH (e:Skill|Tool|Concept {tenant: $tenant}) RETURN e.type + ' ' + e.name AS name"


def relations(world: World, tenant: str) -> dict[tuple[str, str, str], tuple[int, int]]:
    return {
        (row["source"], row["type"], row["target"]): (row["weight"], row["documents"])
        for row in world.rows(RELATIONS, tenant)
    }


def declared(world: World, tenant: str) -> set[str]:
    return {row["name"] for row in world.rows(DECLARED, tenant)}


def test_a_skill_brings_its_entities_and_relations(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    assert declared(world, tenant) == {
        *("Skill pdf", "Skill mail", "Tool fill_form", "Tool read_scan", "Tool search", "Tool send"),
        *("Concept pdf", "Concept form", "Concept scan", "Concept mail"),
    }
    found = relations(world, tenant)
    assert found["Skill pdf", "CONTAINS", "Tool search"] == (1, 1)
    assert found["Skill mail", "CONTAINS", "Tool search"] == (1, 1)
    assert found["Tool read_scan", "RELATED_TO", "Concept scan"] == (1, 1)
    assert found["Skill mail", "RELATED_TO", "Concept scan"] == (1, 1)
    # A reference elsewhere is evidence for the one tool, and makes no second.
    evidence = (
        "MATCH (t:Tool {tenant: $tenant, key: 'fill form'})<-[:MENTIONS]-(c:Chunk) RETURN DISTINCT c.documentId AS id"
    )
    assert len(world.rows(evidence, tenant)) == 2


def test_deleting_and_changing_skills_equals_never_having_had_them(world: World, tenant: str) -> None:
    world.ingest(tenant, {uri: text for uri, text in DOCUMENTS.items() if "pdf" not in uri})
    without = world.state(tenant)
    world.delete(tenant)
    world.ingest(tenant, DOCUMENTS, 1)
    complete = world.state(tenant)
    changed = PDF.replace(", scan]", "]").replace("  - {name: search, description: Finds words on pages.}\n", "")
    world.ingest(tenant, {"skills/pdf/SKILL.md": changed})
    assert ("Skill pdf", "RELATED_TO", "Concept scan") not in relations(world, tenant)
    assert ("Tool read_scan", "RELATED_TO", "Concept scan") not in relations(world, tenant)
    assert ("Skill pdf", "CONTAINS", "Tool search") not in relations(world, tenant)
    world.ingest(tenant, {"skills/pdf/SKILL.md": PDF})
    assert _contents(world.state(tenant)) == _contents(complete)
    world.delete(tenant, "skills/pdf/SKILL.md")
    assert _contents(world.state(tenant)) == _contents(without)
    assert "Tool read_scan" not in declared(world, tenant)
    # The note still names this tool; nothing contains it any more.
    assert "Tool Fill Form" in declared(world, tenant)
    assert not any(target == "Tool Fill Form" for _, _, target in relations(world, tenant))
    world.delete(tenant)
    assert (world.left(tenant), world.points(tenant)) == ([], {})


def test_requests_find_tools_with_and_without_embeddings_and_explain_themselves(
    world: World, tenant: str, dense: frozenset[LegName]
) -> None:
    world.ingest(tenant, DOCUMENTS)
    router = world.platform.tools
    answer = router.search(tenant, RouteRequest("write values into a form"))
    first = answer.tools[0]
    assert (first.tool, first.skill, first.rank) == ("fill_form", "pdf", 1)
    assert first.score == pytest.approx(sum(first.parts.values()))
    assert {leg.leg for leg in first.legs} == {"keyword"} | dense
    assert [(path.keyword, path.hops) for path in first.paths] == [("form", 1)]
    assert answer.keywords.keys() == {"form"}
    assert answer.retrieval_path == (*dense, "keyword", "graph")
    assert world.rows(first.cypher.replace("RETURN path", "RETURN nodes(path) AS shown"), tenant)
    # Both skills contain a tool of this name: each is a hit of its own.
    both = router.search(tenant, RouteRequest("search", without=frozenset({"vector"}))).tools
    assert {(hit.tool, hit.skill) for hit in both[:2]} == {("search", "pdf"), ("search", "mail")}
    # "scans" is no word of any tool but the keyword that leads to one.
    alone = router.search(tenant, RouteRequest("scans", without=frozenset({"vector", "keyword"})))
    assert alone.tools[0].tool == "read_scan"
    assert alone.retrieval_path == ("graph",)
    assert router.search(tenant, RouteRequest("photosynthesis", without=frozenset({"vector"}))).tools == ()


def test_a_tool_is_reached_over_the_notes_that_document_it_and_what_uses_it(world: World, tenant: str) -> None:
    gauge = "---\nname: hydro\ndescription: Water levels.\ntools: [read_gauge]\n---\nLevels.\n"
    pump = "---\nname: pumping\ndescription: Moves it.\ntools: [start_pump, drain]\n---\nValves.\n"
    notes = {
        "flood.md": "# Flood plan\n\nFirst [[read_gauge#tool]], then [[start_pump#tool]].\n",
        "drain.md": "# Dry dock\n\n## Uses\n\n- [[read_gauge#tool]]\n- [[drain#tool]]\n",
    }
    world.ingest(tenant, {"gauging/SKILL.md": gauge, "pumping/SKILL.md": pump, **notes})
    alone = frozenset[RouteSignal]({"vector", "keyword"})
    found = world.platform.tools.search(tenant, RouteRequest("read_gauge", without=alone))
    via = {hit.tool: (hit.paths[0].via, hit.paths[0].hops) for hit in found.tools}
    assert via["read_gauge"] == ("", 0)
    assert via["start_pump"] == ("Flood plan", 2)
    assert "drain" not in via, "what a note uses is not documented in it"
    world.delete(tenant, "flood.md")
    gone = world.platform.tools.search(tenant, RouteRequest("read_gauge", without=alone))
    assert "start_pump" not in {hit.tool for hit in gone.tools}


def test_documents_about_two_skills_that_link_to_each_other_count(world: World, tenant: str) -> None:
    gauge = "---\nname: hydro\ndescription: Water levels.\ntools: [read_gauge]\n---\nLevels.\n"
    pump = "---\nname: pumping\ndescription: Moves it.\ntools: [start_pump]\n---\nValves.\n"
    levels = "# Reading levels\n\nWhat [[hydro#skill]] measures{}.\n"
    notes = {
        "levels.md": levels.format(", before [the pumps](pumps.md)"),
        "pumps.md": "# Pumps\n\nOf [[pumping#skill]].\n",
    }
    world.ingest(tenant, {"gauging/SKILL.md": gauge, "pumping/SKILL.md": pump, **notes})

    def of_links() -> dict[str, float]:
        asked = RouteRequest("read_gauge, then start_pump", without=frozenset({"vector"}))
        return {hit.tool: hit.parts["links"] for hit in world.platform.tools.search(tenant, asked).tools}

    linked = of_links()
    assert linked.keys() == {"read_gauge", "start_pump"}
    assert min(linked.values()) > 0, "each supports the other"
    world.ingest(tenant, {"levels.md": levels.format("")})
    assert of_links() == {"read_gauge": 0.0, "start_pump": 0.0}


def test_the_policy_of_a_request_lets_the_graph_answer_alone_where_it_is_enough(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    router = world.platform.tools
    easy = RetrievalPolicy("graph", min_graph_hits=1, min_graph_score=0.0, min_source_coverage=0.0, min_overlap=0.0)
    alone = router.search(tenant, RouteRequest("scans", policy=easy))
    assert (alone.retrieval_mode, alone.retrieval_path, alone.tools[0].tool) == ("graph_only", ("graph",), "read_scan")
    assert alone.retrieval_reason.startswith("The graph alone is enough: it reached 4 tools in 50%")
    for trigger, text in (
        (replace(easy, min_graph_hits=50), "fewer than 50"),
        (replace(easy, min_source_coverage=1.0), "of its first hits, less than 100%"),
        (replace(easy, min_overlap=0.9), "of the request's words name known entities"),
    ):
        both = router.search(tenant, RouteRequest("put values into the form of a mail", policy=trigger))
        assert both.retrieval_mode == "hybrid"
        assert text in both.retrieval_reason
        assert "keyword" in both.retrieval_path
    unknown = router.search(tenant, RouteRequest("photosynthesis", policy=easy))
    assert "names no keyword, skill or tool" in unknown.retrieval_reason


def _contents(state: tuple[list[str], dict[str, Any]]) -> tuple[list[str], dict[str, Any]]:
    """Return graph and vectors; payloads also tell when a document was read."""
    lines, points = state
    return lines, {identity: point[:2] for identity, point in points.items()}

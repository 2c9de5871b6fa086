"""Decisions about entities: what the graph says with them, and that it is the one without them when they are undone."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.testclient import TestClient
from tests.integration.decision_histories import PERSON, different, same, split
from tests.integration.ingestion_world import World

from interlace.api.app import create_app
from interlace.cypher_files import cypher_root
from interlace.decisions.service import DecisionRequest, DecisionService
from interlace.decisions.writer import DecisionWriter
from interlace.domain.errors import ConflictError, NotFoundError
from interlace.domain.ids import document_id
from interlace.entities.candidates import Candidates, MergeCandidate
from interlace.entities.normalization import normalize_name
from interlace.entities.pair_score import acronym_of
from interlace.export.backup import save
from interlace.export.restore import restore
from interlace.ports.graph import Transaction
from interlace.queries import decisions

DOCUMENTS = {
    "a.md": "# Old Mill\n\nFritz Lang built the Old Mill in Vienna. Fritz Lang saw Zorg.\n",
    "b.md": "# Vienna\n\nZorg came to Vienna and saw the Old Mill. Zorg met Fritz Lang.\n",
    "c.md": "# Notes\n\nThe Old Mill Zorg stands. Zorg is in Vienna.\n",
}


T = TypeVar("T")
_NAMED = "MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name, e.id AS id"


def entities(world: World, tenant: str) -> dict[str, list[str]]:
    """Return aliases by name."""
    rows = world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name, e.aliases AS aliases", tenant)
    return {row["name"]: row["aliases"] for row in rows}


def audited(world: World, tenant: str) -> list[str]:
    """Return the events that the audit log has of a tenant, in order."""
    query = "MATCH (a:AuditEntry) WHERE $tenant IN a.tenants RETURN a.event AS event ORDER BY a.at, event"
    return [row["event"] for row in world.rows(query, tenant)]


def test_names_that_are_the_same_are_one_entity_and_two_again_when_undone(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    without = world.dump(tenant)
    identity = world.platform.decisions.record(tenant, same("zorg", "fritz lang"))
    assert {"Fritz Lang", "Zorg"} in [{name, *aliases} for name, aliases in entities(world, tenant).items()]
    assert world.platform.reconciler.check(tenant) == []
    world.platform.decisions.undo(tenant, identity, PERSON)
    assert world.dump(tenant) == without


def test_documents_and_decisions_may_come_in_any_order(world: World, tenant: str) -> None:
    decisions = [same("zorg", "fritz lang"), different("vienna", "zorg"), split(tenant, "zorg", "zorg place", "c.md")]
    world.ingest(tenant, DOCUMENTS)
    for decision in decisions:
        world.platform.decisions.record(tenant, decision)
    late = world.dump(tenant)
    assert world.platform.reconciler.check(tenant) == []
    world.clear(tenant)
    for decision in reversed(decisions):
        world.platform.decisions.record(tenant, decision)
    for uri in reversed(DOCUMENTS):
        world.ingest(tenant, {uri: DOCUMENTS[uri]})
    assert world.dump(tenant) == late


def test_a_name_means_another_entity_in_the_documents_of_a_split_only(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    world.platform.decisions.record(tenant, split(tenant, "zorg", "zorg place", "c.md"))
    text = """
    MATCH (c:Chunk {tenant: $tenant})-[m:MENTIONS]->(e:Entity)
    WHERE 'zorg' IN e.keys
    RETURN DISTINCT c.documentId AS document, e.id AS entity
    """
    found = {row["document"]: row["entity"] for row in world.rows(text, tenant)}
    other = found.pop(document_id(tenant, "c.md"))
    assert other not in found.values()
    assert len(set(found.values())) == 1


def test_a_split_takes_the_name_from_all_who_have_it_in_its_documents(world: World, tenant: str) -> None:
    world.ingest(
        tenant,
        {
            "a.md": "# Roads\n\nThe Bureau of Public Roads (BPR) hired Robert Miler in Denver.\n",
            "b.md": "# Music\n\nThe BPR built a road in Denver. The BPR is based in Boston.\n",
        },
    )
    text = """
    MATCH (:Chunk {tenant: $tenant, documentId: $document})-[m:MENTIONS]->(e:Entity {name: 'Bureau of Public Roads'})
    RETURN count(m) AS count
    """

    def linked() -> int:
        return int(world.rows(text, tenant, document=document_id(tenant, "b.md"))[0]["count"])

    assert linked() == 1
    identity = world.platform.decisions.record(tenant, split(tenant, "bpr", "bpr band", "b.md"))
    assert linked() == 0
    world.platform.decisions.undo(tenant, identity, PERSON)
    assert linked() == 1


def test_the_version_says_that_copies_and_communities_are_stale(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    text = "MATCH (t:Tenant {tenant: $tenant}) RETURN t.version AS version"
    before = world.rows(text, tenant)[0]["version"]
    world.platform.decisions.record(tenant, same("zorg", "fritz lang"))
    assert world.rows(text, tenant)[0]["version"] > before


def test_decisions_survive_backup_and_restore(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, DOCUMENTS)
    undone = world.platform.decisions.record(tenant, different("vienna", "zorg"))
    world.platform.decisions.record(tenant, same("zorg", "fritz lang"))
    world.platform.decisions.undo(tenant, undone, PERSON, "a slip")
    expected = world.dump(tenant)
    save(world.platform.graph, [tenant], tmp_path / "saved", {}, pause=world.platform.communities.paused)
    restore(world.platform.graph, world.platform.vectors, tmp_path / "saved", replace=True)
    world.platform.entity_linkers.of(tenant).reset()
    assert world.dump(tenant) == expected
    world.ingest(tenant, {"d.md": "# Late\n\nZorg met Fritz Lang in Vienna.\n"})
    assert {"Fritz Lang", "Zorg"} in [{name, *aliases} for name, aliases in entities(world, tenant).items()]


def test_a_hub_moves_in_batches_that_another_process_finishes(
    world: World, tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = {f"{number}.md": f"# Note {number}\n\nFritz Lang met Zorg in Vienna.\n" for number in range(6)}
    world.ingest(tenant, hub)
    platform = world.platform
    small = DecisionWriter(platform.graph, platform.older_chunks, 2, batch_size=2)
    without = world.dump(tenant)
    with monkeypatch.context() as dead:
        dead.setattr(DecisionWriter, "finish", lambda *_, **__: None)
        identity = small.record(tenant, same("zorg", "fritz lang"))
    assert world.platform.decisions.tenants() == [tenant]
    # One batch is through when the process dies.
    once = [True]
    small.finish(tenant, lambda: bool(once) and once.pop())
    with pytest.raises(ConflictError, match="being applied"):
        save(platform.graph, [tenant], tmp_path / "saved", {}, pause=platform.communities.paused)
    world.ingest(tenant, {"later.md": hub["0.md"]})
    # The next process knows the place from the graph alone.
    platform.entity_linkers.of(tenant).reset()
    platform.sweeper.sweep()
    assert platform.decisions.tenants() == []
    assert platform.reconciler.check(tenant) == []
    found = world.dump(tenant)
    small.undo(tenant, identity, PERSON)
    world.delete(tenant, "later.md")
    assert world.dump(tenant) == without
    world.clear(tenant)
    platform.decisions.record(tenant, same("zorg", "fritz lang"))
    world.ingest(tenant, {**hub, "later.md": hub["0.md"]})
    assert world.dump(tenant) == found


def test_a_hub_is_read_once_for_many_batches_and_again_after_others_wrote(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = {f"{number:02}.md": f"# Note {number}\n\nFritz Lang met Zorg in Vienna.\n" for number in range(6)}
    world.ingest(tenant, hub)
    late = {f"late{number}.md": f"# Late {number}\n\nZorg saw Vienna.\n" for number in range(2)}
    platform, read, places = world.platform, decisions.moved_documents, list[str]()
    small = DecisionWriter(platform.graph, platform.older_chunks, 2, batch_size=2)

    def counted(*args: Any, **kwargs: Any) -> list[decisions.MovedDocumentsRow]:
        places.append(kwargs["after"])
        return read(*args, **kwargs)

    monkeypatch.setattr(decisions, "moved_documents", counted)
    identity = small.record(tenant, same("zorg", "fritz lang"))
    assert len(places) == 1
    small.undo(tenant, identity, PERSON)
    with monkeypatch.context() as dead:
        dead.setattr(DecisionWriter, "finish", lambda *_, **__: None)
        small.record(tenant, same("zorg", "fritz lang"))
    between = iter([{}, late])

    def others_write() -> bool:
        world.ingest(tenant, next(between, {}))
        return True

    places.clear()
    small.finish(tenant, others_write)
    assert len(places) == 2
    assert platform.reconciler.check(tenant) == []
    found = world.dump(tenant)
    world.clear(tenant)
    platform.decisions.record(tenant, same("zorg", "fritz lang"))
    world.ingest(tenant, hub | late)
    assert world.dump(tenant) == found


def test_an_acronym_finds_the_names_with_its_initials(world: World, tenant: str) -> None:
    world.ingest(
        tenant,
        {
            "a.md": "# Radio\n\nGrace Hopper founded the National Broadcasting Company of Norway in 1931.\n",
            "b.md": "# Wages\n\nThe NBCN paid Grace Hopper well.\n",
        },
    )
    ids = {row["name"]: row["id"] for row in world.rows(_NAMED, tenant)}
    found = Candidates(world.platform.graph, tenant).of(ids["NBCN"])
    assert [pair.other.name for pair in found] == ["National Broadcasting Company of Norway"]


NAMES = (
    "National Broadcasting Company of Norway",
    "Upper Silesian Railway Works",
    "Dutch Harbour Pilots Guild",
    "Western Canal Boat Trust",
    "Federal Office for Mountain Roads",
    "Royal Society of Glass Painters",
)


def test_pages_of_any_size_hold_every_pair_once(world: World, tenant: str) -> None:
    both = [each for name in NAMES for each in (name, acronym_of(normalize_name(name)).upper())]
    world.ingest(tenant, {f"{number}.md": f"# {name}\n\nOf 1931.\n" for number, name in enumerate(both)})
    candidates = Candidates(world.platform.graph, tenant)
    whole = candidates.queue(limit=100)
    assert whole.after is None
    assert {frozenset(both[at : at + 2]) for at in range(0, len(both), 2)} <= set(map(_pair, whole.candidates))
    paged: list[MergeCandidate] = []
    after: str | None = ""
    while after is not None:
        page = candidates.queue(after=after, limit=1)
        paged += page.candidates
        after = page.after
    assert set(Counter(frozenset({pair.one.id, pair.other.id}) for pair in paged).values()) == {1}
    assert sorted(paged, key=repr) == sorted(whole.candidates, key=repr)


def _pair(pair: MergeCandidate) -> frozenset[str]:
    return frozenset({pair.one.name, pair.other.name})


def test_a_name_finds_its_acronym_under_whatever_names_that_is_merged(world: World, tenant: str) -> None:
    titles = ("International Business Machines", "IBM", "Big Apple")
    world.ingest(tenant, {f"{number}.md": f"# {title}\n\nOf 1911.\n" for number, title in enumerate(titles)})
    world.platform.decisions.record(tenant, same("ibm", "big apple"))
    (name,) = (row["id"] for row in world.rows(_NAMED, tenant) if row["name"] == titles[0])
    (pair,) = Candidates(world.platform.graph, tenant).of(name)
    assert {pair.other.name, *pair.other.aliases} == {"IBM", "Big Apple"}
    world.platform.decisions.record(tenant, different("ibm", "grace hopper"))
    saved = cypher_root() / "browser" / "saved" / "decisions" / "decisions_about_entities.cypher"
    newest, _ = world.rows(saved.read_text(encoding="utf-8"), tenant)
    assert newest["entities"] == [pair.other.name]


def test_decisions_over_http(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    without = world.dump(tenant)
    headers = {"X-Interlace-Tenant": tenant, "Idempotency-Key": "one"}
    with TestClient(create_app(world.platform), base_url="http://127.0.0.1", headers=headers) as api:
        body = {"kind": "same", "names": ["Zorg", "Fritz Lang"], "note": "an alias"}
        made = api.post("/v1/decisions", json=body)
        assert made.status_code == 201
        identity = made.json()["id"]
        assert api.post("/v1/decisions", json=body).json()["id"] == identity
        assert api.post("/v1/decisions", json=body | {"kind": "different"}).status_code == 409
        assert api.delete(f"/v1/decisions/{identity}", params={"note": "no alias"}).status_code == 204
        assert api.delete(f"/v1/decisions/{identity}").status_code == 404
        # The first request comes once more, late: it was for a decision that is undone by now.
        assert api.post("/v1/decisions", json=body).json()["id"] == identity
        assert world.dump(tenant) == without
        (past,) = api.get("/v1/decisions", params={"name": "Zorg"}).json()["decisions"]
        assert (past["decision"]["note"], past["undo_note"]) == ("an alias", "no alias")
        assert (
            api.post("/v1/decisions", json=body | {"names": ["Zorg"]}, headers={"Idempotency-Key": "two"}).status_code
            == 422
        )


def test_a_repeated_request_finds_its_decision_although_its_ids_name_others_by_now(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    ids = {row["name"]: row["id"] for row in world.rows(_NAMED, tenant)}
    split = {"kind": "split", "names": [ids["Old Mill"]], "meaning": "Old Mill (film)", "documents": ["a.md"]}
    requests = [{"kind": "same", "names": [ids["Zorg"], ids["Fritz Lang"]]}, split]
    with TestClient(
        create_app(world.platform), base_url="http://127.0.0.1", headers={"X-Interlace-Tenant": tenant}
    ) as api:
        for key, body in enumerate(requests):
            first, again = (
                api.post("/v1/decisions", json=body, headers={"Idempotency-Key": f"{tenant}{key}"}) for _ in range(2)
            )
            assert (first.status_code, again.status_code) == (201, 201), again.text
            assert first.json() == again.json()
            other = api.post("/v1/decisions", json=body | {"note": "x"}, headers={"Idempotency-Key": f"{tenant}{key}"})
            assert other.status_code == 409
    assert audited(world, tenant) == ["decided", "decided"]


def test_an_undoing_whose_answer_was_lost_has_succeeded(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENTS)
    without = world.dump(tenant)
    service = DecisionService(world.platform.graph, world.platform.decisions, PERSON)
    transact = world.platform.graph.transact

    def committed_and_run_again(work: Callable[[Transaction], T]) -> T:
        """Do what the adapter does when a connection breaks during the commit."""
        transact(work)
        return transact(work)

    monkeypatch.setattr(world.platform.graph, "transact", committed_and_run_again)
    identity = service.decide(tenant, DecisionRequest("same", ["Zorg", "Fritz Lang"]))
    service.undo(tenant, identity, "a slip")
    monkeypatch.undo()
    assert world.dump(tenant) == without
    assert audited(world, tenant) == ["decided", "undone"]


def test_a_decision_that_is_overruled_says_so_until_the_other_is_undone(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    with TestClient(
        create_app(world.platform), base_url="http://127.0.0.1", headers={"X-Interlace-Tenant": tenant}
    ) as api:
        names = ["Zorg", "Fritz Lang"]
        apart = api.post("/v1/decisions", json={"kind": "different", "names": names}).json()
        assert apart["overruled"] is False
        joined = api.post("/v1/decisions", json={"kind": "same", "names": names}).json()
        assert joined["overruled"] is True
        listed = {each["id"]: each["overruled"] for each in api.get("/v1/decisions").json()["decisions"]}
        assert listed == {apart["id"]: False, joined["id"]: True}
        api.delete(f"/v1/decisions/{apart['id']}")
        listed = {each["id"]: each["overruled"] for each in api.get("/v1/decisions").json()["decisions"]}
        assert listed == {apart["id"]: False, joined["id"]: False}


def test_ids_that_were_never_there_are_refused_and_a_tenant_that_is_misspelt_too(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    never = "00000000-0000-4000-8000-000000000000"
    split = {"kind": "split", "names": ["Zorg"], "meaning": "Zorg place"}
    with TestClient(
        create_app(world.platform), base_url="http://127.0.0.1", headers={"X-Interlace-Tenant": tenant}
    ) as api:
        without = world.dump(tenant)
        for body in (
            {"kind": "same", "names": ["Zorg", never]},
            {**split, "documents": [never]},
            {**split, "documents": ["c.md", document_id("another", "c.md")]},
        ):
            refused = api.post("/v1/decisions", json=body)
            assert (refused.status_code, refused.json()["title"]) == (404, "Not found"), body
        assert api.post("/v1/decisions", json={**split, "documents": ["c.md"], "nots": "x"}).status_code == 422
        assert world.dump(tenant) == without
        own = document_id(tenant, "c.md")
        made = api.post("/v1/decisions", json={**split, "documents": [own, "to-come.md"]}).json()["id"]
        # The document goes, and what was said of it may be said again.
        world.delete(tenant, "c.md")
        assert api.delete(f"/v1/decisions/{made}").status_code == 204
        assert api.post("/v1/decisions", json={**split, "documents": [own]}).status_code == 201
        elsewhere = api.get("/v1/documents", headers={"X-Interlace-Tenant": f"{tenant}x"})
        assert elsewhere.status_code == 404
        assert f"Did you mean {tenant}?" in elsewhere.json()["detail"]
        assert f"{tenant}x" not in api.get("/v1/tenants").json()


def test_what_is_not_decided_cannot_be_undone(world: World, tenant: str) -> None:
    with pytest.raises(NotFoundError):
        world.platform.decisions.undo(tenant, "none", PERSON)


def test_a_decided_pair_is_not_offered_again(world: World, tenant: str) -> None:
    world.ingest(
        tenant,
        {
            "a.md": "# Notes\n\nJonathan Miller met Ada Lovelace in Vienna.\n",
            "b.md": "# More notes\n\nJonathan Millers met Grace Hopper in Vienna.\n",
        },
    )

    def offered() -> dict[frozenset[str], MergeCandidate]:
        page = Candidates(world.platform.graph, tenant).queue(limit=50)
        assert page.after is None
        assert all(pair.one.sentences and pair.signals for pair in page.candidates)
        return {_pair(each): each for each in page.candidates}

    pair = frozenset({"Jonathan Miller", "Jonathan Millers"})
    once = offered()[pair]
    assert Candidates(world.platform.graph, tenant).exist(once)
    identity = world.platform.decisions.record(tenant, different("jonathan miller", "jonathan millers"))
    assert pair not in offered()
    world.platform.decisions.undo(tenant, identity, PERSON)
    assert pair in offered()
    world.platform.decisions.record(tenant, same("jonathan miller", "jonathan millers"))
    assert pair not in offered()
    assert not Candidates(world.platform.graph, tenant).exist(once)

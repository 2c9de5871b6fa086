"""Minutes, mails and code: people are known by the names that texts use, and documents by the times that they state."""

import pytest
from tests.integration.ingestion_world import World

from interlace.domain.filter_text import parse_filter
from interlace.domain.hits import QueryRequest, QueryResponse

MINUTES = """Minutes: Site committee
Date: Tuesday 3 September 2024, 9:00
Attendees: Amara Okoye, Colm Byrne
Agenda: Clock

1. Clock
The clock needs a bracket in the old library. Amara will order one from Utrecht, and Colm paints it.
"""
LATER = MINUTES.replace("3 September", "10 September").replace("Amara will order", "Colm will fetch")
MAIL = (
    "From: Ravi Desai <ravi@x.example>\nDate: {date}\nSubject: {subject}\n\nThe invoice for the {thing} came today.\n"
)
SQL = """-- Amara Okoye asked for this table after the audit in Utrecht.
CREATE TABLE reservation (
    house_id bigint NOT NULL REFERENCES house,
    state    text   NOT NULL DEFAULT 'pending',
    PRIMARY KEY (house_id)
);

CREATE TABLE invoice (
    house_id bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (house_id)
);
"""
DOCUMENTS = {
    "minutes/first.txt": MINUTES,
    "minutes/second.txt": LATER,
    "lamps.eml": MAIL.format(date="Tue, 5 Mar 2024 10:00:00 +0100", subject="Lamps", thing="lamps"),
    "lift.eml": MAIL.format(date="Mon, 20 May 2024 10:00:00 +0200", subject="Lift", thing="lift"),
    "shed.md": "The shed behind the old library has a bracket for ladders.",
}


@pytest.fixture
def team(world: World, tenant: str) -> str:
    world.ingest(tenant, DOCUMENTS)
    return tenant


def ask(world: World, tenant: str, question: str) -> QueryResponse:
    answer = world.platform.questions.search(tenant, QueryRequest(question, limit=5, explain=True))
    assert not answer.degraded
    return answer


def test_people_are_found_by_their_first_names_and_labels_are_no_names(world: World, team: str) -> None:
    answer = ask(world, team, "What will Amara order for the clock?")
    assert set(answer.entities) == {"Amara Okoye"}
    assert answer.hits[0].source_uri == "minutes/first.txt"
    assert "graph" in {each.leg for each in answer.hits[0].legs}
    names = {row["name"] for row in world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name", team)}
    assert {"Amara Okoye", "Colm Byrne", "Ravi Desai"} <= names
    assert not {"Amara", "Colm", "Ravi", "Agenda", "Attendees", "Date", "Minutes"} & names


def test_a_mail_and_minutes_have_the_time_that_they_state_and_are_asked_for_by_it(world: World, team: str) -> None:
    march = ask(world, team, "Which invoice came in the first week of March?")
    assert march.hits[0].source_uri == "lamps.eml"
    assert march.hits[0].boosts["dates"] > march.hits[1].boosts.get("dates", 0.0)
    may = ask(world, team, "Which invoice came in late May?")
    assert may.hits[0].source_uri == "lift.eml"
    since = QueryRequest("", mode="metadata_only", where=parse_filter("created_at >= 2024-03-01"), sort="oldest")
    dated = [hit.source_uri for hit in world.platform.questions.search(team, since).hits]
    assert dated == ["lamps.eml", "lift.eml", "minutes/first.txt", "minutes/second.txt"]


def test_names_come_from_comments_and_not_from_code(world: World, tenant: str) -> None:
    world.ingest(tenant, {"db/reservation.sql": SQL})
    names = {row["name"] for row in world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name", tenant)}
    assert names == {"reservation", "Amara Okoye", "Utrecht"}
    hits = world.platform.questions.search(tenant, QueryRequest("Which column is the primary key of an invoice?")).hits
    assert "PRIMARY KEY (house_id)" in hits[0].text

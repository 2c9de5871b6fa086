"""Chats exported as JSON and transcripts go the whole way: people speak in them, and what is said is found."""

import io

import orjson
import pytest
from tests.integration.ingestion_world import World

from interlace.domain.documents import Source
from interlace.domain.hits import QueryRequest
from interlace.parsing.media import MAILBOX as MAILBOX_TYPE
from interlace.parsing.received import documents_in
from interlace.parsing.sandbox.limits import ParseLimits

CHAT = {
    "name": "Harbour crew",
    "type": "private_group",
    "id": 41,
    "messages": [
        {"id": 1, "type": "message", "date": "2024-04-30T06:50:12", "from": "Ada Byron", "text": "Is the pump in?"},
        {
            "id": 2,
            "type": "message",
            "date": "2024-04-30T06:52:00",
            "from": "Ravi Desai",
            "text": "Yes, by the slipway.",
        },
        {
            "id": 3,
            "type": "message",
            "date": "2024-04-30T06:53:00",
            "from": "Ada Byron",
            "text": "I paint it on Friday.",
        },
    ],
}
SLACK = [
    {
        "type": "message",
        "user": "U01",
        "ts": "1714459812.000200",
        "text": "The crane fails <@U02>",
        "user_profile": {"real_name": "Ada Byron"},
    },
    {
        "type": "message",
        "user": "U02",
        "ts": "1714459920.000000",
        "text": "Then a barge brings the girders.",
        "user_profile": {"real_name": "Colm Byrne"},
    },
]
TRANSCRIPT = """WEBVTT

00:00:03.120 --> 00:00:07.480
<v Amara Okoye>Good morning, everyone. The lantern of the

00:00:07.480 --> 00:00:10.000
<v Amara Okoye>lighthouse came on Monday.</v>

00:00:10.500 --> 00:00:14.000
<v Colm Byrne>I mount it with Ada Byron tomorrow.</v>
"""
DOCUMENTS = {
    "chats/result.json": orjson.dumps(CHAT).decode(),
    "works/2024-04-30.json": orjson.dumps(SLACK).decode(),
    "sync.vtt": TRANSCRIPT,
    "shed.md": "The shed behind the old library has a bracket for ladders.",
}


@pytest.mark.parametrize(
    ("question", "source", "words"),
    [
        ("When does Ada paint the pump?", "chats/result.json", "[2024-04-30 06:53] Ada Byron: I paint it on Friday."),
        ("What brings the girders?", "works/2024-04-30.json", "The crane fails Colm Byrne"),
        ("When did the lantern of the lighthouse come?", "sync.vtt", "The lantern of the lighthouse came on Monday."),
    ],
)
def test_what_is_said_is_found(world: World, tenant: str, question: str, source: str, words: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    answer = world.platform.questions.search(tenant, QueryRequest(question, limit=3))
    assert answer.hits[0].source_uri == source
    assert words in answer.hits[0].text
    names = {row["name"] for row in world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name", tenant)}
    assert {"Ada Byron", "Ravi Desai", "Colm Byrne", "Amara Okoye"} <= names
    assert not {"messages", "message", "private_group", "U01", "U02", "WEBVTT"} & names


ISSUE = {
    "title": "The winch is slow",
    "body": "It pulls half of what it should.",
    "comments": [
        {"user": {"login": "Ravi"}, "created_at": "2024-04-30T06:52:00Z", "body": "<p>Grease the <b>pawl</b>.</p>"}
    ],
}
MAILBOX = b"""From ada@harbour.example Tue Apr 30 06:50:00 2024
From: Ada Byron <ada@harbour.example>
Message-ID: <7@harbour.example>
Subject: Buoys

The yellow buoys come from Skagen.

From colm@harbour.example Tue Apr 30 07:50:00 2024
From: Colm Byrne <colm@harbour.example>
Message-ID: <8@harbour.example>
Subject: Ropes

Hemp is back in stock.
"""


def test_a_comment_and_a_mail_of_a_mailbox_are_found(world: World, tenant: str) -> None:
    world.ingest(tenant, {"issue.json": orjson.dumps(ISSUE).decode(), "shed.md": DOCUMENTS["shed.md"]})
    mails = list(documents_in(io.BytesIO(MAILBOX), MAILBOX_TYPE, "list.mbox", {}, ParseLimits()))
    world.receive(tenant, [each for each in mails if isinstance(each, Source)])
    world.work()
    for question, source, words in (
        ("Which part wants grease?", "issue.json", "[2024-04-30 06:52] Ravi: Grease the pawl."),
        ("Where do the buoys come from?", "list.mbox#7@harbour.example", "The yellow buoys come from Skagen."),
    ):
        first = world.platform.questions.search(tenant, QueryRequest(question, limit=3)).hits[0]
        assert first.source_uri == source
        assert words in first.text

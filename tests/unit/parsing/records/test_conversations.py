"""Chats that messengers export as JSON are read as turns."""

from typing import Any

import orjson
import pytest
from tests.support.parsing import LIMITS, read, refusal

from interlace.domain.documents import Source
from interlace.parsing.media import JSON
from interlace.parsing.records.conversations import is_slack_day
from interlace.parsing.records.files import split_array

TELEGRAM = {
    "name": "Harbour crew",
    "type": "private_group",
    "id": 41,
    "messages": [
        {"id": 1, "type": "service", "date": "2024-04-30T06:49:00", "actor": "Ada Byron", "action": "create_group"},
        {"id": 2, "type": "message", "date": "2024-04-30T06:50:12", "from": "Ada Byron", "text": "Is the pump in?"},
        {
            "id": 3,
            "type": "message",
            "date": "2024-04-30T06:52:00",
            "from": "Ravi",
            "file_name": "pump.pdf",
            "text": ["Yes, see ", {"type": "link", "text": "harbour.example/7"}, "."],
        },
    ],
}
DISCORD = {
    "guild": {"id": "1", "name": "Harbour"},
    "channel": {"id": "2", "type": "GuildTextChat", "name": "pumps"},
    "messages": [
        {
            "id": "11",
            "type": "Default",
            "timestamp": "2024-04-30T06:50:12.345+00:00",
            "content": "Is the pump in?",
            "author": {"id": "5", "name": "adab", "nickname": "Ada", "isBot": False},
            "attachments": [{"id": "7", "url": "https://cdn.example/7", "fileName": "pump.jpg"}],
        },
        {
            "id": "12",
            "type": "Default",
            "timestamp": "2024-04-30T06:52:00+00:00",
            "content": "Yes.",
            "author": {"id": "6", "name": "ravi", "nickname": None, "isBot": False},
        },
    ],
}
MESSENGER = {  # the newest message is the first
    "participants": [{"name": "Ada Byron"}, {"name": "Ravi"}],
    "title": "Harbour crew",
    "messages": [
        {"sender_name": "Ravi", "timestamp_ms": 1714459920000, "content": "Yes."},
        {"sender_name": "Ada Byron", "timestamp_ms": 1714459812345, "content": "Is the pump in?"},
    ],
}
GOOGLE = {
    "messages": [
        {
            "creator": {"name": "Ada Byron", "email": "ada@harbour.example"},
            "created_date": "Tuesday, April 30, 2024 at 6:50:12 AM UTC",
            "text": "Is the pump in?",
        },
        {
            "creator": {"name": "Ravi"},
            "created_date": "Tuesday, April 30, 2024 at 6:52:00 AM UTC",
            "text": "Yes.",
        },
    ]
}
TEAMS = {
    "value": "chat",
    "messages": [
        {
            "createdDateTime": "2024-04-30T06:50:12Z",
            "from": {"user": {"displayName": "Ada Byron"}},
            "body": {"contentType": "text", "content": "Is the pump in?"},
        },
        {
            "createdDateTime": "2024-04-30T06:52:00Z",
            "from": {"user": {"displayName": "Ravi"}},
            "body": {"content": "Yes."},
        },
    ],
}
CHATGPT = {
    "title": "Pumps",
    "create_time": 1714459800.5,
    "mapping": {
        "a": {"id": "a", "message": None, "parent": None, "children": ["b"]},
        "b": {
            "id": "b",
            "message": {
                "author": {"role": "user", "name": None},
                "create_time": 1714459812.3,
                "content": {"content_type": "text", "parts": ["Is the pump in?"]},
            },
        },
        "c": {
            "id": "c",
            "message": {
                "author": {"role": "assistant"},
                "create_time": 1714459920.0,
                "content": {"content_type": "text", "parts": ["Yes."]},
            },
        },
    },
}
PLAIN = {
    "messages": [
        {"role": "user", "content": "Is the pump in?"},
        {"role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
    ]
}
SHARED = {
    "id": "x1",
    "conversations": [{"from": "human", "value": "Is the pump in?"}, {"from": "gpt", "value": "Yes."}],
}


def slack(user: str, name: str | None, text: str, ts: str) -> dict[str, Any]:
    profile = {"user_profile": {"real_name": name, "display_name": ""}} if name else {}
    return {"type": "message", "user": user, "text": text, "ts": ts, **profile}


SLACK = [
    slack(
        "U01",
        "Ada Byron",
        "Is the pump in, <@U02>? See <https://harbour.example/7|the plan> &amp; tell <!here>",
        "1714459812.000200",
    ),
    slack("U02", "Ravi", "Yes, <@U01> <https://harbour.example/8>", "1714459920.000000"),
    slack("U01", None, "Thanks <@U09>", "1714459980.000000"),
]


@pytest.mark.parametrize(
    ("chat", "title", "text"),
    [
        (
            TELEGRAM,
            "Harbour crew",
            (
                "type: private_group\n\n[2024-04-30 06:50] Ada Byron: Is the pump in?\n"
                "[2024-04-30 06:52] Ravi: Yes, see harbour.example/7. [pump.pdf]"
            ),
        ),
        (
            DISCORD,
            "pumps",
            (
                "guild.id: 1\nguild.name: Harbour\nchannel.id: 2\nchannel.type: GuildTextChat\nchannel.name: pumps\n\n"
                "[2024-04-30 06:50] Ada: Is the pump in? [pump.jpg]\n[2024-04-30 06:52] ravi: Yes."
            ),
        ),
        (
            MESSENGER,
            "Harbour crew",
            (
                "participants.name: Ada Byron\nparticipants.name: Ravi\n\n"
                "[2024-04-30 06:50] Ada Byron: Is the pump in?\n[2024-04-30 06:52] Ravi: Yes."
            ),
        ),
        (
            GOOGLE,
            "file.x",
            (
                "[Tuesday, April 30, 2024 at 6:50:12 AM UTC] Ada Byron: Is the pump in?\n"
                "[Tuesday, April 30, 2024 at 6:52:00 AM UTC] Ravi: Yes."
            ),
        ),
        (
            TEAMS,
            "file.x",
            "value: chat\n\n[2024-04-30 06:50] Ada Byron: Is the pump in?\n[2024-04-30 06:52] Ravi: Yes.",
        ),
        (
            CHATGPT,
            "Pumps",
            "create_time: 1714459800.5\n\n[2024-04-30 06:50] user: Is the pump in?\n[2024-04-30 06:52] assistant: Yes.",
        ),
        (PLAIN, "file.x", "user: Is the pump in?\nassistant: Yes."),
        (SHARED, "file.x", "human: Is the pump in?\ngpt: Yes."),
        (
            SLACK,
            "file.x",
            (
                "[2024-04-30 06:50] Ada Byron: Is the pump in, Ravi? See the plan & tell here\n"
                "[2024-04-30 06:52] Ravi: Yes, Ada Byron https://harbour.example/8\n[2024-04-30 06:53] Ada Byron: Thanks U09"
            ),
        ),
    ],
    ids=["telegram", "discord", "messenger", "google", "teams", "chatgpt", "openai", "sharegpt", "slack"],
)
def test_a_message_is_a_turn(chat: Any, title: str, text: str) -> None:
    parsed = read(orjson.dumps(chat), JSON)
    assert (parsed.title, parsed.text) == (title, text)


def test_what_is_no_message_is_metadata() -> None:
    assert read(orjson.dumps(TELEGRAM), JSON).metadata == {"name": "Harbour crew", "type": "private_group"}


def test_letters_of_messenger_are_whole() -> None:
    garbled = {
        "sender_name": "Zo\u00c3\u00ab",
        "timestamp_ms": 1714459812345,
        "content": "Fog \u00f0\u009f\u0098\u0080",
    }
    chat = {"title": "Caf\u00c3\u00a9", "thread_path": "inbox/1", "messages": [garbled]}
    parsed = read(orjson.dumps(chat), JSON)
    assert (parsed.title, parsed.text.rpartition("\n")[2]) == (
        "Caf\u00e9",
        "[2024-04-30 06:50] Zo\u00eb: Fog \U0001f600",
    )
    whole = {**chat, "title": "\u0160koda", "messages": [{**garbled, "sender_name": "Zo\u00eb"}]}
    assert read(orjson.dumps(whole), JSON).title == "\u0160koda"


def test_fields_beside_the_messages_stay_text() -> None:
    ticket = {"customer": "Calder Mills", "product": "X200", "messages": [{"author": "Ada", "body": "It leaks."}]}
    assert read(orjson.dumps(ticket), JSON).text == "customer: Calder Mills\nproduct: X200\n\nAda: It leaks."


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [{"ruleId": "semi", "message": "Missing semicolon.", "line": 3}]},
        {"messages": {"hello": "Hello"}},
        {"messages": ["first", "second"]},
        {"messages": []},
        {"messages": [{"from": "ada@harbour.example", "subject": "Pump", "body": "It leaks."}]},
        {"mapping": {"a": "b"}},
    ],
    ids=["linter", "translations", "strings", "none", "mails", "mapping"],
)
def test_other_messages_stay_fields(record: dict[str, Any]) -> None:
    content = orjson.dumps({"city": "Oslo", **record})
    assert read(content, JSON).text.startswith("city: Oslo")
    assert "[" not in read(content, JSON).text


def test_a_record_with_a_text_keeps_it() -> None:
    assert read(orjson.dumps({**TELEGRAM, "text": "Body."}), JSON).text.startswith("Body.")


def test_a_day_of_slack_is_one_document_called_by_its_channel() -> None:
    content = orjson.dumps(SLACK)
    assert list(split_array(content, "export/general/2024-04-30.json", {}, LIMITS)) == [
        Source("export/general/2024-04-30.json", JSON, content, {})
    ]
    assert read(content, JSON, "export/general/2024-04-30.json").title == "general 2024-04-30"
    assert read(content, JSON, "2024-04-30.json").title == "2024-04-30"


def test_a_day_of_programs_in_slack_is_text() -> None:
    said = [
        {"type": "message", "ts": "1714459812.0", "bot_id": "B1", "subject": "x", "text": f"Build {at}"}
        for at in (1, 2)
    ]
    assert read(orjson.dumps(said), JSON).text == "[2024-04-30 06:50] Build 1\n[2024-04-30 06:50] Build 2"


def test_a_list_of_posts_is_a_document_each() -> None:
    posts = [{"id": 1, "user": "ada", "text": "Fog."}, {"id": 2, "user": "ravi", "text": "Sun."}]
    assert [source.uri for source in split_array(orjson.dumps(posts), "posts.json", {}, LIMITS)] == [
        "posts.json#1",
        "posts.json#2",
    ]


def test_each_chat_of_an_account_is_a_document() -> None:
    account = {"about": "All data.", "chats": {"about": "Chats.", "list": [TELEGRAM, {**TELEGRAM, "id": 42}]}}
    sources = list(split_array(orjson.dumps(account), "result.json", {}, LIMITS))
    assert [source.uri for source in sources] == ["result.json#41", "result.json#42"]
    assert read(sources[0].content, JSON, "result.json#41").title == "Harbour crew"  # type: ignore[union-attr]


@pytest.mark.parametrize("value", [5, "message", None, [], [5], {"type": "message", "ts": "1"}])
def test_other_values_are_no_day_of_slack(value: Any) -> None:
    assert not is_slack_day(value)


@pytest.mark.parametrize(
    "message",
    [
        {"from": "Ada", "text": "Fog.", "date": 1e300},
        {"from": "Ada", "text": "Fog.", "date": "nan"},
        {"from": "Ada", "text": "Fog.", "date": {"deep": 1}},
        {"from": "Ada", "text": ["Fog.", 5, None], "files": [None, "x"], "attachments": "none"},
        {"type": "message", "ts": [], "user": {"name": "Ada"}, "text": "Fog."},
    ],
)
def test_values_of_another_kind_do_no_harm(message: dict[str, Any]) -> None:
    for value in ({"messages": [message]}, [message]):
        if isinstance(value, dict) or is_slack_day(value):
            assert "Ada: Fog." in read(orjson.dumps(value), JSON).text


def test_messages_nested_too_deep_are_refused() -> None:
    deep = b"[" * 900 + b"]" * 900
    assert (
        refusal(b'{"messages": [{"from": "Ada", "text": %s}, {"from": "Ravi", "text": "x"}]}' % deep, JSON).reason
        == "limit"
    )


GITHUB = {
    "number": 311,
    "title": "The pump stops",
    "body": "It stops after `start`.",
    "user": {"login": "adab"},
    "comments": [
        {"user": {"login": "ravi"}, "created_at": "2024-04-30T06:52:00Z", "body": "See #310.\n\nWhich model?"},
        {"author": {"login": "adab"}, "createdAt": "2024-05-01", "body": "X200"},
    ],
}
JIRA = {
    "key": "PUMP-7",
    "fields": {
        "summary": "The pump stops",
        "status": {"name": "Done"},
        "description": {
            "type": "doc",
            "content": [
                {"type": "paragraph", "content": [{"type": "text", "text": "It "}, {"type": "text", "text": "stops."}]},
                {"type": "paragraph", "content": [{"type": "text", "text": "Twice a day."}]},
            ],
        },
        "comment": {
            "total": 1,
            "comments": [
                {"author": {"displayName": "Ravi"}, "created": "2024-04-30T06:52:00.000+0000", "body": "The valve."}
            ],
        },
    },
}
DISCOURSE = {
    "title": "The pump stops",
    "tags": ["pumps"],
    "post_stream": {
        "posts": [
            {
                "username": "ada_b",
                "created_at": "2024-04-30T06:50:12.345Z",
                "cooked": '<p>It stops after <code>start</code>, see <a href="https://harbour.example/7">the log</a>.</p><p>Why?</p>',
            },
            {
                "username": "ravi",
                "created_at": "2024-04-30T06:52:00.000Z",
                "cooked": "<blockquote>Why?</blockquote><p>The valve.</p>",
            },
        ],
        "stream": [1, 2],
    },
}
QUESTION = {
    "title": "Why does the pump stop?",
    "body": "<p>It <b>stops</b>.</p>",
    "comments": [{"owner": {"display_name": "Ravi"}, "creation_date": 1714459920, "body": "Which model?"}],
    "answers": [
        {
            "owner": {"display_name": "Eve"},
            "body": "<p>The valve.</p>",
            "comments": [{"owner": {"display_name": "Ada"}, "body": "Thanks."}],
        },
        {"owner": {"display_name": "Dan"}, "body": "Rust."},
    ],
}


@pytest.mark.parametrize(
    ("record", "title", "text"),
    [
        (
            GITHUB,
            "The pump stops",
            "It stops after `start`.\n\n[2024-04-30 06:52] ravi: See #310.\n\nWhich model?\n[2024-05-01] adab: X200",
        ),
        (
            JIRA,
            "PUMP-7 The pump stops",
            (
                "key: PUMP-7\nsummary: The pump stops\nstatus.name: Done\ncomment.total: 1\n\n"
                "It stops.\nTwice a day.\n\n[2024-04-30 06:52] Ravi: The valve."
            ),
        ),
        (
            DISCOURSE,
            "The pump stops",
            (
                "tags: pumps\npost_stream.stream: 1\npost_stream.stream: 2\n\n"
                "[2024-04-30 06:50] ada_b: It stops after start, see the log.\n\nWhy?\n\n"
                "[2024-04-30 06:52] ravi: Why?\n\nThe valve."
            ),
        ),
        (
            QUESTION,
            "Why does the pump stop?",
            "It stops.\n\n[2024-04-30 06:52] Ravi: Which model?\n\nEve: The valve.\n\nAda: Thanks.\nDan: Rust.",
        ),
    ],
    ids=["github", "jira", "discourse", "stack exchange"],
)
def test_a_comment_is_a_turn_below_the_text(record: Any, title: str, text: str) -> None:
    parsed = read(orjson.dumps(record), JSON)
    assert (parsed.title, parsed.text) == (title, text)
    assert not {"comments", "answers", "body", "description"} & set(parsed.metadata)


def test_html_in_a_comment_keeps_its_code_and_links() -> None:
    parsed = read(orjson.dumps(DISCOURSE), JSON)
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["start"]
    assert [link.target for link in parsed.links] == ["https://harbour.example/7"]


def test_the_text_of_a_record_may_be_html() -> None:
    assert read(b'{"text": "<p>It <em>stops</em>.</p>\\n<p>Why?</p>"}', JSON).text == "It stops.\n\nWhy?"
    assert read(b'{"text": "<p> begins a paragraph."}', JSON).text == "<p> begins a paragraph."
    assert read(b'{"text": "a <b>c</b>"}', JSON).text == "a <b>c</b>"


def test_an_issue_of_jira_is_found_by_its_key() -> None:
    parsed = read(orjson.dumps(JIRA), JSON)
    assert parsed.aliases == ("PUMP-7",)
    alone = {"key": "PUMP-8", "fields": {"summary": "Rust", "description": "On the valve."}}
    assert read(orjson.dumps(alone), JSON).text == "key: PUMP-8\nsummary: Rust\n\nOn the valve."


def test_replies_follow_what_they_reply_to_however_deep() -> None:
    reply: dict[str, Any] = {"author": "Eve", "body": "100"}
    for at in reversed(range(100)):
        reply = {"author": "Eve", "body": str(at), "replies": [reply]}
    last = {"author": "Dan", "body": "101", "replies": [{"author": None, "body": ""}, {"author": "Dan", "body": "102"}]}
    said = read(orjson.dumps({"text": "Body.", "comments": [reply, last]}), JSON).text.splitlines()[2:]
    assert said == [*(f"Eve: {at}" for at in range(101)), "Dan: 101", "Dan: 102"]


@pytest.mark.parametrize(
    "record",
    [
        {"comments": ["first", "second"]},
        {"comments": 7},
        {"posts": [{"title": "Pumps", "body": "All about pumps."}]},
        {"answers": [{"score": 3}]},
        {"notes": []},
    ],
    ids=["strings", "number", "articles", "without words", "none"],
)
def test_other_lists_stay_metadata(record: dict[str, Any]) -> None:
    parsed = read(orjson.dumps({"text": "Body.", **record}), JSON)
    assert parsed.text == "Body."
    assert parsed.metadata == record


def test_speakers_have_their_surnames_last() -> None:
    chat = {"messages": [{"from": "Keller, Maria", "text": "Where?"}, {"from": "Acme, Inc.", "text": "Here."}]}
    assert read(orjson.dumps(chat).decode(), JSON).text == "Maria Keller: Where?\nAcme, Inc.: Here."

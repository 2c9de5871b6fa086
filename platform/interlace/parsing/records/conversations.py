"""Chats and comments in JSON, as turns: ``[2024-04-30 06:50] Ada: …`` for each message.

A chat is an object with a list of messages (Telegram, Discord, Messenger, Google Chat, language models), or with a tree of them (ChatGPT). Slack
writes the list alone, one for each day of a channel. Comments stand below an issue of a tracker (Jira, GitHub, GitLab), a topic of a forum
(Discourse) or a question (Stack Exchange), each perhaps with replies.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from interlace.text.surnames_first import surname_last

MESSAGES: Final = ("messages", "chat_messages", "conversations", "mapping")
"""The key of a chat's messages is one of these."""
_COMMENTS = ("comments", "notes", "posts", "answers", "replies")
_ABOVE = 2  # keys above the list of comments, as in ``fields.comment.comments``
_ARTICLE = ("subject", "title")  # what a mail or an article has, and neither a message nor a comment
_SPEAKERS = (
    "user_profile", "bot_profile", "from", "author", "sender_name", "sender", "creator", "role", "user", "username",
    "owner",
)  # fmt: skip
_NAMES = ("nickname", "real_name", "display_name", "displayName", "name", "role", "user", "login")
_TIMES = (
    "date", "timestamp", "timestamp_ms", "ts", "created_at", "created_date", "createdDateTime", "create_time", "created",
    "createdAt", "created_utc", "creation_date",
)  # fmt: skip
_TEXTS = ("text", "content", "body", "value", "parts", "cooked", "rendered")
_FILES = ("files", "attachments")
_SLACK_MARK = re.compile(r"<(?:@(\w+)|[#!]?([^<>|]+))(?:\|([^<>]*))?>")
_MINUTE = "%Y-%m-%d %H:%M"
_ISO = re.compile(r"\d{4}-")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MILLISECONDS = 1e11  # as seconds, in the year 5138


def is_slack_day(value: Any) -> bool:
    """Return whether a JSON array is one day of a channel in Slack, and so one document instead of one for each object."""
    return isinstance(value, list) and len(value) > 0 and all(map(_is_of_slack, value))


def _is_of_slack(message: Any) -> bool:
    return isinstance(message, dict) and message.get("type") == "message" and "ts" in message


class ChatMessage(NamedTuple):
    """A message: when and by whom, as ``[2024-04-30 06:50] Ada: `` or empty, and its words, which may be HTML."""

    marker: str
    words: str


def chat_turns(value: Any) -> list[ChatMessage]:
    """Return a chat as turns, the oldest message first; nothing if the value is no chat.

    In an object, at least half of the messages have a speaker, and none has a subject, as mails have. Those without words and files are left out.
    """
    messages = _messages(value)
    names = [_name(message) for message in messages]
    if isinstance(value, dict) and sum(map(bool, names)) * 2 < len(names):
        return []
    known = {
        str(message.get("user")): name
        for message, name in zip(messages, names, strict=True)
        if name != message.get("user")
    }
    turns = _turns(messages, (known.get(name, name) for name in names))
    if messages and _ISO.match(last := _time(messages[-1])) and _time(messages[0]) > last:
        turns.reverse()
    if isinstance(value, dict):
        return turns
    return [ChatMessage(*(_without_slack_marks(part, known) for part in each)) for each in turns]


def without_comments(record: Mapping[str, Any], above: int = _ABOVE) -> tuple[dict[str, Any], list[ChatMessage]]:
    """Return a record without its lists of comments, and these as turns, each comment before its replies.

    The items of such a list are objects, at least half of them with words, and none has a subject or title.
    """
    rest, turns = {}, []
    for key, value in record.items():
        found: list[ChatMessage] = []
        kept = value
        if isinstance(value, dict) and above:
            kept, found = without_comments(value, above - 1)
        elif key in _COMMENTS and _are_comments(value):
            comments = list(_with_replies(value))
            kept, found = None, _turns(comments, map(_name, comments))
        turns += found
        if kept or not found:
            rest[key] = kept
    return rest, turns


def _are_comments(value: Any) -> bool:
    listed = isinstance(value, list) and all(
        isinstance(each, dict) and each.keys().isdisjoint(_ARTICLE) for each in value
    )
    return listed and 0 < len(value) <= 2 * sum(bool(_words(each)) for each in value)  # some may have been removed


def _with_replies(comments: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    left = list(reversed(comments))
    while left:
        comment = left.pop()
        yield comment
        left += [each for key in _COMMENTS if _are_comments(replies := comment.get(key)) for each in reversed(replies)]


def _turns(messages: Iterable[dict[str, Any]], names: Iterable[str]) -> list[ChatMessage]:
    """Return the messages that have words as turns, each with the name of its speaker."""
    found = []
    for message, name in zip(messages, names, strict=True):
        if words := _words(message):
            time = _time(message)
            found.append(ChatMessage(f"{f'[{time}] ' if time else ''}{f'{name}: ' if name else ''}", words))
    return found


def _messages(value: Any) -> list[dict[str, Any]]:
    listed: Any = value if isinstance(value, list) else next((value[key] for key in MESSAGES if key in value), None)
    if isinstance(listed, dict):
        listed = [node["message"] for node in listed.values() if isinstance(node, dict) and node.get("message")]
    is_chat = isinstance(listed, list) and all(isinstance(each, dict) for each in listed)
    return listed if is_chat and (listed is value or not any("subject" in each for each in listed)) else []


def _name(value: Any, keys: tuple[str, ...] = _SPEAKERS) -> str:
    if isinstance(value, dict):
        return next((name for key in keys if (name := _name(value.get(key), _NAMES))), "")
    return surname_last(" ".join(value.split())) if isinstance(value, str) else ""


def _time(message: dict[str, Any]) -> str:
    """Return the time of a message to the minute, in UTC if it is a number of seconds or milliseconds; as it is given, if it cannot be read."""
    given = str(next((value for key in _TIMES if isinstance(value := message.get(key), str | int | float)), ""))
    with suppress(ValueError, OverflowError, OSError):
        seconds = float(given)
        return f"{datetime.fromtimestamp(seconds / (1_000 if seconds > _MILLISECONDS else 1), UTC):{_MINUTE}}"
    with suppress(ValueError):
        return given if _DAY.fullmatch(given) else f"{datetime.fromisoformat(given):{_MINUTE}}"
    return given


def _words(message: dict[str, Any]) -> str:
    """Return what a message says, and the names of its files."""
    files = [file for key in _FILES if isinstance(listed := message.get(key), list) for file in listed]
    names = [
        message.get("file_name"),
        *(
            file.get("fileName") or file.get("file_name") or file.get("name")
            for file in files
            if isinstance(file, dict)
        ),
    ]
    return " ".join([words_in(message).strip(), *(f"[{name}]" for name in names if name)]).strip()


def words_in(value: Any) -> str:
    """Return the text in a value, or under the keys of an object that hold one."""
    if isinstance(value, dict):
        return words_in(next((value[key] for key in _TEXTS if value.get(key)), ""))
    if isinstance(value, list):
        # Of paragraphs, which are texts or have content of their own (Atlassian's document format), or of pieces of one.
        are_paragraphs = all(isinstance(each, str) for each in value) or any(
            isinstance(each, dict) and "content" in each for each in value
        )
        return ("\n" if are_paragraphs else "").join(map(words_in, value))
    return value if isinstance(value, str) else ""


def _without_slack_marks(text: str, names: Mapping[str, str]) -> str:
    """Return a text of Slack with names instead of the ids of users, and links as their words."""
    return html.unescape(_SLACK_MARK.sub(lambda mark: mark[3] or names.get(mark[1]) or mark[1] or mark[2], text))

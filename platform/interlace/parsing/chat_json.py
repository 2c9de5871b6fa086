"""Chats that messengers export as JSON, as text: a turn ``[2024-04-30 06:50] Ada: …`` for each message.

A chat is an object with a list of messages (Telegram, Discord, Messenger, Google Chat, language models), or with a tree of them (ChatGPT). Slack
writes the list alone, one for each day of a channel.
"""

import html
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

MESSAGES: Final = ("messages", "chat_messages", "conversations", "mapping")
"""The key of a chat's messages is one of these."""
_SPEAKERS = (
    "user_profile",
    "bot_profile",
    "from",
    "author",
    "sender_name",
    "sender",
    "creator",
    "role",
    "user",
    "username",
)
_NAMES = ("nickname", "real_name", "display_name", "displayName", "name", "role", "user")
_TIMES = ("date", "timestamp", "timestamp_ms", "ts", "created_at", "created_date", "createdDateTime", "create_time")
_TEXTS = ("text", "content", "body", "value", "parts")
_FILES = ("files", "attachments")
_SLACK_MARK = re.compile(r"<(?:@(\w+)|[#!]?([^<>|]+))(?:\|([^<>]*))?>")
_MINUTE = "%Y-%m-%d %H:%M"
_ISO = re.compile(r"\d{4}-")
_MILLISECONDS = 1e11  # as seconds, in the year 5138


def is_slack_day(value: Any) -> bool:
    """Return whether a JSON array is one day of a channel in Slack, and so one document instead of one for each object."""
    return isinstance(value, list) and len(value) > 0 and all(map(_is_of_slack, value))


def _is_of_slack(message: Any) -> bool:
    return isinstance(message, dict) and message.get("type") == "message" and "ts" in message


def chat_text(value: Any) -> str:
    """Return a chat as text, the oldest message first; empty if the value is no chat.

    In an object, at least half of the messages have a speaker, and none has a subject, as mails have. Those without words and files are left out.
    """
    messages = _messages(value)
    names = [_name(message) for message in messages]
    if isinstance(value, dict) and sum(map(bool, names)) * 2 < len(names):
        return ""
    known = {
        str(message.get("user")): name
        for message, name in zip(messages, names, strict=True)
        if name != message.get("user")
    }
    times = [_time(message) for message in messages]
    turns = [
        f"{f'[{time}] ' if time else ''}{f'{known.get(name, name)}: ' if name else ''}{words}"
        for time, name, words in zip(times, names, map(_words, messages), strict=True)
        if words
    ]
    if messages and _ISO.match(times[-1]) and times[0] > times[-1]:
        turns.reverse()
    text = "\n".join(turns)
    return _without_slack_marks(text, known) if isinstance(value, list) else text


def _messages(value: Any) -> list[dict[str, Any]]:
    listed: Any = value if isinstance(value, list) else next((value[key] for key in MESSAGES if key in value), None)
    if isinstance(listed, dict):
        listed = [node["message"] for node in listed.values() if isinstance(node, dict) and node.get("message")]
    is_chat = isinstance(listed, list) and all(isinstance(each, dict) for each in listed)
    return listed if is_chat and (listed is value or not any("subject" in each for each in listed)) else []


def _name(value: Any, keys: tuple[str, ...] = _SPEAKERS) -> str:
    if isinstance(value, dict):
        return next((name for key in keys if (name := _name(value.get(key), _NAMES))), "")
    return " ".join(value.split()) if isinstance(value, str) else ""


def _time(message: dict[str, Any]) -> str:
    """Return the time of a message to the minute, in UTC if it is a number of seconds or milliseconds; as it is given, if it cannot be read."""
    given = next((value for key in _TIMES if isinstance(value := message.get(key), str | int | float)), "")
    with suppress(ValueError, OverflowError, OSError):
        seconds = float(given)
        return f"{datetime.fromtimestamp(seconds / (1_000 if seconds > _MILLISECONDS else 1), UTC):{_MINUTE}}"
    with suppress(ValueError):
        return f"{datetime.fromisoformat(str(given)):{_MINUTE}}"
    return str(given)


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
    return " ".join([_text(message).strip(), *(f"[{name}]" for name in names if name)]).strip()


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return _text(next((value[key] for key in _TEXTS if value.get(key)), ""))
    return "".join(map(_text, value)) if isinstance(value, list) else value if isinstance(value, str) else ""


def _without_slack_marks(text: str, names: Mapping[str, str]) -> str:
    """Return a text of Slack with names instead of the ids of users, and links as their words."""
    return html.unescape(_SLACK_MARK.sub(lambda mark: mark[3] or names.get(mark[1]) or mark[1] or mark[2], text))

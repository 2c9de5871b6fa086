"""JSON records: objects with ``id``, ``title`` and ``text``, perhaps with comments, or chats; every other key is metadata."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import orjson

from interlace.domain.documents import ACCESS, ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import decode, display_name, without_mark
from interlace.parsing.html.parser import compose_html, is_html
from interlace.parsing.metadata import json_values, tags_of, words_of
from interlace.parsing.records.conversations import (
    MESSAGES,
    ChatMessage,
    chat_turns,
    is_slack_day,
    without_comments,
    words_in,
)
from interlace.parsing.sandbox.limits import ParseLimits

ID_KEYS = ("id", "_id")
_TITLE_KEYS = ("title", "name")
_TEXT_KEYS = ("text", "content", "body", "context")
_ACCESS = f'"{ACCESS}"'.encode()
_TITLE_CHARACTERS = 80
_TITLE_WORDS = 8
_METADATA_BYTES = 2_000
_OPENING_KEYS = ("description", "selftext")  # of an issue or a post
_TAG_KEYS = ("tags", "tag")
_ALIAS_KEYS = ("aliases", "alias")


def parse_record(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a JSON object.

    The text is the value of ``text``, ``content``, ``body`` or ``context`` that has words, or the description if these are blank. The text of a record without any of them, such as a row of a table,
    is one line ``key: value`` for each scalar, prefixed with its parent keys (``owner.city: Oslo``). A value that is too large for metadata is left out
    there if it is part of the text, and otherwise becomes a section of the text. The messages of a chat are its text, comments stand below the text,
    and HTML is read as such. A record that is all that an object holds is read as if it stood alone.

    Raises:
        ParseError: not JSON, neither an object nor a day of Slack, a ``text`` that is a number, or nothing to read.
    """
    record, turns = _as_text_record(_load(content, name), name, fallback_title)
    title = _first(record, _TITLE_KEYS)
    text_key = _text_key(record)
    if title is None and text_key is None:
        title = _telling_value(record)
    elif isinstance(title, dict | list):  # in several languages, or of several kinds
        title = _telling_value(title if isinstance(title, dict) else dict(enumerate(title)))
    text = record[text_key] if text_key else _scalars_as_text(record)
    if not isinstance(text, str):
        raise ParseError(f"{name} has a {text_key!r} that is not a text but {json_type(text)}. Make it a string.")
    if not text.strip() and not turns:
        raise ParseError(f"{name} holds no text. Add some, or leave it out.", reason="empty")
    composer = Composer(name, limits, title=title if isinstance(title, str) else "")
    _write(composer, ChatMessage("", text.strip()))
    composer.paragraph()
    for turn in turns:
        _write(composer, turn)
        (composer.line if turn.marker else composer.paragraph)()
    own = {
        *ID_KEYS,
        *(key for key in _TITLE_KEYS[:1] if isinstance(record.get(key), str)),
        *_TAG_KEYS,
        *_ALIAS_KEYS,
        text_key,
    }
    metadata, large = _divided({key: value for key, value in record.items() if key not in own}, limits, name)
    for key, value in large.items() if text_key else ():
        composer.heading(2, key)
        composer.write("\n".join(_lines({key: value})))
    parsed = composer.finish(
        fallback_title=fallback_title,
        tags=tags_of(words_of(_first(record, _TAG_KEYS))),
        aliases=words_of(_first(record, _ALIAS_KEYS)),
        metadata=metadata,
    )
    # The number of a record tells a reader nothing; a title that was sent, or the name of a file, may be a number too.
    is_number = fallback_title.isdecimal() and name.endswith(f"#{fallback_title}")
    is_numbered = text.strip() and not composer.title and is_number
    return replace(parsed, title=_beginning(parsed.text)) if is_numbered else parsed


def _beginning(text: str) -> str:
    """Return the first words of a text, of its first line where that is shorter."""
    line = text.strip().partition("\n")[0]
    words = line.split()
    return display_name(" ".join(words[:_TITLE_WORDS]) + " …" * (len(words) > _TITLE_WORDS), _TITLE_CHARACTERS)


def _divided(values: dict[str, Any], limits: ParseLimits, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values that fit into metadata, and those that are too large for it."""
    try:
        return json_values(values, limits, name), {}
    except ParseError as error:
        try:
            large = {key: value for key, value in values.items() if len(orjson.dumps(value)) > _METADATA_BYTES}
        except orjson.JSONEncodeError:  # nested too deep to be serialised
            raise error from None
        return json_values({key: value for key, value in values.items() if key not in large}, limits, name), large


def _write(composer: Composer, turn: ChatMessage) -> None:
    if is_html(turn.words):
        compose_html(turn.words, composer, marker=turn.marker)
    else:
        composer.write(turn.marker + turn.words)


def _as_text_record(value: Any, name: str, fallback_title: str) -> tuple[dict[str, Any], list[ChatMessage]]:
    """Return an object without its messages or comments, and these; the others of its fields are its text, unless it has one."""
    if is_slack_day(value):
        channel = PurePosixPath(name).parent.name if fallback_title[:4].isdigit() else ""  # "general/2024-04-30.json"
        return {"title": f"{channel} {fallback_title}", "text": ""}, chat_turns(value)
    given = _unwrapped(_object(value, name))
    if "thread_path" in given:  # Messenger writes the bytes of UTF-8 as characters
        with suppress(ValueError):
            given = _object(orjson.loads(orjson.dumps(given).decode().encode("latin-1")), name)
    record = _with_words(given)
    has_text = _text_key(record) is not None
    if turns := [] if has_text else chat_turns(record):
        kept = {key: value for key, value in record.items() if key not in MESSAGES}
    else:
        issue = _issue(record)
        kept, turns = without_comments(issue)
        opening = next((key for key in _OPENING_KEYS if words_in(kept.get(key)).strip()), "")
        if not has_text and len(record) < len(given) and (opening or turns):  # its text is blank
            words = words_in(kept.pop(opening, ""))
            return {**kept, "text": words}, turns
        if has_text or (not turns and issue is record):
            return kept, turns
        if opening:
            turns = [ChatMessage("", words_in(kept.pop(opening))), *turns]
    discord = kept["channel"] if isinstance(kept.get("channel"), dict) else {}
    title = _first({**discord, **kept}, _TITLE_KEYS)
    fields = _scalars_as_text({key: value for key, value in kept.items() if value != title and key not in _ALIAS_KEYS})
    return {**kept, **({"title": title} if title else {}), "text": fields}, turns


def _unwrapped(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record that is all that an object holds, ``{"object": {"title": …}}``; texts, titles and fields that are objects stay."""
    while len(record) == 1:
        ((key, inner),) = record.items()
        if not isinstance(inner, dict) or not inner or key in {*_TEXT_KEYS, *_TITLE_KEYS, "fields"}:
            break
        record = inner
    return record


def _with_words(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record whose text is words where it is a list or an object of them, without texts that are blank, such as ``"body": null``."""
    texts = {key: record[key] for key in _TEXT_KEYS if key in record}
    texts |= {
        key: words
        for key, value in texts.items()
        if key != "context" and isinstance(value, dict | list) and (words := words_in(value)).strip()
    }
    blank = {
        key
        for key, text in texts.items()
        if not (text.strip() if isinstance(text, str) else text or (text == 0 and text is not False))
    }
    return {key: texts.get(key, value) for key, value in record.items() if key not in blank}


def _text_key(record: dict[str, Any]) -> str | None:
    """Return the first key whose value is a text, or should be one; None for a record without any."""
    kinds = {"context": str}
    return next((key for key in _TEXT_KEYS if isinstance(record.get(key), kinds.get(key, str | int | float))), None)


def _issue(record: dict[str, Any]) -> dict[str, Any]:
    """Return an issue of Jira with its fields as keys, and its key and summary as title; other records as they are."""
    fields = record.get("fields")
    if not isinstance(fields, dict) or "summary" not in fields:
        return record
    key = record.get("key", "")
    named = {"title": f"{key} {fields['summary']}".strip(), "aliases": [key] if key else []}
    return {**{name: value for name, value in record.items() if name != "fields"}, **fields, **named}


def load_object(content: bytes, name: str) -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        ParseError: not JSON, or not an object.
    """
    return _object(_load(content, name), name)


def load_json(content: bytes) -> Any:
    """Return a JSON value; an ``access`` that an object has twice is one that names no groups, so that the document is refused.

    Raises:
        JSONDecodeError: not JSON.
    """
    value = orjson.loads(content)
    if content.count(_ACCESS) < 2:  # noqa: PLR2004
        return value
    return json.loads(content, object_pairs_hook=_with_one_access, parse_int=orjson.loads)


def _with_one_access(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    given = [value for key, value in pairs if key == ACCESS]
    return dict(pairs) | ({ACCESS: {"given twice": given}} if len(given) > 1 else {})


def _load(content: bytes, name: str) -> Any:
    try:
        return load_json(without_mark(content))
    except orjson.JSONDecodeError as error:
        decode(content, name, guess=False)  # binary content gets the more helpful message
        raise ParseError(f"{name} is not valid JSON: {error}. Correct it.") from None


def _object(record: Any, name: str) -> dict[str, Any]:
    if isinstance(record, dict):
        return record
    raise ParseError(f'{name} is JSON but not an object. Give a record such as {{"id": …, "title": …, "text": …}}.')


def json_type(value: Any) -> str:
    """Return what JSON calls the type of a value, with its article."""
    names = {bool: "a boolean", dict: "an object", list: "an array", str: "a string", type(None): "null"}
    return names.get(type(value), "a number")


def _first(record: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _scalars_as_text(record: dict[str, Any]) -> str:
    return "\n".join(_lines({key: value for key, value in record.items() if key not in ID_KEYS}))


def _lines(value: Any, path: str = "") -> Iterator[str]:
    """Yield a line for each scalar in a value, prefixed with the path of its keys; list items have the path of the list."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _lines(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for item in value:
            yield from _lines(item, path)
    elif isinstance(value, str | int | float) and str(value).strip():
        yield f"{path}: {value}" if path else str(value)


def _telling_value(record: dict[Any, Any]) -> str | None:
    """Return the first short string value: what a reader would use as the title of a table row without one."""
    values = (value.strip() for key, value in record.items() if key not in ID_KEYS and isinstance(value, str))
    return next((value for value in values if len(value) <= _TITLE_CHARACTERS and any(map(str.isalpha, value))), None)

"""Email messages (EML) and web pages that a browser saved as one file (MHTML): text and header fields; attachments are left out."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import chain

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import clean, one_line
from interlace.parsing.html import parse_html
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.text import parse_text

_PEOPLE = ("from", "to", "cc")
_LONGEST_FIELD = 10_000
# A line that goes on in a text in ``format=flowed`` (RFC 3676); quotations and the mark of a signature do not.
_FLOWING = re.compile(r"^((?!>|-- $).*\S) +\n(?!>|-- $|\n)", re.MULTILINE)


def parse_mail(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a message: its plain text, else its HTML, with the subject as title, and sender, recipients and date as metadata.

    Raises:
        ParseError: the message is broken or holds no text.
    """
    try:
        message = message_from_bytes(content, policy=policy.default)
        kind, text = next(_bodies(message), None) or next(
            chain.from_iterable(map(_bodies, _forwarded(message))), ("", "")
        )
        subject, metadata = _field(message, "subject"), dict(_header(message))
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        # The header parser raises many kinds of exception on malformed input; all mean the same to a user.
        raise ParseError(f"{name} is a broken message ({type(error).__name__}). Save its text.") from error
    if not kind:
        raise ParseError(f"{name} is a message without text. Save what is attached to it.", reason="empty")
    if kind == "html":
        parsed = parse_html(text, name, fallback_title, limits, title=subject)
    else:
        parsed = parse_text(text, name, subject or fallback_title, limits)
    return replace(parsed, metadata={**parsed.metadata, **metadata})


def _bodies(message: EmailMessage) -> Iterator[tuple[str, str]]:
    """Yield kind and text of the bodies that have some; in UTF-8 where that is what a part is in, whatever it declares."""
    for kind in ("plain", "html"):
        if (body := message.get_body((kind,))) is None:
            continue
        text = str(body.get_content())
        if "\ufffd" in text and isinstance(payload := body.get_payload(decode=True), bytes):
            with suppress(UnicodeDecodeError):
                text = payload.decode()
        if body.get_param("format") == "flowed":
            text = _FLOWING.sub(r"\1" if body.get_param("delsp") == "yes" else r"\1 ", text.replace("\r\n", "\n"))
        if kind == "plain" and message.get_content_type() == "multipart/mixed":
            text = "\n\n".join([text, *(str(part.get_content()) for part in _further(message) if part is not body)])
        if clean(text).strip():
            yield kind, clean(text)


def _further(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts of a message that are text and no attachments, such as what follows a picture, or the footer of a mailing list."""
    for part in message.iter_parts():
        is_attached = part.get_content_disposition() == "attachment" or part.get_filename() is not None
        if isinstance(part, EmailMessage) and part.get_content_type() == "text/plain" and not is_attached:
            yield part


def _forwarded(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the messages that are forwarded in one without a text of its own."""
    for part in (message, *message.iter_parts()):
        if part.get_content_type() == "message/rfc822" and isinstance(inner := part.get_payload(0), EmailMessage):
            yield inner


def _header(message: EmailMessage) -> Iterator[tuple[str, str]]:
    for key in _PEOPLE:
        if value := _field(message, key):
            yield key, value
    if _field(message, "date") and (date := message["date"].datetime):
        yield "date", date.isoformat()


def _field(message: EmailMessage, key: str) -> str:
    """Return a header field; empty if it is so long that decoding it takes time."""
    written = next((value for name, value in message.raw_items() if name.lower() == key), "")
    return one_line(str(message[key])) if 0 < len(written) <= _LONGEST_FIELD else ""

"""Email messages (EML) and web pages that a browser saved as one file (MHTML): text and header fields; attachments are left out."""

from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import clean, one_line
from interlace.parsing.html import parse_html
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.text import parse_text

_PEOPLE = ("from", "to", "cc")
_LONGEST_FIELD = 10_000


def parse_mail(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a message: its plain text, else its HTML, with the subject as title, and sender, recipients and date as metadata.

    Raises:
        ParseError: the message is broken or holds no text.
    """
    try:
        message = message_from_bytes(content, policy=policy.default)
        body = message.get_body(("plain", "html"))
        text = clean(body.get_content()) if body else ""
        subject, metadata = _field(message, "subject"), dict(_header(message))
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        # The header parser raises many kinds of exception on malformed input; all mean the same to a user.
        raise ParseError(f"{name} is a broken message ({type(error).__name__}). Save its text.") from error
    if body is None or not text.strip():
        raise ParseError(f"{name} is a message without text. Save what is attached to it.", reason="empty")
    if body.get_content_subtype() == "html":
        parsed = parse_html(text, name, fallback_title, limits, title=subject)
    else:
        parsed = parse_text(text, name, subject or fallback_title, limits)
    return replace(parsed, metadata={**parsed.metadata, **metadata})


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

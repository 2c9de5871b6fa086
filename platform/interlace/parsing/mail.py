"""Email messages (EML) and web pages that a browser saved as one file (MHTML): text and header fields; attachments are left out."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import islice, pairwise

from interlace.domain.documents import ParsedDocument, Section
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import clean, decode, decode_as, one_line
from interlace.parsing.html.parser import parse_html
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.text import parse_text

_PEOPLE = ("from", "to", "cc")
_MAX_FIELD_CHARACTERS = 10_000
_ALTERNATIVES = frozenset({"multipart/alternative", "multipart/related"})  # of which one is the text
_FORWARDED = "message/rfc822"
_DEEPEST = 20  # parts in parts
_SIGNATURE = "-- "
_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"https?://\S*")
_WORDS_PER_ADDRESS = 8
_Body = tuple[str, str, str]  # ``plain`` or ``html``, the text as it is written, and its plain text
_STUB = 40  # words of a plain text that may stand for a page
_TIMES_A_STUB = 3  # as many words as the plain text, from which on the page is more than that in another kind
# Where a part begins, for a message that does not say so.
_BOUNDARY = re.compile(rb"^--([\w'()+,./:=?-]{1,70})[ \t]*\r?\n(?:Content-|MIME-)", re.IGNORECASE | re.MULTILINE)
_ENCODED = re.compile(rb"^Content-Transfer-Encoding:[ \t]*base64", re.IGNORECASE | re.MULTILINE)


def parse_mail(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a message: its plain text, or its HTML where the text is missing or a stub, then what its other parts and the messages that it forwards say; with the subject as title, and sender, recipients and date as metadata.

    Raises:
        ParseError: the message is broken, holds no text, or holds one in no encoding that is known.
    """
    try:
        message = message_from_bytes(content, policy=policy.default)
        texts = list(_texts(message, name, limits))
        subject, metadata = _field(message, "subject"), dict(_header(message))
    except (MemoryError, RecursionError, ParseError):
        raise
    except Exception as error:
        # The header parser raises many kinds of exception on malformed input; all mean the same to a user.
        raise ParseError(f"{name} is a broken message. Save its text.") from error
    if not texts:
        raise ParseError(f"{name} is a message without text. Save what is attached to it.", reason="empty")
    kind, text, _ = texts[0]
    further = _further(texts)
    if kind == "html":
        parsed = parse_html(text, name, fallback_title, limits, title=subject)
        if further:
            parsed = _with_text(parsed, parse_text("\n\n".join(further), name, "", limits, mail=True))
    else:
        parsed = parse_text("\n\n".join([text, *further]), name, subject or fallback_title, limits, mail=True)
    return replace(parsed, metadata={**parsed.metadata, **metadata})


def _plain(page: str, name: str, limits: ParseLimits) -> str:
    """Return the text of a page; empty if it has none, such as one with a picture alone."""
    try:
        return parse_html(page, name, "", limits).text
    except ParseError as error:
        if error.reason == "empty":
            return ""
        raise


def _further(texts: Sequence[_Body]) -> list[str]:
    """Return the texts below the first, without one that says in another kind what the one above it says."""
    return [text for (above, _, known), (kind, _, text) in pairwise(texts) if kind == above or not _says(known, text)]


def _says(known: str, text: str) -> bool:
    """Return whether a text says what another says: all its numbers, and all its words but the few that a page shows for addresses."""
    there, words = (set(_WORD.findall(_ADDRESS.sub("", each.casefold()))) for each in (known, text))
    new = words - there
    few = min(len(_ADDRESS.findall(known)), len(words) // _WORDS_PER_ADDRESS)
    return bool(words) and len(new) <= few and all(word.isalpha() for word in new)


def _with_text(parsed: ParsedDocument, added: ParsedDocument) -> ParsedDocument:
    """Return a document with the text of another below its own, as a section without a heading."""
    text = f"{parsed.text}\n\n{added.text}"
    section = Section("", (), 0, len(parsed.sections), len(text) - len(added.text), len(text))
    return replace(parsed, text=text, sections=(*parsed.sections, section))


def _texts(message: EmailMessage, name: str, limits: ParseLimits, depth: int = 0) -> Iterator[_Body]:
    """Yield what a message says: its text, further ones such as what follows a picture or the footer of a mailing list, and those of messages that it forwards."""
    if (
        message.get_content_maintype() == "multipart" and not message.is_multipart()
    ):  # its parts are not marked as it says
        yield from _unmarked(message, bytes(message.get_payload(decode=True) or b""), name, limits, depth)
        return
    if message.get_content_type() in _ALTERNATIVES or not message.is_multipart():
        yield from _fullest(message, name, limits)
        return
    for number, part in enumerate(message.iter_parts() if depth < _DEEPEST else ()):
        is_file = part.get_content_disposition() == "attachment" or (number > 0 and part.get_filename() is not None)
        if isinstance(part, EmailMessage) and (not is_file or part.get_content_type() == _FORWARDED):
            yield from _texts(part, name, limits, depth + 1)


def _fullest(message: EmailMessage, name: str, limits: ParseLimits) -> Iterator[_Body]:
    """Yield the first body, or the second where the first is a few words, such as where to read a newsletter, and the second says much more."""
    bodies = _bodies(message, name, limits)
    for body in islice(bodies, 1):
        fullest, words = body, len(_WORD.findall(body[2]))
        with suppress(ParseError):  # a page that is broken is no fuller
            for page in bodies if words < _STUB else ():
                if len(_WORD.findall(page[2])) > _TIMES_A_STUB * words:
                    fullest = page
        yield fullest


def _unmarked(message: EmailMessage, content: bytes, name: str, limits: ParseLimits, depth: int) -> Iterator[_Body]:
    """Yield the parts of a message by the mark that it has, or of the whole if it has none and nothing is encoded."""
    if found := _BOUNDARY.search(content):
        head = f'Content-Type: {message.get_content_type()}; boundary="{found[1].decode()}"\n\n'
        marked = message_from_bytes(head.encode() + content, policy=policy.default)
        if marked.is_multipart():
            yield from _texts(marked, name, limits, depth + 1)
    elif not _ENCODED.search(content) and (text := decode(content, name)).strip():
        yield "plain", text, text


def _bodies(message: EmailMessage, name: str, limits: ParseLimits) -> Iterator[_Body]:
    """Yield the bodies that have some text."""
    for kind in ("plain", "html"):
        body = message.get_body((kind,))
        text = clean(_text(body, name)) if isinstance(body, EmailMessage) else ""
        if text.strip() and (plain := _plain(text, name, limits) if kind == "html" else text):
            yield kind, text, plain


def _text(part: EmailMessage, name: str) -> str:
    """Return the text of a part, with whole lines where it is in ``format=flowed``."""
    payload = part.get_payload(decode=True)
    text = decode_as(payload if isinstance(payload, bytes) else b"", part.get_content_charset("us-ascii"), name)
    if str(part.get_param("format")).lower() == "flowed":
        text = _unfolded(text, blank="" if str(part.get_param("delsp")).lower() == "yes" else " ")
    return text


def _unfolded(text: str, blank: str) -> str:
    """Return a ``format=flowed`` text with whole lines, joined by ``blank``, but for quotations and the mark of a signature (RFC 3676)."""
    unfolded: list[str] = []
    goes_on = False
    for line in text.replace("\r\n", "\n").split("\n"):
        is_quoted = line.startswith(">")
        words = line if is_quoted else line.removeprefix(" ")  # put before a line such as "From here"
        if not goes_on or is_quoted or words in {"", _SIGNATURE}:
            unfolded.append("\n")
        goes_on = not is_quoted and words.endswith(" ") and words != _SIGNATURE and bool(words.strip())
        unfolded.append(words[:-1] + blank if goes_on else words)
    return "".join(unfolded[1:])


def _header(message: EmailMessage) -> Iterator[tuple[str, str]]:
    for key in _PEOPLE:
        if value := _field(message, key):
            yield key, value
    if _field(message, "date") and (date := message["date"].datetime):
        yield "date", date.isoformat()
        # A message that was sent never changes; the time of its file is that of a copy.
        yield "modified_at", date.isoformat()


def _field(message: EmailMessage, key: str) -> str:
    """Return a header field; empty if it is so long that decoding it takes time."""
    written = next((value for name, value in message.raw_items() if name.lower() == key), "")
    return one_line(str(message[key])) if 0 < len(written) <= _MAX_FIELD_CHARACTERS else ""

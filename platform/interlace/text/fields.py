"""Fields of mails, minutes and tickets: lines that begin with a label and a colon, and the people whom they name."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from interlace.domain.extraction import DEGREES, HONORIFICS, LEGAL_FORMS, PARTICLES
from interlace.text.surnames_first import is_listed, surname_last

# Those that name several people, and those that name one, after whom an organisation may follow.
_PEOPLE: Final = """
absent apologies attendees attending bcc cc guests invited participants present recipients regrets speakers to
"""
_PERSON: Final = """
agent assignee author caller chair contact customer facilitator from host interviewee interviewer moderator organiser organizer
owner presenter recorder reporter requester scribe secretary sender speaker
"""
# What the one did who is named after it: *approved by*, *minutes taken by*.
_ACTS: Final = "approved assigned chaired created hosted opened prepared presented raised recorded reported requested reviewed sent submitted taken written"
_OTHER: Final = """
actions action agenda attachment attachments category closed component created date deadline decision decisions department description due
duration id item items keywords location minutes next note notes number opened order page phone place priority product project purpose re ref
reference regarding sent severity site source start status subject summary tags telephone time title topic topics type update updated
venue version
"""
# What may also name an organisation, a list or a machine: one word after it is no person.
_ANYBODY: Final = frozenset({"bcc", "cc", "contact", "customer", "from", "host", "owner", "requester", "sender", "to"})
# With these, or what a company's name ends with, at the end a name is that of several people.
_MANY: Final = """
admins bank board center centre club college committee council crew customers department desk developers division engineering everyone
finance foundation group guild hands hotel institute labs leadership leads legal management managers marketing members ministry office
operations partners people product project resources sales school security service services society solutions squad staff studio support
systems team teams technologies traders university users volunteers
"""
_SEVERAL: Final = frozenset(_PEOPLE.split())
_ONE: Final = frozenset(_PERSON.split())
_COLLECTIVE: Final = LEGAL_FORMS | set(_MANY.split())
_LABELS: Final = _SEVERAL | _ONE | frozenset(_OTHER.split())
_DID: Final = "|".join(_ACTS.split())
_ACT = re.compile(rf"(?:[a-z]+ )?(?:{_DID}) by|assigned to")
_LABEL: Final = rf"(?:[A-Z][a-z]+ )?(?i:{_DID}) by|[Aa]ssigned to|[A-Za-z][a-z-]{{0,20}}"
_FIELD = re.compile(r"(?:^[ *#>|-]{0,6}|\| )(" + _LABEL + r")\*{0,2}:\*{0,2} {1,4}([^\s|][^|\n]{0,400})", re.MULTILINE)
# As Markdown writes it, with any label of up to three words.
_BEGINS_FIELD = re.compile(
    r" {0,3}[*_]{0,3}([^\W\d_][\w'\u2019&/-]{0,30}(?: [\w'\u2019&/-]{1,30}){0,2})[*_]{0,3}:[*_]{0,3}(?:\s|\Z)"
)
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d]*,[^\"\u201c\u201d]*)[\"\u201d]")
_COMPANY = re.compile(
    rf"(?:,|&|\band) (?:{'|'.join(sorted(LEGAL_FORMS | {'partner', 'partners', 'sons'}))})\.?$", re.IGNORECASE
)
_DETAILS = re.compile(r"\([^()]*\)|<[^<>]*>|\[[^\[\]]*\]|[\"\u201c\u201d]")
_DIVIDES = re.compile(r"[,;|]|\band\b|&")
_TITLES = re.compile(rf"^(?:(?:{'|'.join(sorted(HONORIFICS | DEGREES))})(?:\.-?| ) *)+", re.IGNORECASE)
_NAME = re.compile(rf"[^\W\d_a-z][\w'\u2019-]+(?: (?:[^\W\d_a-z][\w'\u2019.-]*|{'|'.join(sorted(PARTICLES))})){{0,3}}")


def is_field_label(words: str) -> bool:
    """Return whether words are the label of a field, whatever stands after them: ``Agenda``, ``Cc``."""
    return words.casefold() in _LABELS


def begins_field(line: str) -> bool:
    """Return whether a line of Markdown is like one of a field, whose label is known or is written like a name: ``**Due date:** Friday``."""
    found = _BEGINS_FIELD.match(line)
    return found is not None and (not found[1][0].islower() or is_field_label(found[1]))


def participants(text: str, metadata: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the people whom fields of a document name: its sender, those present, a ticket's customer.

    Args:
        text: lines such as ``Attendees: Ada Byron, Charles Babbage (chair)``.
        metadata: of the document, such as the fields of a mail. Its author need not take part in what it is about.
    """
    fields = [(key, value) for key, values in metadata.items() if key != "author" for value in _texts(values)]
    fields += _FIELD.findall(text)
    return frozenset(name for label, value in fields for name in _names(label.casefold(), value))


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, list | tuple):
        return [surname_last(each) for each in value if isinstance(each, str)]
    return [value] if isinstance(value, str) else []


def _names(label: str, value: str) -> Iterable[str]:
    """Return the names of people in a field's value; the first part alone where the label names one person."""
    act = _ACT.fullmatch(re.sub(r"[_-]", " ", label))  # also ``assigned_to`` of front matter
    if not act and label not in _SEVERAL | _ONE:
        return ()
    parts = [_TITLES.sub("", part.strip()) for part in _parts(value)]
    names = [part for part in (parts if label in _SEVERAL else parts[:1]) if _NAME.fullmatch(part)]
    people = [name for name in names if name.split()[-1].rstrip(".").casefold() not in _COLLECTIVE]
    return [name for name in people if " " in name or not (act or label in _ANYBODY)]


def _parts(value: str) -> Iterable[str]:
    """Return the names in a field's value; a comma divides none in quotes, nor in a list that semicolons divide (``Keller, Maria; Okafor, Tom``)."""
    plain = _DETAILS.sub("", _QUOTED.sub(lambda quoted: _unquoted(quoted[1]), value))
    listed = [each.strip() for each in plain.split(";") if each.strip()]
    people = [each for each in listed if not _COMPANY.search(each)]
    if len(listed) > 1 and all(map(is_listed, people)):
        listed = [surname_last(each) for each in people]
    return [part for each in listed for part in _DIVIDES.split(each)]


def _unquoted(name: str) -> str:
    """Return a person's name with the surname last; empty for another one with a comma, such as a company's."""
    person = surname_last(name.strip())
    return "" if "," in person else person

"""Chats as messengers export them: turns with the time and the speaker before what is said."""

import re
from typing import Final

from interlace.domain.extraction import PARTICLES

NAME: Final = r"[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*)?"
"""A speaker's name, one or two words."""
SPEAKER: Final = f"({NAME})"
LONG_NAME: Final = rf"{NAME}(?: (?:[^\sa-z:<>\[\]][^\s:<>\[\]]*|{'|'.join(sorted(PARTICLES))})){{0,3}}"
"""A speaker's name where a messenger put a time before it, up to five words: ``Anna van der Berg``, ``Edwin Plot 4``, ``Hodge (bass)``."""
_TIMED_SPEAKER = (
    rf"({LONG_NAME}|\+\d[\d ()-]{{6,20}})"  # WhatsApp shows the number of someone who is in no address book
)
_TIME = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:, ?|[ T]))?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?"
_BEFORE = rf"[\[(]?{_TIME}[\])]?(?: [-\u2013])? "
# "[09:08] Ada: ", "3/9/2024, 9:08 AM - Ada: ", "[09:08] <ada> ", "Ada (09:08): ".
_TURN = re.compile(
    rf"^(?:{_BEFORE}(?:{_TIMED_SPEAKER}:|<[@+ ]?{SPEAKER}>)|{SPEAKER} [\[(]{_TIME}[\])]:)(?= )", re.MULTILINE
)
TURN_START: Final = rf"(?:{_BEFORE}(?:(?:{LONG_NAME}|\+[\d ()-]+):|<[^<>\n]+>)|\[{_TIME}\]) "
"""What stands before a turn, without groups: its time with its speaker, or a time in brackets alone; any other time may begin an item of an agenda."""
_NOT_NAME = re.compile(r" [^\w+].*")  # brackets, emoji
_BEFORE_NAMES = frozenset("])<-\u2013")
# On a line of their own: "Ada  9:08 AM", "Ada \u2014 3/9/2024 9:08 AM", "[Tuesday 9:08 AM] Ada".
_TIMED = rf"(?:[^\W\d_]{{3,9}}(?: at)? )?{_TIME}"
_APART = r"(?: ?[\u2014\u2013] ?| {2,})"
_HEAD = re.compile(rf"^(?:{SPEAKER}{_APART}{_TIMED}|\[{_TIMED}\] {SPEAKER})[ \t]*\n", re.MULTILINE)


def as_plain_turns(text: str) -> str:
    """Return a text in which exported turns are ``Ada: ``, with blanks for the time, so that offsets stay.

    Words in capitals, such as the levels of a log, are no speakers.
    """
    return _TURN.sub(_plain_turn, text)


def speakers(text: str) -> list[tuple[int, int]]:
    """Return start and end of the speakers' names before exported turns; none after a bare time, which begins items of an agenda and lines of a log, too.

    Nicknames in lower case are left out: elsewhere in a text the same letters are a word.
    """
    found = [(turn, turn.start(turn.lastindex or 0), _speaker(turn)) for turn in _TURN.finditer(text)]
    return [
        (start, start + len(name))
        for turn, start, name in found
        if name[:1].isupper()
        and (start == turn.start() or text[turn.start() : start].rstrip(" @+")[-1:] in _BEFORE_NAMES)
    ]


def without_turn_starts(text: str) -> str:
    """Return a text with the speakers of its exported turns named once, before what they say, and without the times; others as they are.

    Repeated in every line, times and names are much of what an embedding model reads, and make all chunks of a chat alike (ADR 159).
    """
    for form in (_TURN, _HEAD):
        turns = list(form.finditer(text))
        speakers = [name for turn in turns if (name := _speaker(turn))]
        if len(speakers) > 1:
            start, said = turns[0].start(), form.sub(lambda turn: "" if _speaker(turn) else turn[0], text)
            text = f"{said[:start]}{', '.join(dict.fromkeys(speakers))}\n{said[start:]}"
    return text


def _speaker(turn: re.Match[str]) -> str:
    return "" if (name := _NOT_NAME.sub("", turn[turn.lastindex or 0])).isupper() else name


def _plain_turn(turn: re.Match[str]) -> str:
    blanks = " " * (turn.start(turn.lastindex or 0) - turn.start())
    return f"{blanks}{name}:".ljust(len(turn[0])) if (name := _speaker(turn)) else turn[0]

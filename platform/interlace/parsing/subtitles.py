"""Transcripts of recordings and subtitles (WebVTT, SubRip): turns with the time at which they begin, instead of cues cut anywhere."""

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from interlace.domain.documents import ParsedDocument
from interlace.domain.extraction import PARTICLES
from interlace.parsing.composer import Composer
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.text import parse_text
from interlace.text.chats import LONG_NAME, NAME
from interlace.text.surnames_first import surname_last

_TITLE = re.compile(r"WEBVTT[ \t]+(?:-[ \t]*)?([^\n]+)")
# A line of times and the lines below it, up to an empty one.
_CUE = re.compile(r"^(?:(\d{1,4}):)?(\d\d?):(\d\d)[.,]\d{1,3}[ \t]+-->[^\n]*((?:\n[^\n]*\S[^\n]*)*)", re.MULTILINE)
_VOICE = re.compile(r"<v(?:\.[^\s<>]{0,100})?[ \t]{1,9}([^<>\n]{0,200})>")
_TAG = re.compile(r"<[^<>]*>|\{\\an?\d+\}")
_NAMED = re.compile(rf"({NAME}): ")
# With what meetings show beside a name: pronouns, a company.
_LONG_NAMED = re.compile(rf"({LONG_NAME})(?: [(\[][^()\[\]]{{1,40}}[)\]]| \| [^:]{{1,40}})?: ")
_ADDED = re.compile(r" [(|].*")
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002]['\"\u2019\u201d)]*$")
_MINUTE = 60  # seconds


@dataclass(slots=True)
class _Turn:
    """What a speaker, ``""`` if none is named, says from some second on."""

    speaker: str
    start: int
    lines: list[str] = field(default_factory=list)

    def is_over(self, seconds: int) -> bool:
        """Return whether it has lasted a minute and a sentence ends here, or two."""
        minutes = (seconds - self.start) // _MINUTE
        return minutes > 1 or (minutes == 1 and _SENTENCE_END.search(self.lines[-1]) is not None)

    def __str__(self) -> str:
        time = f"{self.start // 3_600:02}:{self.start // 60 % 60:02}:{self.start % 60:02}"
        return f"[{time}] {f'{self.speaker}: ' if self.speaker else ''}{' '.join(self.lines)}"


def parse_subtitles(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a transcript; a text without cues is read as plain text.

    A turn ends where another speaker begins, with a sentence after a minute, or after two. A line that repeats the one before it is left out, because
    captions that programs write roll.

    Raises:
        ParseError: reason ``empty``; no cue has words.
    """
    if not _CUE.search(text):
        return parse_text(text, name, fallback_title, limits)
    turns = _turns(text)
    title = _TITLE.match(text) if turns else None
    composer = Composer(name, limits, title=title[1] if title else "")
    composer.write("\n".join(map(str, turns)))
    return composer.finish(fallback_title=fallback_title, metadata={})


def _turns(text: str) -> list[_Turn]:
    turns: list[_Turn] = []
    for start, speaker, line in _lines(text):
        last = turns[-1] if turns else None
        goes_on = last is not None and speaker in {"", last.speaker}
        if last and goes_on and line == last.lines[-1]:
            continue
        if not last or not goes_on or last.is_over(start):
            turns.append(_Turn(speaker or (last.speaker if last else ""), start))
        turns[-1].lines.append(line)
    return turns


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each line with the second at which its cue begins and its speaker, ``""`` where none is named."""
    cues = [(_start(cue), lines) for cue in _CUE.finditer(text) if (lines := list(_said(cue[4])))]
    begun = Counter(named[0] for _, lines in cues if (named := _long_named(lines[0][1])))
    for start, lines in cues:
        for number, (voice, line) in enumerate(lines):
            speaker, words = ("", line) if voice else _named(line, begun, is_first=number == 0)
            yield start, surname_last(voice or speaker), words


def _start(cue: re.Match[str]) -> int:
    hours, minutes, seconds, _ = cue.groups("0")
    return int(hours) * 3_600 + int(minutes) * 60 + int(seconds)


def _said(payload: str) -> Iterator[tuple[str, str]]:
    """Yield each line of a cue with the speaker of its voice tag, ``""`` if it has none."""
    unnamed, *voices = _VOICE.split(payload)
    for speaker, said in [("", unnamed), *zip(voices[::2], voices[1::2], strict=True)]:
        for line in said.split("\n"):
            if words := html.unescape(_TAG.sub("", line)).strip():
                yield speaker.strip(), words


def _named(line: str, begun: Mapping[str, int], *, is_first: bool) -> tuple[str, str]:
    """Return the speaker whom a line names, ``""`` if none, and its words.

    A name of three words and more, or with something beside it, counts where it begins several cues, or if it is in capitals and begins
    this one: prose has colons too, and ``Step 2:`` is no name.
    """
    if named := _NAMED.match(line):
        return named[1], line[named.end() :]
    if long := _long_named(line):
        words = long[0].split()
        in_capitals = all(word in PARTICLES or not word[0].islower() for word in words)
        is_long = len(words) > 2 or not line.startswith(f"{long[0]}: ")  # noqa: PLR2004 - first name and surname
        is_numbered = any(word[0].isdigit() for word in words)
        if not is_numbered and (begun[long[0]] > 1 or (is_first and in_capitals and is_long)):
            return long
    return "", line


def _long_named(line: str) -> tuple[str, str] | None:
    named = _LONG_NAMED.match(line)
    return (_ADDED.sub("", named[1]), line[named.end() :]) if named else None

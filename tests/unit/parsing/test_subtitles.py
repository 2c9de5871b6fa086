"""Transcripts and subtitles are read as turns with their times."""

import time

import pytest
from tests.support.parsing import read

from interlace.domain.errors import ParseError
from interlace.parsing.media import TEXT, media_type_of

TEAMS = """WEBVTT

NOTE duration:"00:15:11"

5f1a/12-0
00:00:03.120 --> 00:00:07.480
<v Ada Byron>Good morning, everyone. Is the pump</v>

5f1a/12-1
00:00:07.480 --> 00:00:10.000
<v Ada Byron>in place?</v>

01:00:10.500 --> 01:00:14.000
<v.loud Ravi>Yes. It came on Monday and we
installed it at noon.</v><v Ada Byron>Good.</v>
"""
ZOOM = """WEBVTT

1
00:03.120 --> 00:07.480
Ada Byron: Good morning, everyone. Is the pump

2
00:07.480 --> 00:10.000
Ada Byron: in place?

3
00:10.500 --> 00:14.000
Ravi: Yes. It came on Monday and we
installed it at noon.
"""
SUBRIP = """1
00:00:03,120 --> 00:00:07,480
{\\an8}Good morning, everyone. Is the pump

2
00:00:07,480 --> 00:00:10,000 X1:40 X2:600
<i>in place?</i>
"""
ROLLING = """WEBVTT - Weekly sync
Kind: captions

STYLE
::cue { color: lime }

00:00:00.000 --> 00:00:02.000 align:start position:0%
so<00:00:00.500><c> welcome</c><00:00:01.000><c> back</c>

00:00:02.000 --> 00:00:02.010
so welcome back

00:00:02.010 --> 00:00:05.000
so welcome back
to &lt;the&gt; show
"""


@pytest.mark.parametrize(
    ("file", "content", "title", "text"),
    [
        (
            "sync.vtt",
            TEAMS,
            "sync",
            (
                "[00:00:03] Ada Byron: Good morning, everyone. Is the pump in place?\n"
                "[01:00:10] Ravi: Yes. It came on Monday and we installed it at noon.\n[01:00:10] Ada Byron: Good."
            ),
        ),
        (
            "sync.vtt",
            ZOOM,
            "sync",
            (
                "[00:00:03] Ada Byron: Good morning, everyone. Is the pump in place?\n"
                "[00:00:10] Ravi: Yes. It came on Monday and we installed it at noon."
            ),
        ),
        ("film.srt", SUBRIP, "film", "[00:00:03] Good morning, everyone. Is the pump in place?"),
        ("film.srt", SUBRIP.replace("\n", "\r\n"), "film", "[00:00:03] Good morning, everyone. Is the pump in place?"),
        ("auto.vtt", ROLLING, "Weekly sync", "[00:00:00] so welcome back to <the> show"),
        ("plain.srt", "No cue here.", "plain", "No cue here."),
    ],
    ids=["teams", "zoom", "subrip", "windows", "rolling", "plain"],
)
def test_cues_are_turns(file: str, content: str, title: str, text: str) -> None:
    parsed = read(content, media_type_of(file), file)
    assert (parsed.title, parsed.text) == (title, text)


def cues(*said: str) -> str:
    return "WEBVTT\n\n" + "\n\n".join(f"00:0{at}.000 --> 00:09.000\n{each}" for at, each in enumerate(said))


@pytest.mark.parametrize(
    ("written", "speaker"),
    [
        ("Ana Maria Lopez", "Ana Maria Lopez"),
        ("Anna van der Berg", "Anna van der Berg"),
        ("Tom Okafor (he/him)", "Tom Okafor"),
        ("Tom Okafor (guest of the day)", "Tom Okafor"),
        ("Ana Maria Lopez [Acme]", "Ana Maria Lopez"),
        ("Tom | Acme", "Tom"),
        ("Tom Okafor | acme.org", "Tom Okafor"),
    ],
)
def test_a_speaker_has_any_name_that_meetings_show(written: str, speaker: str) -> None:
    parsed = read(cues("Ada: Good morning.", f"{written}: Hello."), TEXT, "sync.vtt")
    assert parsed.text == f"[00:00:00] Ada: Good morning.\n[00:00:01] {speaker}: Hello."


def test_prose_with_a_colon_names_no_long_speaker_unless_it_begins_several_cues() -> None:
    said = ("Ada: I said", "my advice Ana Lopez: go.", "Then we saw\nNew York City: a dream.")
    assert read(cues(*said), TEXT, "a.vtt").text == f"[00:00:00] {' '.join(said)}".replace("\n", " ")
    said = ("tom in Oslo (guest): One.", "Ada: Two.\ntom in Oslo: is this on?", "tom in Oslo: Three.")
    assert read(cues(*said), TEXT, "a.vtt").text == (
        "[00:00:00] tom in Oslo: One.\n[00:00:01] Ada: Two.\n[00:00:01] tom in Oslo: is this on? Three."
    )


def test_a_long_turn_ends_with_a_sentence_after_a_minute_or_after_two() -> None:
    cues = [(0, "One."), (30, "Two."), (61, "three"), (70, "four"), (130, "five"), (181, "six"), (242, "seven.")]
    content = "\n\n".join(f"00:{at // 60:02}:{at % 60:02}.000 --> 00:59:00.000\n{said}" for at, said in cues)
    assert read(content, TEXT, "talk.vtt").text.split("\n") == [
        "[00:00:00] One. Two.",
        "[00:01:01] three four five",
        "[00:03:01] six seven.",
    ]


def test_a_line_that_rolls_over_a_minute_is_said_once() -> None:
    content = "\n\n".join(
        f"00:0{at}:00.000 --> 00:59:00.000\n{said}" for at, said in enumerate(("One.", "One.", "One.", "Two."))
    )
    assert read(content, TEXT, "talk.vtt").text == "[00:00:00] One.\n[00:03:00] Two."


def test_cues_without_words_are_empty() -> None:
    with pytest.raises(ParseError) as caught:
        read("WEBVTT - Title\n\n00:01.000 --> 00:02.000\n<c></c>\n", TEXT, "talk.vtt")
    assert caught.value.reason == "empty"


@pytest.mark.parametrize(
    "content",
    [
        "<v " * 100_000,
        "00:00:01.000 --> x\n" + "<v a" * 100_000,
        "00:00:01.000 --> 00:00:02.000\n" * 20_000,
        "00:00:01.000" + " " * 300_000,
        "00:" * 100_000,
        "1" * 10_000 + ":00:01.000 --> x\nHello",
    ],
    ids=["voices", "open voices", "empty cues", "blanks", "times", "hours"],
)
def test_hostile_transcripts_take_no_time(content: str) -> None:
    started = time.perf_counter()
    read(f"{content}\n\n00:00:09.000 --> 00:00:10.000\nEnd.", TEXT, "talk.vtt")
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize("said", ["Step 2: mix", "So, Maria: what?", "Chapter 3: the sea"])
def test_what_is_no_name_is_said_by_who_speaks(said: str) -> None:
    assert read(cues("Ada: Welcome", said, "then wait."), TEXT, "a.vtt").text == (
        f"[00:00:00] Ada: Welcome {said} then wait."
    )


def test_speakers_have_their_surnames_last() -> None:
    content = "WEBVTT\n\n00:03.120 --> 00:07.480\n<v Keller, Maria>Good morning.</v>\n"
    assert read(content, TEXT, "talk.vtt").text == "[00:00:03] Maria Keller: Good morning."

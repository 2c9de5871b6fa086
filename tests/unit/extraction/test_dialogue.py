"""Dialogue turns, also as messengers export them."""

import pytest

from interlace.extraction.dialogue import is_dialogue, turn_of, turns
from interlace.text.chats import as_plain_turns


@pytest.mark.parametrize(
    ("exported", "speaker"),
    [
        ("[09:08] Ada: We meet at ten.", "Ada"),
        ("[12/03/2024, 09:08:33] Ada Byron: We meet at ten.", "Ada Byron"),
        ("12/03/2024, 09:08 - Ada: We meet at ten.", "Ada"),
        ("3/9/24, 9:08\u202fAM - Ada: We meet at ten.", "Ada"),
        ("2024-03-12 09:08 Zo\u00eb: We meet at ten.", "Zo\u00eb"),
        ("(9.08 pm) Ada: We meet at ten.", "Ada"),
        ("Ada (09:08): We meet at ten.", "Ada"),
        ("Ada (9:08 AM): We meet at ten.", "Ada"),
        ("9:08 Ada: We meet at ten.", "Ada"),
        ("[09:08] Anna van der Berg: We meet at ten.", "Anna van der Berg"),
        ("[12/03/2024, 09:08:33] Hodge (bass): We meet at ten.", "Hodge"),
        ("09:08:33 <ada> We meet at ten.", "ada"),
        ("[09:08] <@ada> We meet at ten.", "ada"),
    ],
)
def test_an_exported_turn_begins_with_its_speaker_and_offsets_stay(exported: str, speaker: str) -> None:
    text = f"{exported}\n{exported}\n"
    plain = as_plain_turns(text)
    assert len(plain) == len(text)
    assert [turn["speaker"] for turn in turns(plain)] == [speaker, speaker]
    assert plain.index("We meet") == text.index("We meet")
    first = next(turns(plain))
    assert text[first.start("speaker") : first.end("speaker")] == speaker
    assert turn_of(plain, first.start("speaker"))
    assert not turn_of(plain, first.start("speaker") + 1)
    assert is_dialogue(plain)


def test_indented_lines_are_no_turns() -> None:
    assert list(turns("  Port: the port\n    Host: the host")) == []

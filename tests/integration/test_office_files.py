"""A shared drive: questions that a workbook, the notes of a presentation and a book answer."""

import pytest
from tests.integration.ingestion_world import World
from tests.support.office import BOOK, open_document, slides, titled, workbook
from tests.support.parsing import packed

from interlace.domain.hits import QueryRequest


def plan() -> bytes:
    def with_notes(slide: object) -> None:
        titled("Ferry", "Runs until October")(slide)
        slide.notes_slide.notes_text_frame.text = "The ferry stops early because the pilot retires."  # type: ignore[attr-defined]

    return slides(titled("Harbour plan"), with_notes)


FILES: dict[str, str | bytes] = {
    "prices.xlsx": workbook(
        {"Metal": [["Prices of 2025"], [], ["Profile", "Per metre"], ["Gutter rail", 4.2], ["Ridge bar", 6.74]]}
    ),
    "plan.pptx": plan(),
    "dues.odp": open_document(
        "<draw:page><draw:frame presentation:class='title'><draw:text-box><text:p>Harbour dues</text:p></draw:text-box></draw:frame></draw:page>"
        "<draw:page><draw:frame presentation:class='title'><draw:text-box><text:p>Visitors</text:p></draw:text-box></draw:frame><presentation:notes>"
        "<draw:frame><draw:text-box><text:p>A yacht pays 14 crowns a night.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>",
        "presentation",
    ),
    "letter.rtf": "{\\rtf1{\\stylesheet{\\s1 heading 1;}}\\s1 Mooring\\par\\pard The buoy off Kerrera was lifted in June.\\par}",
    "tides.epub": packed(BOOK),
    "shed.md": "The shed has a bracket for ladders.",
}


@pytest.mark.parametrize(
    ("question", "uri", "section", "words"),
    [
        ("What does the ridge bar cost per metre?", "prices.xlsx", "", "Ridge bar: 6.74"),
        ("Why does the ferry stop early?", "plan.pptx", "Ferry", "the pilot retires"),
        ("What does a yacht pay a night?", "dues.odp", "Visitors", "14 crowns"),
        ("When was the buoy off Kerrera lifted?", "letter.rtf", "", "in June"),
        ("Where does the flood rise?", "tides.epub", "Flood", "It rises"),
    ],
)
def test_files_of_an_office_answer(
    world: World, tenant: str, question: str, uri: str, section: str, words: str
) -> None:
    world.ingest(tenant, FILES)
    hit = world.platform.questions.search(tenant, QueryRequest(question)).hits[0]
    assert (hit.source_uri, hit.section) == (uri, section)
    assert words in hit.text

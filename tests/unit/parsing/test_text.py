"""Plain text, and what is cleaned from any text."""

import io
import textwrap
import tracemalloc

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing import decoding
from interlace.parsing.media import TEXT, media_type_of
from interlace.parsing.text import unwrapped


def test_text_is_kept_and_cleaned() -> None:
    parsed = read("\ufeffÅ\r\na\x00b\u202e c\x85d\n".encode(), TEXT, "x/y notes.txt")
    assert (parsed.title, parsed.text) == ("y notes", "Å\nab c\nd")
    assert [(section.start, section.end) for section in parsed.sections] == [(0, len(parsed.text))]


@pytest.mark.parametrize(
    "uri", ["plan.txt", "plan", "plan.rst", "plan.adoc", "plan.html", "plan.log", "plan.org", "plan.vtt"]
)
def test_a_plain_text_that_says_who_may_read_it_is_refused(uri: str) -> None:
    refused = refusal(b"---\naccess: [board]\n---\nSecret.", media_type_of(uri), uri=uri)
    assert (refused.reason, "Write Markdown" in refused.message) == ("access", True)


@pytest.mark.parametrize("uri", ["plan.yaml", "plan.py"])
def test_data_and_code_that_begin_like_front_matter_are_read(uri: str) -> None:
    assert "Secret" in read(b"---\naccess: [board]\n---\nSecret.", media_type_of(uri), uri).text


@pytest.mark.parametrize("uri", ["plan.qmd", "plan.Rmd"])
def test_quarto_and_r_markdown_have_front_matter(uri: str) -> None:
    parsed = read(b"---\naccess: [board]\n---\nSecret.", media_type_of(uri), uri)
    assert (parsed.text, parsed.metadata["access"]) == ("Secret.", ["board"])


def test_colours_of_a_terminal_are_no_text() -> None:
    assert read("\x1b]0;title\x07\x1b[1;31mERROR\x1b[0m Pump stopped\x1b[K\n\x1b", TEXT).text == "ERROR Pump stopped"


def test_utf16_with_byte_order_mark_is_read() -> None:
    assert read("Zürich".encode("utf-16"), TEXT).text == "Zürich"


def test_invalid_utf8_names_the_byte() -> None:
    error = refusal(b"\xef\xbb\xbfabc\xff", TEXT)
    assert error.reason == "encoding"
    assert "byte 6" in error.message


@pytest.mark.parametrize("content", [b"", b" \n\t ", b"\x00 \n \n\xe2\x80\xae"])
def test_nothing_to_read_is_empty(content: bytes) -> None:
    assert refusal(content, TEXT).reason == "empty"


@pytest.mark.parametrize(
    "encoding",
    ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp1252", "cp932", "gb18030", "iso2022_jp", "cp1251", "cp1253", "cp1255", "big5"],
)  # fmt: skip
def test_texts_in_other_encodings_are_read(encoding: str) -> None:
    words = {
        "cp932": "日本語の文章はここにあります。とても短いですが、読めます。",
        "iso2022_jp": "日本語の文章はここにあります。とても短いですが、読めます。",
        "gb18030": "这是一个用中文写的短文,我们可以读它,也可以在里面找到词。",
        "cp1251": "Это короткий текст на русском языке, в котором можно найти слова.",
        "cp1253": "Αυτό είναι ένα σύντομο κείμενο στα ελληνικά και μπορούμε να το διαβάσουμε.",  # noqa: RUF001 - they are Greek
        "cp1255": "זהו טקסט קצר בעברית שאפשר לקרוא ולמצוא בו מילים.",
        "big5": "這是一篇用中文寫的短文,我們可以讀它,也可以在裡面找到詞。",
    }.get(encoding, "Café au lait, déjà vu \u2013 and “naïve” façades über alles.")
    assert read(words.encode(encoding), "text/plain").text == words


@pytest.mark.parametrize(
    "words", ["Copyright © 2020 by the harbour.", "20 °C ± 2, 5 £ and 3 µm.", "a,b,c\n1,2,3\n4,5,©\n"]
)
def test_a_single_sign_of_windows_is_no_katakana(words: str) -> None:
    assert read(words.encode("cp1252"), TEXT).text == words.strip()


@pytest.mark.parametrize("bad", [b"\xff", b"\x80 "])
@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("big5", "這是一篇用中文寫的短文,我們可以讀它,也可以在裡面找到詞。"),
        ("cp932", "日本語の文章はここにあります。とても短いですが、読めます。"),
        ("gb18030", "这是一个用中文写的短文,我们可以读它,也可以在里面找到词。"),
        ("cp949", "이것은 한국어로 쓰인 짧은 글입니다. 우리는 그것을 읽을 수 있습니다."),
    ],
)
def test_a_damaged_byte_does_not_hide_an_encoding_of_two_bytes(encoding: str, words: str, bad: bytes) -> None:
    for times in (1, 9):
        parsed = read(
            f"{words}\n".encode(encoding) * times + words[:5].encode(encoding) + bad + words[5:].encode(encoding), TEXT
        )
        *lines, damaged = parsed.text.split("\n")
        assert lines == [words] * times
        assert damaged.replace(" ", "") == (words[:5] + "\ufffd" + words[5:]).replace(" ", "")
        assert parsed.metadata == {"damaged_characters": 1}
    assert read(words.encode(encoding), TEXT).metadata == {}


def test_a_sign_for_damage_that_a_text_holds_itself_is_not_counted() -> None:
    assert read("A \ufffd in a text of words.".encode("utf-16"), TEXT).metadata == {}


def test_bytes_of_no_encoding_are_still_refused_and_the_language_is_asked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def asking(text: str) -> str:
        asked.append(text)
        return ""

    monkeypatch.setattr(decoding, "detect_language", asking)
    content = bytes(range(128, 256)) * 3
    assert decoding.encoding_of(io.BytesIO(content)) is None
    assert len(asked) == 2  # in each of the two encodings that show it
    assert refusal(content, TEXT).reason == "encoding"


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859_2"])
@pytest.mark.parametrize(
    "words",
    [
        ("To jest krótki tekst, który został napisany po polsku i w którym można znaleźć słowa. Łódź i Gdańsk są miastami, a Wisła jest rzeką, "
        "nad którą leży Warszawa, jak wie każde dziecko."),
        ("Toto je krátký text, který byl napsán česky a ve kterém se dají najít slova. Příbram a Plzeň jsou města, ale Vltava je řeka, "
        "u které leží Praha, což už ví každé dítě."),
        ("Ez egy rövid szöveg, amelyet magyarul írtak, és amelyben szavakat lehet találni. Győr és Szeged város, de a Tisza folyó, "
        "és ezt minden gyerek tudja, mert az iskolában így tanulják, hogy jól nőjenek fel."),
    ],
)  # fmt: skip
def test_texts_of_central_europe_keep_their_letters(words: str, encoding: str) -> None:
    assert read(words.encode(encoding), "text/plain").text == words


def test_a_line_in_another_encoding_does_not_spoil_a_log_in_utf8() -> None:
    text = read("Größe in UTF-8\n".encode() * 20 + "Größe\n".encode("cp1252"), TEXT).text
    assert text == "Größe in UTF-8\n" * 20 + "Gr\ufffd\ufffde"


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("Les leçons de ce guide expliquent où déplacer le curseur, et comment enregistrer ce qui a été modifié.", "cp1252"),
        ("Questa è la lezione più breve: perché il testo è già lì, e ciò che si è letto può essere cambiato.", "cp1252"),
    ],
)  # fmt: skip
def test_rules_in_ascii_do_not_hide_an_encoding(words: str, encoding: str) -> None:
    text = "\n".join([*[words] * 14, "", "~" * 78] * 4)
    assert read(text.encode(encoding), TEXT).text == text


def test_turkish_keeps_its_letters() -> None:
    words = (
        "Bu, Türkçe yazılmış kısa bir metin ve içinde sözcükler bulunabilir. İzmir ile Ankara birer şehir ama Kızılırmak bir ırmaktır, "  # noqa: RUF001 - it is Turkish
        "çünkü bunu her çocuk bilir ve okulda da böyle öğrenir, daha sonra ise gibi değil."
    )
    assert read(words.encode("cp1254"), "text/plain").text == words


WRAPPED = (
    "The harbour of Rostock was enlarged after the war, and the new quays could\n"
    "take ships of Captain Berg's fleet. They were built of granite from Sweden,\n"
    "which came over the Baltic in barges."
)


def test_sentences_of_wrapped_paragraphs_are_whole() -> None:
    around = (
        f"Harbours\n========\n\n{WRAPPED}\n\n  * crane\n  * winch\n\n  {WRAPPED.replace(chr(10), chr(10) + '  ')}\n"
    )
    text = read(around, TEXT, "x/notes.txt").text
    line = WRAPPED.replace("\n", " ")
    assert text == f"{line}\n\n  * crane\n  * winch\n\n  {line}"


PAIRS = (
    "2.1 Supplier shall invoice monthly in arrears. Invoices are payable within\nthirty days of receipt.",
    "2.2 Overdue amounts bear interest at four percent per annum above the base\nrate of the bank.",
    "2.3 Expenses above five hundred euros require the approval of the Client in\nwriting.",
)


def test_paragraphs_of_two_lines_are_whole_where_others_show_the_width() -> None:
    alone, several = PAIRS[0], "\n\n".join(PAIRS)
    assert read(several, TEXT, "x/terms.txt").text.count("\n") == 4
    ended = "This line of the terms is about as long as the others and it ends here.\nAnother begins."
    short = "The first of two lines that were never one\nand the second"
    text = read(f"Terms\n=====\n\n{alone}\n\nEnd\n---\n\n{WRAPPED}\n\n{ended}\n\n{short}", TEXT, "x/terms.txt").text
    assert alone.replace("\n", " ") in text
    assert f"{ended}\n\n{short}" in text
    uneven = "\n\n".join([*PAIRS, f"{'word ' * 24}\n{'word ' * 9}".replace(" \n", "\n").strip()])
    assert read(uneven, TEXT, "x/terms.txt").text == uneven


@pytest.mark.parametrize("head", ["", "Note: 23\nObsoletes: 11\n\n", "Note: 7\nin force\n\n"])
def test_a_paragraph_of_two_lines_is_whole_if_its_sentence_clearly_goes_on(head: str) -> None:
    for pair in PAIRS:
        assert read(head + pair, TEXT, "x/terms.txt").text == head + pair.replace("\n", " ")
    divided = "The gateway sends the new key wrapped in the old one, and both are\nvalid (see TN 27)."
    assert read(head + divided, TEXT, "x/terms.txt").text.endswith("both are valid (see TN 27).")


@pytest.mark.parametrize(
    "text",
    [
        "A short line of a verse that goes on\nand ends below it",
        "result = compute_the_tide_table(first_argument, second_argument)\nprint(result)",
        "first_result = compute_the_tide_table_of_the_harbour and the rest\nsecond_result = 2",
        "The harbour office is closed on the days that are listed here:\nmonday",
        "Ada Lovelace, head of the analytical department and of all its engines,\nGrace Hopper",
    ],
)
def test_two_lines_alone_stay_where_no_sentence_clearly_goes_on(text: str) -> None:
    assert read(text, TEXT, "x/notes.txt").text == text


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("The office of the harbour is open on weekdays from nine to five in the afternoon", "Saturday and Sunday closed", False),
        ("Ada Lovelace, head of the analytical department and of all its engines, here and abroad", "Grace Hopper, compilers", False),
        ("Refund request of customer 1881 about the lamp which was delivered without its bulb", "Answered by Noor", False),
        ("The lamp that was delivered without its bulb was sent back to the workshop by the", "Harbour Office in May", True),
        ("Der Mitgliedsbeitrag ist nach den Regeln dieser Satzung im ersten Monat fällig für die", "Mitglieder im Ort", True),
        ("The lamp that was delivered without its bulb was sent back to the workshop in May,", "Noor being away", True),
        ("The lamp that was delivered without its bulb was sent back to the workshop again", "(or nearly so) in May", True),
    ],
)  # fmt: skip
def test_two_lines_are_one_only_where_a_sentence_goes_on(first: str, second: str, is_one: bool) -> None:
    paragraph = textwrap.fill(WRAPPED.replace("\n", " "), 84)
    text = read(f"{paragraph}\n\n{first}\n{second}", TEXT, "x/notes.txt").text
    assert text.endswith(f"{first}{' ' if is_one else chr(10)}{second}")


def test_wide_paragraphs_are_whole() -> None:
    text = textwrap.fill(WRAPPED.replace("\n", " ") * 3, 150)
    assert "\n" not in read(text, TEXT, "x/notes.txt").text


@pytest.mark.parametrize(
    ("uri", "prose"),
    [
        ("https://host.example/notes.txt?raw=1#top", True),
        ("https://host.example", True),
        ("https://host.example/a.log?as=b.txt", False),
    ],
)
def test_what_is_prose_is_known_by_the_file_that_a_uri_names(uri: str, prose: bool) -> None:
    assert read(WRAPPED, TEXT, uri).text == (WRAPPED.replace("\n", " ") if prose else WRAPPED)


BROKEN = """The harbour office of the town has taken to it, for it is a self-
hosted platform that needs no more than the two old computers which
stand in the cellar, and which no one else has wanted for years now."""


def test_a_word_that_was_broken_after_its_hyphen_is_whole() -> None:
    text = read(BROKEN, TEXT, "x/notes.txt").text
    assert "a self-hosted platform" in text
    assert "\n" not in text


@pytest.mark.parametrize(
    "text",
    [
        "Roses are red and this is the longest line of this little poem,\nviolets are blue\nand so are\nthe sea and the sky over it",
        "\n".join(f"2024-05-0{n} 10:00:00 INFO worker {n} took many documents from its queue and wrote them" for n in range(1, 6)),
        "\n".join(f"INFO worker {n} took many documents from its queue and wrote them to the graph" for n in range(1, 6)),
        "\n".join(f"{n}. The item of a list that is long enough to look like a line of a paragraph {n}" for n in range(1, 5)),
        "\n".join("\u9019\u662f\u4e00\u500b\u5f88\u9577\u7684\u53e5\u5b50" * 8 + "\uff0c\u9084\u6709" for _ in range(4)),
        "\n".join("name of a column here   another column that is long   and a third one" for _ in range(4)),
    ],
)  # fmt: skip
def test_lines_of_poems_logs_lists_and_columns_stay(text: str) -> None:
    assert read(text, TEXT, "x/notes.txt").text == text


def test_lines_of_code_stay() -> None:
    assert read(WRAPPED, TEXT, "x/notes.py").text == WRAPPED


def test_lines_take_little_memory_however_many_there_are() -> None:
    text = "a" + "\n" * 200_000 + "b"
    tracemalloc.start()
    try:
        assert unwrapped(text) == text
        assert tracemalloc.get_traced_memory()[1] < 32 * len(text)
    finally:
        tracemalloc.stop()


def _paginated(*pages: str, footer: str = "Loew                Standards Track           [Page {}]") -> str:
    head = "TN 27          Key Rotation          January 2023\n\n"
    texts = [f"{head if n > 1 else ''}{page}\n\n{footer.format(n)}\n" for n, page in enumerate(pages, start=1)]
    return "\f".join(texts)


@pytest.mark.parametrize("pages", [2, 3, 5])
def test_page_numbers_and_running_heads_of_pages_are_no_text(pages: int) -> None:
    words = ("Both keys hold.", "Nodes join again.", "A beacon is sent.", "Radio is lossy.", "Frames end.")[:pages]
    texts = [f"{each[:4]}\n\n\n   {each}\n\n{each[-4:]}" for each in words]
    assert read(_paginated(*texts), TEXT, "x/tn27.txt").text == "\n\n".join(texts)
    numbered = _paginated(*texts, footer="- {} -").replace("TN 27          Key", "TN 27 Key")
    assert ("- 2 -" in read(numbered, TEXT, "x/tn27.txt").text) == (pages < 3)


def test_a_paragraph_goes_on_across_a_page_break() -> None:
    first, second = WRAPPED.split("\n", 1)
    assert read(_paginated(first, second), TEXT, "x/tn27.txt").text == WRAPPED.replace("\n", " ")
    assert read(f"{first}\f{second}", TEXT, "x/tn27.txt").text == WRAPPED.replace("\n", " ")
    assert read("One ends.\fTwo begins\n", TEXT, "x/tn27.txt").text == "One ends.\n\nTwo begins"


def test_lines_at_the_edges_of_pages_that_do_not_recur_stay() -> None:
    text = "See [Page 2] again\n\fTotal 5\n\fRest   of   them 6"
    assert read(text, TEXT, "x/a.txt").text == text.replace("\n\f", "\n\n")
    assert read("a() {\n}\n\fb() {\n}\n\fc() {\n}\n", TEXT, "x/a.c").text.count("}") == 3


def test_underlined_headings_begin_sections() -> None:
    text = "Triggers\n========\n\nIntroduction\n------------\n\nA trigger acts.\n\nEnd\n---\n\nName Kind\n---------\n x\n\nA   b\n-----\n\nA long line of words\n---\n"
    parsed = read(text, TEXT, uri="folder/t.txt")
    assert (parsed.title, [each.heading for each in parsed.sections]) == (
        "Triggers",
        ["Introduction", "End", "Name Kind"],
    )
    assert parsed.text == "A trigger acts.\n\n x\n\nA   b\n-----\n\nA long line of words\n---"
    assert read(text, TEXT, uri="folder/t.log").text == text.strip()
    assert read("Dear Ann\n--------\n", TEXT, uri="t.txt").text == "Dear Ann\n--------"


def test_manual_pages_have_sections_and_whole_words() -> None:
    names = "NAME\n       tar - archives files\n\nSYNOPSIS\n       tar [FILE]\n\n"
    lines = "       This page is a short description of GNU tar. For a de\u2010\n       tailed  discus\u2010\n       sion  of it,  refer  to  the  GNU\n       Tar Manual, VER\u2010\n       SION 1, a self\u2010\n       hosted one. A version to discuss in a detailed discussion\u00ad\n       group.\n"
    parsed = read(f"TAR(1)\n\n{names}NOTE\n{lines}\nUSA\n", TEXT, uri="tar.txt")
    assert [each.heading for each in parsed.sections] == ["", "NAME", "SYNOPSIS", "NOTE"]
    assert "For a detailed" in parsed.text
    words = parsed.text.split()
    assert [each in words for each in ("discussion", "VERSION", "self\u2010hosted", "discussiongroup.")] == [True] * 4
    assert len(read("NAME\n    x\n\nUSAGE\n    y\n\nNOTES\n    z\n", TEXT, uri="t.txt").sections) == 3
    assert len(read(f"{names}More.\n", TEXT, uri="t.txt").sections) == 1


def test_the_fields_of_a_mail_in_a_text_stay_lines() -> None:
    head = "From: Dan Ferrar <dan.ferrar at example.org>\nSubject: [harbour-lis] Re: Lower pintle sheared off\nDate: Mon, 10 Jul 2023 12:15:00 +0000"
    assert unwrapped(head) == head
    assert "\n" not in unwrapped(head.replace(":", ","))


@pytest.mark.parametrize(
    "line",
    [
        "[00:12] Thanks, Maria",
        "10:30 Paris, France: arrival",
        "Rome, Italy \u2014 10:30",
        "10:30 Error, Connection: refused",
    ],
)
def test_words_after_a_time_stay_in_their_order(line: str) -> None:
    for kind in ("text/plain", "text/markdown"):
        assert line in read(line, kind).text

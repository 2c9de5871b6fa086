"""Mails: the text, and who wrote whom when; attachments are left out."""

from email.message import EmailMessage

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing.media import media_type_of

MAIL = media_type_of("a.eml")


def mail(text: str = "") -> EmailMessage:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = (
        "Größe of the harbour",
        "Anna Berg <a@x.example>",
        "b@x.example",
    )
    message["Date"] = "Tue, 03 Mar 2026 10:00:00 +0100"
    if text:
        message.set_content(text, cte="base64")
    return message


def test_text_subject_and_people_of_a_mail_are_read_and_attachments_are_not() -> None:
    message = mail("Dear Carl,\nwe meet at the Größe harbour.\n")
    message.add_alternative("<p>HTML</p>", subtype="html")
    message.add_attachment(b"\x89PNG" * 500, maintype="image", subtype="png", filename="p.png")
    parsed = read(message.as_bytes(), MAIL)
    assert (parsed.title, parsed.text) == ("Größe of the harbour", "Dear Carl,\nwe meet at the Größe harbour.")
    assert parsed.metadata == {
        "from": "Anna Berg <a@x.example>", "to": "b@x.example",
        "date": "2026-03-03T10:00:00+01:00", "created_at": "2026-03-03T10:00:00+01:00",
        "modified_at": "2026-03-03T10:00:00+01:00",
    }  # fmt: skip


def test_a_field_that_takes_time_to_decode_is_left_out() -> None:
    parsed = read("Subject: " + "=?utf-8?q?a?= " * 100_000 + "\nFrom: a@x.example\n\ntext", MAIL)
    assert (parsed.title, parsed.text, parsed.metadata) == ("file.x", "text", {"from": "a@x.example"})


def test_a_page_that_a_browser_saved_is_read_as_html() -> None:
    message = mail()
    message.set_content("<h1>Harbour</h1><h2>Depth</h2><p>Ten <b>metres</b></p><script>1</script>", subtype="html")
    message.make_related()
    message.add_related(b"x" * 99, maintype="image", subtype="gif")
    parsed = read(message.as_bytes(), media_type_of("page.mhtml"))
    assert (parsed.text, [section.heading for section in parsed.sections]) == ("Ten metres", ["Harbour", "Depth"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (mail().as_bytes(), "empty"),
        (b"Subject: x\nContent-Type: text/plain; charset=none-such\n\n" + bytes(range(128, 256)), "encoding"),
        (
            b"Content-Type: multipart/mixed; boundary=a\n\n"
            + b"--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 5_000,
            "empty",
        ),
    ],
    ids=["no text", "unknown encoding", "deep"],
)
def test_what_cannot_be_read_is_refused(content: bytes, reason: str) -> None:
    assert refusal(content, MAIL).reason == reason


def test_an_empty_plain_text_gives_way_to_the_page_and_a_wrong_declaration_to_the_bytes() -> None:
    parts = "--x\r\nContent-Type: text/plain\r\n\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>The <b>tide</b> rises.</p>\r\n--x--\r\n"
    mail = f"Subject: Tide\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n{parts}"
    assert read(mail, MAIL).text == "The tide rises."
    head = "Subject: Tide\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=GB2312\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    assert read(f"{head}潮汐每天上涨两次。\r\n", MAIL).text == "潮汐每天上涨两次。"
    assert read(head.encode() + "潮汐每天上涨两次。".encode("gb2312"), MAIL).text == "潮汐每天上涨两次。"


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [
        ("iso-8859-1", "cp1252", "We\u2019re paying \u20ac 500"),
        ("us-ascii", "cp1252", "We\u2019re paying \u20ac 500"),
        ("us-ascii", "utf-8", "We\u2019re paying \u20ac 500"),
        ("iso-8859-1", "utf-8", "We\u2019re paying \u20ac 500"),
        ("Shift_JIS", "cp932", "\u2460 \u9ad9\u6a4b"),
        ("gb2312", "gbk", "\u6731\u9555\u57fa"),
        ("euc-kr", "cp949", "\ub620\ubc29\uac01\ud558"),
        ("ks_c_5601-1987", "cp949", "\ub620\ubc29\uac01\ud558"),
        ("utf-16", "utf-16", "Ten metres"),
        ("iso-2022-jp", "iso2022_jp", "\u6f6e"),
    ],
)
def test_signs_beyond_the_declared_character_set_are_read(charset: str, encoding: str, text: str) -> None:
    message = mail()
    message.set_content(text.encode(encoding), "text", "plain", params={"charset": charset}, cte="quoted-printable")
    del message["Content-Disposition"]
    assert read(message.as_bytes(), MAIL).text == text


def test_a_page_is_read_where_the_plain_text_only_says_where_to_read_it() -> None:
    def letter(text: str, page: str) -> str:
        message = mail()
        message.set_content(text)
        message.add_alternative(page, subtype="html")
        return read(message.as_bytes(), MAIL).text

    stub, page = "If you cannot read this mail, open it in your browser.", "Lime is not laid below five degrees. " * 8
    assert letter(stub, f"<p>{page}</p>") == page.strip()
    assert letter(stub, "<p>Lime is not laid below five degrees.</p>") == stub
    assert letter(stub, "<img src='a.png'>") == stub
    assert letter(f"{stub} " * 4, f"<p>{page * 9}</p>") == f"{stub} " * 3 + stub


def test_all_texts_of_a_mail_and_the_mail_that_one_forwards_are_read() -> None:
    head = "Subject: Tide\nMIME-Version: 1.0\n"
    parts = [
        "Content-Type: text/plain; format=flowed\n\nThe tide turns \ntwice a day.\n\n> Does \n> it?\n-- \nAda\n",
        "Content-Type: text/plain; name=a.txt\nContent-Disposition: attachment; filename=a.txt\n\nattached\n",
        "Content-Type: text/plain\n\nThe list.\n",
    ]
    mixed = f"{head}Content-Type: multipart/mixed; boundary=x\n\n--x\n" + "--x\n".join(parts) + "--x--\n"
    assert read(mixed, MAIL).text == "The tide turns twice a day.\n\n> Does \n> it?\n-- \nAda\n\nThe list."
    inner = "Content-Type: message/rfc822\n\nFrom: b@x.example\nSubject: Ebb\n\nLow water.\n"
    assert (read(head + inner, MAIL).title, read(head + inner, MAIL).text) == ("Tide", "Low water.")
    assert read(f"{head}Content-Type: multipart/mixed; boundary=x\n\n--x\n{inner}--x--\n", MAIL).text == "Low water."


def mixed(*parts: str) -> str:
    head = "Subject: Tide\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
    return head + "".join(f"--x\n{part}" for part in parts) + "--x--\n"


def test_the_footer_of_a_list_neither_hides_a_page_nor_refuses_a_mail_whose_character_set_is_unknown() -> None:
    footer = "Content-Type: text/plain; charset=unknown-8bit\nContent-Transfer-Encoding: 8bit\n\nThe Größe list.\n"
    assert read(mixed("\nWords.\n", footer), MAIL).text == "Words.\n\nThe Größe list."
    parsed = read(mixed("Content-Type: text/html\n\n<h2>Ebb</h2><p>Low <b>water</b>.</p>\n", footer), MAIL)
    assert parsed.text == "Low water.\n\nThe Größe list."
    assert [parsed.text[each.start : each.end] for each in parsed.sections] == ["Low water.", "The Größe list."]


def test_all_forwarded_messages_are_read_below_the_note() -> None:
    forwarded = [f"Content-Type: message/rfc822\n\nSubject: {each}\n\n{each} water.\n" for each in ("Low", "High")]
    page = "Content-Type: message/rfc822\n\nContent-Type: text/html\n\n<p>No <b>water</b>.</p>\n"
    assert read(mixed("\nSee below.\n", *forwarded, page), MAIL).text.split() == [
        "See", "below.", "Low", "water.", "High", "water.", "No", "water.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ("format=Flowed", "The tide  turns.\nFrom here on."),
        ("format=flowed; delsp=YES", "The tide turns.\nFrom here on."),
        ("format=fixed", "The tide  \nturns.\n From here on."),
    ],
)
def test_lines_of_any_part_that_go_on_are_one(parameters: str, text: str) -> None:
    part = f"Content-Type: text/plain; {parameters}\n\nThe tide  \nturns.\n From here on.\n"
    assert read(mixed(part), MAIL).text == text
    assert read(mixed("\nAt sea.\n", part), MAIL).text.endswith(text)


def test_what_a_mail_says_as_text_and_as_a_page_is_read_once() -> None:
    text = "\nThe tide turns twice a day, see https://x.example/tides.\n"
    page = "Content-Type: text/html\n\n<p>The tide turns twice a day, see <a href='https://x.example/tides'>this</a>.</p>\n"
    other = "Content-Type: text/html\n\n<p>The ebb is low.</p>\n"
    assert read(mixed(text, page), MAIL).text == text.strip()
    assert read(mixed(page, text), MAIL).text == "The tide turns twice a day, see this."
    assert read(mixed(text, page, other, text), MAIL).text == f"{text.strip()}\n\nThe ebb is low.\n\n{text.strip()}"
    picture = "Content-Type: text/html\n\n<img src='a.png'>\n"
    assert read(mixed(text, picture), MAIL).text == text.strip() == read(mixed(picture, text), MAIL).text


def test_a_mail_whose_parts_are_not_marked_as_it_says_is_read_as_it_is() -> None:
    assert read("Subject: Ebb\nContent-Type: multipart/report; bo\n\nLow water.\n", MAIL).text == "Low water."
    assert refusal("Subject: Ebb\nContent-Type: multipart/mixed; boundary=x\n\n\n", MAIL).reason == "empty"


@pytest.mark.parametrize("kind", ["multipart/mixed", "multipart/mixed; boundary=wrong"])
def test_the_parts_of_a_mail_that_does_not_say_where_they_begin_are_found(kind: str) -> None:
    part = "Content-Type: multipart/alternative; boundary=y\n\n--y\nContent-Type: text/plain\n\nLow water.\n--y--\n"
    picture = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"
    head = f"Subject: Ebb\nMIME-Version: 1.0\nContent-Type: {kind}\n\n"
    assert read(f"{head}--x\n{part}--x\n{picture}--x--\n", MAIL).text == "Low water."
    assert refusal(f"{head}--x\n{picture}--x--\n", MAIL).reason == refusal(head + picture, MAIL).reason == "empty"
    assert read(f"{head}Ebb\n-----\nLow water.\n", MAIL).text.split() == ["Ebb", "-----", "Low", "water."]


def test_no_text_of_a_mail_is_lost_that_another_kind_of_text_does_not_hold() -> None:
    page, link = "Content-Type: text/html\n\n<p>{}</p>\n", "\nhttps://x.example/tides\n"
    assert read(mixed(link, page.format("https://x.example/ebbs")), MAIL).text.endswith("/ebbs")
    assert read(mixed(link, page.format("Approved.")), MAIL).text.endswith("Approved.")
    text = "\nThe tide at https://x.example turns {} times a day as it rises and it falls.\n"
    for other in (
        "The tide turns 3 times a day as it rises and it falls.",
        "The tide never turns 2 times a day as it now rises.",
    ):
        assert read(mixed(text.format(2), page.format(other)), MAIL).text.endswith(other)
    assert read(
        mixed(text.format(2), page.format("The tide turns here 2 times a day as it rises.")), MAIL
    ).text.endswith("it falls.")

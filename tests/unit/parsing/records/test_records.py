"""Files of records: one source a record, and errors that name the line."""

import tracemalloc
from pathlib import Path

import orjson
import pytest
from tests.support.parsing import read
from tests.support.sources import LIMITS, faults, find, uris, write

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.parsing.media import JSON, MAIL
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources


def test_a_file_that_grows_while_its_records_are_read_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", b'{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}\n')
    sources = find_sources([path], limits=LIMITS)
    next(sources)
    with path.open("ab") as file:
        file.write(b" \n")
    assert faults(list(sources)) == [("c.jsonl", "changed")]


def test_json_lines_give_a_source_a_line_and_an_error_a_bad_line(tmp_path: Path) -> None:
    lines = [b'\xef\xbb\xbf{"_id": "x", "text": "a"}', b"", b'{"text": "b"}', b"{oops", b"[1]", b'{"_id": "x", "text": "c"}',
             b'{"id": [1], "text": "d"}', b'{"id": "long", "text": "' + b"x" * 500 + b'"}', b'{"id": 9, "text": "\xff"}',
             b'{"id": 10, "text": "e"}', b'{"id": true, "text": "f"}']  # fmt: skip
    found = find(write(tmp_path / "c.jsonl", b"\r\n".join(lines)), limits=ParseLimits(max_bytes=300))
    assert uris(found) == ["c.jsonl#x", "c.jsonl#3", "c.jsonl#10"]
    assert faults(found) == [
        ("c.jsonl#4", "broken"), ("c.jsonl#5", "broken"), ("c.jsonl#6", "duplicate"), ("c.jsonl#7", "broken"),
        ("c.jsonl#8", "too-large"), ("c.jsonl#9", "broken"), ("c.jsonl#11", "broken"),
    ]  # fmt: skip
    errors = [item for item in found if isinstance(item, ParseError)]
    assert all(f"line {item.uri.partition('#')[2]}" in item.message for item in errors)
    assert {item.file for item in errors} == {"c.jsonl"}


def test_json_arrays_are_split_and_objects_are_not(tmp_path: Path) -> None:
    write(tmp_path / "d" / "many.json", b'[{"id": "a", "text": "1"}, {"text": "2"}, 3]')
    write(tmp_path / "d" / "one.json", b'{"id": "a", "text": "1"}')
    found = find(tmp_path / "d")
    assert uris(found) == ["d/many.json#a", "d/many.json#2", "d/one.json"]
    assert faults(found) == [("d/many.json#3", "broken")]
    assert "many.json, record 3: a number instead of an object" in str(found[2])


def test_csv_rows_become_records(tmp_path: Path) -> None:
    content = 'id;title;text\n1;One;"a;\nb"\n;Two;c\n3;x;y;z\n1;again;d\n'
    found = find(write(tmp_path / "t.csv", content))
    assert uris(found) == ["t.csv#1", "t.csv#4", "t.csv#3"]
    assert faults(found) == [("t.csv#6", "duplicate")]
    assert isinstance(found[2], Source)
    assert orjson.loads(found[2].content) == {"id": "3", "title": "x", "text": "y", "further fields": "z"}
    assert isinstance(found[0], Source)
    assert orjson.loads(found[0].content) == {"id": "1", "title": "One", "text": "a;\nb"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b" \n,\n", "empty"),
        (b'a,"b\n1,open\n', "broken"),
        (b"a,b\n1," + bytes(range(128, 256)) + b"\n", "encoding"),
        ("a,b\n1,2\n".encode("utf-16")[:-1], "encoding"),
        (b"a\n" + b"x" * 999, "too-large"),
    ],
)
def test_bad_csv_names_the_line(tmp_path: Path, content: bytes, reason: str) -> None:
    found = find(write(tmp_path / "t.csv", content), limits=ParseLimits(max_bytes=300))
    assert [item[1] for item in faults(found)] == [reason]
    assert "line" in str(found[-1])


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("utf-16", "Tromsø; Bodø"),
        ("utf-16-le", "Tromsø; Bodø"),
        ("utf-8-sig", "Tromsø; Bodø"),
        ("cp1252", "Tromsø; Bodø; Ålesund; Røros; die Straße nach Köln"),
        ("cp932", "東京は日本の首都であり、世界でも有数の大都市です。"),
    ],
)
def test_tables_in_other_encodings(tmp_path: Path, encoding: str, words: str) -> None:
    rows = "".join(f"plain,{number}\n" for number in range(20_000))  # what is not ASCII comes late
    for before in ("", rows):
        content = f"text,n\n{before}{words},2\n" + f"{words},3\n" * 30
        (*_, last) = find(write(tmp_path / "t.csv", content.encode(encoding)))
        assert isinstance(last, Source)
        assert orjson.loads(last.content) == {"text": words, "n": "3"}


@pytest.mark.parametrize(
    ("content", "record"),
    [
        ("\n\na,b\n1,2\n", {"a": "1", "b": "2"}),
        (",,\nStudents by state,,\n,,\na,b,c\n1,2,3\n", {"a": "1", "b": "2", "c": "3", "table": "Students by state"}),
        (",b,b,c\nx,1,2,3\n, ,,\n", {"column 1": "x", "b": "1", "b (column 3)": "2", "c": "3"}),
        ('"a\tb\n",c\n"1, 2",3\n', {"a b": "1, 2", "c": "3"}),
        ("a|b, c|d\n1|x|2\n", {"a": "1", "b, c": "x", "d": "2"}),
        ("sep=;\r\na;b, c\r\n1;2\r\n", {"a": "1", "b, c": "2"}),
        ("text\nHello, world\n", {"text": "Hello", "further fields": " world"}),
    ],
)
def test_tables_as_programs_export_them(tmp_path: Path, content: str, record: dict[str, str]) -> None:
    (found,) = find(write(tmp_path / "t.csv", content))
    assert isinstance(found, Source)
    assert orjson.loads(found.content) == record


def records(found: list[Source | ParseError]) -> list[dict[str, str]]:
    return [orjson.loads(each.content) for each in found if isinstance(each, Source)]


@pytest.mark.parametrize(
    ("damaged", "record"),
    [
        ('2,"open', {"a": "2", "b": "open", "damaged": "quotation marks"}),
        ('2,"the "Ada" sails', {"a": "2", "b": 'the Ada" sails', "damaged": "quotation marks"}),
        ('2,"the \\"Ada\\" sails"', {"a": "2", "b": 'the "Ada" sails'}),
    ],
)
def test_a_row_with_wrong_quotation_marks_is_read_and_so_are_those_below(
    tmp_path: Path, damaged: str, record: dict[str, str]
) -> None:
    rest = "".join(f"{number},fine\n" for number in range(3, 50))
    found = records(find(write(tmp_path / "t.csv", f"a,b\n1,fine\n{damaged}\n{rest}")))
    assert (found[1], len(found), found[-1]) == (record, 49, {"a": "49", "b": "fine"})
    assert records(find(write(tmp_path / "last.csv", f"a,b\n1,fine\n{damaged}\n\n")))[1] == record


def test_a_damaged_row_that_does_not_fit_is_named_and_those_below_are_read(tmp_path: Path) -> None:
    found = find(
        write(tmp_path / "t.csv", 'a,b\n1,fine\n2,"the "Ada"\nsails"\nfor ever\n3,fine\n4,"x\ny"\n5,"o"p,e"n\n')
    )
    assert uris(found) == ["t.csv#2", "t.csv#6", "t.csv#8"]
    assert records(found)[-1] == {"a": "4", "b": "x\ny"}
    errors = [each.message for each in found if isinstance(each, ParseError)]
    assert ["line 3: not valid CSV" in errors[0], "line 9: " in errors[1]] == [True, True]
    assert [each.partition("Correct it. ")[2] for each in errors] == [
        "Lines 3 to 5 were not read.",
        "The row was not read.",
    ]


@pytest.mark.parametrize(
    ("damaged", "below"),
    [
        ('1,"x"y\n5,6\n7,8', [{"a": "5", "b": "6"}, {"a": "7", "b": "8"}]),
        ('1,"x"y\n2,"two\nlines",q', [{"a": "2", "b": "two\nlines", "c": "q"}]),
        ('1,"x "y" z\n5,6"', []),
        ('1,"x"y,3\n2,"two\nlines",q', [
            {"a": "1", "b": "xy", "c": "3", "damaged": "quotation marks"}, {"a": "2", "b": "two\nlines", "c": "q"},
        ]),
        ('1,"x"y,3\n2,"p"q,r', [
            {"a": "1", "b": "xy", "c": "3", "damaged": "quotation marks"},
            {"a": "2", "b": "pq", "c": "r", "damaged": "quotation marks"},
        ]),
    ],
)  # fmt: skip
def test_rows_below_a_damaged_one_are_read_and_none_is_made_up(
    tmp_path: Path, damaged: str, below: list[dict[str, str]]
) -> None:
    found = find(write(tmp_path / "t.csv", f"a,b,c\n{damaged}\n9,10,11\n"))
    assert records(found) == [*below, {"a": "9", "b": "10", "c": "11"}]


def test_a_column_that_is_named_as_the_mark_of_damage_keeps_its_cells(tmp_path: Path) -> None:
    found = records(find(write(tmp_path / "t.csv", 'a,damaged\n"x"y,no\n"x"y,\n')))
    assert found == [{"a": "xy", "damaged": "no"}, {"a": "xy", "damaged": "quotation marks"}]


@pytest.mark.timeout(30)
def test_the_work_for_damaged_rows_is_bounded_and_what_was_not_read_is_named(tmp_path: Path) -> None:
    found = find(write(tmp_path / "t.csv", "h,i,j\n" + 'a",x,"c\n' * 60_000))
    assert isinstance(found[-1], ParseError)
    assert "to 60001 were not read" in found[-1].message


def test_json_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    record = '{"title": "Größe"}'
    for name, content in (
        ("marked.json", f"\ufeff[{record}]".encode()),
        ("wide.json", f"[{record}]".encode("utf-16")),
        ("marked.jsonl", f"\ufeff{record}\n".encode()),
    ):
        (found,) = find(write(tmp_path / name, content))
        assert isinstance(found, Source)
        assert orjson.loads(found.content) == {"title": "Größe"}
    assert read(f"\ufeff{record}", JSON).title == "Größe"
    (error,) = find(write(tmp_path / "wide.jsonl", f"{record}\n{record}\n".encode("utf-16")))
    assert isinstance(error, ParseError)
    assert error.reason == "encoding"


def test_json_lines_that_are_called_json(tmp_path: Path) -> None:
    assert uris(find(write(tmp_path / "c.json", b'{"text": "a"}\n{"id": "x", "text": "b"}\n'))) == [
        "c.json#1",
        "c.json#x",
    ]


def test_a_large_file_of_records_is_never_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    line = b'{"text": "' + b"word " * 20_000 + b'"}\n'
    with path.open("wb") as file:
        for _ in range(500):
            file.write(line)
    count, peak = read_through(path)
    assert count == 500
    assert peak < path.stat().st_size / 20


def read_through(path: Path) -> tuple[int, int]:
    """Return the number of sources in a file, and the bytes that reading it takes at most."""
    tracemalloc.start()
    try:
        count = sum(isinstance(item, Source) for item in find_sources([path], limits=LIMITS))
        return count, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "content",
    [
        "5.1,3.5,1.4,0.2,setosa\n4.9,3.0,1.4,0.2,setosa\n4.7,3.2,1.3,0.2,setosa\n7.0,3.2,4.7,1.4,versicolor\n",
        "Ada,34,Paris\nBob,27,Berlin\nEve,41,Rome\nDan,19,Oslo\n",
        "ada@example.org;Ada\nbob@example.org;Bob\neve@example.org;Eve\ndan@example.org;Dan\n",
        "2024-01-02,rain\n2024-01-03,sun\n2024-01-04,rain\n2024-01-05,fog\n",
        "2024-01-02,2\n2024-01-03,3",
        "Paris,France\nLyon,France\nParis,Texas\nNice,France\nParis,Kentucky\n",
        "Ada,34,17\nAda,27,12\nEve,41,9\nAda,19,3\n",
    ],
)
def test_a_first_row_that_is_clearly_data_names_no_columns(tmp_path: Path, content: str) -> None:
    found = find(write(tmp_path / "t.csv", content))
    assert uris(found) == [f"t.csv#{line}" for line, _ in enumerate(content.splitlines(), start=1)]
    assert isinstance(found[0], Source)
    cells = content.split("\n", 1)[0].replace(";", ",").split(",")
    assert orjson.loads(found[0].content) == {f"column {number}": cell for number, cell in enumerate(cells, start=1)}


@pytest.mark.parametrize(
    "header",
    [
        "country,2020,2021", "country,1,2", ",0,1", "country,10,20", "country,1007,1003", "country,31/1/20,29/2/20", "name,home,2.5", "FR,a,b",
        "France,1.5,2.5", "a,2,1\nItaly,3.5,1.5\na,2,1",
    ],
)  # fmt: skip
def test_a_first_row_that_may_name_columns_does(tmp_path: Path, header: str) -> None:
    found = find(write(tmp_path / "t.csv", header + "\nFrance,1.5,2.5\nSpain,2.5,1.5\nItaly,3.5,1.5\nMalta,1.5,2\n"))
    assert isinstance(found[-1], Source)
    assert orjson.loads(found[-1].content) == dict(
        zip(
            [name or "column 1" for name in header.split("\n", maxsplit=1)[0].split(",")],
            ["Malta", "1.5", "2"],
            strict=True,
        )
    )


@pytest.mark.parametrize(
    "content",
    [
        "strain,100,50,25,0\na,1,2,3,4\nb,2,3,4,5\nc,3,4,5,6\n",
        "90,50,10\n3,1,7\n4,1,2\n5,2,3\n",
        "Group,1,2,3,1,2,3\na,5,6,7,8,9,10\nb,6,6,7,8,9,1\nc,7,6,7,8,9,2\n",
        "Store,101,205,117\na,5,6,7\nb,6,6,7\nc,7,6,7\n",
        "English,German\nEnglish,Englisch\nFrench,Franz\nEnglish,x\n",
        "Team,Position\nReds,Position\nBlues,Position\nX,Y\n",
        "Team ,W,L\nReds,1,2\nTeam,W,L\nBlues,2,3\nTeam,W,L\nX,3,4\n",
        "Employee,2024-05-01,2024-05-02\nAnn,08:00,09:15\nBen,08:30,09:00\nCho,08:30,09:00\n",
        "Stop,08:00,09:00\nNorth,08:05,09:05\n",
    ],
)
def test_names_of_columns_that_look_like_values_stay_names(tmp_path: Path, content: str) -> None:
    found = find(write(tmp_path / "t.csv", content))
    assert isinstance(found[0], Source)
    assert list(orjson.loads(found[0].content))[:2] == [
        name.strip() for name in content.split("\n", maxsplit=1)[0].split(",")[:2]
    ]


_MAILBOX = b"""From ada@example.org Thu Jan  1 12:00:00 2026
From: Ada <ada@example.org>
Message-ID:
 <1@example.org>
Subject: The boiler

It leaks.

>From the valve, I think. >>From is kept.

From the cellar it drips, and no one who lives there has been able to say
for how long it has done so, because the boiler stands behind the cupboard
that the former owner left, which is heavy.

From MAILER-DAEMON Thu Jan  1 13:05 2026
Subject: No id

The valve is new.

From ben@example.org Fri Jan  2 09:00:00 +0000 2026\r
Message-Id: <2@example.org>\r
\r
Message-ID: <3@example.org> was the first.\r
\r
From ben@example.org Fri Jan  2 09:00:00 2026
Message-Id: <2@example.org>

A copy.
"""


def test_a_mailbox_gives_a_document_a_mail_by_its_message_id(tmp_path: Path) -> None:
    found = find(write(tmp_path / "list.mbox", _MAILBOX), limits=LIMITS)
    assert uris(found) == [f"list.mbox#{each}" for each in ("1@example.org", "2", "2@example.org", "4")]
    mails = [each for each in found if isinstance(each, Source)]
    assert [each.media_type for each in mails] == [MAIL] * 4
    first = read(mails[0].content, MAIL, mails[0].uri)
    assert first.title == "The boiler"
    assert "From the valve, I think. >>From is kept." in first.text
    assert (
        "has been able to say for how long it has done so, because the boiler stands behind the cupboard that"
        in first.text
    )


@pytest.mark.parametrize("name", ["2026-January.txt", "Inbox"])
def test_a_mailbox_is_known_by_how_it_begins(tmp_path: Path, name: str) -> None:
    assert len(find(write(tmp_path / name, _MAILBOX), limits=LIMITS)) == 4
    for text in (b"From me at 12:30 in 2026\nto you: hello.", b"From here on\nSubject: x\n"):
        assert uris(find(write(tmp_path / name, text), limits=LIMITS)) == [name]


def test_a_mail_that_is_too_large_is_named_and_those_around_it_are_read(tmp_path: Path) -> None:
    large = b"From a@b.example Thu Jan  1 12:00:00 2026\nSubject: x\n\n" + b"y" * 400_000 + b"\n\n"
    found = find(
        write(tmp_path / "list.mbox", _MAILBOX + b"\n" + large + _MAILBOX.replace(b"@", b"+b@")),
        limits=ParseLimits(max_bytes=100_000),
    )
    assert faults(found) == [("list.mbox#5", "too-large")]
    assert "mail 5" in next(each.message for each in found if isinstance(each, ParseError))
    assert uris(found)[4:] == ["list.mbox#1+b@example.org", "list.mbox#7", "list.mbox#2+b@example.org", "list.mbox#9"]


def test_a_mailbox_is_never_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "list.mbox"
    with path.open("wb") as file:
        for number in range(400):
            file.write(
                b"From a@b.example Thu Jan  1 12:00:00 2026\nMessage-ID: <%d@b.example>\n\n" % number
                + b"word " * 10_000
                + b"\n\n"
            )
    count, peak = read_through(path)
    assert count == 400
    assert peak < 3_000_000


def test_a_file_that_is_called_a_mailbox_and_is_none_is_refused(tmp_path: Path) -> None:
    found = find(write(tmp_path / "list.mbox", b"Subject: x\n\nFrom here on it is text.\n"), limits=LIMITS)
    assert faults(found) == [("list.mbox#1", "broken")]

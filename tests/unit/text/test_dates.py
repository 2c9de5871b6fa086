"""Dates in texts: how they are written, what is none, and how near one is to the time asked about."""

import pytest

from interlace.text.dates import CalendarDate, dates_in, names_time, nearness, outside_dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What happened on 8th December, 2023?", (2023, 12, 8)),
        ("two weeks before August 11, 2023", (2023, 8, 11)),
        ("2022-03-16 minutes", (2022, 3, 16)),
        ("Board meeting, 7:33 pm on 23 May, 2022", (2022, 5, 23)),
        ("the 1st of June", (None, 6, 1)),
        ("what was said in november 2022", (2022, 11, None)),
        ("Who joined last May?", (None, 5, None)),
        ("Who left in March?", (None, 3, None)),
        ("What changed in 2021?", (2021, None, None)),
        ("2024-02 release", (2024, 2, None)),
        ("in the first week of May", (None, 5, 1, 7)),
        ("the 2nd week in June 2024", (2024, 6, 8, 14)),
        ("What broke in late april?", (None, 4, 21, 31)),
        ("mid-March 2023", (2023, 3, 11, 20)),
        ("by the end of May", (None, 5, 21, 31)),
        ("on 12.03.2024.", (2024, 3, 12)),
        ("1.2.2024, 9:00", (2024, 2, 1)),
        ("2024/03/12 09:08", (2024, 3, 12)),
        ("25/12/2024", (2024, 12, 25)),
        ("12/25/2024", (2024, 12, 25)),
        ("am 2. September 2025", (2025, 9, 2)),
        ("le 1er août 2025", (2025, 8, 1)),
        ("3 de marzo de 2025", (2025, 3, 3)),
        ("3 maja 2025 r.", (2025, 5, 3)),
        ("due 02-Mar-2026,", (2026, 3, 2)),
        ("2-Mar-26", (2026, 3, 2)),
        ("14-DEC-98", (1998, 12, 14)),
        ("02-Mai-2026", (2026, 5, 2)),
        ("[02/Mar/2026:08:14:02 +0000]", (2026, 3, 2)),
        ("2026-Mar-02 08:14", (2026, 3, 2)),
        ("2026年3月2日に", (2026, 3, 2)),
        ("2026년 3월", (2026, 3, None)),
        ("Early July was wet", (None, 7, 1, 10)),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, expected: tuple[int | None, ...]) -> None:
    assert dates_in(text) == (CalendarDate(*expected),)


@pytest.mark.parametrize(
    "text",
    [
        "May I set a timeout?",
        "early may be too early",
        "Who may march beside the band?",
        "part 2012-345",
        "version 1.2021.4",
        "2023-13-01",
        "the marching orders of 40 May",
        "10,2023 items",
        "version 1.2.2024.1",
        "v1.2.2024",
        "10.12.2024.7",
        "192.168.20.24",
        "45.03.2024",
        "12.13.2024",
        "die Mai und der Mars",
        "31-Mar-1",
        "the 40-Mar-2026 build",
        "2-may-be",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert dates_in(text) == ()


@pytest.mark.parametrize("text", ["03/04/2024", "/2024/03/12/post", "25/12/2024/1", "/logs/12/Mar/2024/a"])
def test_no_day_is_read_where_it_is_open_or_within_a_path(text: str) -> None:
    assert all(each.day is None for each in dates_in(text))


def test_each_date_counts_once_and_no_year_is_read_out_of_a_longer_date() -> None:
    assert dates_in("between 3 May 2022 and July 10, 2022, that is from 3 May 2022 on") == (
        CalendarDate(2022, 5, 3),
        CalendarDate(2022, 7, 10),
    )


@pytest.mark.parametrize(
    ("asked", "known", "value"),
    [
        ("in May 2022", "23 May, 2022", 1.0),
        ("on 8 May 2022", "15 May 2022", 0.5),
        ("on 8 May 2022", "1 May 2022", 0.5),
        ("in May 2022", "14 June 2022", 0.25),
        ("in 2022", "1 January 2022", 1.0),
        ("in the last week of May 2022", "15 May 2022", 0.5 ** (10 / 7)),
        ("in late February 2022", "28 February 2022", 1.0),
        ("in late February 2022", "3 March 2022", 0.5 ** (3 / 7)),
        ("last December", "7 January 2023", 0.5),
        ("on 31 June 2022", "30 June 2022", 1.0),
        ("in May 2022", "a page of 2022", 0.0),
        ("in May 2022", "no date", 0.0),
        ("no date", "23 May, 2022", 0.0),
    ],
)
def test_nearness_halves_with_each_week_away(asked: str, known: str, value: float) -> None:
    assert nearness(dates_in(asked), dates_in(known)) == pytest.approx(value)


@pytest.mark.parametrize(
    ("asked", "text", "named"),
    [
        ("in summer 2025", "They close from 21 July to 3 August 2025.", True),
        ("in 2025", "It was founded in 2025.", False),
        ("on 18 March", "18 Mar | Tomasz", True),
        ("on 18 March 2024", "18 Mar | Tomasz", True),
        ("on 18 March", "on 18 March 2023", True),
        ("on 18 March 2024", "on 18 March 2023", False),
        ("in March 2024", "on 1 April 2024", False),
        ("in March", "on 18 March 2023", False),
        ("in March 2024", "Due: 2024-03-18", True),
        ("in March 2024", "Due: 18.03.2024", True),
        ("in March 2024", "Due: 18.3.2024", True),
        ("in March 2024", "Due: 3/18/2024", True),
        ("in March 2024", "Due: 2024/03/18", True),
        ("in March 2024", "Due: 18-MAR-24", True),
        ("2024年3月", "2024年3月18日", True),
        ("am 18. März 2024", "Termin: 18. März 2024", True),
        ("today", "on 18 March 2023", False),
    ],
)
def test_a_text_names_a_time_by_a_date_within_it_or_by_the_same_day(asked: str, text: str, *, named: bool) -> None:
    assert names_time(dates_in(asked), text) is named


def test_dates_are_found_wherever_they_stand_in_a_long_text() -> None:
    text = f"{'so it went on. ' * 20}".join(("On 3 May 2024 ", "the first week of June, ", "2022-03-16, ", "on 4 July"))
    assert [str(each.month) for each in dates_in(text)] == ["5", "6", "3", "7"]


def test_what_a_question_says_beside_its_dates() -> None:
    said = outside_dates("What happened on April 2, 2025 and in May 2024 at Nordal?")
    assert said.split() == ["What", "happened", "on", "and", "in", "at", "Nordal?"]

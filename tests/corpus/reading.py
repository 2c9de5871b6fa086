"""Reads the corpus with the real parsers in their sandbox and sums up each format. ``python -m tests.corpus.reading`` prints the table of the docs."""

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from more_itertools import chunked
from tests.corpus.fetch import cache_folder, fetch, packages
from tests.corpus.references import reference_words, words_in

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sandbox.sandbox import ParserProcess
from interlace.parsing.sources import find_sources

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file gave: documents, errors, seconds, and the share of the reference's words that were found, None where there is no reference."""

    kind: str
    path: Path
    documents: int
    errors: list[ParseError]
    seconds: float
    share: float | None


@dataclass(slots=True)
class Summary:
    """The readings of one format."""

    readings: list[Reading] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Mean share of words over the files with a reference; 1 if there are none."""
        return fmean(shares) if (shares := [each.share for each in self.readings if each.share is not None]) else 1.0


def read_corpus(folders: Mapping[str, Path]) -> Iterator[Reading]:
    """Yield a reading for each file of the corpus."""
    limits = ParseLimits()
    with ParserProcess(limits) as parser:
        for package in packages():
            for kind, path in package.paths(folders[package.name]):
                yield _reading(kind, path, parser, limits)


def _reading(kind: str, path: Path, parser: ParserProcess, limits: ParseLimits) -> Reading:
    start = time.monotonic()
    found: list[ParsedDocument] = []
    errors: list[ParseError] = []
    for batch in chunked(find_sources([path], limits=limits), _BATCH):
        errors += [each for each in batch if isinstance(each, ParseError)]
        for parsed in parser.parse([each for each in batch if not isinstance(each, ParseError)]):
            errors.append(parsed) if isinstance(parsed, ParseError) else found.append(parsed)
    seconds = time.monotonic() - start
    expected = reference_words(kind, path) if found else set()
    share = len(expected & _words_of(found)) / len(expected) if expected else None
    return Reading(kind, path, len(found), errors, seconds, share)


def _words_of(documents: Sequence[ParsedDocument]) -> set[str]:
    """Return the words of titles, texts, headings, tags and metadata."""
    pieces = [
        f"{each.title}\n{each.text}\n{each.tags}\n{json.dumps(each.metadata, ensure_ascii=False, default=str)}\n"
        + "\n".join(section.heading for section in each.sections)
        for each in documents
    ]
    return words_in("\n".join(pieces))


def summaries(readings: Sequence[Reading]) -> dict[str, Summary]:
    """Return a summary for each format, in the order of the formats."""
    found: dict[str, Summary] = {}
    for reading in readings:
        found.setdefault(reading.kind, Summary()).readings.append(reading)
    return dict(sorted(found.items(), key=lambda item: item[0].casefold()))


def table(readings: Sequence[Reading]) -> str:
    """Return the table of the docs: files, documents, files with a refusal, mean share of words, and seconds, by format."""
    lines = [
        "| format | files | documents | refused | share of words | seconds |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for kind, summary in summaries(readings).items():
        each = summary.readings
        documents, refused = sum(reading.documents for reading in each), sum(bool(reading.errors) for reading in each)
        seconds = sum(reading.seconds for reading in each)
        lines.append(f"| {kind} | {len(each)} | {documents} | {refused} | {summary.share:.1%} | {seconds:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Write the table, and each refusal."""
    readings = list(read_corpus(fetch(cache_folder())))
    refusals = [f"{error.reason}: {error.message}" for reading in readings for error in reading.errors]
    sys.stdout.write("\n".join([table(readings), "", *refusals, ""]))


if __name__ == "__main__":
    main()

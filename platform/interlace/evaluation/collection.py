"""A test collection in the BEIR layout: ``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``.

Instead of ``corpus.jsonl`` a folder ``corpus`` may hold the documents as files; their source URIs (``corpus/a.md``, ``corpus/b.csv#7``) are then their ids.
"""

import csv
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from interlace.domain.documents import Source
from interlace.domain.errors import InvalidInputError, ParseError
from interlace.domain.hits import MAX_QUESTION_CHARACTERS
from interlace.domain.validation import explained
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources


@dataclass(frozen=True, slots=True)
class Collection:
    """A corpus with questions and judgements.

    Args:
        name: the folder's name.
        corpus: the file of documents, or the folder that holds them.
        queries: question id to text.
        qrels: question id to relevant documents with their grades.
        answers: question id to its known answer (``answer``) and other ways to say it (``aliases``), where there is one.
    """

    name: str
    corpus: Path
    queries: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, int]]
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def tenant(self) -> str:
        """The tenant that the corpus is ingested into; it holds nothing else."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")[:40]
        return f"eval-{slug or 'corpus'}"

    @property
    def relevant(self) -> set[str]:
        """The documents that are relevant to some question."""
        return {document for grades in self.qrels.values() for document in grades}

    def texts(self, wanted: AbstractSet[str]) -> dict[str, str]:
        """Return title and text of some documents by id; those that cannot be parsed are left out."""
        if self.corpus.is_dir():
            found = find_sources([self.corpus], limits=ParseLimits())
            files = [each for each in found if isinstance(each, Source) and each.uri in wanted]
            return {each.uri: text for each in files if (text := _text_of(each))}
        records = (orjson.loads(line) for line in self.corpus.read_bytes().splitlines() if line.strip())
        return {
            str(each["_id"]): f"{each.get('title', '')}\n{each.get('text', '')}"
            for each in records
            if str(each["_id"]) in wanted
        }


def corpus_id(source_uri: str) -> str:
    """Return the id that judgements use: of a record of ``corpus.jsonl`` its own, else the whole source URI (``corpus/a.csv#7``)."""
    return source_uri.removeprefix("corpus.jsonl#")


def is_of_corpus(source_uri: str) -> bool:
    """Return whether a document is called like one of a corpus."""
    return source_uri.startswith(("corpus.jsonl#", "corpus/"))


def load_collection(folder: Path) -> Collection:
    """Read questions and judgements, and find the corpus.

    Raises:
        InvalidInputError: a file is missing or a line cannot be read; the message names it.
    """
    files = {name: folder / name for name in ("queries.jsonl", "qrels.tsv")}
    corpus = next((path for path in (folder / "corpus.jsonl", folder / "corpus") if path.exists()), None)
    missing = ["corpus.jsonl"] if corpus is None else [name for name, path in files.items() if not path.is_file()]
    if corpus is None or missing:
        raise InvalidInputError(
            f"{folder} has no {missing[0]}; an evaluation needs corpus.jsonl (or a folder corpus), queries.jsonl and qrels.tsv."
        )
    queries, answers = _queries(files["queries.jsonl"])
    qrels = _qrels(files["qrels.tsv"])
    answerable = {query: text for query, text in queries.items() if query in qrels}
    if not answerable:
        raise InvalidInputError(f"No question of {files['queries.jsonl']} has a row in {files['qrels.tsv']}.")
    relevant = {query: qrels[query] for query in answerable}
    return Collection(folder.resolve().name, corpus, answerable, relevant, answers)


def _text_of(source: Source) -> str:
    try:
        document = parse(source, ParseLimits())
    except ParseError:
        return ""
    return f"{document.title}\n{document.text}"


class _Question(BaseModel):
    """A line of ``queries.jsonl``."""

    model_config = ConfigDict(coerce_numbers_to_str=True, str_strip_whitespace=True)

    id: str = Field(alias="_id")
    text: str = Field(min_length=1, max_length=MAX_QUESTION_CHARACTERS)
    answer: str | bool | None = None
    aliases: list[str | bool | None] | None = None


def _queries(path: Path) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return questions and known answers by id."""
    queries: dict[str, str] = {}
    answers: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if line.strip():
            try:
                asked = _Question.model_validate_json(line)
            except ValidationError as error:
                expected = "expected a JSON object with _id, text and perhaps answer and a list of aliases"
                problem = error.errors(include_input=False, include_url=False)[0]
                place = "".join(f"{part}: " for part in problem["loc"])
                raise InvalidInputError(f"{path}, line {number}: {expected}; {place}{explained(problem)}") from error
            if asked.id in queries:
                raise InvalidInputError(f"{path}, line {number}: the _id {asked.id!r} occurs before.")
            queries[asked.id] = asked.text
            answers[asked.id] = tuple(
                str(each) for each in (asked.answer, *(asked.aliases or ())) if each not in {None, ""}
            )
    return queries, answers


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for number, row in enumerate(csv.reader(_text(path).split("\n"), delimiter="\t"), start=1):
        if not row or (number == 1 and row[0] in {"query-id", "query_id"}):
            continue
        try:
            query, document, grade = row[0], row[1], int(row[2])
        except (IndexError, ValueError) as error:
            raise InvalidInputError(f"{path}, line {number}: expected query-id, corpus-id and score.") from error
        if grade > 0:
            qrels.setdefault(query, {})[document] = grade
    return qrels


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{path} is not UTF-8 (byte {error.start}).") from error

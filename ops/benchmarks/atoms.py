"""Compares how the sub-queries of decomposed queries may count, on collections whose documents are taken as atoms.

    .venv/bin/python ops/benchmarks/atoms.py FOLDER…

A folder in the BEIR layout brings its questions. Without one, the project's own notes are measured: each heading of ``docs`` and
``ops/demo`` is an atom, and a sentence taken out of its text is the query that must find it. The product's own scoring runs over all atoms
in memory, without embeddings, so that only the combination differs. A line is recall@1, @2 and @5 and the mean reciprocal rank, percent.
"""

import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from interlace.cli.output import say
from interlace.search.atoms.scoring import AtomFields, score
from interlace.search.atoms.terms import FIELDS, AtomQuery, analyse_atom_query
from interlace.search.profile import AtomProfile
from interlace.text.rarity import smoothed_inverse_frequency
from interlace.text.tokenizer import terms

PROFILE = AtomProfile()
CANDIDATES = 300
SENTENCES = 3
WORDS = range(8, 41)
DEPTHS = (1, 2, 5)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_CODE = re.compile(r"```.*?```", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
Collection = tuple[dict[str, AtomFields], dict[str, str], dict[str, set[str]]]


def main(folders: list[str]) -> None:
    """Measure each folder, or the project's own notes."""
    collections = {Path(folder).name: beir(Path(folder)) for folder in folders} or {"own notes": own_notes()}
    for name, (atoms, queries, gold) in collections.items():
        results = measure(atoms, queries, gold)
        say(f"{name}: {len(atoms)} atoms, {next(iter(results.values()))[-1]:.0f} decomposed queries")
        for way, (*figures, count) in results.items():
            say(f"  {way:<24}" + " ".join(f"{100 * figure / count:5.1f}" for figure in figures))


def beir(folder: Path) -> Collection:
    """Return a collection in the BEIR layout: titles are names, texts contents."""
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    gold: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, relevance = line.split("\t")
        if float(relevance) > 0:
            gold[query].add(document)
    atoms = {each["_id"]: atom(each.get("title", ""), each["text"]) for each in documents}
    return atoms, {each["_id"]: each["text"] for each in queries}, gold


def own_notes() -> Collection:
    """Return the sections of the project's notes, each without the sentence in its middle, which is its query."""
    atoms, queries = {}, {}
    for file in [*sorted(Path("docs").rglob("*.md")), *sorted(Path("ops/demo").rglob("*.md"))]:
        text = _CODE.sub("", _FRONT_MATTER.sub("", file.read_text("utf-8")))
        for number, section in enumerate(re.split(r"^#+ ", text, flags=re.MULTILINE)):
            heading, _, body = section.partition("\n")
            key = f"{file}#{number}"
            prose = [
                each for each in _SENTENCE_END.split(body.strip()) if len(each.split()) in WORDS and "|" not in each
            ]
            if len(prose) >= SENTENCES:
                queries[key] = prose[len(prose) // 2]
                body = body.replace(queries[key], "")
            atoms[key] = atom(heading, body)
    return atoms, queries, {key: {key} for key in queries}


def atom(name: str, text: str) -> AtomFields:
    """Return the fields of an atom: its first paragraph describes it if more follow."""
    first, mark, rest = text.strip().partition("\n\n")
    description, content = (first, rest) if mark else ("", first)
    stems = {"name": name, "description": description, "tags": "", "content": content}
    return AtomFields((tuple(terms(name)),), {field: Counter(terms(words)) for field, words in stems.items()})


def measure(
    atoms: Mapping[str, AtomFields], queries: Mapping[str, str], gold: Mapping[str, set[str]]
) -> dict[str, list[float]]:
    """Return way to recalls, reciprocal ranks and the number of queries, each summed over the queries that are decomposed."""
    postings: dict[str, list[str]] = defaultdict(list)
    for key, fields in atoms.items():
        for term in set().union(*(fields.counts[field] for field in FIELDS)):
            postings[term].append(key)
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * (len(DEPTHS) + 2))
    for name in sorted(set(queries) & set(gold)):
        query = analyse_atom_query(queries[name], [], PROFILE)
        if query.parts:
            for way, order in orders(query, atoms, postings):
                _add(sums[way], order, gold[name])
    return sums


def orders(
    query: AtomQuery, atoms: Mapping[str, AtomFields], postings: Mapping[str, list[str]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield each way of combining with the order that it gives the candidates."""
    idf = {term: smoothed_inverse_frequency(len(postings.get(term, ())), len(atoms)) for term in query.discounts}
    likely: Counter[str] = Counter()
    for term in query.discounts:
        likely.update(dict.fromkeys(postings.get(term, ()), 0))
        for key in postings.get(term, ()):
            likely[key] += round(1000 * idf[term])
    found = [key for key, _ in likely.most_common(CANDIDATES)]
    whole = {key: score(query, atoms[key], idf, PROFILE).score for key in found}
    parts = [{key: score(part, atoms[key], idf, PROFILE) for key in found} for part in query.queries]
    several = {key: sum(part[key].coverage >= 1 for part in parts) > 1 for key in found}
    gain = {key: 1 + PROFILE.decomposition_bonus * several[key] for key in found}
    best = [max((item.score for item in part.values()), default=0.0) or 1.0 for part in parts]
    ways = {
        "whole query": whole,
        "whole query, bonus": {key: gain[key] * whole[key] for key in found},
        "sum of parts": {key: math.fsum(part[key].score for part in parts) for key in found},
        "sum of parts, bonus": {key: gain[key] * math.fsum(part[key].score for part in parts) for key in found},
        "sum of shares, bonus": {
            key: gain[key] * math.fsum(part[key].score / top for part, top in zip(parts, best, strict=True))
            for key in found
        },
        "best part, bonus": {key: gain[key] * max(part[key].score for part in parts) for key in found},
    }
    for way, scores in ways.items():
        yield way, [key for _, key in sorted((-scores[key], key) for key in found)]


def _add(sums: list[float], order: list[str], gold: set[str]) -> None:
    for place, depth in enumerate(DEPTHS):
        sums[place] += len(gold & set(order[:depth])) / len(gold)
    first = next((rank for rank, key in enumerate(order, start=1) if key in gold), 0)
    sums[-2] += 1 / first if first else 0.0
    sums[-1] += 1


if __name__ == "__main__":
    main(sys.argv[1:])

"""Chooses the weights of decisions 33, 34, 70 and 116 over a grid, leaving out one collection after the other.

``.venv/bin/python ops/benchmarks/ranking_grid.py FOLDER FOLDER …`` needs a running stack and the corpora that ``interlace eval FOLDER --keep``
left. It asks every question once and keeps what the rerank knew of it, then ranks the same candidates with each row of the grid. Collections
whose questions mostly name entities share the weights of the margins, from which best cosine on meaning counts, and whether dates and words in
titles count; the others share those of damped BM25 and of the document. The last columns are what each scale that counts unasked is worth: with the scale at 0, the difference and its 95 % interval.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import typer

from interlace.bootstrap import Platform
from interlace.cli.main import run
from interlace.cli.output import say, settings_for
from interlace.domain.hits import QueryRequest
from interlace.evaluation.collection import Collection, load_collection
from interlace.evaluation.intervals import difference_interval
from interlace.evaluation.measures import by_question, measure
from interlace.evaluation.runner import ranked_documents
from interlace.search import rerank
from interlace.search.boosts import Boosts
from interlace.search.candidates import Candidate, FusedCandidate
from interlace.search.confidence import meaning
from interlace.search.present import locate
from interlace.search.profile import PROFILE, RerankProfile

SHOWN = ("recall@1", "recall@2", "recall@5", "recall@10")
CHOSEN_BY = SHOWN[:3]
TITLED = {"dates": (0.0, PROFILE.rerank.dates), "title_words": (0.0, PROFILE.rerank.title_words)}
NAMED = {
    "margin_vector": (0.0, 1.0, 1.5),
    "meaning_from": (0.6, 0.7, 1.0),
    "margin": (0.0, 0.5),
    "margin_untrusted": (0.0, 1.0),
    **TITLED,
}
NAMELESS = {"keyword_unlinked": (0.5, 0.8, 1.1), "document": (0.0, 0.4, 0.8)}
MEANING = PROFILE.rerank.meaning
MODEL = next(iter(MEANING))
Weights = Mapping[str, float]
Known = tuple[Sequence[FusedCandidate], rerank.RerankEvidence]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A collection, what the rerank knew of each question, and chunk to document."""

    collection: Collection
    known: Mapping[str, Known]
    documents: Mapping[str, Any]

    @property
    def grid(self) -> Mapping[str, tuple[float, ...]]:
        """The weights that these questions can tell apart."""
        named = sum(evidence.linked for _, evidence in self.known.values())
        return NAMED if 2 * named > len(self.known) else NAMELESS

    def measures(self, weights: Weights) -> dict[str, float]:
        """Return the measures of the fused list with these weights, in percent."""
        return measure(self.collection.qrels, self.runs(weights))

    def worth(self, name: str) -> str:
        """Return the difference of recall@1 and @2 that a scale of 0 makes, each with its interval."""
        sides = [by_question(self.collection.qrels, self.runs(weights)) for weights in ({name: 0.0}, {})]
        cells = []
        for shown in SHOWN[:2]:
            without, with_it = ([side[query][shown] for query in sorted(side)] for side in sides)
            low, high = difference_interval(without, with_it)
            gain = 100 * (sum(with_it) - sum(without)) / len(with_it)
            cells.append(f"{gain:+.1f} ({low:+.1f} to {high:+.1f})")
        return " / ".join(cells)

    def runs(self, weights: Weights) -> dict[str, list[tuple[str, float]]]:
        """Return the fused list of each question with these weights."""
        changed: dict[str, Any] = dict(weights)
        if "meaning_from" in changed:
            none = changed.pop("meaning_from")
            changed["meaning"] = {model: (none, none + high - low) for model, (low, high) in MEANING.items()}
        profile: RerankProfile = replace(PROFILE.rerank, **changed)
        runs: dict[str, list[tuple[str, float]]] = {}
        for query, (fused, evidence) in self.known.items():
            confidence = replace(evidence.confidence, meaning=meaning(evidence.whole, MODEL, profile))
            known = replace(evidence, confidence=confidence, boosts=_rescaled(evidence.boosts, profile))
            order = rerank.rank(fused, known, profile)
            runs[query] = ranked_documents([self.documents[each.id] for each in order if each.id in self.documents])
        return runs


def _rescaled(boosts: Boosts, profile: RerankProfile) -> Boosts:
    """Return the boosts with the scales of another profile."""
    factors = {name: getattr(profile, name) / getattr(PROFILE.rerank, name) for name in TITLED}
    return replace(boosts, scales={name: scale * factors.get(name, 1.0) for name, scale in boosts.scales.items()})


def main(folders: Annotated[list[Path], typer.Argument(help="Collections in the BEIR layout, each kept.")]) -> None:
    """Record the questions of each collection, and print the table."""
    recorded = [_record(load_collection(folder)) for folder in folders]
    typer.echo(
        "| recall@1 / @2 / @5 / @10 | chosen without it | chosen with it | as it is | dates, at 1 / 2 | title words, at 1 / 2 |\n"
        "| --- | --- | --- | --- | --- | --- |"
    )
    for each in recorded:
        like = [other for other in recorded if other.grid is each.grid]
        rest = [other for other in like if other is not each] or like
        cells = [_shown(each, weights) for weights in (_best(rest), _best(like), {})]
        cells += [each.worth(name) for name in TITLED]
        typer.echo(f"| {each.collection.name} | {' | '.join(cells)} |")


def _best(recorded: Sequence[Recorded]) -> Weights:
    """Return the row of the grid with the greatest sum of the measures that weights are chosen by; of equals the first."""
    grid = recorded[0].grid
    rows = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    return max(rows, key=lambda row: sum(each.measures(row)[name] for each in recorded for name in CHOSEN_BY))


def _shown(recorded: Recorded, weights: Weights) -> str:
    found = recorded.measures(weights)
    named = ", ".join(f"{name} {value:g}" for name, value in weights.items())
    return " / ".join(f"{found[name]:.1f}" for name in SHOWN) + (f" ({named})" if named else "")


def _record(collection: Collection) -> Recorded:
    say(f"Asking {len(collection.queries)} questions of {collection.name}")
    known: dict[str, Known] = {}
    platform = Platform.open(settings_for(collection.tenant))
    try:
        for query, text in sorted(collection.queries.items()):
            with _listening(known, query):
                platform.questions.search(collection.tenant, QueryRequest(text))
        chunks = sorted({each.id for fused, _ in known.values() for each in fused})
        found = locate(platform.graph, collection.tenant, {"all": [Candidate(each, 0.0) for each in chunks]})["all"]
    finally:
        platform.close()
    return Recorded(collection, known, {each.chunk_id: each for each in found})


@contextmanager
def _listening(known: dict[str, Known], query: str) -> Iterator[None]:
    ordinary = rerank.rank

    def listen(fused: Sequence[FusedCandidate], evidence: rerank.RerankEvidence, profile: RerankProfile) -> Any:
        known[query] = (fused, evidence)
        return ordinary(fused, evidence, profile)

    with patch.object(rerank, "rank", listen):
        yield


if __name__ == "__main__":
    run(lambda: typer.run(main))

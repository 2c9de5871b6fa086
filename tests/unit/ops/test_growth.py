"""A corpus made larger: the same documents, and copies about someone else."""

import random
from pathlib import Path

import pytest
from ops.benchmarks.growth import curve
from ops.benchmarks.larger_corpus import CorpusDocument, grow_collection, grown, read_corpus, renamed, shuffled

from interlace.domain.errors import InvalidInputError
from interlace.entities.gazetteer import Gazetteer
from interlace.entities.normalization import normalize_name
from interlace.evaluation.runner import Evaluation

CHUNKS = [
    CorpusDocument("1", "Orla Venning (director)", "Orla Venning was born in Aalborg. Venning married Knud Strand."),
    CorpusDocument("2", "Knud Strand", "Knud Strand painted in Aalborg."),
    CorpusDocument("3", "Aalborg", "Aalborg is a town; the mayor of Aalborg is Ida Holm."),
    CorpusDocument("4", "Viborg", "Viborg is another town, far from Orla Venning's."),
    CorpusDocument("5", "Ida Holm", "Ida Holm is a mayor."),
]


def test_the_corpus_comes_first_as_it_is_and_copies_have_ids_of_their_own() -> None:
    made = list(grown(CHUNKS, 3, seed=1))
    assert made[:5] == CHUNKS
    assert [document.id for document in made[5:]] == [f"{number}~{copy}" for copy in (1, 2) for number in range(1, 6)]


def test_the_same_seed_makes_the_same_and_another_seed_another() -> None:
    one, same, other = (list(grown(CHUNKS, 4, seed=seed)) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_last_words_change_places_and_single_words_with_each_other() -> None:
    titles = ["Orla Venning", "Knud Strand", "Ida Holm", "Aalborg", "Viborg"]
    names = shuffled(titles, random.Random(3))
    assert set(names) == set(titles)
    assert sorted(new.rsplit(" ", 1)[1] for new in names.values() if " " in new) == ["Holm", "Strand", "Venning"]
    assert {names["Aalborg"], names["Viborg"]} == {"Aalborg", "Viborg"}
    assert {new.split(" ")[0] for new in names.values() if " " in new} == {"Orla", "Knud", "Ida"}


def test_every_alias_in_a_text_is_replaced_and_nothing_else() -> None:
    known = Gazetteer()
    for title in ("Orla Venning", "Aalborg"):
        known.assign(title, [normalize_name(title)])
    names = {"Orla Venning": "Orla Strand", "Aalborg": "Viborg"}
    assert renamed("Orla Venning's aunt left Aalborg, (Venning).", known, names) == (
        "Orla Strand's aunt left Viborg, (Venning)."
    )


def test_a_collection_grows_on_disk_with_its_questions(tmp_path: Path) -> None:
    folder, target = tmp_path / "small", tmp_path / "large"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"_id": "a", "title": "A B", "text": "A B is C."}\n', encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "Who?"}\n', encoding="utf-8")
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n", encoding="utf-8")
    assert grow_collection(folder, target, 4, seed=1) == 4
    assert [document.id for document in read_corpus(target / "corpus.jsonl")] == ["a", "a~1", "a~2", "a~3"]
    for name in ("queries.jsonl", "qrels.tsv"):
        assert (target / name).read_bytes() == (folder / name).read_bytes()
    with pytest.raises(InvalidInputError, match="0 times"):
        grow_collection(folder, target, 0, seed=1)
    with pytest.raises(InvalidInputError, match=r"qrels\.tsv"):
        read_corpus(target / "qrels.tsv")


def test_the_curve_has_a_row_a_step_and_the_embedders_whole_time() -> None:
    def measured(factor: float) -> Evaluation:
        spent = {"embedding": 4.0, "residual": 2.0, "graph": 10 * factor, "total": 30.0, "fused": 31 * factor}
        return Evaluation(
            "set",
            {"q": {"a": 1}},
            timings={"q": spent},
            measures={"fused": {"recall@5": 100.0}},
            ingestion={"documents": 1000 * factor, "seconds": 2.5},
        )

    lines = curve({1: measured(1), 4: measured(4)}).splitlines()
    assert lines[0] == "| leg or step, p50 / p95 ms | x1 | x4 |"
    assert lines[2:] == [
        "| fused (what a caller waits) | 31.0 / 31.0 | 124.0 / 124.0 |",
        "| embedder's own time | 6.0 / 6.0 | 6.0 / 6.0 |",
        "| graph | 10.0 / 10.0 | 40.0 / 40.0 |",
        "| documents in the corpus | 1,000 | 4,000 |",
        "| ingestion, s | 2.5 | 2.5 |",
        "| fused recall@5, % | 100 | 100 |",
    ]

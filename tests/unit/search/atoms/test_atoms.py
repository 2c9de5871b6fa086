"""Atoms: what a query asks for, how an atom is scored, and how a note becomes one."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interlace.documents.atom_fields import atom_fields
from interlace.domain.atoms import AtomOptions
from interlace.domain.documents import Source
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.queries.atoms import FindAtomsRow
from interlace.search.atoms.options import profile_for
from interlace.search.atoms.scoring import AtomFields, fields_of, score
from interlace.search.atoms.terms import AtomQuery, Phrase, analyse_atom_query, counting, searches
from interlace.search.profile import AtomProfile

PROFILE = AtomProfile()
NOTE = (Path(__file__).parents[3] / "fixtures" / "documents" / "leiden.md").read_text()


def parsed(text: str = NOTE, **metadata: Any) -> Any:
    return parse(Source("a/leiden.md", "text/markdown", text.encode(), metadata), ParseLimits())


def atom(**fields: str) -> AtomFields:
    return fields_of(FindAtomsRow(0, "a", name="", description="", tags="", content="")._replace(**fields))  # type: ignore[arg-type]


def query(*words: str, **aliases: tuple[str, ...]) -> AtomQuery:
    widened = tuple(Phrase(alias, 0.35, frozenset({term})) for term, alias in aliases.items())
    return AtomQuery(Phrase(words), widened)


def total(asked: AtomQuery, found: AtomFields, **settings: float) -> float:
    return score(asked, found, dict.fromkeys(asked.discounts, 1.0), replace(PROFILE, **settings)).score  # type: ignore[arg-type]


def test_the_formula_term_by_term() -> None:
    found = atom(name="graph route\npath", description="graph graph", tags="graph", content="route")
    scored = score(query("graph", "route"), found, {"graph": 2.0, "route": 3.0}, PROFILE)
    graph = 5 + 3 + 1.5 * (1 + math.log(2)) + 1.25 + 2
    route = 5 + 3 + 1
    assert scored.score == pytest.approx(2 * graph + 3 * route)
    assert scored.coverage == 1.0
    shown = {item.term: dict(item.fields) for item in scored.terms}
    assert shown["route"] == {"exact": 5.0, "name": 3.0, "content": 1.0}


def test_coverage_takes_its_root_and_a_name_is_exact_only_in_full() -> None:
    asked, found = query("graph", "soup"), atom(name="graph route")
    assert total(asked, found) == pytest.approx(3 * math.sqrt(0.5))
    assert total(asked, found, coverage_power=0.0) == pytest.approx(3)
    assert total(asked, atom(name="graph")) == pytest.approx(8 * math.sqrt(0.5))
    assert total(query("soup"), found) == 0


@pytest.mark.parametrize("weight", ["exact", "name", "description", "tags", "content", "bigram"])
def test_every_weight_counts(weight: str) -> None:
    found = atom(name="graph route", description="graph", tags="route", content="graph")
    asked = query("graph", "route")
    assert total(asked, found, **{weight: 50.0}) > total(asked, found)


def test_an_alias_counts_at_a_discount_and_covers_what_it_stands_for() -> None:
    asked = query("js", js=("javascript",))
    scored = score(asked, atom(content="javascript"), {"js": 1.0, "javascript": 1.0}, PROFILE)
    assert scored.coverage == pytest.approx(0.35)
    assert scored.score == pytest.approx(0.35 * 0.35**0.5)
    assert asked.expansion == ("javascript",)


def test_a_long_query_is_taken_apart_at_stop_words_and_punctuation() -> None:
    asked = analyse_atom_query("community detection in graphs, Leiden or Louvain", [], PROFILE)
    assert asked.parts == (("communiti", "detect"), ("graph",), ("leiden",), ("louvain",))
    assert analyse_atom_query("community detection graphs", [], PROFILE).parts == ()
    run = analyse_atom_query("alpha beta gamma delta epsilon", [], PROFILE)
    assert [len(part) for part in run.parts] == [3, 2]


def test_names_are_widened_by_what_else_they_are_called() -> None:
    named = [
        (0, 2, ["JavaScript", "JS", "ECMAScript language of the long name that no one ever writes out in a query"])
    ]
    asked = analyse_atom_query("JS closures", named, PROFILE)
    assert [alias.terms for alias in asked.aliases] == [("javascript",)]
    assert asked.aliases[0].stands_for == {"js"}
    assert not analyse_atom_query("JS closures", named, replace(PROFILE, expansions=0)).aliases


def test_searches_name_the_tenant_and_have_no_syntax_from_outside() -> None:
    asked = analyse_atom_query('NOT tenant:"other" OR (a* graph~2 \\" "quoted) route', [], PROFILE)
    whole, *parts = searches("mine", asked, PROFILE)
    assert whole.startswith('+tenant:"mine" +(')
    assert "tenant" in asked.own.terms
    assert all('tenant:"other"' not in search for search in (whole, *parts))
    assert "OR" not in whole
    assert all(part.count("+(") > 1 for part in parts)
    assert counting("mine", "graph") == (
        '+tenant:"mine" +(atomName:"graph" atomDescription:"graph" atomTags:"graph" atomContent:"graph")'
    )


def test_the_longest_query_stays_within_lucenes_clauses() -> None:
    text = " ".join(f"word{number}" for number in range(300))
    named = [(0, 5, [" ".join(f"alias{number}x{place}" for place in range(8))]) for number in range(64)]
    asked = analyse_atom_query(text, named, replace(PROFILE, expansions=16))
    assert max(search.count('"') // 2 for search in searches("t", asked, PROFILE)) < 1000


def test_fields_are_stems_and_the_description_is_the_body_unless_it_is_given() -> None:
    fields = atom_fields(parsed())
    assert fields["atomName"].split("\n") == ["leiden method", "ld"]
    assert fields["atomDescription"].startswith("find communiti")
    assert fields["atomTags"] == "graph"
    assert fields["atomContent"].startswith("usag call seed note seed")
    described = replace(parsed(), metadata={"description": "A clustering."})
    assert atom_fields(described)["atomDescription"] == "cluster"
    assert "communiti" in atom_fields(described)["atomContent"]


def test_each_sub_query_is_a_query_of_its_own_with_the_aliases_of_its_terms() -> None:
    asked = AtomQuery(
        Phrase(("js", "closur", "graph", "cut")),
        (Phrase(("javascript",), 0.35, frozenset({"js"})), Phrase(("web",), 0.35, frozenset({"js", "graph"}))),
        (("js", "closur"), ("graph", "cut")),
    )
    assert [part.own.terms for part in asked.queries] == [("js", "closur"), ("graph", "cut")]
    assert [part.expansion for part in asked.queries] == [("javascript",), ()]


def test_options_replace_figures_of_the_profile_and_nothing_else() -> None:
    assert profile_for(AtomOptions(), PROFILE) == PROFILE
    options = AtomOptions(
        decompose_threshold=6,
        combine="independent",
        intersection_bonus=0.5,
        rerank_alpha=0.1,
        weights={"name": 9.0, "bigram": 0.0},
    )
    changed = {"decompose_from": 6, "decomposition_bonus": 0.5, "lexical_share": 0.1, "name": 9.0, "bigram": 0.0}
    assert profile_for(options, PROFILE) == replace(PROFILE, **changed, independent=True)  # type: ignore[arg-type]
    never = profile_for(AtomOptions(decompose=False, decompose_threshold=2), PROFILE)
    assert analyse_atom_query("alpha beta gamma delta epsilon", [], never).parts == ()

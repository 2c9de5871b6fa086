"""What decides between tools: the rerank that all queries have, tools that others speak for, and the walk from the request's keywords.

score(t) = ln(R(t) / R of the first) + s · 0.6 · z(cosine) + a · e · associative(t) + l · p · links(t) + w · g · walk(t)

R is the score by reciprocal rank fusion; it and the standardised cosine are weighed as ``retrieval.rerank`` weighs chunks. s, e, p and g
are the scales ``vector``, ``entity``, ``proximity`` and ``graph_rerank`` of the query's ``FusionWeights``; a, l and w are constants.

- associative(t) = Σ_u h(u) · (keywords(t, u) + same skill(t, u)) / 2 over the first tools u so far, other than t; h(u) is in proportion to
  the exponential of their score so far, Σ h = 1, and ``keywords`` is the Jaccard index of their concepts.
- links(t) = Σ_u h(u) over those whose skills' documents link to that of t, or it to them.
- walk(t) = Σ_k v(k) / Σ v over the request's known keywords, above the line those from which t is reached in at most two steps;
  v(k) = 1 / ln(e - 1 + tools reached), for a keyword that leads everywhere says little.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from interlace.domain.tools import Associate, Way
from interlace.ports.graph import Row
from interlace.search.rerank import Rerank, rerank
from interlace.search.tools.candidates import Candidate
from interlace.search.tools.keywords import Keyword
from interlace.search.weights import FusionWeights


@dataclass(frozen=True, slots=True)
class RoutingConstants:
    """The constants a, l and w, and how many tools speak for others (docs/skills-and-tools.md tells how they were chosen)."""

    associative: float = 0.1
    links: float = 0.1
    walk: float = 0.2
    speakers: int = 3


DEFAULT = RoutingConstants()


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a tool stands where it does: the scaled parts of its score, and what is behind those of the graph."""

    parts: Mapping[str, float]
    associates: tuple[Associate, ...] = ()
    ways: tuple[Way, ...] = ()

    @property
    def score(self) -> float:
        """The sum that orders tools."""
        return math.fsum(self.parts.values())


@dataclass(frozen=True, slots=True)
class Found:
    """What the legs found.

    Args:
        candidates: tools by the chunk that declares them.
        hybrid: chunk to its score by reciprocal rank fusion; of tools that only the walk found there is none.
        similarity: chunk to cosine with the request; empty without embeddings.
    """

    candidates: Mapping[str, Candidate]
    hybrid: Mapping[str, float]
    similarity: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Walk:
    """Where keywords lead: rows of ``tools/walk_to_tools``, the keywords they begin on, and each keyword's weight."""

    rows: Sequence[Row] = ()
    keywords: Mapping[str, Keyword] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)


def walk_of(keywords: Sequence[Keyword], rows: Sequence[Row]) -> Walk:
    """Return the walk with the weights of those keywords that lead to a tool."""
    reached: dict[str, set[str]] = {}
    for row in rows:
        reached.setdefault(row["seed"], set()).add(row["tool"])
    weights = {seed: 1 / math.log(math.e - 1 + len(tools)) for seed, tools in reached.items()}
    return Walk(rows, {keyword.id: keyword for keyword in keywords}, weights)


def rank(found: Found, walk: Walk, weights: FusionWeights, constants: RoutingConstants = DEFAULT) -> dict[str, Reasons]:
    """Return why each candidate stands where it does, best first; of equals the one that keywords lead to sooner, then by names.

    Args:
        found: the candidates and what the legs say of them; one that neither a leg nor the walk found is left out.
        walk: where the request's keywords lead.
        weights: the query's; their scales weigh the terms.
        constants: base weights of the graph's terms; 0 leaves one out.
    """
    listed = _listed(found, weights)
    speakers = _speakers(found, listed, constants.speakers)
    highest = max((part.prior for part in listed.values()), default=0.0)
    reasons: dict[str, Reasons] = {}
    for chunk, candidate in found.candidates.items():
        associates, ways = _associates(candidate, speakers), _ways(candidate, walk)
        if chunk not in found.hybrid and not ways:
            continue
        spoken = math.fsum(item.share * item.kinship for item in associates)
        linked = math.fsum(item.share for item in associates if item.linked)
        parts = {
            "hybrid": listed[chunk].prior - highest,
            "similarity": listed[chunk].similarity,
            "associative": constants.associative * weights.entity * spoken,
            "links": constants.links * weights.proximity * linked,
            "walk": constants.walk * weights.graph_rerank * math.fsum(way.share for way in ways),
        }
        reasons[chunk] = Reasons(parts, associates, ways)
    return dict(sorted(reasons.items(), key=lambda item: _order(found.candidates[item[0]], item[1])))


def _listed(found: Found, weights: FusionWeights) -> dict[str, Rerank]:
    """Return the terms of the lists; a tool that only the walk found counts half of the last one listed."""
    last = min(found.hybrid.values(), default=1.0)
    scores = {chunk: found.hybrid.get(chunk, last / 2) for chunk in found.candidates}
    return rerank(scores, {}, found.similarity, lists=1.0, similarity_scale=weights.vector)


def _order(candidate: Candidate, reasons: Reasons) -> tuple[float, int, str, str, str]:
    nearest = min((way.hops for way in reasons.ways), default=0)
    return -reasons.score, nearest, candidate.skill_name, candidate.name, candidate.chunk


def _speakers(found: Found, listed: Mapping[str, Rerank], count: int) -> list[tuple[Candidate, float]]:
    """Return the first tools of the lists, each with its share of what they all have to say."""
    first = sorted(found.hybrid.keys() & listed.keys(), key=lambda chunk: (-listed[chunk].score, chunk))[:count]
    belief = {chunk: math.exp(listed[chunk].score - listed[first[0]].score) for chunk in first}
    total = math.fsum(belief.values())
    return [(found.candidates[chunk], belief[chunk] / total) for chunk in first]


def _associates(candidate: Candidate, speakers: Sequence[tuple[Candidate, float]]) -> tuple[Associate, ...]:
    """Return the tools that speak for a candidate, those that say most first."""
    found = []
    for speaker, share in speakers:
        if speaker.chunk == candidate.chunk:
            continue
        shared = candidate.keywords.keys() & speaker.keywords.keys()
        same = speaker.skill == candidate.skill
        linked = speaker.document in candidate.linked
        if not (shared or same or linked):
            continue
        jaccard = len(shared) / len(candidate.keywords.keys() | speaker.keywords.keys()) if shared else 0.0
        names = tuple(sorted(candidate.keywords[keyword] for keyword in shared))
        found.append(
            Associate(
                speaker.name, speaker.skill_name, share, (jaccard + same) / 2, names, same_skill=same, linked=linked
            )
        )
    return tuple(sorted(found, key=lambda item: (-item.share * item.kinship, item.skill, item.tool)))


def _ways(candidate: Candidate, walk: Walk) -> tuple[Way, ...]:
    """Return the shortest way from each keyword to a candidate, those that add most first."""
    total = math.fsum(walk.weights.values())
    best: dict[str, Row] = {}
    for row in walk.rows:
        if row["tool"] == candidate.tool and _leads_to(row, candidate, walk.keywords[row["seed"]]):
            known = best.get(row["seed"])
            if known is None or (row["hops"], row["viaName"] or "") < (known["hops"], known["viaName"] or ""):
                best[row["seed"]] = row
    ways = [
        Way(
            walk.keywords[seed].name,
            row["viaName"] or "",
            row["hops"],
            walk.weights[seed] / total,
        )
        for seed, row in best.items()
    ]
    return tuple(sorted(ways, key=lambda way: (-way.share, way.keyword)))


def _leads_to(row: Row, candidate: Candidate, keyword: Keyword) -> bool:
    """Tell whether a way to a tool is one to this skill's: a tool of several skills is reached through each of them."""
    through = (
        row["via"]
        if row["viaType"] == "Skill"
        else keyword.id
        if row["hops"] == 1 and keyword.type == "Skill"
        else None
    )
    return through is None or through == candidate.skill

"""The plan stage: which legs a query runs, when ``auto`` stops after the graph, and the sentence that says why."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from interlace.domain.hits import LEGS, LegName, Mode, QueryRequest
from interlace.domain.policy import RetrievalPolicy
from interlace.search.confidence import overlap
from interlace.search.seeds import Seeds
from interlace.settings_objects import DefaultPolicy

WITHOUT_GRAPH_STEPS: frozenset[Mode] = frozenset({"vector_only"})
"""Modes that read nothing from the graph before hits are looked up, except, once, which embedding model is complete."""
MODE_LEGS: Mapping[Mode, tuple[LegName, ...]] = {
    "auto": LEGS,
    "hybrid": LEGS,
    "graph_only": ("graph",),
    "vector_only": ("vector",),
    "keyword_only": ("keyword",),
    "metadata_only": ("tags", "paths"),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a query runs.

    Args:
        mode: the mode that answers.
        legs: legs to run, in the order of ``LEGS``.
        compared: whether candidates are also compared with the residual query.
        fallback: legs to run as well if the graph, which runs first, fires a trigger (``triggers``); empty where it does not run first.
        why: beginning of the reason; empty where the legs that answered are the reason.
    """

    mode: Mode
    legs: tuple[LegName, ...]
    compared: bool
    fallback: tuple[LegName, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class GraphEvidence:
    """What the graph leg alone returned.

    Args:
        hits: chunks it reached.
        top: probability of the best.
        coverage: distinct documents among its first ten hits, as a share of those hits; 0 without hits.
        unit: what it returned, in the plural and the singular.
    """

    hits: int
    top: float
    coverage: float
    unit: tuple[str, str] = ("chunks", "chunk")


def with_policy(default: DefaultPolicy, overrides: RetrievalPolicy | None) -> DefaultPolicy:
    """Return the policy of the settings with a request's changes applied."""
    if overrides is None:
        return default
    return default.model_copy(update={name: value for name, value in asdict(overrides).items() if value is not None})


def plan(request: QueryRequest, seeds: Seeds, policy: DefaultPolicy, *, embeddings: bool) -> Plan:
    """Return what to run; ``auto`` tries the graph first where that is switched on and the question is not abstract.

    Args:
        request: the question.
        seeds: its entities.
        policy: whether the graph goes first, and the triggers, with what the request changes (``with_policy``).
        embeddings: whether there is an embedder.
    """
    chosen = chosen_legs(request)
    legs = _legs(request, linked=bool(seeds.weights), embeddings=embeddings)
    compared = embeddings and "vector" in chosen and len(chosen) > 1
    mode: Mode = "hybrid" if request.mode == "auto" else request.mode
    if request.legs:
        return Plan(mode, legs, compared, why=f"The caller chose {', '.join(request.legs)}.")
    if request.mode != "auto":
        return Plan(mode, legs, compared, why=f"The caller asked for {request.mode}.")
    if not _graph_first(request, policy):
        return Plan(mode, legs, compared)
    abstract = _abstract(request.text, seeds, policy)
    if abstract:
        return Plan("hybrid", legs, compared, why=escalated([abstract]))
    return Plan("graph_only", ("graph",), compared, fallback=legs)


def surely_embeds(request: QueryRequest, policy: DefaultPolicy) -> bool:
    """Return whether a leg needs the embedding whatever entities are linked, so that it can start before linking."""
    embeds = not {"vector", "community"}.isdisjoint(_legs(request, linked=False, embeddings=True))
    return embeds and not _graph_first(request, policy)


def chosen_legs(request: QueryRequest) -> tuple[LegName, ...]:
    """Return the legs that a request asks for, by name or by its mode."""
    return request.legs or MODE_LEGS[request.mode]


def _legs(request: QueryRequest, *, linked: bool, embeddings: bool) -> tuple[LegName, ...]:
    """Return the legs that run: without an entity neither PageRank nor, unless they are asked for, communities find anything else (ADR 71)."""
    legs = [leg for leg in chosen_legs(request) if leg not in request.without and (embeddings or leg != "vector")]
    idle = {"graph"} if request.legs or request.mode != "auto" else {"graph", "community"}
    return tuple(leg for leg in legs if linked or leg not in idle) or tuple(legs)


def _graph_first(request: QueryRequest, policy: DefaultPolicy) -> bool:
    return request.mode == "auto" and not request.legs and policy.first == "graph" and "graph" not in request.without


def escalate(tentative: Plan, evidence: GraphEvidence, policy: DefaultPolicy) -> Plan:
    """Return the final plan once the graph has answered: the graph alone, or all legs where a trigger fires.

    Args:
        tentative: the plan whose graph leg has run.
        evidence: what the graph returned.
        policy: the triggers.
    """
    found = triggers(evidence, policy)
    if found:
        return Plan("hybrid", tentative.fallback, tentative.compared, why=escalated(found))
    return Plan("graph_only", ("graph",), tentative.compared, why=enough(evidence))


def enough(evidence: GraphEvidence) -> str:
    """Return why the graph alone answers, in a sentence."""
    return (
        f"The graph alone is enough: it reached {evidence.hits} {evidence.unit[0]} in "
        f"{evidence.coverage:.0%} different documents, the best with {evidence.top:.3f}; no other leg ran."
    )


def triggers(evidence: GraphEvidence, policy: DefaultPolicy) -> list[str]:
    """Return why the graph's answer is not enough, one clause per trigger; none if it is enough."""
    found = []
    if evidence.hits < policy.min_graph_hits:
        found.append(f"the graph reached {evidence.hits} {evidence.unit[0]}, fewer than {policy.min_graph_hits}")
    if evidence.top < policy.min_graph_score:
        found.append(f"its best {evidence.unit[1]} has {evidence.top:.3f}, less than {policy.min_graph_score:g}")
    if evidence.coverage < policy.min_source_coverage:
        found.append(
            f"different documents make {evidence.coverage:.0%} of its first hits, less than {policy.min_source_coverage:.0%}"
        )
    return found


def _abstract(question: str, seeds: Seeds, policy: DefaultPolicy) -> str:
    share = overlap(question, seeds)
    if not seeds.weights:
        return "the question names no entity that the graph knows"
    if share < policy.min_overlap:
        return f"{share:.0%} of the question's words name known entities, less than {policy.min_overlap:.0%}"
    return ""


def escalated(clauses: Sequence[str]) -> str:
    """Return why all legs answered, as a sentence made of clauses."""
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}, so all legs answered."


def reason(decided: Plan, request: QueryRequest, seeds: Seeds, answered: Sequence[str]) -> str:
    """Return why the answer came about as it did, in a sentence or two."""
    why = decided.why or _by_entities(seeds, answered)
    if request.without:
        why += f" Left out: {', '.join(sorted(request.without))}."
    return why


def _by_entities(seeds: Seeds, answered: Sequence[str]) -> str:
    names = len({(match.start, match.end) for match in seeds.matches})
    if not names:
        return "The question names no entity that the graph knows, so its text alone decided."
    legs = ", ".join(answered) or "no leg"
    return f"The question names {names} known {'entities' if names > 1 else 'entity'}; {legs} answered and PageRank decides."

"""The ranking profile of one search among atoms: the constants, with its caller's options applied."""

from dataclasses import replace
from typing import Any

from interlace.domain.atoms import AtomOptions
from interlace.search.profile import AtomProfile

# More terms than a query keeps, so that no query is decomposed.
_NEVER = 1_000_000


def profile_for(options: AtomOptions, profile: AtomProfile) -> AtomProfile:
    """Return the profile with a caller's options applied; an unset option keeps the profile's value."""
    given: dict[str, Any] = {
        "decompose_from": options.decompose_threshold if options.decompose else _NEVER,
        "decomposition_bonus": options.intersection_bonus,
        "lexical_share": options.rerank_alpha,
    }
    changed = {name: value for name, value in given.items() if value is not None} | dict(options.weights)
    return replace(profile, **changed, independent=options.combine == "independent")

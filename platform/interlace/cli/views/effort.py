"""Writes how much work an answer took, for people."""

from collections.abc import Mapping

from interlace.domain.effort import LAMBDA

_COUNTS = ("legs", "hops", "candidates", "tokens")


def spent(effort: Mapping[str, float]) -> str:
    """Return Λ and the counts it was made of, on one line; empty where an answer has no effort report."""
    if LAMBDA not in effort:
        return ""
    counts = ", ".join(f"{int(effort[name]):,} {name}" for name in _COUNTS if effort.get(name))
    return f"Λ {effort[LAMBDA]:.1f}" + (f" ({counts})" if counts else "")

"""The option ``--filter``, which every command that looks among documents has."""

from typing import Annotated

import typer

from interlace.domain.filter_text import parse_filter
from interlace.domain.filters import Filter, within_limits

FilterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        help="Metadata filter, such as `tags = boats and metadata.year < 1990`; if repeated, all must match.",
        show_default=False,
    ),
]


def filter_of(texts: list[str] | None) -> Filter | None:
    """Return one filter that asks for all of the texts; None without any.

    Raises:
        InvalidInputError: a text is not of the filter language, or all together are too large.
    """
    if not texts:
        return None
    found = [parse_filter(text) for text in texts]
    return found[0] if len(found) == 1 else within_limits(Filter(must=tuple(found)))

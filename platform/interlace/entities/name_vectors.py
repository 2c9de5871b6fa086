"""Similarity of names by their embeddings, computed on demand and cached, and look-up of entities by meaning in the collection ``entities``."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from interlace.domain.errors import UnavailableError
from interlace.entities.read_through import ReadThroughCache
from interlace.ports.models import Embedder
from interlace.ports.vectors import Vector, VectorIndex

_KEPT = 4096
MIN_COSINE: Final = 0.6
"""Cosine below which a question and an entity's text count as unrelated."""


class NameVectors:
    """Embeds names with the first configured model; an LRU cache. Safe for use by several threads.

    Args:
        embedders: by model, the first one first; none when embeddings are off. A model is loaded when the first names are compared.
        max_size: embeddings that are kept (about 1.5 kB each).
        index: holds the vectors of entities; without it none is found by meaning.
    """

    def __init__(
        self, embedders: Mapping[str, Embedder], max_size: int = _KEPT, *, index: VectorIndex | None = None
    ) -> None:
        self._embedders = embedders
        self._index = index
        self._vectors = ReadThroughCache[Vector](max_size)

    @property
    def model(self) -> str | None:
        """The model used for comparison; none when embeddings are off."""
        return next(iter(self._embedders), None)

    def cosines(self, name: str, names: Sequence[str]) -> list[float]:
        """Return the cosine of each name with the one that is asked for; empty when embeddings are off.

        Both sides are embedded as chunks: a name is compared with a name, and the prefix of a question would only lower the cosine.

        Raises:
            InterlaceError: the model cannot be loaded (``SettingsError``, ``UnavailableError``) or returned numbers that are not finite.
        """
        if self.model is None or not names:
            return []
        vectors = self._embed((name, *names))
        found = [float(vectors[name] @ vectors[each]) for each in names]
        if not np.isfinite(found).all():
            raise UnavailableError(f"The embedding model {self.model} returned numbers that are not finite.")
        return found

    def nearest(self, tenant: str, name: str, limit: int) -> dict[str, float]:
        """Return the entities whose name, type and description are close in meaning to what is asked for: ids to cosines.

        Raises:
            InterlaceError: the model cannot be loaded, or the index does not answer.
        """
        if self._index is None or self.model is None or not name:
            return {}
        vector = self._embedders[self.model].embed_query(name)
        found = self._index.search(tenant, "entities", vector, using=self.model, limit=limit)
        return {point.id: point.score for point in found if point.score >= MIN_COSINE}

    def _embed(self, names: Sequence[str]) -> dict[str, Vector]:
        def load(missing: list[str]) -> dict[str, Vector]:
            return dict(zip(missing, self._embedders[str(self.model)].embed_texts(missing), strict=True))

        return self._vectors.read(names, load)

"""Similarity of names by their embeddings, computed on demand and cached: no collection of vectors is kept for them."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from interlace.domain.errors import UnavailableError
from interlace.ports.models import Embedder

_KEPT = 4096

Vector = NDArray[np.float32]


class NameVectors:
    """Embeds names with the first configured model; an LRU cache. Safe for use by several threads.

    Args:
        embedders: by model, the first one first; none when embeddings are off. A model is loaded when the first names are compared.
        keep: embeddings that are kept (about 1.5 kB each).
    """

    def __init__(self, embedders: Mapping[str, Embedder], keep: int = _KEPT) -> None:
        self._embedders = embedders
        self._keep = keep
        self._vectors: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def model(self) -> str | None:
        """The model that compares; none when embeddings are off."""
        return next(iter(self._embedders), None)

    def cosines(self, asked: str, names: Sequence[str]) -> list[float]:
        """Return the cosine of each name with the one that is asked for; empty when embeddings are off.

        Both sides are embedded as chunks: a name is compared with a name, and the prefix of a question would only lower the cosine.

        Raises:
            InterlaceError: the model cannot be loaded (``SettingsError``, ``UnavailableError``) or returned numbers that are not finite.
        """
        if self.model is None or not names:
            return []
        vectors = self._embed((asked, *names))
        found = [float(vectors[asked] @ vectors[name]) for name in names]
        if not np.isfinite(found).all():
            raise UnavailableError(f"The embedding model {self.model} returned numbers that are not finite.")
        return found

    def _embed(self, names: Sequence[str]) -> dict[str, Vector]:
        wanted = list(dict.fromkeys(names))
        with self._lock:
            known = {name: self._vectors[name] for name in wanted if name in self._vectors}
        missing = [name for name in wanted if name not in known]
        if missing:
            made = self._embedders[str(self.model)].embed_texts(missing)
            known.update(zip(missing, made, strict=True))
        with self._lock:
            for name in wanted:
                self._vectors[name] = known[name]
                self._vectors.move_to_end(name)
            while len(self._vectors) > self._keep:
                self._vectors.popitem(last=False)
        return known

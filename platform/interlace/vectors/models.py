"""The embedding models by name, each loaded when it is first used."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from interlace.ports.models import Embedder


class EmbeddingModels(Mapping[str, Embedder]):
    """A mapping from names to models; its names are known without loading any.

    Args:
        names: the names, the first model first; none when embeddings are off.
        load: returns the model of a name; called once for each name, by one thread at a time.
    """

    def __init__(self, names: Sequence[str], load: Callable[[str], Embedder]) -> None:
        self._names = tuple(names)
        self._load = load
        self._loaded: dict[str, Embedder] = {}
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        """Return whether there is a model of that name: a mapping's own method would load it to find out."""
        return name in self._names

    def __getitem__(self, name: str) -> Embedder:
        """Return a model, loaded.

        Raises:
            KeyError: there is no such model.
            SettingsError: its files are not where the settings say.
        """
        if name not in self._names:
            raise KeyError(name)
        with self._lock:
            if name not in self._loaded:
                self._loaded[name] = self._load(name)
            return self._loaded[name]

"""A read-through cache."""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from cachetools import LRUCache

T = TypeVar("T")


class ReadThroughCache(Generic[T]):
    """An LRU cache of values by key; safe for use by several threads.

    Args:
        max_size: maximum of all sizes together.
        size_of: returns the size of a value.
    """

    def __init__(self, max_size: int, size_of: Callable[[T], float] = lambda _: 1) -> None:
        self._values: LRUCache[str, T] = LRUCache(max_size, size_of)
        self._lock = threading.Lock()

    def read(self, keys: Iterable[str], load: Callable[[list[str]], Mapping[str, T]]) -> dict[str, T]:
        """Return the values of some keys; ``load`` reads those that are missing, and gives each of them one.

        Several threads may load the same key at once.
        """
        wanted = sorted(set(keys))
        with self._lock:
            known = {key: self._values[key] for key in wanted if key in self._values}
        missing = [key for key in wanted if key not in known]
        if not missing:
            return known
        loaded = load(missing)
        with self._lock:
            for key, value in loaded.items():
                if self._values.getsizeof(value) <= self._values.maxsize:
                    self._values[key] = value
        return {**known, **loaded}

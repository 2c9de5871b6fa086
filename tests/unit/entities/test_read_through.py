"""A cache that loads what it lacks."""

from interlace.entities.read_through import ReadThroughCache


class Source:
    """Gives each key its length, and notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def load(self, keys: list[str]) -> dict[str, int]:
        self.asked.append(keys)
        return {key: len(key) for key in keys}


def test_what_is_missing_is_loaded_once_and_together() -> None:
    cache, source = ReadThroughCache[int](5), Source()
    assert cache.read(["bb", "a", "bb"], source.load) == {"a": 1, "bb": 2}
    assert cache.read(["ccc", "a"], source.load) == {"a": 1, "ccc": 3}
    assert cache.read(["ccc", "a", "bb"], source.load) == {"a": 1, "bb": 2, "ccc": 3}
    assert source.asked == [["a", "bb"], ["ccc"]]


def test_the_least_recently_used_is_dropped() -> None:
    cache, source = ReadThroughCache[int](2), Source()
    for keys in (["a"], ["b"], ["a"], ["c"]):
        cache.read(keys, source.load)
    source.asked.clear()
    cache.read(["a", "b", "c"], source.load)
    assert source.asked == [["b"]]


def test_sizes_count_and_what_is_larger_than_the_cache_is_not_kept() -> None:
    cache, source = ReadThroughCache[int](4, lambda length: length), Source()
    assert cache.read(["aa", "bb", "too long"], source.load) == {"aa": 2, "bb": 2, "too long": 8}
    source.asked.clear()
    cache.read(["aa", "bb", "too long"], source.load)
    assert source.asked == [["too long"]]

"""Which words with capitals side by side a text also has by themselves."""

from interlace.text.collocations import Collocations

GUIDE = "Fastify serves HTTP2. Use Fastify with HTTP2, see the Fastify HTTP2 page. Visual Studio opens, as Visual Studio does. Modern Linux is Linux."


def test_words_that_stand_by_themselves_as_often_as_together_are_loose() -> None:
    pairs = Collocations(GUIDE).loose("Ask for Fastify HTTP2, Visual Studio and Modern Linux.")
    assert pairs == (("Fastify", "HTTP2", True), ("Modern", "Linux", False))


def test_words_side_by_side_have_one_space_between_them_and_a_capital_each() -> None:
    text = "Redis Sentinel. Redis. Sentinel. Redis, Sentinel and redis Sentinel"
    assert Collocations(text).loose("Redis, Sentinel; Redis\nSentinel; redis Sentinel") == ()
    assert Collocations(text).loose("a Redis Sentinel") == (("Redis", "Sentinel", True),)


def test_pairs_that_the_text_does_not_have_are_none() -> None:
    assert Collocations("Redis. Sentinel.").loose("Redis Sentinel") == ()

"""Which words a text writes small by nature."""

from interlace.text.truecasing import capitalised, words_by_nature_small

GUIDE = """A handler writes. Handlers are added to a logger, and each Handler has a level. Pass the handlers.
Install Poetry. We use Poetry, and poetry is the command. See Poetry, or ask Poetry people."""


def test_words_are_small_by_nature_where_most_places_amid_sentences_say_so() -> None:
    small = words_by_nature_small(GUIDE)
    assert capitalised("Handler, Handlers, Poetry and Level", small) == ("Handler", "Handlers", "Level")


def test_paths_options_and_identifiers_are_no_witnesses() -> None:
    small = words_by_nature_small("Set --redis or redis.host in etc/redis, see redis_url and <redis> and redis=1.")
    assert not capitalised("Redis", small)


def test_a_capital_where_a_sentence_begins_is_no_witness() -> None:
    small = words_by_nature_small("Pools are closed. Pools: see below. A pool is closed.")
    assert capitalised("Pool", small) == ("Pool",)

"""Stop words: one list of English function words, and what each use of it adds.

Only the core list is dropped from the BM25 terms of a chunk, because a dropped term cannot be searched for; its words are those that any English
index leaves out (Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008, section 2.2.2). Questions and the context
of mentions drop more of them, and so do entities of a single word.
"""

from collections.abc import Mapping

_CORE = """
a an and are as at be but by did do does for from had has have he her his how i if in into is it its no not of on or she such that the
their then there these they this to was were what when where which who whom whose why will with
"""
_FURTHER = """
about after all also am any because been before being between both each else every few further here him just like many me
more most my nor off once one only other our out over own same since so some than them those too under until up
us very we while you your
"""
_MODALS = """
can could may might must shall should would
"""
_IN_QUESTIONS = """
doing done either ever get give given having hers itself let mine much neither now ours per please show tell theirs through upon
whatever whether whoever within without yes yet yours
"""
_OF_ASKING = """
anybody anyone anything come comes everybody everyone everything happen happened happens know need needs really somebody someone something
thing things want wants went
"""
# Without its apostrophe a word is one, and so few words ask that their language is unclear: ``wie viele urlaubstage``.
_ASKING_BRIEFLY = """
arent cant couldnt didnt doesnt dont hows isnt wasnt whats whens wheres whos whys wont
combien cuándo cuánta cuántas cuánto cuántos hoeveel perché pourquoi quand quante quanti viele waarom wann wanneer warum wie wieviel wieviele
"""
_MODALS_IN = {
    "de": """
brauche brauchen darf dürfen durfte durften gibt konnten meinem meinen meiner müssen musste möchte sollen
""",
    "es": """
debe debo hacer necesito podemos podía pueden puede puedo tengo tenemos
""",
    "fr": """
combien devons doit dois faire faut peux pouvons puis veux
""",
}
# Capitalised in running text far more often because of their position in the sentence than as an entity.
_AT_BEGINNINGS = """
according again although another born despite during eight first five following four however new nine old onto second seven several six
ten third though three two unlike
"""

ARTICLES = frozenset({"a", "an", "the"})
"""Folded words that tell no two names or answers apart."""
TERM_STOP_WORDS = frozenset(_CORE.split())
"""Folded words that are not BM25 terms."""
MODAL_VERBS = frozenset(_MODALS.split())
"""Folded words that are terms of a chunk, but of a question only where they are written as a name: *May* is a month."""
QUESTION_STOP_WORDS = TERM_STOP_WORDS | MODAL_VERBS | frozenset(_FURTHER.split()) | frozenset(_IN_QUESTIONS.split())
"""Folded words that say nothing about what a question asks, or about the context of a mention."""
ANSWER_STOP_WORDS = QUESTION_STOP_WORDS | frozenset(_OF_ASKING.split()) | frozenset(_ASKING_BRIEFLY.split())
"""Folded words of a question that its answer need not hold."""
ENTITY_STOP_WORDS = TERM_STOP_WORDS | MODAL_VERBS | frozenset(_FURTHER.split()) | frozenset(_AT_BEGINNINGS.split())
"""Folded words that are not entities by themselves."""
MODALS_IN: Mapping[str, frozenset[str]] = {language: frozenset(words.split()) for language, words in _MODALS_IN.items()}
"""ISO 639-1 code of a language to words in lower case that are terms, but that an answer to a question in that language need not hold."""

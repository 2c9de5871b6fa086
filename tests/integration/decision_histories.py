"""Decisions for tests of exactness, about the few names of ``written_documents``."""

import random

from interlace.domain.decisions import Author, Decision, EntityForm
from interlace.domain.ids import document_id

FORMS = ("fritz lang", "old mill", "zorg", "vienna", "old mill zorg")
MEANINGS = ("zorg place", "vienna film", *FORMS)
NAMES = ("Fritz Lang", "Old Mill", "Zorg", "Vienna", "Old Mill Zorg", "Notes")
SENTENCES = (
    "Fritz Lang built the Old Mill in Vienna.",
    "Zorg met Fritz Lang in Vienna.",
    "Fritz Lang met Zorg.",
    "The Old Mill Zorg stands in Vienna.",
    "There is [[Old Mill]] and [[Zorg#place]].",
    "Vienna saw the Old Mill.",
)
URIS = ("a.md", "b.md", "c.md")
PERSON = Author("ada")
RULE = Author("spelling", "rule")


def same(*forms: str, author: Author = PERSON) -> Decision:
    """Return a decision that forms are one entity."""
    return Decision("same", tuple(sorted(map(EntityForm, forms))), author)


def different(*forms: str, author: Author = PERSON) -> Decision:
    """Return a decision that forms are never one entity."""
    return Decision("different", tuple(sorted(map(EntityForm, forms))), author)


def split(tenant: str, form: str, meaning: str, *uris: str) -> Decision:
    """Return a decision that a form means another entity in some documents."""
    documents = tuple(sorted(document_id(tenant, uri) for uri in uris))
    return Decision("split", (EntityForm(form),), PERSON, EntityForm(meaning), documents)


def any_decision(chance: random.Random, tenant: str) -> Decision:
    """Return a decision about one tenant's documents, by a person or a rule."""
    kind = chance.choice(["same", "same", "different", "split"])
    if kind == "split":
        form = chance.choice(FORMS)
        meaning = chance.choice([each for each in MEANINGS if each != form])
        return split(tenant, form, meaning, *chance.sample(URIS, chance.randint(1, 2)))
    forms = chance.sample(FORMS, chance.choice([2, 2, 3]))
    return (same if kind == "same" else different)(*forms, author=chance.choice([PERSON, RULE]))


def any_document(chance: random.Random) -> str:
    """Return a small document that names a few of the entities again and again."""
    alias = chance.choice(["", "", "---\naliases: [Zorg]\n---\n", "---\naliases: [Old Mill Zorg]\n---\n"])
    return f"{alias}# {chance.choice(NAMES)}\n\n{chance.choice(SENTENCES)} {chance.choice(SENTENCES)}\n"

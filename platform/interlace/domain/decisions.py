"""Decisions about entities: which names are one entity, which never are, and which name means another entity in some documents.

A decision refers to normalised forms, types and documents, never of nodes, so it outlives both: it holds for what is ingested later.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from interlace.domain.errors import InvalidInputError
from interlace.domain.ids import entity_id, stable_id

DecisionKind: TypeAlias = Literal["same", "different", "split"]
AuthorKind: TypeAlias = Literal["person", "model", "rule"]
MAX_FORMS = 100
MAX_DOCUMENTS = 1000
_MAX_TEXT_CHARACTERS = 4000
_RANKS: dict[AuthorKind, int] = {"person": 0, "model": 1, "rule": 2}
_ORDER: dict[DecisionKind, int] = {"different": 0, "split": 1, "same": 2}


@dataclass(frozen=True, slots=True, order=True)
class EntityForm:
    """What identifies an entity in a text: the normalised form of a name and, for declared kinds such as ``Tool``, the type."""

    form: str
    type: str = ""

    def id(self, tenant: str) -> str:
        """Return the id that the entity has without any decision."""
        return entity_id(tenant, self.form, self.type)


@dataclass(frozen=True, slots=True)
class Author:
    """Who decides: a person, a model or a named rule."""

    name: str
    kind: AuthorKind = "person"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about entities.

    Args:
        kind: ``same`` (the forms are one entity), ``different`` (no two of them ever are) or ``split`` (the form means another entity in
            some documents).
        forms: what it is about, sorted: two or more; one for a split.
        author: who made it.
        meaning: for a split, what the form means in ``documents``.
        documents: for a split, ids of the documents, sorted.
        seen: the evidence that the author saw, for readers.
        note: why, in the author's words.
        created_at: an instant; empty until it is recorded.
    """

    kind: DecisionKind
    forms: tuple[EntityForm, ...]
    author: Author
    meaning: EntityForm | None = None
    documents: tuple[str, ...] = ()
    seen: str = ""
    note: str = ""
    created_at: str = ""

    @property
    def key(self) -> str:
        """What it says and by whom, without times, notes and evidence. Its id in a tenant is derived from this."""
        parts = [self.kind, self.author.kind, self.author.name]
        parts += [f"{form.type}\t{form.form}" for form in self.forms]
        if self.meaning:
            parts += [f"means {self.meaning.type}\t{self.meaning.form}", *self.documents]
        return "\n".join(parts)

    def id(self, tenant: str) -> str:
        """Return its id: the same decision by the same author is one decision, however often it is made."""
        return stable_id("decision", tenant, self.key)

    @property
    def rank(self) -> tuple[int, int, str]:
        """Its rank among other decisions: persons before models before rules, *different* before *split* before *same*."""
        return _RANKS[self.author.kind], _ORDER[self.kind], self.key

    def check(self) -> None:
        """Refuse an invalid decision.

        Raises:
            InvalidInputError: too few or too many forms or documents, a name without a word, or a text beyond 4,000 characters.
        """
        wanted = "exactly one name" if self.kind == "split" else f"2 to {MAX_FORMS} names of different entities"
        right = len(self.forms) == 1 if self.kind == "split" else 1 < len(set(self.forms)) <= MAX_FORMS
        if not right:
            raise InvalidInputError(f"A decision '{self.kind}' is about {wanted}, not about {len(set(self.forms))}.")
        named = (*self.forms, *([self.meaning] if self.meaning else []))
        if not all(each.form for each in named):
            raise InvalidInputError("A name needs at least one letter or digit.")
        if self.kind == "split" and (self.meaning is None or self.meaning in self.forms):
            raise InvalidInputError(
                "A split needs another name for what is meant in these documents, for example 'Mercury (planet)'."
            )
        if self.kind != "split" and self.meaning is not None:
            raise InvalidInputError(f"Only a split has a meaning, not a decision '{self.kind}'.")
        if (self.kind == "split") != bool(self.documents) or len(self.documents) > MAX_DOCUMENTS:
            raise InvalidInputError(
                f"A split is about 1 to {MAX_DOCUMENTS} documents, other decisions about none, not about {len(self.documents)}."
            )
        if not self.author.name or max(len(self.author.name), len(self.note), len(self.seen)) > _MAX_TEXT_CHARACTERS:
            raise InvalidInputError(
                f"A decision has an author, and texts of at most {_MAX_TEXT_CHARACTERS} characters."
            )

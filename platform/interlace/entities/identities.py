"""Identity under decisions: which entity a normalised form is, in which document.

Without decisions every form is its own entity. *Same* joins forms (union-find; the representative is the smallest form of the class, so it
depends on the set and not on its order), *different* keeps them apart, *split* maps a form to another one in some documents. Evidence
stays keyed by the form that a text has (the *origin*), so a decision can be undone exactly.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from interlace.domain.decisions import Decision, EntityForm


class Identities:
    """The identities that follow from a set of decisions. They depend on the set alone.

    Decisions that contradict each other are taken in order of rank: a decision that would join what an earlier one keeps apart, or keep
    apart what an earlier one joins, is *overruled* and has no effect while the other is in force. A split has none in the documents for
    which an earlier one chose another meaning: if not in all of them, these are *passed over*.
    """

    def __init__(self, tenant: str, decisions: Iterable[Decision] = ()) -> None:
        self.tenant = tenant
        self.decisions = tuple(sorted(set(decisions), key=lambda each: each.rank))
        self.overruled: set[str] = set()
        self.passed_over: dict[str, tuple[str, ...]] = {}
        self._parents: dict[EntityForm, EntityForm] = {}
        self._smallest: dict[EntityForm, EntityForm] = {}
        self._apart: dict[EntityForm, set[EntityForm]] = {}
        self._splits: dict[EntityForm, dict[str, EntityForm]] = defaultdict(dict)
        for decision in self.decisions:
            if not self._take(decision):
                self.overruled.add(decision.key)
        forms = {*self._parents, *self._splits, *(form for each in self._splits.values() for form in each.values())}
        self._forms = {form.id(tenant): form for form in forms}
        self._entities = {form.id(tenant): self._entity(form) for form in forms}
        self._meanings = {
            form.id(tenant): {document: self._entity(target) for document, target in targets.items()}
            for form, targets in self._splits.items()
        }
        self.names = self._names_by_entity()
        self.chosen = self._chosen_by_form()
        self.not_meant = self._not_meant_by_form()

    def _take(self, decision: Decision) -> bool:
        """Apply a decision; return false if earlier ones rule it out."""
        if decision.kind == "same":
            return self._join(decision)
        if decision.kind == "different":
            return self._part(combinations(decision.forms, 2))
        form, target = decision.forms[0], decision.meaning
        assert target is not None  # noqa: S101 - Decision.check guarantees it
        taken = tuple(each for each in decision.documents if self._splits[form].get(each, target) != target)
        if len(taken) == len(decision.documents) or not self._part([(form, target)]):
            return False
        if taken:
            self.passed_over[decision.key] = taken
        self._splits[form].update(dict.fromkeys(set(decision.documents).difference(taken), target))
        return True

    def _part(self, pairs: Iterable[tuple[EntityForm, EntityForm]]) -> bool:
        wanted = list(pairs)
        if any(self._root(one) == self._root(other) for one, other in wanted):
            return False
        for one, other in wanted:
            self._keep_apart(self._root(one), self._root(other))
        return True

    def _join(self, decision: Decision) -> bool:
        roots = {self._root(form) for form in decision.forms}
        if any(not roots.isdisjoint(self._apart.get(root, ())) for root in roots):
            return False
        # What the other roots are kept apart from moves to the one that is kept apart from most: no pair moves often.
        one = max(roots, key=lambda root: len(self._apart.get(root, ())))
        self._smallest[one] = min(self._smallest.get(root, root) for root in roots)
        self._parents[one] = one
        for root in roots - {one}:
            self._parents[root] = one
            for other in self._apart.pop(root, ()):
                self._apart[other].remove(root)
                self._keep_apart(one, other)
        return True

    def _keep_apart(self, one: EntityForm, other: EntityForm) -> None:
        self._apart.setdefault(one, set()).add(other)
        self._apart.setdefault(other, set()).add(one)

    def _root(self, form: EntityForm) -> EntityForm:
        while (parent := self._parents.get(form, form)) != form:
            # Path halving: chains stay short, however the decisions came (Tarjan and van Leeuwen 1984).
            self._parents[form] = parent = self._parents.get(parent, parent)
            form = parent
        return form

    def _entity(self, form: EntityForm) -> str:
        root = self._root(form)
        return self._smallest.get(root, root).id(self.tenant)

    def _names_by_entity(self) -> dict[str, set[str]]:
        """Return, by entity, the forms that decisions join to it or choose for it, whether or not a text has them."""
        found: dict[str, set[str]] = defaultdict(set)
        for form in {*self._parents, *(target for each in self._splits.values() for target in each.values())}:
            found[self._entity(form)].add(form.form)
        return found

    def _chosen_by_form(self) -> dict[str, dict[str, set[str]]]:
        """Return, by form and document, the entities that splits choose."""
        found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for form in self._splits:
            for document, entity in self._meanings[form.id(self.tenant)].items():
                found[form.form][document].add(entity)
        return found

    def _not_meant_by_form(self) -> dict[str, set[str]]:
        """Return, by form, the entities that are kept apart from those that have it as their own."""
        roots: dict[str, set[EntityForm]] = defaultdict(set)
        for form in {*self._forms.values(), *self._apart}:
            roots[form.form].add(self._root(form))
        entities = {root: self._smallest.get(root, root).id(self.tenant) for root in self._apart}
        # The forms of an entity share its set: copies would take names times names that are kept apart from them.
        others = {root: {entities[other] for other in apart} for root, apart in self._apart.items()}
        apart = {
            form: others.get(min(own), set())
            if len(own) == 1
            else set().union(*(others.get(one, ()) for one in own)) - {entities.get(one, "") for one in own}
            for form, own in roots.items()
        }
        return {form: kept for form, kept in apart.items() if kept}

    def are_apart(self, one: EntityForm, other: EntityForm) -> bool:
        """Return whether a decision that counts keeps the entities of two forms apart."""
        return self._root(other) in self._apart.get(self._root(one), ())

    @property
    def origins(self) -> set[str]:
        """Ids of the entities that decisions may map to others."""
        return {*self._entities, *self._meanings}

    def documents_of(self, origin: str) -> Mapping[str, str]:
        """Return the documents in which an origin is split off, each with the entity that it maps to there."""
        return self._meanings.get(origin, {})

    def entity_of(self, origin: str) -> str:
        """Return the entity that an origin maps to where no split says otherwise."""
        return self._entities.get(origin, origin)

    def form_of(self, entity_id: str) -> EntityForm | None:
        """Return the form from which an entity's id is derived, if a decision names it: no text needs to have it."""
        return self._forms.get(entity_id)

    def resolve(self, origin: str, document_id: str) -> str:
        """Return the id of the entity that an origin (the id by form alone) maps to in a document."""
        split = self._meanings.get(origin)
        return (split.get(document_id) if split else None) or self._entities.get(origin, origin)

    def meant(self, form: str, entities: tuple[str, ...], document_id: str) -> tuple[str, ...]:
        """Return those of a form's entities that a document may mean by it.

        Where a split says what the form means, that is only the chosen entity, whoever else has the form; elsewhere it is none that is
        kept apart from the form.
        """
        if chosen := self.chosen.get(form, {}).get(document_id):
            return tuple(each for each in entities if each in chosen)
        return tuple(each for each in entities if each not in self.not_meant.get(form, ()))

    def renamed(self, other: "Identities") -> set[str]:
        """Return the entities that decisions name otherwise than under ``other``."""
        return {
            entity
            for entity in self.names.keys() | other.names.keys()
            if self.names.get(entity) != other.names.get(entity)
        }

    def changed_choices(self, other: "Identities", forms_of: Callable[[str], Collection[str]]) -> set[str]:
        """Return the forms that mean other entities in some document than they do under ``other``.

        Args:
            other: other identities.
            forms_of: returns the forms of an entity; what it never was called need not be kept apart from it.
        """
        chosen, not_meant = (
            {form for form in one.keys() | two.keys() if one.get(form) != two.get(form)}
            for one, two in ((self.chosen, other.chosen), (self.not_meant, other.not_meant))
        )
        return chosen | {
            form
            for form in not_meant
            if any(
                form in forms_of(each) for each in self.not_meant.get(form, set()) ^ other.not_meant.get(form, set())
            )
        }


@dataclass(frozen=True, slots=True)
class Transition:
    """Identities while a decision is being applied, document by document in order of id.

    Args:
        after: identities with the decision.
        before: identities without it.
        place: the last document that follows ``after``; empty if none does, None if all do.
    """

    after: Identities
    before: Identities | None = None
    place: str | None = field(default=None)

    def resolve(self, origin: str, document_id: str) -> str:
        """Return the id of the entity that an origin maps to in a document at this moment."""
        if self.before is not None and self.place is not None and document_id > self.place:
            return self.before.resolve(origin, document_id)
        return self.after.resolve(origin, document_id)

    def meant(self, form: str, entities: tuple[str, ...], document_id: str) -> tuple[str, ...]:
        """Return those of a form's entities that a document may mean by it at this moment: new choices hold from the first batch on."""
        identities = self.before if self.before is not None and self.place == "" else self.after
        return identities.meant(form, entities, document_id)


@dataclass(frozen=True, slots=True)
class Move:
    """Evidence of one origin that moves from one entity to another.

    Args:
        origin: what the evidence is for by form alone.
        source: the entity that has it.
        target: the entity that gets it.
        documents: in which documents; None for all but ``others``.
        others: documents in which a split decides.
    """

    origin: str
    source: str
    target: str
    documents: list[str] | None = None
    others: list[str] = field(default_factory=list)


def moves(before: Identities, after: Identities) -> list[Move]:
    """Return the moves of evidence that a change of identities requires."""
    found: list[Move] = []
    for origin in sorted(before.origins | after.origins):
        split = sorted({*before.documents_of(origin), *after.documents_of(origin)})
        source, target = before.entity_of(origin), after.entity_of(origin)
        if source != target:
            found.append(Move(origin, source, target, others=split))
        for document in split:
            source, target = before.resolve(origin, document), after.resolve(origin, document)
            if source != target:
                found.append(Move(origin, source, target, [document]))
    return found

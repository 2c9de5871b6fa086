"""A labelled set for candidates of a merge: names in running text, written otherwise in some documents by rules and a seed.

A name is one of several words that the extractor finds in two documents or more. In one of them, chosen at random, every occurrence of the whole
name is written otherwise; the others stay. Of the rules that fit, the one used least is taken. Name and variant are then one entity by construction, and the text around the variant is real.
What a variant is for depends on the type: see ``variants``. The set says nothing of names that share no spelling (*Big Apple*).
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interlace.domain.extraction import PARTICLES
from interlace.entities.normalization import normalize_name
from interlace.entities.pair_score import acronym_of

_TYPES = frozenset({"Person", "Organization", "Place"})
_PLAIN = re.compile(r"[A-Z][\w'\u2019-]+(?: (?:of|the|and|de|van|von|[A-Z][\w'\u2019.-]*))* [A-Z][\w'\u2019-]+")
_MIN_LETTERS = 5  # letters of a word that a slip is made in
_MAX_ACRONYM_CHARACTERS = 3  # words from which an acronym has as many letters as tell it from others


@dataclass(frozen=True, slots=True)
class Variant:
    """A name, what stands for it in one document, and by which rule."""

    name: str
    surface: str
    kind: str
    document: str


def variants(name: str, kind: str, chance: random.Random) -> dict[str, str]:
    """Return what people write for a name, by rule.

    - ``slip``: a letter within a word of five letters or more is left out (any type).
    - ``initials``: first names as initials; ``title``: *Dr.* before the name; ``middle``: middle names left out (people).
    - ``suffix``: *Inc.* after the name (organisations).
    - ``acronym``: initials of three words or more, particles aside (organisations and places).
    """
    words = name.split()
    found = {"slip": _slip(words, chance)}
    if kind == "Person":
        found["initials"] = " ".join([*(f"{word[0]}." for word in words[:-1]), words[-1]])
        found["title"] = f"Dr. {name}"
        found["middle"] = f"{words[0]} {words[-1]}"
    if kind == "Organization":
        found["suffix"] = f"{name} Inc."
    letters = acronym_of(normalize_name(name)).upper()
    if kind != "Person" and len(letters) >= _MAX_ACRONYM_CHARACTERS:
        found["acronym"] = letters
    return {rule: surface for rule, surface in found.items() if normalize_name(surface) != normalize_name(name)}


def _slip(words: Sequence[str], chance: random.Random) -> str:
    long = [index for index, word in enumerate(words) if len(word) >= _MIN_LETTERS and word.isalpha()]
    if not long:
        return " ".join(words)
    index = chance.choice(long)
    at = chance.randrange(1, len(words[index]) - 1)
    return " ".join([*words[:index], words[index][:at] + words[index][at + 1 :], *words[index + 1 :]])


def inject(
    texts: Mapping[str, str], mentions: Iterable[tuple[str, str, str]], seed: int, max_variants: int
) -> tuple[dict[str, str], list[Variant]]:
    """Return the texts with variants written into them, and the variants; each document and each name is used once.

    Args:
        texts: document to text.
        mentions: document, surface and type of what the extractor found.
        seed: of every choice.
        max_variants: variants wanted.
    """
    chance = random.Random(seed)
    named: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for document, surface, kind in mentions:
        if kind in _TYPES and _PLAIN.fullmatch(surface) and surface.split()[0].lower() not in PARTICLES:
            named[surface][kind].add(document)
    changed, made = dict(texts), list[Variant]()
    used, taken, rules = set[str](), set[str](), Counter[str]()
    for surface in chance.sample(sorted(named), len(named)):
        kind, documents = max(named[surface].items(), key=lambda each: (len(each[1]), each[0]))
        free = sorted(documents - used)
        words = set(normalize_name(surface).split())
        if len(made) == max_variants or len(documents) < 2 or len(free) < 2 or words & taken:
            continue
        document, other = chance.sample(free, 2)
        written_by = variants(surface, kind, chance)
        rule = min(written_by, key=lambda each: (rules[each], each), default="")
        written = written_by.get(rule, "")
        text, count = re.subn(rf"(?<!\w){re.escape(surface)}(?!\w)", written, texts[document])
        if rule and count:
            changed[document] = text
            made.append(Variant(surface, written, rule, document))
            used |= {document, other}
            taken |= words
            rules[rule] += 1
    return changed, made

"""The installed spaCy pipelines by language: the one in the settings, and for other languages those with spaCy's own names."""

from collections.abc import Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

import orjson

_SIZES = ("sm", "md", "lg")
_GENRES = ("news", "web")


def language_of(pipeline: str) -> str:
    """Return the language that a pipeline reads, by its description or the beginning of its name: ``de`` for ``de_core_news_sm``."""
    described = Path(pipeline) / "meta.json"
    if described.is_file():
        return str(orjson.loads(described.read_bytes()).get("lang", ""))
    return Path(pipeline).name.partition("_")[0]


def other_pipelines(pipeline: str) -> Mapping[str, str]:
    """Return the installed pipelines for other languages than that of the settings' pipeline, by language: the largest if there are several.

    Their names are ``<language>_core_news_<size>`` or ``<language>_core_web_<size>``, like spaCy's own.
    """
    main = language_of(pipeline)
    found: dict[str, tuple[int, str]] = {}
    for name in packages_distributions():
        language, core, genre, size = (*name.split("_"), "", "", "", "")[:4]
        if core == "core" and genre in _GENRES and size in _SIZES and name.count("_") == len(_SIZES):
            found[language] = max(found.get(language, (-1, "")), (_SIZES.index(size), name))
    return {language: name for language, (_, name) in sorted(found.items()) if language != main}

"""The part of ``interlace doctor`` that says in which languages a model finds entities."""

from interlace.settings import Settings
from interlace_stack.doctor import Finding


def examine_languages(settings: Settings) -> Finding:
    """Return the languages that spaCy pipelines are installed for; in all others structure alone gives entities, and nothing is wrong."""
    from interlace.adapters.spacy.pipelines import language_of, other_pipelines

    main = settings.spacy.pipeline
    pipelines = {language_of(main): main, **other_pipelines(main)}
    models = ", ".join(f"{language} ({name})" for language, name in pipelines.items())
    return Finding(
        "languages",
        "ok",
        f"a model finds entities in {models}; in other languages only structure does",
        "For their names, install spaCy's pipeline of a language, such as de_core_news_sm.",
    )

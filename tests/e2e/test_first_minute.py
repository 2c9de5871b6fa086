"""The first minute of a new user: the sample collection, the demo's question and the guide's parameters fit together."""

import html
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.conftest import waiting_for_legs

from interlace.bootstrap import Platform
from interlace.cypher_files import guide
from interlace.documents.tenants import Tenants
from interlace.domain.hits import QueryRequest
from interlace.entities.repository import EntityRepository
from interlace.entities.results import Entity
from interlace.settings import Settings

pytestmark = pytest.mark.stack
ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def default(variable: str) -> str:
    """Return what `make demo` takes if the variable is not given."""
    found = re.search(rf"^{variable} \?= (.+)$", MAKEFILE, re.MULTILINE)
    assert found
    return found[1]


@pytest.fixture
def platform(full_stack: Settings) -> Iterator[Platform]:
    with closing(Platform(waiting_for_legs(full_stack))) as opened:
        yield opened


def entity(platform: Platform, tenant: str, name: str) -> Entity:
    """Return the entity that is called so."""
    return EntityRepository(platform.graph).search(tenant, name, limit=1).matches[0].entity


def test_the_question_of_the_demo_needs_two_documents_and_shows_the_path(platform: Platform, saltmarsh: str) -> None:
    assert default("DOCS") == "ops/demo/saltmarsh"
    response = platform.questions.search(saltmarsh, QueryRequest(default("QUESTION"), limit=3))
    (hit,) = [hit for hit in response.hits if "Rostock" in hit.text]
    assert "Plover" not in hit.text, "one document would be enough"
    assert list(dict.fromkeys(step.entity_name for step in hit.path)) == ["Plover", "Clara Hoffmann"]
    assert {step.document_title for step in hit.path} == {"Plover", "Clara Hoffmann"}


def test_the_names_in_the_guide_are_in_the_sample(platform: Platform, saltmarsh: str) -> None:
    names = set(re.findall(r"(?:name =>|name:|other:) '([^']+)'", html.unescape(guide("start"))))
    assert names >= {"Clara Hoffmann", "Plover"}
    assert {entity(platform, saltmarsh, name).name for name in names} == names


def test_the_sample_has_the_types_that_a_reader_expects(platform: Platform, saltmarsh: str) -> None:
    expected = {"Clara Hoffmann": "Person", "Plover": "Product", "Brightcell": "Organization", "Rostock": "Place"}
    assert {name: entity(platform, saltmarsh, name).type for name in expected} == expected


def test_counts_of_a_tenant_are_of_entities_and_not_of_mentions(platform: Platform, saltmarsh: str) -> None:
    counts = Tenants(platform.graph).counts(saltmarsh)
    *_, job = platform.jobs.list(saltmarsh)  # the oldest: other tests add documents to this tenant and take them out
    assert counts.documents == job.ready > 36
    assert 50 < counts.entities < job.mentions
    assert counts.communities

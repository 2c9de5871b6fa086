"""A tenant that nothing was ingested for: refused with a suggestion, unless there is nothing to confuse it with."""

from collections.abc import Sequence

import pytest
from tests.support.collecting_graph import Answer, CollectingGraph

from interlace.documents.tenants import Tenants
from interlace.domain.errors import NotFoundError


def tenants_named(*names: str) -> Tenants:
    answers: dict[str, Answer] = {
        "tenants/tenant_known": lambda *, tenant: [{"known": tenant in names}],
        "tenants/list_tenants": [{"tenant": name} for name in names],
    }
    return Tenants(CollectingGraph(answers))


def require(tenant: str, *names: str) -> None:
    tenants_named(*names).check_known(tenant)


def test_an_unknown_tenant_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(NotFoundError, match=r"Did you mean handbook\?"):
        require("handbok", "handbook", "wiki")
    with pytest.raises(NotFoundError, match="There are: handbook, wiki"):
        require("xyz", "handbook", "wiki")


def test_a_key_for_a_tenant_that_is_not_there_is_noted_with_a_suggestion() -> None:
    def noted(*names: str, tenants: Sequence[str]) -> Sequence[str]:
        return tenants_named(*names).missing(tenants)

    assert noted("full", "wiki", tenants=("fulll", "wiki")) == ["There is no tenant fulll yet; did you mean 'full'?"]
    assert noted("full", tenants=("other",)) == ["There is no tenant other yet."]
    assert noted(tenants=("full",)) == []


def test_a_known_tenant_and_a_new_installation_are_no_error() -> None:
    require("wiki", "handbook", "wiki")
    require("default")

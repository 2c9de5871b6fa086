"""Atom search where the index has no chunks of a tenant."""

import numpy as np
import pytest
from tests.contract.fakes_vectors import FakeVectorIndex
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import UnavailableError
from interlace.entities.linker import EntityLinkers
from interlace.search.atoms.stages import AtomStages
from interlace.search.candidates import Candidate
from interlace.search.legs.protocol import Scope
from interlace.search.profile import AtomProfile


def nearest(chunks: int) -> list[Candidate]:
    row = {"version": 1, "revision": 1, "chunks": chunks, "model": "", "models": []}
    graph = CollectingGraph({"gazetteer/gazetteer_version": [row] if chunks else []})
    stages = AtomStages(graph, FakeVectorIndex(), {}, EntityLinkers(graph), AtomProfile())
    return stages._nearest(Scope("empty", "", None, 10, 1.0), np.ones(1, np.float32), "m")


def test_a_tenant_without_documents_has_no_atoms_near_a_query() -> None:
    assert nearest(0) == []


def test_chunks_that_the_index_lost_are_an_error_with_the_remedy() -> None:
    with pytest.raises(UnavailableError, match="vectors rebuild"):
        nearest(3)

"""Rebuild of the vector index from the graph, in place, while readers are served."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from interlace.leases.lease import acquired
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.queries.gazetteer import gazetteer_version
from interlace.queries.tenants import begin_tenant
from interlace.vectors.rebuild_run import Begun, PointProjection, Progress, RebuildReport, RebuildRun, Reconcile, Stores
from interlace.vectors.tenant_models import TenantModels, check_configured

LEASE_SECONDS = 60


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


class VectorRebuild:
    """Rebuilds points.

    Args:
        graph: the source of truth.
        vectors: its projection.
        reconcile: synchronises points with the graph where it changed meanwhile.
        embedders: the models of this process, the first one first.
        others: the kinds of points other than chunks, by collection.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        reconcile: Reconcile,
        embedders: Mapping[str, Embedder],
        others: Mapping[str, PointProjection],
    ) -> None:
        self.models = TenantModels(graph, embedders)
        self._stores = Stores(graph, vectors, reconcile, embedders, others)

    def rebuild(self, tenant: str, progress: Progress = _silent) -> RebuildReport:
        """Write every point again with the vectors of all models of this process; vectors of other models are removed.

        Raises:
            ConflictError: another run is rebuilding the vectors of this tenant.
            UnavailableError: a server does not answer; the old points are still served, and the next run begins again.
        """
        with self._begin(tenant) as begun:
            return RebuildRun(self._stores, begun, tuple(self._stores.embedders), progress, whole=True).run()

    def rebuild_model(self, tenant: str, model: str, progress: Progress = _silent) -> RebuildReport:
        """Write the vectors of one model, all if it was complete, otherwise the missing ones; questions use it afterwards.

        Raises:
            InvalidInputError: there is no such model.
            ConflictError: another run is rebuilding the vectors of this tenant.
            UnavailableError: a server does not answer; the next run resumes from there.
        """
        check_configured(model, self.models.configured)
        with self._begin(tenant) as begun:
            again = model in begun.models
            return RebuildRun(self._stores, begun, (model,), progress, again=again, use=model).run()

    def add_missing(self, tenant: str, timeout: float) -> RebuildReport:
        """Write missing vectors of all models of this process, for at most ``timeout`` seconds.

        Raises:
            ConflictError: another run is rebuilding the vectors of this tenant.
            UnavailableError: a server does not answer.
        """
        with self._begin(tenant) as begun:
            missing = tuple(name for name in self._stores.embedders if name not in begun.models)
            if not missing:
                return RebuildReport(tenant, (), complete=True)
            return RebuildRun(self._stores, begun, missing, _silent, deadline=time.monotonic() + timeout).run()

    @contextmanager
    def _begin(self, tenant: str) -> Iterator[Begun]:
        graph = self._stores.graph
        busy = f"The vectors of tenant {tenant!r} are being rebuilt"
        with acquired(graph, tenant, "vectors", seconds=LEASE_SECONDS, busy=busy) as lease:
            begin_tenant(graph, tenant=tenant)
            row = gazetteer_version(graph, tenant=tenant)
            yield Begun(lease, row.chunks if row else 0, tuple(row.models if row else ()))

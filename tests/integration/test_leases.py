"""Leases on the real graph: one owner at a time, an expired one taken over, the former owner fenced off."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

import pytest
from tests.integration.ingestion_world import World

from interlace.domain.errors import ConflictError
from interlace.leases.lease import Lease, acquired
from interlace.ports.graph import Transaction
from interlace.queries.leases import acquire_lease

BUSY = "Somebody is at it"


def _expire(world: World, tenant: str) -> None:
    world.run("MATCH (l:Lease {tenant: $tenant}) SET l.expiresAt = timestamp() - 1", tenant)


def _held(world: World, tenant: str) -> list[str | None]:
    return [row["owner"] for row in world.rows("MATCH (l:Lease {tenant: $tenant}) RETURN l.owner AS owner", tenant)]


@pytest.fixture
def lease(world: World, tenant: str) -> Iterator[Lease]:
    with acquired(world.platform.graph, tenant, "work", seconds=60, busy=BUSY) as held:
        yield held


def test_a_second_run_is_refused_and_another_kind_of_work_is_not(world: World, tenant: str, lease: Lease) -> None:
    with (
        pytest.raises(ConflictError, match=f"^{BUSY}; try again"),
        acquired(world.platform.graph, tenant, "work", seconds=60, busy=BUSY),
    ):
        raise AssertionError
    with acquired(world.platform.graph, tenant, "other work", seconds=60, busy=BUSY) as other:
        assert other.owner != lease.owner
    lease.renew()


def test_a_released_lease_goes_to_the_next_with_a_greater_token(world: World, tenant: str) -> None:
    tokens = []
    for _ in range(2):
        with acquired(world.platform.graph, tenant, "work", seconds=60, busy=BUSY) as held:
            tokens.append(held.token)
        assert _held(world, tenant) == [None]
    assert tokens[0] < tokens[1]


def test_an_expired_lease_is_taken_over_and_its_owner_is_fenced_off(world: World, tenant: str, lease: Lease) -> None:
    _expire(world, tenant)
    with acquired(world.platform.graph, tenant, "work", seconds=60, busy=BUSY) as next_one:
        assert next_one.token > lease.token
        with pytest.raises(ConflictError, match="another took over"):
            lease.renew()
        # One that has the name but an older token is an earlier run, too.
        with pytest.raises(ConflictError):
            replace(next_one, token=next_one.token - 1).renew()
        lease.release()
        assert _held(world, tenant) == [next_one.owner]


def test_an_expired_lease_that_no_one_took_is_still_its_owners(world: World, tenant: str, lease: Lease) -> None:
    _expire(world, tenant)
    lease.renew()
    with pytest.raises(ConflictError), acquired(world.platform.graph, tenant, "work", seconds=60, busy=BUSY):
        raise AssertionError


def test_a_transaction_of_a_run_that_lost_its_lease_writes_nothing(world: World, tenant: str, lease: Lease) -> None:
    _expire(world, tenant)

    def write(tx: Transaction) -> NoReturn:
        lease.renew(tx)
        raise AssertionError

    with acquired(world.platform.graph, tenant, "work", seconds=60, busy=BUSY), pytest.raises(ConflictError):
        world.platform.graph.transact(write)


def test_an_acquisition_that_is_repeated_gets_the_same_token(world: World, tenant: str) -> None:
    """As after a lost connection: the driver runs the query again."""
    first, again = (
        acquire_lease(world.platform.graph, tenant=tenant, name="work", owner="one", seconds=60) for _ in range(2)
    )
    assert first is not None
    assert first == again

"""Collections, their named vectors and their payload indexes."""

from typing import Any

from interlace_edge.engine import answers, points
from interlace_edge.routes.ask import Ask, completed
from interlace_edge.wire.collections import CreateCollection, CreateIndex, CreateVector


def listed(ask: Ask) -> dict[str, Any]:
    """Name all collections."""
    return {"collections": [{"name": name} for name in ask.catalog.names()]}


def exists(ask: Ask) -> dict[str, bool]:
    """Say whether a collection exists."""
    return {"exists": ask.catalog.exists(ask.name)}


def create(ask: Ask) -> bool:
    """Make a collection."""
    ask.catalog.create(ask.name, ask.read(CreateCollection))
    return True


def delete(ask: Ask) -> bool:
    """Remove a collection; false if there was none."""
    return ask.catalog.delete(ask.name)


def info(ask: Ask) -> dict[str, Any]:
    """Describe a collection."""
    collection = ask.collection
    found = collection.read(lambda shard: shard.info())
    return answers.collection_info(collection.config, found, optimizing=collection.optimizing)


def create_index(ask: Ask) -> dict[str, Any]:
    """Build a payload index; the same one again changes nothing."""
    return completed(ask.collection.write(points.create_index(ask.read(CreateIndex))))


def delete_index(ask: Ask) -> dict[str, Any]:
    """Drop a payload index."""
    return completed(ask.collection.write(points.delete_index(ask.path["field"])))


def create_vector(ask: Ask) -> dict[str, Any]:
    """Add a named vector."""
    return completed(ask.collection.add_vector(ask.path["vector"], ask.read(CreateVector)))


def delete_vector(ask: Ask) -> dict[str, Any]:
    """Remove a named vector."""
    return completed(ask.collection.remove_vector(ask.path["vector"]))

"""The embedding models: known by name without loading any, each loaded once."""

from typing import Any, cast

import pytest

from interlace.vectors.models import EmbeddingModels


def test_names_are_known_without_loading() -> None:
    models = EmbeddingModels(("one", "two"), lambda name: pytest.fail(f"{name} was loaded"))
    assert list(models) == ["one", "two"]
    assert len(models) == 2
    assert "two" in models
    assert "three" not in models


def test_a_model_is_loaded_once() -> None:
    loaded: list[str] = []

    def load(name: str) -> Any:
        loaded.append(name)
        return cast("Any", f"model {name}")

    models = EmbeddingModels(("one", "two"), load)
    assert [str(models[name]) for name in ("one", "one", "two")] == ["model one", "model one", "model two"]
    assert loaded == ["one", "two"]


def test_an_unknown_model_is_not_loaded() -> None:
    models = EmbeddingModels(("one",), lambda name: pytest.fail(f"{name} was loaded"))
    with pytest.raises(KeyError):
        models["three"]

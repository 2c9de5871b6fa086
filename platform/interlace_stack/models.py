"""The embedding model that the stack fetches: where it lies and when it is meant."""

from pathlib import Path

from interlace.settings import EmbeddingSettings, Settings
from interlace_stack.layout import Layout

BUNDLED: str = EmbeddingSettings.model_fields["model"].default


def model_folder(layout: Layout) -> Path:
    """Return the folder that holds, once fetched, ``model.onnx`` and ``tokenizer.json``."""
    return layout.cache / "models" / BUNDLED


def wants_bundled(settings: Settings) -> bool:
    """Tell whether these settings use the fetched model: embedding is on, no folder set, and the default model named."""
    embedding = settings.embedding
    return embedding.enabled and embedding.folder is None and embedding.model == BUNDLED


def bundled_model(settings: Settings, layout: Layout) -> Path | None:
    """Return the fetched model's folder if these settings use it and it is there."""
    folder = model_folder(layout)
    return folder if wants_bundled(settings) and (folder / "model.onnx").exists() else None

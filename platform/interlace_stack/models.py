"""The embedding model that the stack fetches: its folder, and which settings use it."""

from pathlib import Path

from interlace.settings import EmbeddingSettings, Settings
from interlace_stack.layout import Layout

BUNDLED: str = EmbeddingSettings.model_fields["model"].default


def model_folder(layout: Layout) -> Path:
    """Return the folder that holds ``model.onnx`` and ``tokenizer.json`` once they are fetched."""
    return layout.cache / "models" / BUNDLED


def uses_bundled_model(settings: Settings) -> bool:
    """Return whether these settings use the fetched model: embedding is on, neither folder nor service is set, and the model is the default one."""
    embedding = settings.embedding
    return embedding.enabled and embedding.folder is None and not embedding.service and embedding.model == BUNDLED


def bundled_model_folder(settings: Settings, layout: Layout) -> Path | None:
    """Return the fetched model's folder if these settings use the model and it is complete."""
    folder = model_folder(layout)
    return folder if uses_bundled_model(settings) and (folder / "model.onnx").exists() else None

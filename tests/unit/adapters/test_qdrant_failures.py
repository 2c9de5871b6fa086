"""What Qdrant's refusals become."""

from interlace.adapters.qdrant.failures import refusal
from interlace.domain.errors import NotFoundError


def test_a_missing_collection_is_named_with_a_remedy() -> None:
    error = refusal("http://qdrant", 404, b"Collection `acme-chunks` doesn't exist!")
    assert isinstance(error, NotFoundError)
    assert "acme-chunks" in error.message
    assert "`interlace vectors rebuild`" in error.message

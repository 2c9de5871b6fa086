"""Plain text: one section with the whole text."""

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import Composer
from interlace.parsing.sandbox.limits import ParseLimits


def parse_text(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean text, with ``fallback_title`` as its title.

    Raises:
        ParseError: reason ``empty``.
    """
    composer = Composer(name, limits)
    composer.write(text.strip())
    return composer.finish(fallback_title=fallback_title, metadata={})

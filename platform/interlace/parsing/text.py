"""Plain text: one section, the text as it stands."""

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import Composer
from interlace.parsing.sandbox.limits import ParseLimits


def parse_text(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean text; its title is the file's name.

    Raises:
        ParseError: reason ``empty``.
    """
    composer = Composer(name, limits)
    composer.write(text.strip())
    return composer.finish(fallback_title=fallback_title, metadata={})

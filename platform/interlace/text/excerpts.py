"""Excerpts: a text on one line, and its beginning."""

_MARK = " …"


def one_line(text: str) -> str:
    """Return a text with each run of white space as one space, and none at its ends."""
    return " ".join(text.split())


def shortened(text: str, length: int) -> str:
    """Return a text on one line, of at most ``length`` characters: the end of a longer one is left out, which a mark shows.

    It is cut between words, unless less than half of that would be left, as of an address or of a script without spaces.
    """
    line = one_line(text)
    if len(line) <= length:
        return line
    longest = length - len(_MARK)
    end = line.rfind(" ", length // 2, longest + 1)
    return line[: end if end > 0 else longest] + _MARK

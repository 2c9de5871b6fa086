"""Quotations: where a text contains a quote, after normalisation of case, accents, punctuation and white space."""

from interlace.text.tokenizer import tokens

_CLOSING = frozenset(".!?\u2026\"'\u201d\u2019)")


def find_quote(text: str, quote: str, *, min_words: int = 1) -> tuple[int, int] | None:
    """Return the offsets of a quotation in a text; None if it does not occur.

    A quotation occurs where the text has the same words, case-folded, in sequence. The offsets enclose the text's own
    spelling, and the punctuation that ends it.

    Args:
        text: the text.
        quote: what the text is said to contain.
        min_words: minimum number of words, so that a single common word does not pass for a quotation.
    """
    wanted = [token.form for token in tokens(quote)]
    text_tokens = tokens(text)
    if len(wanted) < max(min_words, 1):
        return None
    for at in range(len(text_tokens) - len(wanted) + 1):
        if text_tokens[at].form == wanted[0] and [token.form for token in text_tokens[at : at + len(wanted)]] == wanted:
            end = text_tokens[at + len(wanted) - 1].end
            while end < len(text) and text[end] in _CLOSING:
                end += 1
            return text_tokens[at].start, end
    return None

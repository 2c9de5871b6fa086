"""The context of mentions."""

from interlace.entities.context import context_words


def test_the_context_is_eight_back_and_four_ahead() -> None:
    text = "one alpha beta gamma delta epsilon zeta eta theta iota Name kappa lambda mu nu xi"
    start = text.index("Name")
    context = context_words(text, {"name": [(start, start + 4)]})["name"]
    assert set(context) == {
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
    }
    assert context == tuple(sorted(context))

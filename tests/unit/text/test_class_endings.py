"""With which words public code ends the names of classes."""

from interlace.text.class_endings import packages_with_ending


def test_classes_end_with_handlers_and_options_and_not_with_what_products_are_called() -> None:
    assert min(map(packages_with_ending, ("Handler", "options", "Resolver"))) >= 8
    assert not any(map(packages_with_ending, ("Triage", "Hub", "Piece", "Saltmarshian")))

"""Small Markdown documents, few enough in words that they name, cover and unlink each other all the time."""

from hypothesis import strategies as st

NAMES = st.sampled_from(["Fritz Lang", "Old Mill", "Zorg", "Vienna", "Old Mill Zorg"])
WORDS = st.sampled_from(["saw", "built", "the", "in", "and", "[[Zorg#place]]", "[[Old Mill]]", "#film"])
BODIES = st.lists(st.one_of(NAMES, WORDS), min_size=1, max_size=8).map(" ".join)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a document of two sections that may have an alias or a tag."""
    alias = draw(st.sampled_from(["", "aliases: [Zorg]\n", "aliases: [Old Mill Zorg]\n", "tags: [film]\n"]))
    head = f"---\n{alias}---\n" if alias else ""
    return f"{head}# {draw(NAMES)}\n\n{draw(BODIES)}.\n\n## Part\n\n{draw(BODIES)}.\n"

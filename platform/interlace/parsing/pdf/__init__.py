"""PDF: text in reading order, tables, running heads and the outline."""

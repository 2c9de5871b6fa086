"""Office documents, OpenDocument, RTF and e-books."""

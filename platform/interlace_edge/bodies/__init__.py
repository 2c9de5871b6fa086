"""Request bodies of Qdrant's REST API, with only the fields that Interlace sends; any other field is refused."""

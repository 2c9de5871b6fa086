"""Names and facts by a spaCy pipeline and rules over its dependency trees."""

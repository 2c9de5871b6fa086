"""Text: the tokenizer, stop words and stemming that everything shares."""

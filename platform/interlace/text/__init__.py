"""Text: one tokenizer, stop words, sentences, BM25 terms, rarity, similarity of words, and Lucene's query language."""

"""Knowledge atoms: found by field-weighted TF-IDF, reranked by embeddings, fused by rank."""

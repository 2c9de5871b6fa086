"""Questions out: intent, seeds, walk, fusion and rerank, each a pure step; the coordinator runs the legs around them."""

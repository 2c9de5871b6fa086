"""Skills and their tools: which tool fits a request, by text, by keywords and by the graph."""

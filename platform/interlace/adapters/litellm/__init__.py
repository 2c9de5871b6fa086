"""Models of other parties' services, through LiteLLM; the package is optional and is imported when it is first needed."""

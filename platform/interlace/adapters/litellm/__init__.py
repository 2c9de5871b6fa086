"""Third-party model services, through LiteLLM; the package is optional and is imported on first use."""

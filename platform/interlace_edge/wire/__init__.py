"""What travels over HTTP: request bodies, checked strictly, and answers in Qdrant's envelope."""

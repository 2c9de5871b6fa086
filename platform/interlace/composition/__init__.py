"""Parts of the composition root, each made when it is first used: connections, what reads, what a language model writes; ``bootstrap`` has the rest."""

"""Skills: ``SKILL.md`` with its tools and keywords."""

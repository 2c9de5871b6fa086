"""The set of skills and requests that routing is measured on: files as a user would write them, and the tool each request wants."""

from pathlib import Path
from typing import Any

import yaml

from interlace.domain.documents import Source

FOLDER = Path(__file__).parent / "routing"


def skill_sources() -> list[Source]:
    """Return the ``SKILL.md`` files, every second one with its tools in the front matter, the others in a commands section."""
    skills = _read("skills.yaml")
    return [
        Source(f"skills/{name}/SKILL.md", "text/markdown", _text(name, skill, in_front=number % 2 == 0).encode())
        for number, (name, skill) in enumerate(skills.items())
    ]


def requests() -> dict[str, str]:
    """Return request to ``skill/tool``."""
    wanted: dict[str, str] = _read("queries.yaml")
    return wanted


def _text(name: str, skill: dict[str, Any], *, in_front: bool) -> str:
    front = {"name": name, "description": skill["about"], "routing_keywords": skill["keywords"]}
    tools = [{"name": tool, "description": says} for tool, says in skill["tools"].items()]
    if in_front:
        front["tools"] = tools
    parts = ["---", yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1000) + "---", f"# {name}", ""]
    if not in_front:
        parts += ["## Commands", "", *(f"- `{tool['name']}`: {tool['description']}" for tool in tools), ""]
    parts += [f"See also [[{other}]]." for other in skill.get("see", ())]
    return "\n".join(parts) + "\n"


def _read(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))

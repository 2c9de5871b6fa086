"""Draws an answer for people: sentences with the numbers of their citations, and footnotes with source and quote."""

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from interlace.cli.output import in_tenant
from interlace.cli.views import effort
from interlace.cli.views.marks import degraded
from interlace.domain.answers import TOKEN_BUDGET, Answer, AnswerSentence, Citation
from interlace.text.excerpts import shortened

_QUOTE = 240
_INDENT = (0, 0, 0, 4)


def print_sentence(console: Console, sentence: AnswerSentence) -> None:
    """Write a sentence of an answer, with the numbers of its citations."""
    line = Text(sentence.text)
    line.append("".join(f" [{number}]" for number in sentence.citations), style="bold cyan")
    console.print(line)


def print_footnotes(console: Console, answer: Answer, tenant: str) -> None:
    """Write what follows the sentences: the sources with their quotes, or what is missing, and what the answer took."""
    if answer.abstained:
        console.print(Text("No answer. ", style="bold").append(answer.missing, style="not bold"))
        further = "The best hits are shown by `interlace query`; --insist answers from them all the same."
        console.print(Text(in_tenant(further, tenant), style="dim"))
    else:
        console.print()
        for citation in answer.citations:
            _print_citation(console, citation)
    if answer.generation and answer.generation.refused:
        console.print(Text(answer.generation.refused, style="bold red"))
    if failed := [each for each in answer.degraded if each != TOKEN_BUDGET]:
        console.print(degraded(failed))
    if answer.generation and answer.generation.failed:
        console.print(Text(answer.generation.failed, style="red"))
    console.print(Text(f"\n{_summary(answer)}", style="dim"))


def _print_citation(console: Console, citation: Citation) -> None:
    line = Text(f"[{citation.number}] ", style="bold cyan")
    line.append(citation.title, style="bold not cyan")
    place = citation.source_uri + (f" > {citation.section}" if citation.section else "")
    line.append(f"  {place}  {citation.start}..{citation.end}", style="dim not bold default")
    console.print(line)
    console.print(Padding(Text(f"“{shortened(citation.quote, _QUOTE)}”", style="italic"), _INDENT, expand=False))


def _summary(answer: Answer) -> str:
    parts: list[str] = [answer.mode]
    if answer.generation:
        parts[0] += f" by {answer.generation.model}" if answer.mode == "generated" else ""
        if dropped := sum(answer.generation.dropped.values()):
            parts.append(f"{dropped} {'claim' if dropped == 1 else 'claims'} of the model dropped")
    parts.append(f"evidence sufficient with probability {answer.sufficiency.probability:.2f}")
    parts.append(f"{answer.tokens:,} tokens" + (f", {answer.cost:.4f} $" if answer.cost else ""))
    if total := answer.timings.get("total"):
        parts.append(f"{total + answer.timings.get('answer', 0.0):.0f} ms")
    if work := effort.spent(answer.effort):
        parts.append(work)
    return " · ".join(parts)

"""Tables of evaluations and of comparisons between them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from interlace.cli.output import print_table
from interlace.cli.terminal import write_line

if TYPE_CHECKING:
    from interlace.evaluation.answers import AnswerEvaluation
    from interlace.evaluation.comparison import Paired
    from interlace.evaluation.runner import Evaluation


def show_evaluation(result: "Evaluation") -> None:
    """Print a row a leg and one for the fused list with measures and latency, and what else was measured."""
    from interlace.evaluation.measures import MEASURES
    from interlace.evaluation.runner import margin_over_best_leg

    latency = result.latency()
    intervals = result.intervals()
    rows = [
        _row(leg, _with_bounds(values, intervals.get(leg, {})), MEASURES, latency.pop(leg, {}))
        for leg, values in result.measures.items()
    ]
    if margin := margin_over_best_leg(result.measures):
        shown = {name: f"{points:+.1f}" for name, points in margin.items()}
        rows.append(_row("fused - best leg", shown, MEASURES, {}))
    print_table([f"{result.collection} ({result.questions})", *MEASURES, "p50 ms", "p95 ms"], rows)
    write_line("in brackets: 95 % interval by bootstrap over the questions")
    if result.template.without:
        write_line(f"without: {', '.join(sorted(result.template.without))}")
    steps = [f"{name} {each['p50']} / {each['p95']}" for name, each in latency.items() if each]
    if steps:
        write_line(f"steps, p50 / p95 ms: {', '.join(steps)}")
    write_line("answered as: " + ", ".join(f"{mode} {count}" for mode, count in sorted(result.modes.items())))
    if result.agreement is not None:
        write_line(f"approximate search finds {result.agreement:g} % of the first ten hits of exact search")
    if result.answers:
        _show_answers(result.answers)
    if result.ingestion:
        write_line(
            "ingestion: " + ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in result.ingestion.items())
        )


def _show_answers(answers: "AnswerEvaluation") -> None:
    """Print a row a mode, and how well the sufficiency tells where to abstain."""
    from interlace.evaluation.answers import MEASURES

    rows = []
    for mode in answers.values:
        means = answers.means(mode)
        shown = _with_bounds(
            {name: mean for name, (mean, _) in means.items()}, {name: bounds for name, (_, bounds) in means.items()}
        )
        rows.append([mode, *(shown.get(name, "") for name in MEASURES), answers.tokens[mode]])
    print_table(["answers", *MEASURES, "tokens"], rows)
    if each := answers.abstention:
        low, high = each.interval()
        write_line(
            f"sufficiency: AUROC {100 * each.auroc:.1f} ({low:.0f}-{high:.0f}); abstentions: precision {100 * each.precision:.1f}, "
            f"recall {100 * each.recall:.1f}"
        )


def _with_bounds(values: Mapping[str, float], bounds: Mapping[str, tuple[float, float]]) -> dict[str, str]:
    """Return each measure with its interval in whole points: ``79.8 (75-84)``."""
    return {
        name: f"{value:.1f} ({bounds[name][0]:.0f}-{bounds[name][1]:.0f})" if name in bounds else f"{value:.1f}"
        for name, value in values.items()
    }


def _row(
    name: str, values: Mapping[str, object], measures: Sequence[str], latency: Mapping[str, float]
) -> list[object]:
    spent = [latency.get(share, "") for share in ("p50", "p95")]
    return [name, *(values.get(measure, "") for measure in measures), *spent]


def show_comparison(compared: "Sequence[Paired]") -> None:
    """Print a row a measure: both means, the difference with its interval, wins, losses and ties of the second run, and p."""
    columns = ["measure", "first", "second", "difference", "95 %", "wins", "losses", "ties", "p"]
    print_table(
        columns,
        [
            [
                each.measure,
                each.first,
                each.second,
                f"{each.difference:+.1f}",
                f"{each.low:+.1f} to {each.high:+.1f}",
                each.wins,
                each.losses,
                each.ties,
                f"{each.p:.3f}",
            ]
            for each in compared
        ],
    )

"""`tellapart estimate`: how large is the true error?"""

from __future__ import annotations

from typing import Any

import click

from ..evidence import ErrorCount
from ..verbs import estimate
from .parameters import AS_JSON, PRIOR, as_count, complete_intervals, confidence

__all__ = ["command"]


class NumbersMayBeNegative(click.Command):
    """Let -3 through to the evidence, which says what is wrong with it; refuse other unknown options."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what looks like an option and is none."""
        known = [name for parameter in self.get_params(ctx) for name in parameter.opts]
        before = args[: args.index("--")] if "--" in args else args
        for word in before:
            name = word.partition("=")[0]
            if name.startswith("-") and name not in known and name[1:2] not in "0123456789.":
                from difflib import get_close_matches

                raise click.NoSuchOption(name, possibilities=get_close_matches(name, known), ctx=ctx)
        return super().parse_args(ctx, args)


@click.command("estimate", cls=NumbersMayBeNegative)
@click.argument("errors", type=as_count)
@click.argument("trials", type=as_count)
@click.option(
    "--method",
    metavar="NAME|all",
    shell_complete=complete_intervals,
    help="Interval by name, or all; advice picks one if left out.",
)
@confidence
@PRIOR
@AS_JSON
def command(
    errors: float,
    trials: float,
    method: str | None,
    level: float | None,
    alpha: float | None,
    side: Any,
    prior: Any,
    as_json: bool,
) -> None:
    """Tell how large the true error is, from ERRORS among TRIALS.

    \b
    Examples:
      tellapart estimate 3 120
      tellapart estimate 0 500 --side upper --method clopper-pearson
      tellapart estimate 3 120 --method all --level 0.99
    """
    count = ErrorCount(errors, trials)
    asked: dict[str, Any] = {"level": level, "alpha": alpha, "side": side}
    if prior is not None:
        asked["prior"] = prior
    if method == "all":
        _show_all(count, asked, as_json=as_json)
        return
    answer = estimate(count, method=method, **asked)
    click.echo(answer.to_json() if as_json else answer)
    if not as_json and method is None and side == "two" and "prior" not in asked:
        _advise(count)


def _advise(count: ErrorCount) -> None:
    from ..advice import advise_interval

    for number, advice in enumerate(advise_interval(count)):
        side = "" if advice.side == "two" else f" --side {advice.side}"
        click.echo(f"{'' if number else 'consider':<12}--method {advice.method}{side}: {advice.when}")


def _show_all(count: ErrorCount, asked: dict[str, Any], *, as_json: bool) -> None:
    from .every import ask_every_interval, show_left_out, to_json_list

    prior = asked.pop("prior", None)
    answers, left_out = ask_every_interval(
        lambda method, **options: estimate(count, method=method.name, **asked, **options), prior
    )
    if as_json:
        click.echo(to_json_list(answers))
        return
    from .tables import show_table

    click.echo(f"error rate  {answers[0][1].rows()[0][1]}")
    show_table(
        ("method", "interval", "low", "high", "standing", "failed checks"),
        [
            (
                method.name,
                answer.interval.limits_text(),
                f"{answer.interval.low:.6f}",
                f"{answer.interval.high:.6f}",
                method.standing,
                " ".join(check.code for check in answer.checks if not check.holds),
            )
            for method, answer in answers
        ],
        numbers=("low", "high"),
    )
    show_left_out(left_out)

"""The gate for pytest: the fixture `tellapart_gate`, and one line per judgement at the end of a run.

pytest loads this module in every run if tellapart is installed, so slow imports wait until a test uses the fixture. The
judgements travel in the test's report, so that they arrive from the processes of pytest-xdist and in JUnit XML as well.
`-p no:tellapart` switches it off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from .judging import Judgement
    from .rules import Rules

HEADLINE = "tellapart.headline"
_JUDGE_OPTIONS = ("margin", "alpha", "power", "method", "margins")


class Gate(Protocol):
    """`assert_not_worse` with defaults from the project's rules."""

    def __call__(self, baseline: Any, candidate: Any, margin: float | None = None, **options: Any) -> Judgement:
        """Raise AssertionError unless the candidate is at most the margin worse than the baseline."""


@pytest.fixture
def tellapart_gate(request: pytest.FixtureRequest) -> Gate:
    """Return an assertion that a candidate is not worse, by the rules in [tool.tellapart.gate] of pyproject.toml.

    `tellapart_gate(baseline, candidate, margin=0.01, …)` has the parameters of `tellapart.assert_not_worse`. It reports
    the verdict at the end of the run and in JUnit XML.
    """

    def assert_by_rules(baseline: Any, candidate: Any, margin: float | None = None, **options: Any) -> Judgement:
        __tracebackhide__ = True
        from ..text_layout import printable
        from .asserting import are_files, judge_inputs, raise_unless_passed, summarize_in_one_line
        from .rules import find_rules

        arguments = options if margin is None else {**options, "margin": margin}
        settings = _merge_rules(arguments, find_rules(request.config.rootpath), reads_files=are_files(baseline))
        on_little = settings.pop("on_little", "fail")
        judge_options = {name: settings.pop(name) for name in _JUDGE_OPTIONS if name in settings}
        judgement = judge_inputs(baseline, candidate, options=judge_options, **settings)
        properties = {
            HEADLINE: summarize_in_one_line(judgement),
            "tellapart.verdict": judgement.verdict,
            "tellapart.words": judgement.words,
        }
        request.node.user_properties += [(name, printable(text)) for name, text in properties.items()]
        raise_unless_passed(judgement, on_little)
        return judgement

    return assert_by_rules


def _merge_rules(arguments: dict[str, Any], rules: Rules, *, reads_files: bool) -> dict[str, Any]:
    """Return the settings: arguments override the project's rules.

    Rules about files are ignored for arrays, and margins of groups if there are no groups.
    """
    values = {name: value for name, value in rules.values.items() if reads_files or name in _JUDGE_OPTIONS}
    settings = {**values, **arguments}
    if rules.margins and (settings.get("group") is not None or settings.get("groups") is not None):
        settings["margins"] = {**rules.margins, **(arguments.get("margins") or {})}
    return settings


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the verdicts, test by test; the last report of a test has all its properties."""
    reports = (report for reports in terminalreporter.stats.values() for report in reports)
    lines = sorted(
        f"{report.nodeid}: {value}"
        for report in reports
        if getattr(report, "when", None) == "teardown"
        for name, value in report.user_properties
        if name == HEADLINE
    )
    if lines:
        terminalreporter.section("tellapart")
        for line in lines:
            terminalreporter.write_line(line)

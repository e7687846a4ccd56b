"""The gate for pytest: the fixture `tellapart_gate`, and a line for each judgement at the end of a run.

pytest loads this module in every run of whoever has tellapart installed, so it imports nothing that takes time until a
test asks for the fixture, and its name leaves the short ones to others. Nothing is kept here: what was found goes with
the test's report, so that it arrives from the processes of pytest-xdist and in JUnit's XML as well. `-p no:tellapart`
switches it off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from .judging import Judgement
    from .rules import Rules

HEADLINE = "tellapart.headline"
_OF_THE_BAR = ("margin", "alpha", "power", "method", "margins")


class Gate(Protocol):
    """What the fixture gives: `assert_not_worse`, whose defaults are the project's own rules."""

    def __call__(self, baseline: Any, candidate: Any, margin: float | None = None, **options: Any) -> Judgement:
        """Assert that the candidate is at most the margin worse than the baseline."""


@pytest.fixture
def tellapart_gate(request: pytest.FixtureRequest) -> Gate:
    """Assert that a candidate is not worse, by the rules in [tool.tellapart.gate] of pyproject.toml.

    `tellapart_gate(baseline, candidate, margin=0.01, …)` takes what `tellapart.assert_not_worse` takes, and reports the
    verdict at the end of the run and in JUnit's XML.
    """

    def judged(baseline: Any, candidate: Any, margin: float | None = None, **options: Any) -> Judgement:
        __tracebackhide__ = True
        from ..display import printable
        from .asserting import are_files, headline_of, settle, weigh
        from .rules import find_rules

        asked = options if margin is None else {**options, "margin": margin}
        settings = _with_rules(asked, find_rules(request.config.rootpath), reads=are_files(baseline))
        on_little = settings.pop("on_little", "fail")
        bar = {name: settings.pop(name) for name in _OF_THE_BAR if name in settings}
        found = weigh(baseline, candidate, bar=bar, **settings)
        told = {HEADLINE: headline_of(found), "tellapart.verdict": found.verdict, "tellapart.words": found.words}
        request.node.user_properties += [(name, printable(text)) for name, text in told.items()]
        settle(found, on_little)
        return found

    return judged


def _with_rules(asked: dict[str, Any], rules: Rules, *, reads: bool) -> dict[str, Any]:
    """Return the settings: what was asked for goes before what the project's rules say.

    What they say of files does not concern arrays, and margins of groups nothing that has no groups.
    """
    values = {name: value for name, value in rules.values.items() if reads or name in _OF_THE_BAR}
    settings = {**values, **asked}
    if rules.margins and (settings.get("group") is not None or settings.get("groups") is not None):
        settings["margins"] = {**rules.margins, **(asked.get("margins") or {})}
    return settings


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was found, test by test; the last report of a test has all that it recorded."""
    reports = (each for reports in terminalreporter.stats.values() for each in reports)
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

"""Write the reference pages of the methods from the registry: `python docs/generate.py`.

It also fills in the facts on the pages of checks, and runs the commands in the console blocks of all other pages, and
of the README, and puts in what they print.
With `--check` nothing is written; the exit status is 1 where a page is missing, out of date or
left over. Every figure comes from the methods' cards, which `make calibration` measures anew, so each page
shows the command that makes it.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from inspect import getdoc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

import tellapart as ta
from tellapart.advice import QUESTIONS
from tellapart.bibliography import cite
from tellapart.cli import main as command_line
from tellapart.evidence import Evidence
from tellapart.methods import Offer, Standing
from tellapart.methods.cards import CardRow, card
from tellapart.results.wording import covers_text
from tellapart.verbs.dispatch import as_evidence
from tellapart.verbs.pipeline import choose
from tellapart.verbs.request import Request

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))  # where this file is loaded by its path, as tests do
import gate_rates  # noqa: E402
import samples  # noqa: E402

import checks  # noqa: E402  # neighbours

FOLDER = DOCS / "reference" / "methods"
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRIOR = (1, 3.67)  # shown where a method cannot do without one
POOL = 500
PROMISING = (Standing.RECOMMENDED, Standing.SOUND)

# What a method is for, by its evidence: the heading in the index, and the words on its page.
KINDS: dict[type[Evidence], tuple[str, str]] = {
    ta.ErrorCount: ("One error rate", "one error rate"),
    ta.StratifiedCount: ("One error rate, by strata", "one error rate, from strata whose shares are known"),
    ta.PairedTable: ("Two classifiers on one test set", "two classifiers on one test set"),
    ta.IndependentCounts: ("Two classifiers on two test sets", "two classifiers, each on a test set of its own"),
    ta.ErrorPatterns: ("Several classifiers on one test set", "several classifiers on one test set"),
    ta.Outcomes: (
        "Scores, repeats, clusters and weights",
        "models whose every example counts by itself: graded, repeated, clustered or weighted",
    ),
    ta.ConfusionMatrix: ("One classifier by another metric", "one classifier by a metric that labels determine"),
    ta.PairedConfusion: ("Two classifiers by another metric", "two classifiers by a metric that labels determine"),
    ta.ClassScores: ("Scores of classes: AUC, average precision", "scores of classes, by one model or two"),
    ta.Resamples: ("Learners on little data", "learners on little data"),
    ta.TrainingSets: ("Learners on much data", "learners on much data, with disjoint training sets"),
    ta.ScoreTable: ("Learners over many data sets", "learners over many data sets"),
}
LEARNERS = (ta.Resamples, ta.TrainingSets, ta.ScoreTable)
MEASURED = (ta.ConfusionMatrix, ta.PairedConfusion, ta.ClassScores)

# What an interval is of.
PARAMETERS = {
    "error": "the error rate",
    "difference": "the difference error(A) − error(B)",
    "odds": "the odds: errors of A alone for each error of B alone",
    "reduction": "the share of A's errors that B avoids, 1 − error(B)/error(A)",
    "ratio": "the ratio of the metric of B to that of A",
}

# What an option means, unless the method's own docstring says it.
OPTIONS = {
    "alpha": "Error probability; the level is 1 − alpha. `estimate` and `compare` take `level=` as well.",
    "side": '"two", "upper" (an upper bound) or "lower".',
    "against": "The threshold, an error rate strictly between 0 and 1.",
    "alternative": '"two-sided", "less" (the error is below the threshold) or "greater".',
    "prior": "What was held likely before: (u, v) for Beta(u, v), a name, what `fit_prior` returned, or a density.",
    "raw": "Leave the quantiles as they are, without 0 below no errors and 1 above no successes.",
    "pool": "How many examples there are in all, of which those tested were drawn, none twice.",
    "resamples": "How often the counts are drawn anew.",
    "rng": "Seed or `numpy.random.Generator`; the same seed gives the same digits.",
    "k": "How many standard errors.",
}
# The same for learners.
OF_LEARNERS = {
    "alpha": "Error probability; the level is 1 − alpha. `estimate` and `compare` take `level=` as well.",
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
    "against": "The difference loss(A) − loss(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".',
    "resamples": "How often runs or examples are drawn anew.",
}
# The same over many data sets.
OF_DATA_SETS = {
    "rope": "Differences up to this size, either way, count as none.",
    "rho": "How the runs of a data set go together, where the table does not know: 0.1 for 10-fold cross-validation.",
}
# The same where every example counts by itself.
OF_OUTCOMES = {
    "alpha": "Error probability; the level is 1 − alpha. `estimate` and `compare` take `level=` as well.",
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
    "against": "The difference loss(A) − loss(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".',
    "resamples": "How often examples, clusters or signs are drawn anew.",
}
# The same where a metric is asked for.
OF_MEASURES = {
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
    "against": "The difference loss(A) − loss(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".',
    "resamples": "How often the counts, or the examples of each class, are drawn anew.",
}
# The same where two classifiers are compared.
OF_A_PAIR = {
    "alpha": "Error probability. `compare` takes `level=` as well.",
    "against": "The difference error(A) − error(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".',
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
}


def methods() -> dict[str, list[Offer]]:
    """Return the package's own methods by name; no plugin's."""
    found: dict[str, list[Offer]] = {}
    for method in ta.find_methods():
        if method.function.__module__.startswith("tellapart."):
            found.setdefault(method.name, []).append(method)
    return found


def page(name: str) -> str:
    """Return the page of one method: a section for each kind of evidence it takes."""
    every = methods()[name]
    kinds = {evidence: [each for each in every if each.evidence is evidence] for evidence in KINDS}
    kinds = {evidence: own for evidence, own in kinds.items() if own}
    lines = [f"# {name}", ""]
    asked = dict.fromkeys((each.evidence, each.question) for own in kinds.values() for each in own)
    for evidence, question in asked:
        own = [each for each in kinds[evidence] if each.question == question]
        gives = " and ".join(each.gives for each in own).replace("pairs", "all pairs at once").capitalize()
        lines += [
            f"{'- ' * (len(asked) > 1)}{gives} for {KINDS[evidence][1]} (`{evidence.__name__}`), question {question}:"
            f" *{QUESTIONS[question].asks}*"
        ]
    lines += ["", "[All methods](index.md)."]
    for evidence, own in kinds.items():
        several = len(kinds) > 1
        lines += ["", f"## {KINDS[evidence][0]}"] if several else []
        deep, named = ("###", f" for {KINDS[evidence][1]}") if several else ("##", "")
        by_kind = {method.gives: method for method in own}
        for method in own:
            lines += _facts(method, by_kind, deep, named)
        lines += ["", f"{deep} Examples{named}", "", *_examples(evidence, by_kind)]
        lines += _figures(by_kind, deep, named)
        lines.pop()  # every block begins with an empty line of its own
    references = dict.fromkeys(cite(method.reference) for method in every)
    lines += ["", "## References", "", *(f"- {reference}" for reference in references)]
    return "\n".join(lines) + "\n"


def index() -> str:
    """Return the tables of all methods, by what they are for."""
    lines = [
        "# Methods",
        "",
        "Every estimator, interval and test by name, best standing first. *Recommended* and *sound* are earned by",
        "the size and coverage on their pages (`make calibration` measures them anew); *heuristic* methods are",
        "approximations, and the result says so; *forbidden* ones are kept because papers report them, and a result",
        "carries the reason ([TA010](../checks/TA010.md)). Each page says which of the four",
        "[sources of variation](../../explanation/learners-and-resampling.md#four-sources-of-variation) a method",
        "covers.",
        "",
        *(f"- [{title}](#{_anchor(title)})" for title, _ in KINDS.values()),
    ]
    for evidence, (title, _) in KINDS.items():
        own = [method for kinds in methods().values() for method in kinds if method.evidence is evidence]
        own.sort(key=lambda method: (tuple(Standing).index(method.standing), method.name))
        intervals, tests = ([method for method in own if method.gives == gives] for gives in ("interval", "test"))
        lines += ["", f"## {title}", ""]
        if evidence is ta.ErrorCount:
            lines += _index_of_error_counts(intervals, tests)
        elif evidence in (ta.PairedTable, ta.IndependentCounts):
            lines += _index_of_pairs(tests, intervals)
        elif evidence in (*LEARNERS, *MEASURED, ta.Outcomes):
            lines += _index_of_learners(own)
        else:
            lines += ["| method | gives | standing | because |", "|---|---|---|---|"]
            lines += [f"| {_link(each)} | {each.gives} | {each.standing} | {_cell(each.rationale)} |" for each in own]
    return "\n".join(lines) + "\n"


def _index_of_error_counts(intervals: list[Offer], tests: list[Offer]) -> Iterator[str]:
    yield from (
        "The figures are the exact coverage at 95 %, for 100 trials and true errors below 0.1: the mean, the minimum",
        "and the expected width. The level is kept on average where the mean is 0.95, and always where the minimum is.",
        "The last column is the standing of the test against a threshold of the same name, earned by its exact size.",
        f"Methods that need a prior have Beta({PRIOR[0]}, {PRIOR[1]}).",
        "",
        "```sh",
        f"tellapart coverage --trials 100 --method all --to 0.1 --prior {_prior_text()}",
        "```",
        "",
        "| interval | standing | mean | minimum | width | because | test |",
        "|---|---|---:|---:|---:|---|---|",
    )
    standing = {test.name: test.standing for test in tests}
    for interval in intervals:
        shown = "– | – | –"  # of a pool, whose errors are not binomial
        row = _row(interval, "100 examples, true errors up to 10 %")
        if row is not None and row.coverage is not None:
            shown = f"{row.coverage.mean:.4f} | {row.coverage.extreme:.4f} | {row.width:.4f}"
        yield (
            f"| {_link(interval)} | {interval.standing} | {shown} | {_cell(interval.rationale)}"
            f" | {standing.get(interval.name, 'none')} |"
        )


def _index_of_pairs(tests: list[Offer], intervals: list[Offer]) -> Iterator[str]:
    paired = tests[0].evidence is ta.PairedTable
    size = ("20 examples" if paired else "20 and 20 examples"), ("50 examples" if paired else "50 and 50 examples")
    yield from (
        f"Tests first: the exact size at alpha = 0.05 with {size[1]}, on average over true models and at its",
        "largest, where the test is said to hold. A test keeps its level where the largest is not above 0.05. Then",
        "intervals: their exact coverage at 95 %, the mean and the minimum, and the expected width. Each page says for",
        f"which true models. What is slow to enumerate is shown with {size[0]} (*); a dash: it was not measured at",
        "these, or (a width) is not bounded.",
        "",
        "| test | standing | mean size | largest | because |",
        "|---|---|---:|---:|---|",
    )
    for test in tests:
        row, mark = _either(test, size)
        shown = "– | –" if row is None else f"{row.size.mean:.4f}{mark} | {row.size.extreme:.4f}{mark}"
        yield f"| {_link(test)} | {test.standing} | {shown} | {_cell(test.rationale)} |"
    yield from (
        "",
        "| interval | of the | standing | mean | minimum | width | because |",
        "|---|---|---|---:|---:|---:|---|",
    )
    for interval in intervals:
        row, mark = _either(interval, size)
        shown = "– | – | –"
        if row is not None:
            width = "–" if row.width is None else f"{row.width:.4f}{mark}"
            shown = f"{row.coverage.mean:.4f}{mark} | {row.coverage.extreme:.4f}{mark} | {width}"
        yield (
            f"| {_link(interval)} | {interval.parameter} | {interval.standing} | {shown} | {_cell(interval.rationale)} |"
        )


def _row(method: Offer, design: str) -> CardRow | None:
    """Return the first row of a method's card whose designs are told so; those where it holds come first."""
    found = card(method)
    rows = () if found is None else (*found.within(), *found.entries)
    return next((row for row in rows if row.design == design or row.design.startswith(f"{design}, ")), None)


def _either(method: Offer, sizes: tuple[str, str]) -> tuple[Any, str]:
    """Return the row of the larger size, or of the smaller one and a mark."""
    row = _row(method, sizes[1])
    return (row, "") if row is not None else (_row(method, sizes[0]), "*")


def _index_of_learners(own: list[Offer]) -> Iterator[str]:
    by_question: dict[int, dict[str, list[Offer]]] = {}
    for method in sorted(own, key=lambda method: method.question):
        by_question.setdefault(method.question, {}).setdefault(method.name, []).append(method)
    for question, named in by_question.items():
        yield from (f"Question {question}: *{QUESTIONS[question].asks}*", "")
        yield from ("| method | gives | standing | because |", "|---|---|---|---|")
        for kinds in named.values():
            gives, last = ", ".join(each.gives for each in kinds), kinds[-1]  # an interval says more than its middle
            yield f"| {_link(last)} | {gives} | {last.standing} | {_cell(last.rationale)} |"
        yield from () if question == max(by_question) else ("",)


def with_output(text: str) -> str:
    """Return a page whose console blocks show what their commands print now; they share a folder of their own."""
    with TemporaryDirectory() as folder:
        Path(folder, "examples").symlink_to(DOCS.parent / "examples")

        def session(block: re.Match[str]) -> str:
            commands = re.findall(r"^\$ (tellapart .+)$", block[1], re.MULTILINE)
            return "```console\n" + "".join(f"$ {each}\n{printed(each, folder)}" for each in commands) + "```"

        return CONSOLE.sub(session, text)


def printed(command: str, folder: str | Path = DOCS.parent) -> str:
    """Return what a command prints in a folder; without the blanks at the ends of lines, and without times."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        done = CliRunner().invoke(command_line, shlex.split(command)[1:], prog_name="tellapart", terminal_width=80)
    finally:
        os.chdir(before)
    shown = re.sub(r"^(.*mean error \S+ %), \S+ s", r"\1, … s", done.output, flags=re.MULTILINE)
    return "".join(f"{line.rstrip()}\n" for line in shown.splitlines())


def same(shown: str, wanted: str) -> bool:
    """Whether two pages agree, up to digits (the eleventh and on) that differ from one processor to the next."""
    first, second = (re.sub(r"\d+\.\d{11,}", lambda found: f"{float(found[0]):.10g}", text) for text in (shown, wanted))
    return first == second


def pages() -> Iterator[tuple[Path, str]]:
    """Return every file and what it should hold."""
    yield FOLDER / "index.md", index()
    for name in methods():
        yield FOLDER / f"{name}.md", page(name)
    for path in (DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))):
        if path.parent == checks.FOLDER:
            yield path, checks.with_facts(path.stem, path.read_text(encoding="utf-8"))
        elif path == gate_rates.PAGE:
            yield path, gate_rates.with_tables(path.read_text(encoding="utf-8"))
        elif path.parent != FOLDER:
            yield path, with_output(path.read_text(encoding="utf-8"))


def _facts(method: Offer, kinds: dict[str, Offer], deep: str, named: str) -> Iterator[str]:
    """Return what the registry and the docstring say of one function."""
    told = {option: what for kind in kinds.values() for option, what in _parameters(kind).items()}
    if method.gives == "pairs":  # another method than the test of its name
        told |= _parameters(method)
    title = "The pairs" if method.gives == "pairs" else f"The {method.gives}"
    yield from ("", f"{deep} {title}{named}", "")
    if next((kind for kind in kinds.values() if kind.function is method.function), method) is method:
        yield from (method.description, "")  # of a procedure once
    yield from ("| | |", "|---|---|")
    yield f"| standing | **{method.standing}**: {_cell(method.rationale)} |"
    if method.standing in PROMISING or method.validity != Offer.__dataclass_fields__["validity"].default:
        yield f"| holds for | {_cell(method.validity)} |"
    yield f"| covers | {covers_text(method.sources_covered)} |"
    yield from _facts_of_its_kind(method, kinds)
    yield f"| function | `{method.function.__module__}.{method.function.__name__}` |"
    if method.options:
        yield from ("", "Options, by keyword:", "")
    general = OPTIONS if method.evidence in (ta.ErrorCount, ta.StratifiedCount) else OPTIONS | OF_A_PAIR
    general = OPTIONS | OF_LEARNERS if method.evidence in LEARNERS else general
    general = general | OF_DATA_SETS if method.evidence is ta.ScoreTable else general
    general = OPTIONS | OF_OUTCOMES if method.evidence is ta.Outcomes else general
    general = OPTIONS | OF_MEASURES if method.evidence in MEASURED else general
    for option in method.options:
        shown = f"`{option}`" if option in method.required else f"`{option}={method.defaults[option]!r}`"
        yield f"- {shown}: {told.get(option) or general[option]}"
    if method.standing == Standing.FORBIDDEN or method.assumes:
        yield from ("", "Checks:", "")
    if method.standing == Standing.FORBIDDEN:
        yield "- [TA010](../checks/TA010.md): the method is fit for use. It is not, so this one always fails."
    for assumption in method.assumes:
        yield f"- [{assumption.code}](../checks/{assumption.code}.md): {assumption.rule}"


def _facts_of_its_kind(method: Offer, kinds: dict[str, Offer]) -> Iterator[str]:
    if method.metrics:
        yield f"| metrics | {', '.join(method.metrics)} |"
    if method.gives == "interval":
        yield f"| of | {_parameter(method, kinds)} |"
    alone = method.evidence in (ta.ErrorPatterns, ta.StratifiedCount) or method.question in (5, 6)
    alone |= method.of_several
    if method.gives in ("interval", "test") and not alone:
        yield f"| {'decides as' if method.gives == 'test' else 'goes with'} | {_partner(method, kinds)} |"
    if method.statistic:
        yield f"| statistic | {_cell(method.statistic)} |"
    if method.gives != "interval":
        if method.guarantees:
            yield "| guarantee | it never rejects more often than alpha says, by proof |"
        return
    yield f"| guarantee | {'coverage never below the level, by proof' if method.guarantees else 'none'} |"
    if method.evidence in MEASURED:
        yield f"| limits within the metric's range | {'always' if method.within else 'not always'} |"
    elif method.evidence is ta.Outcomes:
        yield f"| limits within the scores' bounds | {'always' if method.within else 'not always'} |"
    elif method.parameter in ("error", "difference") and method.evidence not in LEARNERS:
        ends = "[0, 1]" if method.parameter == "error" else "[−1, 1]"
        yield f"| limits in {ends} | {'always' if method.within else 'not always: they are not cut off'} |"
    if method.evidence is ta.ErrorCount:
        yield f"| errors and successes exchanged | {'the mirror image' if method.symmetric else 'another answer'} |"


def _parameter(method: Offer, kinds: dict[str, Offer]) -> str:
    """Say what an interval is of; some serve one learner and two."""
    if method.evidence is ta.Outcomes:
        alone = samples.models(method.name) == 1
        return "one error rate" if alone else "one model's error rate or mean score, or the difference of two"
    if method.evidence in MEASURED and method.parameter != "ratio":
        return _of_metric(method)
    if method.evidence not in LEARNERS:
        return PARAMETERS[method.parameter]
    if {"estimate", "test"} <= set(kinds) or method.evidence is ta.TrainingSets:
        return "the learner's loss, or the difference loss(A) − loss(B) of two"
    return "the learner's loss" if method.question == 6 else "the difference loss(A) − loss(B)"


def _of_metric(method: Offer) -> str:
    if method.question == 1:
        return "the metric of one classifier"
    pair = "the difference loss(A) − loss(B) by the metric"
    both = method.evidence is ta.ClassScores and "one" in method.summary
    return f"one model's metric, or {pair} of two" if both else pair


def _partner(method: Offer, kinds: dict[str, Offer]) -> str:
    """Say which test or interval goes with it, and what `compare` puts beside it where that is another."""
    other = "test" if method.gives == "interval" else "interval"
    if method.partner:
        stated = f"the {other} [{method.partner}]({method.partner}.md)"
        stated += f" and the {other} of this name" if other in kinds else ""
    else:
        stated = f"the {other} of this name" if other in kinds else f"no {other} of this name"
    if method.evidence is ta.ErrorCount or (method.evidence in MEASURED and method.question == 1):
        return stated
    if method.evidence is ta.Outcomes and samples.models(method.name) == 1:
        return stated
    if method.evidence in LEARNERS:
        test, interval = choose(
            as_evidence(samples.evidence(samples.key(method)), Request())[0], Request(method=method.name)
        )
    elif method.evidence is ta.Outcomes:
        test, interval = choose(samples.evidence(samples.OUTCOMES + method.name), Request(method=method.name))
    elif method.evidence in MEASURED:
        _, held, asked = samples.measured(method)
        named = {"method" if method.gives == "test" else "interval": method.name}
        test, interval = choose(held.by(**asked), Request(**named))
    else:
        test, interval = choose(_sample(method.evidence), Request(method=method.name))
    beside = (interval if other == "interval" else test).name
    if beside in (method.partner, method.name):
        return stated
    shows = "shows" if other == "interval" else "tests by"
    return f"{stated}; `compare` {shows} [{beside}]({beside}.md)"


def _parameters(method: Offer) -> dict[str, str]:
    """Return what the docstring says of each parameter."""
    _, *rest = re.split(r"\n(\w+)\n-{4,}\n", getdoc(method.function) or "")
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    found = re.findall(r"^(\w+)\n((?: {4}.+\n?)+)", sections.get("Parameters", ""), re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


def _sample(evidence: type[Evidence]) -> Any:
    """Return the evidence of the examples."""
    return {
        ta.PairedTable: ta.PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45),
        ta.IndependentCounts: ta.IndependentCounts.from_counts(30, 100, 20, 100),
    }[evidence]


def _examples(evidence: type[Evidence], kinds: dict[str, Offer]) -> Iterator[str]:
    if evidence is ta.ErrorCount:
        yield from _example_of_a_count(kinds["interval"], "test" in kinds)
    elif evidence in (ta.PairedTable, ta.IndependentCounts):
        yield from _example_of_a_pair(evidence, kinds)
    elif evidence in LEARNERS:
        yield from _example_of_learners(kinds)
    elif evidence is ta.Outcomes:
        yield from _example_of_outcomes(kinds)
    elif evidence in MEASURED:
        yield from _example_of_a_metric(kinds)
    elif evidence is ta.StratifiedCount:
        yield from _example_of_strata(kinds["interval"])
    else:
        yield from _example_of_patterns(next(iter(kinds.values())))
    yield from ("", "```", "")


def _example_of_a_count(interval: Offer, has_test: bool) -> Iterator[str]:
    options = _needed(interval)
    told = "".join(f", {name}={value!r}" for name, value in options.items())
    count = ta.ErrorCount(3, 120)
    answer = ta.estimate(count, method=interval.name, **options)
    yield from ("```console", f"$ tellapart estimate 3 120 --method {interval.name}{_flag(interval)}")
    yield from (str(answer), "```", "", "```python", ">>> import tellapart as ta")
    yield f'>>> print(ta.estimate(ta.ErrorCount(3, 120), method="{interval.name}"{told}).interval)'
    yield str(answer.interval)
    if has_test:
        pvalue = round(float(ta.compare(count, against=0.08, method=interval.name, **options).pvalue), 4)
        yield f'>>> test = ta.compare(ta.ErrorCount(3, 120), against=0.08, method="{interval.name}"{told})'
        yield from (">>> round(float(test.pvalue), 4)", str(pvalue))


def _example_of_a_pair(evidence: type[Evidence], kinds: dict[str, Offer]) -> Iterator[str]:
    name = next(iter(kinds.values())).name
    option = "method" if "test" in kinds else "interval"
    paired = evidence is ta.PairedTable
    source = "--table 20 25 10 45" if paired else "--independent 30 100 20 100"
    command = f"tellapart compare {source} --{option} {name}"
    yield from ("```console", f"$ {command}", printed(command).rstrip("\n"), "```", "", "```python")
    yield ">>> import tellapart as ta"
    if paired:
        yield ">>> table = ta.PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)"
    else:
        yield ">>> counts = ta.IndependentCounts.from_counts(30, 100, 20, 100)"
    answer = ta.compare(_sample(evidence), **{option: name})
    yield f'>>> answer = ta.compare({"table" if paired else "counts"}, {option}="{name}")'
    if "test" in kinds:
        pvalue = float(answer.pvalue)
        if pvalue == pvalue:
            yield from (">>> round(float(answer.pvalue), 4)", str(round(pvalue, 4)))
        else:
            yield from (">>> answer.better", *([repr(answer.better)] if answer.better else []))
    if "interval" in kinds:
        yield from (">>> print(answer.interval)", str(answer.interval))


def _example_of_learners(kinds: dict[str, Offer]) -> Iterator[str]:
    method = next(iter(kinds.values()))
    name, key = method.name, samples.key(method)
    held = samples.evidence(key)
    yield from ("```python", ">>> import tellapart as ta", *(f">>> {line}" for line in samples.lines(key)))
    if "estimate" in kinds:
        learner = samples.asked(key)
        yield f'>>> print(ta.estimate(held, learner="{learner}", method="{name}"))'
        yield str(ta.estimate(held, learner=learner, method=name))
    if {"test", "pairs"} & set(kinds):
        more = {"control": held.learners[0]} if name == "bonferroni-dunn" else {}  # which cannot do without
        told = "".join(f', {option}="{value}"' for option, value in more.items())
        yield f'>>> print(ta.compare(held, method="{name}"{told}))'
        yield str(ta.compare(held, method=name, **more))


def _example_of_outcomes(kinds: dict[str, Offer]) -> Iterator[str]:
    name = next(iter(kinds.values())).name
    held = samples.evidence(samples.OUTCOMES + name)
    code = samples.lines(samples.OUTCOMES + name)
    yield from ("```python", ">>> import tellapart as ta", *(f">>> {line}" for line in code))
    verb, option = "compare", "method" if {"test", "pairs"} & set(kinds) else "interval"
    if len(held.models) == 1:
        verb, option = "estimate", "method"
    yield f'>>> print(ta.{verb}(held, {option}="{name}"))'
    yield str(getattr(ta, verb)(held, **{option: name}))


def _example_of_a_metric(kinds: dict[str, Offer]) -> Iterator[str]:
    method = kinds.get("test") or next(iter(kinds.values()))
    code, held, asked = samples.measured(method)
    verb = "estimate" if method.question == 1 else "compare"
    option = "interval" if verb == "compare" and method.gives == "interval" else "method"
    told = f', metric="{asked["metric"]}"' + (f", costs={asked['costs']}" if "costs" in asked else "")
    yield from ("```python", ">>> import tellapart as ta", *(f">>> {line}" for line in code))
    named = {option: method.name}
    if (
        "interval" in kinds and kinds["interval"].parameter == "ratio"
    ):  # beside the test `compare` would show the difference
        named["interval"] = method.name
    told += "".join(f', {each}="{name}"' for each, name in named.items())
    yield f">>> print(ta.{verb}(held{told}))"
    yield str(getattr(ta, verb)(held, **asked, **named))


def _example_of_strata(interval: Offer) -> Iterator[str]:
    strata = ta.StratifiedCount(errors=[2, 10], trials=[100, 50], shares=[0.9, 0.1])
    yield from ("```python", ">>> import tellapart as ta")
    yield ">>> strata = ta.StratifiedCount(errors=[2, 10], trials=[100, 50], shares=[0.9, 0.1])"
    yield f'>>> print(ta.estimate(strata, method="{interval.name}"))'
    yield str(ta.estimate(strata, method=interval.name))


def _example_of_patterns(method: Offer) -> Iterator[str]:
    patterns = ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 60, 1: 12, 2: 4, 3: 5, 4: 6, 7: 13})
    yield from ("```python", ">>> import tellapart as ta")
    yield '>>> patterns = ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 60, 1: 12, 2: 4, 3: 5, 4: 6, 7: 13})'
    if method.gives == "pairs":
        yield f'>>> print(ta.compare(patterns, method="{method.name}"))'
        yield str(ta.compare(patterns, method=method.name))
        return
    found: Any = ta.compare(patterns).note("cochran_q")
    yield '>>> found = ta.compare(patterns).note("cochran_q")'
    yield from (">>> round(float(found.statistic), 4), round(float(found.pvalue), 4)",)
    yield str((round(float(found.statistic), 4), round(float(found.pvalue), 4)))


def _figures(kinds: dict[str, Offer], deep: str, named: str) -> Iterator[str]:
    """Return the cards: what was measured, and by which command."""
    for method in kinds.values():
        found = card(method)
        if found is None:
            continue
        what = {"test": "Size and power of the test", "interval": "Coverage of the interval"}
        yield from (f"{deep} {what.get(method.gives, 'Size and coverage')}{named}", "")
        yield f"At alpha = {found.alpha:g}, measured by `{found.command}`,"
        yield f"printed by `tellapart methods {method.name}`."
        if "prior" in method.required:
            yield f"Under the prior Beta({PRIOR[0]}, {PRIOR[1]}); another prior has other figures."
        yield from ("", *found.table(), "")


def _needed(method: Offer) -> dict[str, Any]:
    return {name: value for name, value in (("prior", PRIOR), ("pool", POOL)) if name in method.required}


def _flag(method: Offer) -> str:
    texts = {"prior": _prior_text(), "pool": str(POOL)}
    return "".join(f" --{name} {texts[name]}" for name in _needed(method))


def _prior_text() -> str:
    return ",".join(f"{value:g}" for value in PRIOR)


def _link(method: Offer) -> str:
    return f"[{method.name}]({method.name}.md)"


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def main(arguments: list[str]) -> int:
    """Write the pages, or check them; return the exit status."""
    checking = arguments == ["--check"]
    if arguments and not checking:
        sys.stderr.write(f"docs/generate.py takes --check or nothing, but got {' '.join(arguments)}.\n")
        return 2
    wanted = dict(pages())
    left_over = set(FOLDER.glob("*.md")) - set(wanted)
    stale = [path for path, text in wanted.items() if not path.exists() or not same(path.read_text("utf-8"), text)]
    for path in (*stale, *left_over):
        fate = "out of date" if checking else "removed" if path in left_over else "written"
        sys.stdout.write(f"{fate}: {path.name}\n")
    if checking:
        return int(bool(stale or left_over))
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
    for path in left_over:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

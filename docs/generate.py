"""Write the reference pages of the methods from the registry: `python docs/generate.py`.

It also fills in the facts on the pages of checks, and the output of the commands in the console blocks of all other
pages and of the README. With `--check` nothing is written, and the exit status is 1 if a page is missing, out of date
or no longer needed. Each page shows the command that measures its figures.
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
from tellapart.cli.method_pages import status_text
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
DOCTEST = re.compile(r"^```python\n>>> .*?^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (tellapart (?:.*\\\n)*.*)$", re.MULTILINE)  # lines that end with a backslash go on
PRIOR = (1, 3.67)  # shown where a method cannot do without one
POOL = 500
PROMISING = (Standing.RECOMMENDED, Standing.SOUND)

# What a method is for, by its evidence: the heading in the index, and the phrase on its page.
KINDS: dict[type[Evidence], tuple[str, str]] = {
    ta.ErrorCount: ("One error rate", "one error rate"),
    ta.StratifiedCount: ("One error rate, by strata", "one error rate from strata of known shares"),
    ta.PairedTable: ("Two classifiers on one test set", "two classifiers on one test set"),
    ta.IndependentCounts: ("Two classifiers on two test sets", "two classifiers on separate test sets"),
    ta.ErrorPatterns: ("Several classifiers on one test set", "several classifiers on one test set"),
    ta.Outcomes: (
        "Scores, repeats, clusters and weights",
        "graded, repeated, clustered or weighted outcomes",
    ),
    ta.ConfusionMatrix: ("One classifier by another metric", "a metric of one confusion matrix"),
    ta.PairedConfusion: ("Two classifiers by another metric", "a metric of two confusion matrices, paired"),
    ta.ClassScores: ("Class scores: AUC, average precision", "class scores of one or two models"),
    ta.Resamples: ("Learners on one data set, by cross-validation", "learners on one data set, by cross-validation"),
    ta.TrainingSets: ("Learners on disjoint training sets", "learners on disjoint training sets"),
    ta.ScoreTable: ("Learners over many data sets", "learners over many data sets"),
}
LEARNERS = (ta.Resamples, ta.TrainingSets, ta.ScoreTable)
MEASURED = (ta.ConfusionMatrix, ta.PairedConfusion, ta.ClassScores)

# What an interval is of.
PARAMETERS = {
    "error": "the error rate",
    "difference": "the difference error(A) − error(B)",
    "odds": "the odds of the discordant counts, only A wrong to only B wrong",
    "reduction": "the relative error reduction, 1 − error(B)/error(A)",
    "ratio": "the ratio of the metric of B to that of A",
}

# What an option means, unless the method's own docstring says it.
OPTIONS = {
    "alpha": "Significance level; the confidence level is 1 − alpha. `estimate` and `compare` also take `level=`.",
    "side": '"two", "upper" (an upper bound) or "lower".',
    "against": "The threshold, an error rate strictly between 0 and 1.",
    "alternative": '"two-sided", "less" (the error is below the threshold) or "greater".',
    "prior": "Prior distribution: (u, v) for Beta(u, v), a name, a result of `fit_prior`, or a density.",
    "raw": "Keep the quantiles; do not set the limit to 0 for no errors or to 1 for no successes.",
    "pool": "Size of the finite population the examples were drawn from without replacement.",
    "resamples": "Number of bootstrap samples.",
    "rng": "Seed or `numpy.random.Generator`; the same seed gives the same digits.",
    "k": "Number of standard errors.",
}
# Options of methods for learners.
OF_LEARNERS = {
    "alpha": "Significance level; the confidence level is 1 − alpha. `estimate` and `compare` also take `level=`.",
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
    "against": "The difference loss(A) − loss(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".',
    "resamples": "Number of bootstrap samples of runs or examples.",
}
# Options of methods for many data sets.
OF_DATA_SETS = {
    "rope": "Half-width of the region of practical equivalence.",
    "rho": "Correlation of the runs of a data set, if the table does not give it: 0.1 for 10-fold cross-validation.",
}
# Options of methods for outcomes.
OF_OUTCOMES = {
    "alpha": "Significance level; the confidence level is 1 − alpha. `estimate` and `compare` also take `level=`.",
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
    "against": "The difference loss(A) − loss(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".',
    "resamples": "Number of draws of examples, clusters or signs.",
}
# Options of methods for another metric.
OF_MEASURES = {
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
    "against": "The difference loss(A) − loss(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".',
    "resamples": "Number of bootstrap samples of the counts, or of the examples of each class.",
}
# Options of methods for two classifiers.
OF_A_PAIR = {
    "alpha": "Significance level; the confidence level is 1 − alpha. `compare` also takes `level=`.",
    "against": "The difference error(A) − error(B) that is tested; `compare` sets it from `margin=`.",
    "alternative": '"two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".',
    "side": '"two", "upper" (an upper bound) or "lower"; `compare` sets it by the alternative.',
}


def methods() -> dict[str, list[Offer]]:
    """Return the package's own methods by name; no plugin's."""
    offers: dict[str, list[Offer]] = {}
    for method in ta.find_methods():
        if method.function.__module__.startswith("tellapart."):
            offers.setdefault(method.name, []).append(method)
    return offers


def page(name: str) -> str:
    """Return the page of one method: a section for each kind of evidence it takes."""
    offers = methods()[name]
    kinds = {evidence: [offer for offer in offers if offer.evidence is evidence] for evidence in KINDS}
    kinds = {evidence: own for evidence, own in kinds.items() if own}
    lines = [f"# {name}", ""]
    questions = dict.fromkeys((offer.evidence, offer.question) for own in kinds.values() for offer in own)
    for evidence, question in questions:
        own = [offer for offer in kinds[evidence] if offer.question == question]
        gives = " and ".join(offer.gives for offer in own).replace("pairs", "simultaneous comparison").capitalize()
        lines += [
            f"{'- ' * (len(questions) > 1)}{gives} for {KINDS[evidence][1]} (`{evidence.__name__}`)."
            f" Answers: [{QUESTIONS[question].asks}](../../explanation/nine-questions.md)"
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
    references = dict.fromkeys(cite(method.reference) for method in offers)
    lines += ["", "## References", "", *(f"- {reference}" for reference in references)]
    return _mark_blank_lines("\n".join(lines) + "\n")


def index() -> str:
    """Return the tables of all methods, by what they are for."""
    lines = [
        "# Methods",
        "",
        "All estimators, intervals and tests by name, sorted by status. *Recommended* and *sound* methods have the",
        "type I error rate or coverage shown on their pages (`make calibration` measures them again). *Heuristic*",
        "methods are approximations. Methods marked *do not use* are included because papers report them; their",
        "results fail check [TA010](../checks/TA010.md), which gives the reason. Each page says which of the four",
        "[sources of variation](../../explanation/learners-and-resampling.md#four-sources-of-variation) the method",
        "accounts for.",
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
            lines += ["| method | gives | status | rationale |", "|---|---|---|---|"]
            lines += [
                f"| {_link(offer)} | {offer.gives} | {status_text(offer)} | {_cell(offer.rationale)} |" for offer in own
            ]
    return "\n".join(lines) + "\n"


def _index_of_error_counts(intervals: list[Offer], tests: list[Offer]) -> Iterator[str]:
    yield from (
        "The figures are the exact coverage at nominal 95% for 100 trials and true error rates up to 10%: mean,",
        "minimum and expected width. A minimum of 0.95 or more means that the interval never covers less often than"
        " nominal.",
        "The last column is the status of the test against a threshold of the same name, from its exact type I error",
        f"rate. Methods that need a prior use Beta({PRIOR[0]}, {PRIOR[1]}).",
        "",
        "```sh",
        f"tellapart coverage --trials 100 --method all --to 0.1 --prior {_prior_text()}",
        "```",
        "",
        "| interval | status | mean | minimum | width | rationale | test |",
        "|---|---|---:|---:|---:|---|---|",
    )
    status = {test.name: status_text(test) for test in tests}
    for interval in intervals:
        shown = "– | – | –"  # of a pool, whose errors are not binomial
        row = _row(interval, "100 examples, error rates up to 10%")
        if row is not None and row.coverage is not None:
            shown = f"{row.coverage.mean:.4f} | {row.coverage.extreme:.4f} | {row.width:.4f}"
        yield (
            f"| {_link(interval)} | {status_text(interval)} | {shown} | {_cell(interval.rationale)}"
            f" | {status.get(interval.name, 'none')} |"
        )


def _index_of_pairs(tests: list[Offer], intervals: list[Offer]) -> Iterator[str]:
    paired = tests[0].evidence is ta.PairedTable
    size = ("20 examples" if paired else "20 and 20 examples"), ("50 examples" if paired else "50 and 50 examples")
    yield from (
        f"Tests: exact type I error rate at alpha = 0.05 with {size[1]}, mean and maximum over the designs for which",
        "the test is valid. A maximum of at most 0.05 means that the type I error rate never exceeds alpha. Intervals:",
        "exact coverage at nominal 95%, mean and minimum, and expected width. A method's page lists the designs.",
        f"An asterisk (*) marks methods that are slow to enumerate, shown with {size[0]}. A dash means not measured or",
        "a width without bound.",
        "",
        "| test | status | mean type I error | maximum | rationale |",
        "|---|---|---:|---:|---|",
    )
    for test in tests:
        row, mark = _either(test, size)
        shown = "– | –" if row is None else f"{row.size.mean:.4f}{mark} | {row.size.extreme:.4f}{mark}"
        yield f"| {_link(test)} | {status_text(test)} | {shown} | {_cell(test.rationale)} |"
    yield from (
        "",
        "| interval | parameter | status | mean | minimum | width | rationale |",
        "|---|---|---|---:|---:|---:|---|",
    )
    for interval in intervals:
        row, mark = _either(interval, size)
        shown = "– | – | –"
        if row is not None:
            width = "–" if row.width is None else f"{row.width:.4f}{mark}"
            shown = f"{row.coverage.mean:.4f}{mark} | {row.coverage.extreme:.4f}{mark} | {width}"
        yield (
            f"| {_link(interval)} | {interval.parameter} | {status_text(interval)} | {shown}"
            f" | {_cell(interval.rationale)} |"
        )


def _row(method: Offer, design: str) -> CardRow | None:
    """Return the first row of a method's card for a design; designs within its range of validity come first."""
    measured = card(method)
    rows = () if measured is None else (*measured.within(), *measured.entries)
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
        yield from (f"[{QUESTIONS[question].asks}](../../explanation/nine-questions.md)", "")
        yield from ("| method | gives | status | rationale |", "|---|---|---|---|")
        for kinds in named.values():
            gives, last = ", ".join(offer.gives for offer in kinds), kinds[-1]  # an interval says more than its middle
            yield f"| {_link(last)} | {gives} | {status_text(last)} | {_cell(last.rationale)} |"
        yield from () if question == max(by_question) else ("",)


def _mark_blank_lines(text: str) -> str:
    """Return a page in whose doctests blank lines of the output are marked, as they would end it."""
    return DOCTEST.sub(lambda block: re.sub(r"\n\n(?!```|>>>)", "\n<BLANKLINE>\n", block[0]), text)


def with_output(text: str) -> str:
    """Return a page whose console blocks show what their commands print now; they share a folder of their own."""
    with TemporaryDirectory() as folder:
        Path(folder, "examples").symlink_to(DOCS.parent / "examples")

        def session(block: re.Match[str]) -> str:
            commands = COMMAND.findall(block[1])
            return "```console\n" + "".join(f"$ {command}\n{printed(command, folder)}" for command in commands) + "```"

        return CONSOLE.sub(session, text)


def printed(command: str, folder: str | Path = DOCS.parent) -> str:
    """Return what a command prints in a folder; without the blanks at the ends of lines, and without times."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        done = CliRunner().invoke(
            command_line, shlex.split(command.replace("\\\n", " "))[1:], prog_name="tellapart", terminal_width=80
        )
    finally:
        os.chdir(before)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise RuntimeError(f"`{command}` failed, so that the page is left as it is") from done.exception
    shown = re.sub(r"^(.*mean error \S+ %), \S+ s", r"\1, … s", done.output, flags=re.MULTILINE)
    return "".join(f"{line.rstrip()}\n" for line in shown.splitlines())


def same(page_a: str, page_b: str) -> bool:
    """Return whether two pages agree up to the tenth digit: later ones differ between processors."""
    first, second = (
        re.sub(r"\d+\.\d{11,}", lambda number: f"{float(number[0]):.10g}", text) for text in (page_a, page_b)
    )
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
    descriptions = {option: what for kind in kinds.values() for option, what in _parameters(kind).items()}
    if method.gives == "pairs":  # another method than the test of its name
        descriptions |= _parameters(method)
    title = "Simultaneous comparison" if method.gives == "pairs" else method.gives.capitalize()
    yield from ("", f"{deep} {title}{named}", "")
    if next((kind for kind in kinds.values() if kind.function is method.function), method) is method:
        yield from (method.description, "")  # of a procedure once
    yield from ("| | |", "|---|---|")
    yield f"| status | **{status_text(method)}**: {_cell(method.rationale)} |"
    if method.standing in PROMISING or method.validity != Offer.__dataclass_fields__["validity"].default:
        yield f"| valid for | {_cell(method.validity)} |"
    yield f"| accounts for | {covers_text(method.sources_covered)} |"
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
        yield f"- {shown}: {descriptions.get(option) or general[option]}"
    if method.standing == Standing.FORBIDDEN or method.assumes:
        yield from ("", "Checks:", "")
    if method.standing == Standing.FORBIDDEN:
        yield "- [TA010](../checks/TA010.md): the method is fit for use; always fails for this method"
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
        yield f"| {'agrees with' if method.gives == 'test' else 'reported with'} | {_partner(method, kinds)} |"
    if method.statistic:
        yield f"| statistic | {_cell(method.statistic)} |"
    if method.gives != "interval":
        if method.guarantees:
            yield "| guarantee | type I error rate at most alpha, by proof |"
        return
    yield f"| guarantee | {'coverage at least nominal, by proof' if method.guarantees else 'none'} |"
    if method.evidence in MEASURED:
        yield f"| limits within the metric's range | {'always' if method.within else 'not always'} |"
    elif method.evidence is ta.Outcomes:
        yield f"| limits within the scores' bounds | {'always' if method.within else 'not always'} |"
    elif method.parameter in ("error", "difference") and method.evidence not in LEARNERS:
        ends = "[0, 1]" if method.parameter == "error" else "[−1, 1]"
        yield f"| limits in {ends} | {'always' if method.within else 'not always; they are not truncated'} |"
    if method.evidence is ta.ErrorCount:
        yield f"| errors and successes swapped | {'mirror image' if method.symmetric else 'a different interval'} |"


def _parameter(method: Offer, kinds: dict[str, Offer]) -> str:
    """Return the parameter of an interval; some methods serve both one learner and two."""
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
    """Return the test or interval of the same pivot, and the one `compare` reports if that is another."""
    other = "test" if method.gives == "interval" else "interval"
    if method.partner:
        stated = f"the {other} [{method.partner}]({method.partner}.md)"
        stated += f" and the {other} of the same name" if other in kinds else ""
    else:
        stated = f"the {other} of the same name" if other in kinds else f"no {other} of the same name"
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
        _, evidence, options = samples.measured(method)
        named = {"method" if method.gives == "test" else "interval": method.name}
        test, interval = choose(evidence.by(**options), Request(**named))
    else:
        test, interval = choose(_sample(method.evidence), Request(method=method.name))
    partner = (interval if other == "interval" else test).name
    if partner in (method.partner, method.name):
        return stated
    verb = "reports" if other == "interval" else "tests with"
    return f"{stated}; `compare` {verb} [{partner}]({partner}.md)"


def _parameters(method: Offer) -> dict[str, str]:
    """Return the description of each parameter in the docstring."""
    _, *rest = re.split(r"\n(\w+)\n-{4,}\n", getdoc(method.function) or "")
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    parameters = re.findall(r"^(\w+)\n((?: {4}.+\n?)+)", sections.get("Parameters", ""), re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in parameters}


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
    keywords = "".join(f", {name}={value!r}" for name, value in options.items())
    count = ta.ErrorCount(3, 120)
    answer = ta.estimate(count, method=interval.name, **options)
    command = f"tellapart estimate 3 120 --method {interval.name}{_flag(interval)}"
    yield from ("```console", f"$ {command}", printed(command).rstrip("\n"), "```", "", "```python")
    yield ">>> import tellapart as ta"
    yield f'>>> print(ta.estimate(ta.ErrorCount(3, 120), method="{interval.name}"{keywords}).interval)'
    yield str(answer.interval)
    if has_test:
        pvalue = round(float(ta.compare(count, against=0.08, method=interval.name, **options).pvalue), 4)
        yield f'>>> test = ta.compare(ta.ErrorCount(3, 120), against=0.08, method="{interval.name}"{keywords})'
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
    evidence, variable = samples.evidence(key), samples.variable(samples.lines(key))
    yield from ("```python", ">>> import tellapart as ta", *(f">>> {line}" for line in samples.lines(key)))
    if "estimate" in kinds:
        learner = samples.estimated_learner(key)
        yield f'>>> print(ta.estimate({variable}, learner="{learner}", method="{name}"))'
        yield str(ta.estimate(evidence, learner=learner, method=name))
    if {"test", "pairs"} & set(kinds):
        more = {"control": evidence.learners[0]} if name == "bonferroni-dunn" else {}  # which needs a control
        keywords = "".join(f', {option}="{value}"' for option, value in more.items())
        yield f'>>> print(ta.compare({variable}, method="{name}"{keywords}))'
        yield str(ta.compare(evidence, method=name, **more))


def _example_of_outcomes(kinds: dict[str, Offer]) -> Iterator[str]:
    name = next(iter(kinds.values())).name
    evidence = samples.evidence(samples.OUTCOMES + name)
    code = samples.lines(samples.OUTCOMES + name)
    yield from ("```python", ">>> import tellapart as ta", *(f">>> {line}" for line in code))
    verb, option = "compare", "method" if {"test", "pairs"} & set(kinds) else "interval"
    if len(evidence.models) == 1:
        verb, option = "estimate", "method"
    yield f'>>> print(ta.{verb}({samples.variable(code)}, {option}="{name}"))'
    yield str(getattr(ta, verb)(evidence, **{option: name}))


def _example_of_a_metric(kinds: dict[str, Offer]) -> Iterator[str]:
    method = kinds.get("test") or next(iter(kinds.values()))
    code, evidence, options = samples.measured(method)
    verb = "estimate" if method.question == 1 else "compare"
    option = "interval" if verb == "compare" and method.gives == "interval" else "method"
    keywords = f', metric="{options["metric"]}"' + (f", costs={options['costs']}" if "costs" in options else "")
    yield from ("```python", ">>> import tellapart as ta", *(f">>> {line}" for line in code))
    named = {option: method.name}
    # By default, `compare` would report the interval of the difference with the test.
    if "interval" in kinds and kinds["interval"].parameter == "ratio":
        named["interval"] = method.name
    keywords += "".join(f', {option}="{name}"' for option, name in named.items())
    yield f">>> print(ta.{verb}({samples.variable(code)}{keywords}))"
    yield str(getattr(ta, verb)(evidence, **options, **named))


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
    cochran_q: Any = ta.compare(patterns).note("cochran_q")
    yield '>>> cochran_q = ta.compare(patterns).note("cochran_q")'
    yield from (">>> round(float(cochran_q.statistic), 4), round(float(cochran_q.pvalue), 4)",)
    yield str((round(float(cochran_q.statistic), 4), round(float(cochran_q.pvalue), 4)))


def _figures(kinds: dict[str, Offer], deep: str, named: str) -> Iterator[str]:
    """Return the cards: what was measured, and by which command."""
    for method in kinds.values():
        measured = card(method)
        if measured is None:
            continue
        title = {"test": "Type I error rate and power of the test", "interval": "Coverage of the interval"}
        yield from (f"{deep} {title.get(method.gives, 'Type I error rate and coverage')}{named}", "")
        yield f"Measured at alpha = {measured.alpha:g} by `{measured.command}`;"
        yield f"printed by `tellapart methods {method.name} --explain`."
        if "prior" in method.required:
            yield f"The prior is Beta({PRIOR[0]}, {PRIOR[1]}); figures differ for other priors."
        yield from ("", *measured.table(), "")


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

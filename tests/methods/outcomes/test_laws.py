"""Laws that every method for per-example scores keeps, whatever the scores, clusters, weights and repeats."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart import Outcomes, find_methods
from tellapart.errors import InvalidEvidence
from tellapart.methods.assumptions import Context, check_assumptions

METHODS = [method for method in find_methods(evidence=Outcomes) if method.gives in {"test", "interval"}]
TESTS, INTERVALS = ([method for method in METHODS if method.gives == gives] for gives in ("test", "interval"))
BOTH = [(test, limits) for test in TESTS for limits in INTERVALS if test.name == limits.name]
WAYS = {"two": "two-sided", "upper": "less", "lower": "greater"}
RNG = np.random.default_rng(5)
N = 36
CODES = RNG.integers(11, size=N)
GROUPS = np.arange(N) % 3
SHARED = RNG.normal(size=11)[CODES]
SCORES = (SHARED * [[0.3], [-0.3]] + RNG.normal(size=(2, N))).round(3)
LAID_OUT = {"clusters": CODES, "groups": GROUPS}
PAIRS = {
    "graded": Outcomes.from_scores(*SCORES, metric="x", **LAID_OUT),
    "graded, alone": Outcomes.from_scores(*SCORES, metric="x", groups=GROUPS),
    "bounded below": Outcomes.from_scores(
        *np.exp(SCORES), metric="loss", higher_is_better=False, bounds=(0, np.inf), **LAID_OUT
    ),
    "weighted": Outcomes.from_scores(*SCORES, metric="x", weights=RNG.lognormal(size=N), **LAID_OUT),
    "twelve decades": Outcomes.from_scores(*SCORES, metric="x", weights=10.0 ** np.linspace(-6, 6, N), **LAID_OUT),
    "right or wrong": Outcomes.from_scores(*(SCORES > 0).astype(int), **LAID_OUT),
    "repeats": Outcomes.from_scores(*(SCORES[..., None] > RNG.normal(size=(2, N, 3))).astype(int), **LAID_OUT),
    "one large cluster": Outcomes.from_scores(*SCORES, metric="x", clusters=np.maximum(CODES - 6, 0), groups=GROUPS),
    "tiny": Outcomes.from_scores(*SCORES * 1e-300, metric="x", **LAID_OUT),
    "huge": Outcomes.from_scores(*SCORES * 1e299, metric="x", **LAID_OUT),
}
FLAT = {
    "one decides": Outcomes.from_scores(*SCORES, metric="x", weights=[1e13] + [1] * (N - 1), **LAID_OUT),
    "all alike": Outcomes.from_scores([0.1] * N, [0.3] * N, metric="x", bounds=(0, 1), **LAID_OUT),
    "nobody errs": Outcomes.from_scores([1] * N, [1] * N, **LAID_OUT),
    "nothing but 0": Outcomes.from_scores([0.0] * N, [0.0] * N, metric="x", **LAID_OUT),
    "one cluster": Outcomes.from_scores(*SCORES, metric="x", clusters=[7] * N, groups=GROUPS),
    "one example": Outcomes.from_scores([0.3], [0.5], metric="x", bounds=(0, 1), groups=["es"]),
    "two examples": Outcomes.from_scores([0.3, 0.5], [0.5, 0.1], metric="x", bounds=(0, 1), groups=["es", "es"]),
}


def by_name(method):
    return f"{method.name}-{method.gives}"


def taken(method, outcomes, *more):
    """Yield what the method can take, of two models and of one; and what it says of each, by the keywords it knows."""
    for each in (outcomes, outcomes.select("A")):
        for options in more or ({},):
            drawn = {"resamples": 299} if "resamples" in method.options else {}
            try:
                yield each, options, method(each, **options, **drawn)
            except InvalidEvidence:  # counts of two models, a rate of one
                break


def answer_for(method, side, alpha=0.05):
    return {"side": side, "alpha": alpha} if method.gives == "interval" else {"alternative": WAYS[side]}


def figures(answer):
    """Return what a test or an interval says, as one array along the first dimension."""
    return np.array([answer.pvalue, answer.statistic] if hasattr(answer, "pvalue") else [answer.low, answer.high])


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_exchanging_the_models_turns_the_answer_round(method):
    for outcomes in (PAIRS["weighted"], PAIRS["right or wrong"], PAIRS["huge"], *FLAT.values()):
        for side, other in {"two": "two", "upper": "lower"}.items():
            here, there = (
                [answer for each, _, answer in taken(method, asking, answer_for(method, way)) if len(each.models) == 2]
                for asking, way in ((outcomes, side), (outcomes.swapped(), other))
            )
            for one, two in zip(here, there, strict=True):
                if method.gives == "test":
                    assert_allclose(two.pvalue, one.pvalue, rtol=1e-9)
                else:
                    size = np.abs(outcomes.scores).max() or 1.0
                    assert_allclose([-two.high / size, -two.low / size], [one.low / size, one.high / size], atol=1e-9)


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_many_are_a_loop_over_one(method):
    """Of scores that are drawn by counts (right or wrong, each by itself) only the distribution is the same."""
    for outcomes in (PAIRS["weighted"], PAIRS["right or wrong"]):
        scores = np.stack([outcomes.scores, outcomes.scores[:, ::-1], outcomes.scores[::-1], outcomes.scores * 0])
        many = replace(outcomes, scores=scores)
        for each, _, answer in taken(method, many):
            together = figures(answer)
            alone = np.stack([figures(result) for index in range(4) for _, _, result in taken_as(method, each[index])])
            assert_allclose(together, alone.T, rtol=1e-9, atol=1e-12)


def taken_as(method, outcomes):
    return [result for result in taken(method, outcomes) if result[0].models == outcomes.models][:1]


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_neither_the_order_of_examples_nor_the_names_of_clusters_matter(method):
    """Other names in the same order, and examples in another one; where nothing is drawn, names in any order, too."""
    order = np.random.default_rng(6).permutation(N)
    for outcomes in (PAIRS["graded"], PAIRS["weighted"], PAIRS["right or wrong"]):
        codes = outcomes.clusters if "rng" in method.options else 20 - outcomes.clusters
        names = np.array([f"passage {code:02}" for code in codes])
        moved = replace(
            outcomes,
            scores=outcomes.scores[:, order],
            clusters=names[order],
            groups=outcomes.groups[order],
            weights=None if outcomes.weights is None else outcomes.weights[order],
        )
        for (_, _, here), (_, _, there) in zip(taken(method, outcomes), taken(method, moved), strict=True):
            assert_allclose(figures(there), figures(here), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_nothing_is_undefined_and_every_interval_has_width_inside_the_range(method):
    for outcomes in (*PAIRS.values(), *FLAT.values()):
        every = [answer_for(method, side, alpha) for side in WAYS for alpha in (0.5, 0.1)]
        for each, options, answer in taken(method, outcomes, *every):
            if method.gives == "test":
                assert 0 < answer.pvalue <= 1, (each, options)
                assert not np.isnan(answer.statistic)
                continue
            least, most = each.range
            assert least <= answer.low < answer.high <= most, (each, options)
            if options["side"] == "two" and not np.isfinite([answer.low, answer.high]).all():
                checks = check_assumptions(method.assumes, each, Context(interval=answer))
                assert not all(check.holds for check in checks), each


@pytest.mark.parametrize("method", INTERVALS, ids=by_name)
def test_a_higher_level_is_never_narrower(method):
    levels = (0.5, 0.2, 0.05, 0.01) if "resamples" in method.options else (0.5, 0.2, 0.05, 1e-3, 1e-12)
    for outcomes in (*PAIRS.values(), *FLAT.values()):
        result = [limits for *_, limits in taken(method, outcomes, *({"alpha": alpha} for alpha in levels))]
        for narrow, wide in pairwise(result):
            if narrow.alpha > wide.alpha:  # the next is not another model's first
                assert wide.low <= narrow.low < narrow.high <= wide.high


@pytest.mark.parametrize(("test", "interval"), BOTH, ids=lambda method: method.name)
def test_the_test_rejects_what_the_interval_leaves_out(test, interval):
    """At a limit inside the range p is alpha, unless the limits differ from the mean in their last digits alone."""
    for name, outcomes in (PAIRS | FLAT).items():
        for side, alpha in (("two", 0.5), ("two", 1e-9), ("upper", 0.1), ("lower", 0.01)):
            for each, _, limits in taken(interval, outcomes, answer_for(interval, side, alpha)):
                (least, most), size = each.range, np.abs(each.scores).max()
                for limit in (limits.low, limits.high):
                    if least < limit < most and abs(limit - each.mean_of(each.values)) > 1e-6 * size:
                        pvalue = test(each, against=float(limit), alternative=WAYS[side]).pvalue
                        assert pvalue == pytest.approx(alpha, rel=1e-5), (name, side, alpha)


def test_every_name_that_gives_both_is_tried():
    assert {test.name for test, _ in BOTH} >= {"mean-t", "macro-average", "cluster-robust", "cluster-cr2"}

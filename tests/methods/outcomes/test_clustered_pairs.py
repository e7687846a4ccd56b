"""Tests for clustered pairs against published examples, definitions and their own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import chi2, norm

from tellapart import Outcomes
from tellapart.errors import InvalidEvidence
from tellapart.methods.outcomes.clustered_pairs import durkalski, eliasziw_donner, obuchowski, yang
from tellapart.methods.outcomes.clusters import robust_moments
from tellapart.methods.paired_table.mcnemar import mcnemar

# Psychiatrists and their patients (Donner and Petryshen 1989): for each psychiatrist, what only the patient said, what
# only the psychiatrist did, and how many were asked. From the R package clust.bin.pair 0.1.2 (data psychiatry).
PATIENT = [0, 1, 1, 1, 0, 3, 3, 3, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0]
PSYCHIATRIST = [4, 2, 3, 2, 1, 3, 0, 2, 2, 4, 2, 4, 3, 2, 1, 3, 1, 2, 0, 0, 0, 2, 1, 2, 2, 0, 0, 1, 1]
ASKED = [7, 6, 7, 6, 4, 6, 5, 8, 4, 7, 3, 6, 7, 6, 5, 4, 6, 5, 4, 3, 5, 4, 4, 2, 3, 2, 2, 3, 1]
# Glands by patient, found healthy by PET and by SPECT (Obuchowski 1998), as that package has them (data thyroids).
PET = "000 110 111 1 110 1111 111 11 11 1 110 11 111 11 00 110 110 110 11 1 11"
SPECT = "011 111 111 1 111 1111 111 11 10 1 110 11 111 11 11 110 110 111 11 1 11"


def of_counts(b, c, n):
    """Return outcomes with so many lone errors in each cluster; all others are right."""
    rows = [(bool(index < one), bool(one <= index < one + other), code)
            for code, (one, other, size) in enumerate(zip(b, c, n, strict=True)) for index in range(size)]  # fmt: skip
    a, b, codes = (np.array(column) for column in zip(*rows, strict=True))
    return Outcomes.from_scores(1 - a, 1 - b, clusters=codes)


PSYCHIATRY = of_counts(PATIENT, PSYCHIATRIST, ASKED)
THYROIDS = Outcomes.from_scores(
    [int(gland) for gland in PET if gland != " "],
    [int(gland) for gland in SPECT if gland != " "],
    clusters=np.repeat(np.arange(21), [len(glands) for glands in PET.split()]),
    models=["PET", "SPECT"],
)
# From the test suite of clust.bin.pair 0.1.2.
PUBLISHED = [
    (PSYCHIATRY, obuchowski, 7.19),
    (PSYCHIATRY, yang, 8.43),
    (PSYCHIATRY, durkalski, 7.54),
    (THYROIDS, obuchowski, 2.86),  # 2.88 in Obuchowski's own paper
    (THYROIDS, yang, 3.13),
    (THYROIDS, durkalski, 2.32),
    (THYROIDS, eliasziw_donner, 3.66),
]
TESTS = [obuchowski, yang, durkalski, eliasziw_donner]


@pytest.mark.parametrize(("outcomes", "test", "statistic"), PUBLISHED)
def test_published_examples(outcomes, test, statistic):
    result = test(outcomes)
    assert round(float(result.statistic), 2) == statistic
    assert_allclose(result.pvalue, chi2.sf(result.statistic, 1))


def test_mcnemar_ignores_clusters_and_claims_more():
    """11.85 and 4.5 in the same places: of the thyroids McNemar's test claims a difference, and none of these does."""
    assert round(float(mcnemar(PSYCHIATRY.paired_table()).statistic), 2) == 11.85
    assert mcnemar(THYROIDS.paired_table()).statistic == 4.5
    assert mcnemar(THYROIDS.paired_table()).pvalue < 0.05 < min(test(THYROIDS).pvalue for test in TESTS)


def anova(cells):
    """Return the likeness of one of the four outcomes by the textbook's analysis of variance, summed over the four."""
    n, total = cells.sum(axis=1), cells.sum()
    k, mean = len(n), n.mean()
    between = within = 0.0
    for cell in cells.T:
        share = cell / n
        between += (n * (share - cell.sum() / total) ** 2).sum() / k
        within += (n * share * (1 - share)).sum() / (k * (mean - 1))
    typical = mean - n.var() / ((k - 1) * mean)
    return (between - within) / (between + (typical - 1) * within)


@pytest.mark.parametrize("seed", range(3))
def test_eliasziw_and_donner_step_by_step(seed):
    """Their equations one after the other, with S₀ and K_d as printed."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, 25)
    codes = np.repeat(np.arange(25), sizes)
    shifted = rng.normal(size=(1, 25))[:, codes] + rng.normal(size=(2, codes.size))
    outcomes = Outcomes.from_scores(*(shifted > 0).astype(int), clusters=codes)
    a, b = outcomes.scores < 0.5
    kinds = (a & b, a & ~b, ~a & b, ~a & ~b)
    cells = np.stack([np.bincount(codes, kind) for kind in kinds], axis=1)
    rho = anova(cells)
    assert rho > 0
    shares = cells.sum(axis=0) / cells.sum()
    of_lone = 1 / (1 + (shares[1] + shares[2]) * (1 - rho) / rho)
    single = cells[:, 1] + cells[:, 2]
    discordant = (single > 0).sum()
    mean = single.sum() / discordant
    typical = mean - (((single - mean) ** 2).sum() - (25 - discordant) * mean**2) / (
        discordant * (discordant - 1) * mean
    )
    effect = 1 + (typical + discordant * (mean - typical) - 1) * of_lone
    lead = cells[:, 1].sum() - cells[:, 2].sum()
    assert eliasziw_donner(outcomes).statistic == pytest.approx(lead**2 / single.sum() / effect)


@pytest.mark.parametrize("test", [obuchowski, yang])
def test_single_examples_make_mcnemars_test_but_for_the_correction(test):
    """Clusters of one: Obuchowski's χ² is (n − 1)/n of McNemar's, Yang's a little more."""
    outcomes = of_counts([1] * 9 + [0] * 31, [0] * 9 + [1] * 3 + [0] * 28, [1] * 40)
    plain = float(mcnemar(outcomes.paired_table()).statistic)
    expected = plain * 39 / 40 / (1 if test is obuchowski else 1 - 36 / 40 / 12 / 2)
    assert test(outcomes).statistic == pytest.approx(expected)
    assert eliasziw_donner(outcomes).statistic == pytest.approx(plain)


def test_yang_is_between_obuchowski_and_the_sandwich():
    """Its variance is the mean of that of Obuchowski's test and of the sandwich with G/(G − 1)."""
    sandwich = robust_moments(PSYCHIATRY, "CR1").error ** 2
    lead = PSYCHIATRY.difference**2
    assert lead / yang(PSYCHIATRY).statistic == pytest.approx((lead / obuchowski(PSYCHIATRY).statistic + sandwich) / 2)


pairs = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=20).map(
    lambda rows: Outcomes.from_scores(*np.array(rows).T[:2], clusters=[row[2] for row in rows])
)


@given(pairs, st.sampled_from(TESTS))
def test_laws(outcomes, test):
    """Renaming the models changes nothing, p is a probability, and two one-sided tests share what there is."""
    result, swapped = test(outcomes), test(outcomes.swapped())
    assert_allclose([swapped.statistic, swapped.pvalue], [result.statistic, result.pvalue])
    greater, less = (test(outcomes, alternative=way).pvalue for way in ("greater", "less"))
    assert greater + less == pytest.approx(1)
    assert min(2 * min(greater, less), 1) == pytest.approx(float(result.pvalue))
    assert 0 < result.pvalue <= 1
    if outcomes.paired_table().disagreements == 0:
        assert (result.statistic, result.pvalue) == (0, 1)


@pytest.mark.parametrize("test", [obuchowski, yang, durkalski])
def test_a_margin_shifts_every_cluster(test):
    """Against what was observed there is nothing left to claim; beyond it the sign turns."""
    at = (
        float(PSYCHIATRY.difference)
        if test is not durkalski
        else float(np.mean((np.array(PATIENT) - PSYCHIATRIST) / ASKED))
    )
    assert test(PSYCHIATRY, against=at).statistic == pytest.approx(0, abs=1e-20)
    z = (np.sum(PATIENT) - np.sum(PSYCHIATRIST) + 0.1 * np.sum(ASKED)) / 1.0
    distance = np.array(PATIENT) - PSYCHIATRIST + 0.1 * np.array(ASKED)
    if test is obuchowski:
        expected = norm.cdf(z / np.sqrt(29 / 28 * (distance**2).sum()))
        assert test(PSYCHIATRY, against=-0.1, alternative="less").pvalue == pytest.approx(expected)


def test_durkalski_speaks_for_the_average_cluster():
    """One large cluster where A errs more, many small ones where B does: the two differences point apart."""
    outcomes = of_counts([9, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 1], [20, 2, 2, 2, 2, 2])
    assert outcomes.difference > 0
    assert durkalski(outcomes).chooses == -1


def test_many_entries_are_a_loop():
    scores = np.random.default_rng(2).integers(0, 2, size=(2, 3, 2, 24))
    many = Outcomes(scores=scores, metric="error", clusters=np.arange(24) % 7)
    for test in TESTS:
        assert_allclose(test(many).pvalue[1, 2], test(many[1, 2]).pvalue)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    "outcomes",
    [
        Outcomes.from_scores([0.5, 1], [0.2, 1], metric="rouge"),
        Outcomes.from_scores([1, 0]),
        Outcomes.from_scores([1, 0], [1, 1], weights=[1, 2]),
        Outcomes.from_scores([[1, 0], [1, 1]], [[1, 0], [1, 1]]),
    ],
    ids=["graded", "one model", "weighted", "repeated"],
)
def test_other_outcomes_are_refused_with_a_way_out(test, outcomes):
    with pytest.raises(InvalidEvidence, match=r"without repeats or weights, got Outcomes.*cluster-robust"):
        test(outcomes)


def test_one_cluster_tells_nothing():
    outcomes = of_counts([3], [0], [8])
    for test in (obuchowski, yang):
        assert (test(outcomes).statistic, test(outcomes).pvalue) == (0, 1)

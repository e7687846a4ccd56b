"""A test's standing is earned by its exact size: how often it rejects a threshold that is the true error."""

import numpy as np
import pytest
from scipy.stats import binom

from tellapart import ErrorCount
from tellapart.methods import find_methods

ALPHA = 0.05
PROMISED = [
    method
    for method in find_methods(gives="test", evidence=ErrorCount)
    if method.standing in {"recommended", "sound"} and method.required == ("against",)
]


def sizes(method, trials, thresholds, alternative):
    """Add up scipy.stats' probabilities of the counts whose p-value is below alpha."""
    errors, threshold = np.meshgrid(np.arange(trials + 1), thresholds, indexing="ij")
    pvalue = method(ErrorCount(errors, trials), against=threshold, alternative=alternative).pvalue
    return (binom.pmf(errors, trials, threshold) * (pvalue < ALPHA)).sum(axis=0)


LIMITED = "thresholds p with n p (1 - p) of at least 10"
DESIGNS = [
    (method, trials)
    for method in PROMISED
    for trials in (5, 13, 45, 100, 300)
    if trials > 40 or method.validity != LIMITED
]
SMALL = np.geomspace(1e-4, 0.05, 60)
THRESHOLDS = np.concatenate([SMALL, np.linspace(0.05, 0.95, 181), 1 - SMALL])


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(("method", "trials"), DESIGNS, ids=lambda value: getattr(value, "name", value))
def test_a_test_keeps_the_size_its_standing_promises(method, trials, alternative):
    """Guaranteed: alpha at most, everywhere; recommended 1.2 alpha, sound 1.7 alpha, where the method says it holds."""
    room = trials * THRESHOLDS * (1 - THRESHOLDS) >= (10 if method.validity == LIMITED else 0)
    bound = ALPHA if method.guarantees else ALPHA * {"recommended": 1.2, "sound": 1.7}[method.standing]
    assert np.all(sizes(method, trials, THRESHOLDS[room], alternative) <= bound + 1e-12)


@pytest.mark.parametrize("name", ["jeffreys", "mid-p", "wilson", "likelihood-ratio"])
def test_few_expected_errors_are_why_the_exact_test_is_the_default(name):
    """At some thresholds these reject more often than 1.7 alpha, which no check of the count alone would show."""
    (method,) = find_methods(name=name, gives="test")
    assert sizes(method, 30, np.linspace(0.001, 0.999, 999), "less").max() > 1.7 * ALPHA

"""TA412: at least 500 examples tested in every replicate."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Resamples, compare


def analyse(examples, method="cv-wald"):
    """Leave-one-out; A is wrong on every fifth example, B on every seventh."""
    a, b = (np.arange(examples) % every > 0 for every in (5, 7))
    return compare(Resamples.from_scores(a.astype(float), b.astype(float), plan="loo"), method=method)


def fails():
    return analyse(499)


def holds():
    return analyse(500)


@pytest.mark.parametrize(("examples", "holds"), [(150, False), (499, False), (500, True)])
def test_500_are_enough(check, examples, holds):
    result = check(analyse(examples))
    assert (result.figure, bool(result.holds)) == (examples, holds)


def test_the_smallest_replicate_counts(check):
    loss = np.array([[[0.2, 0.1], [0.1, 0.2]], [[0.1, 0.2], [0.2, 0.2]]])
    together = np.einsum("ars,brs->abrs", loss, loss) * 250
    together[[0, 1], [0, 1]] = loss * 250
    evidence = Resamples(loss, 250, 250, "2x2", together=together, examples=500)
    uneven = replace(evidence, test=np.array([[250, 250], [250, 249]]))
    assert check(compare(evidence, method="cv-wald")).holds
    assert check(compare(uneven, method="cv-wald")).figure == 499


def test_the_remedies_have_no_such_check(check, quiet):
    assert "499 examples tested in a replicate, fewer than 500" in check(fails()).message
    assert "Use method='mcnemar-on-cv'." in check(fails()).message
    assert quiet(analyse(150, "mcnemar-on-cv"))
    assert quiet(analyse(150, "corrected-resampled-t"))


def test_only_cv_wald_has_the_check(carriers):
    assert carriers == {"cv-wald"}

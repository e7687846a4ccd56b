"""TA611: at least 10 effective discordant pairs."""

import numpy as np
import pytest

from tellapart import PairedConfusion, compare

PAIR = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])


def fails():
    return compare(PairedConfusion([[[90, 60], [60, 20]], [[2, 1], [2, 6]]]), metric="recall", method="tango")


def holds():
    return compare(PAIR, metric="f1")


def test_for_recall_only_pairs_of_the_class_count(check):
    assert check(fails()).figure == 3
    assert check(compare(fails().evidence, metric="specificity", method="tango")).figure == 120


def test_one_pair_is_singular(check):
    answer = compare(PairedConfusion([[[90, 60], [60, 20]], [[2, 1], [0, 6]]]), metric="recall", method="tango")
    assert check(answer).message.startswith("1 effective discordant pair for this metric, fewer than 10: ")


def test_pairs_count_by_their_weight(check):
    """With costs of 1 and of 100, a hundred cheap discordant pairs hardly count beside four expensive ones."""
    pair = PairedConfusion([[[500, 50], [50, 100]], [[10, 2], [2, 186]]])
    alike, distance = ({"costs": [[0, 1], [cost, 0]]} for cost in (1, 100))
    assert check(compare(pair, metric="cost", **alike)).figure == pytest.approx(104)
    assert check(compare(pair, metric="cost", **distance)).figure == pytest.approx(4.02, abs=0.02)


def test_the_weighted_score_rejects_with_few_effective_pairs():
    """Twenty true positives more and one shared false positive: precisions differ by 0.0006, and p < 10⁻⁴.

    The other score test includes the shared false positive and does not reject.
    """
    pair = PairedConfusion([[[800, 0], [0, 1]], [[2, 0], [20, 178]]]).by("precision")
    answer, other = (compare(pair, method=f"{name}generalized-score") for name in ("weighted-", ""))
    assert abs(answer.difference) < 0.001
    assert answer.pvalue < 1e-4
    assert other.pvalue > 0.3
    assert any(each.code == "TA611" and not each.holds for each in answer.checks)


def test_the_remedy_passes(check, quiet, carriers):
    assert check(fails()).remedy == "Test more examples."  # three pairs cannot reach alpha
    seven = PairedConfusion([[[90, 60], [60, 20]], [[2, 7], [0, 6]]])
    assert "method='mcnemar-exact'" in check(compare(seven, metric="recall", method="tango")).message
    assert quiet(compare(PAIR, metric="recall", method="mcnemar-exact"))
    assert {"paired-delta", "joint-bootstrap", "mover-tango", "weighted-generalized-score", "tango"} <= carriers
    both = PairedConfusion(np.stack([PAIR.counts, fails().evidence.counts]))
    assert check(compare(both, metric="f1")).holds.tolist() == [True, False]

"""TA702: enough data sets for p to reach alpha."""

import pytest

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


def fails():
    return analyse([0.1, 0.2, 0.3, 0.4, 0.5])


def holds():
    return analyse([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


@pytest.mark.parametrize("method", ["wilcoxon-signed-rank", "sign-test"])
@pytest.mark.parametrize(
    ("count", "ties", "options", "least"),
    [
        (4, 0, {}, 0.125),
        (5, 2, {}, 0.0625),
        (6, 3, {}, 0.03125),
        (5, 0, {"alternative": "greater"}, 0.03125),
        (7, 0, {"alpha": 0.01}, 0.015625),
    ],
)
def test_the_figure_is_the_p_value_of_equal_signs(check, method, count, ties, options, least):
    answer = analyse([0.1] * count + [0.0] * ties, method, **options)
    assert (check(answer).figure, answer.pvalue) == (-least, least)
    assert bool(check(answer).holds) == (least < options.get("alpha", 0.05))


def test_the_remedy_assumes_normal_differences(check, quiet):
    assert "Use method='paired-t', which assumes normal differences" in check(fails()).message
    assert quiet(analyse([0.1, 0.2, 0.3, 0.4, 0.5], "paired-t"))

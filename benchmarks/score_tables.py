"""W9: learners over many data sets. 30 data sets, 20 learners, and one pair by its posterior.

Peers get what they are made for: arrays and data frames of scores. Ours is timed from the same array on, the making of
the evidence included.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
from baycomp import SignedRankTest
from scikit_posthocs import posthoc_nemenyi_friedman, posthoc_wilcoxon
from scipy.stats import friedmanchisquare, studentized_range, wilcoxon

from contest import Contest, hold_all
from tellapart import ScoreTable, adjust
from tellapart.methods.score_table.bayesian import bayesian_signed_rank
from tellapart.methods.score_table.friedman import friedman
from tellapart.methods.score_table.hierarchical import hierarchical
from tellapart.methods.score_table.nemenyi import nemenyi
from tellapart.methods.score_table.wilcoxon import wilcoxon_signed_rank

__all__ = ["contests", "same_answers"]

DATASETS, LEARNERS, DRAWS, RUNS = 30, 20, 50_000, 10
_RNG = np.random.default_rng(2006)
SCORES = 0.8 + 0.1 * _RNG.normal(size=(DATASETS, 1)) + 0.03 * _RNG.normal(size=(DATASETS, LEARNERS))
SCORES += np.linspace(0, 0.03, LEARNERS)  # some are better than others
FIRST, SECOND = np.triu_indices(LEARNERS, 1)
FRAME = pd.DataFrame(SCORES, columns=[f"learner {place + 1}" for place in range(LEARNERS)])
FOLDS = SCORES[:, :2, None] + 0.02 * _RNG.normal(size=(DATASETS, 2, RUNS))


def contests() -> Iterator[Contest]:
    """Yield the contests of W9."""
    autorank = _autorank()
    yield Contest(
        title="W9 Friedman's test and 190 p-values of Nemenyi's, 30 data sets",
        ours=_ours_by_ranks,
        peers={
            "scikit-posthocs and scipy": _theirs_by_ranks,
            "scipy, studentized_range": _bare_by_ranks,
            "autorank": lambda: autorank(FRAME, force_mode="nonparametric"),
        },
        faster={"scikit-posthocs and scipy": 7, "autorank": 20},
        size=10,
    )
    title = "W9 190 exact Wilcoxon tests, adjusted by Holm, 30 data sets"
    yield Contest(
        title=f"{title}, beside loops",
        ours=_ours_by_pairs,
        peers={
            "scikit-posthocs": lambda: posthoc_wilcoxon(SCORES.T, p_adjust="holm"),
            "scipy, a loop": lambda: [wilcoxon(SCORES[:, a], SCORES[:, b]) for a, b in zip(FIRST, SECOND, strict=True)],
        },
        faster={"scikit-posthocs": 400},
        turns=3,
        size=10,
    )
    yield Contest(
        title=f"{title}, beside one call",
        ours=_ours_by_pairs,
        peers={"scipy, axis=0": lambda: wilcoxon(SCORES[:, FIRST], SCORES[:, SECOND], axis=0)},  # not adjusted
        faster={"scipy, axis=0": 4},
        size=20,
    )
    limit = "limit: the draws"
    for rope in (0.01, 0.0):
        told = f"rope {rope}" if rope else "no rope"
        yield Contest(
            title=f"W9 Bayesian signed ranks of one pair, 50 000 draws, 30 data sets, {told}",
            ours=partial(_ours_by_posterior, rope),
            peers={"baycomp": partial(_theirs_by_posterior, rope), limit: _draws},
            faster={"baycomp": 18},
            within={limit: 4},
            turns=5,
        )
    yield Contest(
        title="Hierarchical test of one pair, 30 data sets by 10 runs (no peer without a compiler)",
        ours=_ours_by_hierarchy,
        peers={},
        turns=3,
    )


# --- The contenders -----------------------------------------------------------------------------------


def _ours_by_ranks() -> tuple[Any, Any]:
    table = ScoreTable.from_scores(SCORES)
    return friedman(table), nemenyi(table)


def _theirs_by_ranks() -> tuple[Any, Any]:
    return friedmanchisquare(*SCORES.T), posthoc_nemenyi_friedman(SCORES)


def _bare_by_ranks() -> tuple[Any, Any]:
    ranks = SCORES.argsort(axis=1).argsort(axis=1).mean(axis=0)
    apart = np.abs(ranks[FIRST] - ranks[SECOND]) / np.sqrt(LEARNERS * (LEARNERS + 1) / (6 * DATASETS))
    return friedmanchisquare(*SCORES.T), studentized_range.sf(apart * np.sqrt(2), LEARNERS, np.inf)


def _ours_by_pairs() -> Any:
    return adjust(wilcoxon_signed_rank(ScoreTable.from_scores(SCORES).pairs()).test().pvalue, "holm")


def _ours_by_posterior(rope: float) -> Any:
    return bayesian_signed_rank(ScoreTable.from_scores(SCORES[:, :2]), rope=rope, resamples=DRAWS).practical


def _theirs_by_posterior(rope: float) -> Any:
    return SignedRankTest.probs(SCORES[:, 0], SCORES[:, 1], rope=rope, nsamples=DRAWS, random_state=0)


def _draws() -> Any:
    return np.random.default_rng(0).standard_exponential((DATASETS + 1, DRAWS))


def _ours_by_hierarchy() -> Any:
    seed = next(_SEEDS)  # another each time: an answer that is remembered is no measure
    return hierarchical(ScoreTable.from_scores(FOLDS, rho=0.1), rope=0.01, rng=seed).test()


_SEEDS = count()


def _autorank() -> Any:
    """Return the peer, which prints a table at each call: that is not timed."""
    modules = [import_module(name) for name in ("autorank._util", "autorank.autorank")]
    for module in modules:
        module.print = lambda *_: None
    return modules[-1].autorank


# --- The same answers ---------------------------------------------------------------------------------


def same_answers() -> bool:
    """Print how far our answers are from the peers', and return whether they are the same."""
    (chi, pairs), (their_chi, their_pairs) = _ours_by_ranks(), _theirs_by_ranks()
    theirs = their_pairs.to_numpy()[FIRST, SECOND]
    exact = wilcoxon_signed_rank(ScoreTable.from_scores(SCORES).pairs()).test().pvalue
    adjusted = posthoc_wilcoxon(SCORES.T, p_adjust="holm").to_numpy()[FIRST, SECOND]
    found = {
        "Friedman's chi-square, scipy": np.abs(chi.statistic / their_chi.statistic - 1),
        "Friedman's p-value, scipy": np.abs(chi.pvalue / their_chi.pvalue - 1),
        "Friedman's p-value, autorank": np.abs(chi.pvalue / _autorank()(FRAME, force_mode="nonparametric").pvalue - 1),
        "Nemenyi's p-values, scikit-posthocs": np.abs(pairs.pvalue - theirs).max(),
        "Nemenyi's p-values, scipy": np.abs(pairs.pvalue - _bare_by_ranks()[1]).max(),
        "Wilcoxon's p-values, scipy": np.abs(
            exact / wilcoxon(SCORES[:, FIRST], SCORES[:, SECOND], axis=0).pvalue - 1
        ).max(),
        "adjusted by Holm, scikit-posthocs": np.abs(_ours_by_pairs() - adjusted).max(),
    }
    print("\nW9 the same answers: how far ours are from the peers'")
    good = True
    for name, far in found.items():
        good &= bool(far < 1e-9)
        print(f"  {name:<42}{far:.1g}   goal: the same: {'met' if far < 1e-9 else 'MISSED'}")
    return good & all(_same_posterior(rope) for rope in (0.01, 0.0))


def _same_posterior(rope: float) -> bool:
    """Whether the probabilities of both samplers agree to four standard errors of as many draws."""
    ours = _ours_by_posterior(rope)
    mine = (ours.a_better, ours.equivalent, ours.b_better) if rope else (ours.a_better, ours.b_better)
    theirs = np.asarray(_theirs_by_posterior(rope))  # of the second, neither and the first: theirs are scores
    apart = np.abs(np.asarray(mine) - theirs)
    error = np.sqrt(2 * np.maximum(theirs * (1 - theirs), 1 / DRAWS) / DRAWS)
    good = bool((apart < 4 * error).all())
    told = f"Bayesian signed ranks, rope {rope:g}, baycomp"
    print(f"  {told:<42}{(apart / error).max():.1f} standard errors   goal: at most 4: {'met' if good else 'MISSED'}")
    return good


if __name__ == "__main__":
    same = same_answers()
    sys.exit(min(hold_all([*contests()]) + (not same), 1))

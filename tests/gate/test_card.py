"""The gate's error rates, against an independent sum over all tables."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.gate import card as module
from tellapart.gate.card import ALPHA, ALPHAS, MARGINS, METHOD, MOST, OTHER, PROVEN, SHARES, SIZES, WHOLE, card, rates

DOCS = Path(__file__).parents[2] / "docs"


@cache
def tables(n):
    """Return every table of n examples: only A wrong, only B wrong, and the log of the multinomial coefficient."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    b, c = b[b + c <= n], c[b + c <= n]
    factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    return b, c, factorial[n] - factorial[b] - factorial[c] - factorial[n - b - c]


@cache
def verdicts(n, margin, alpha=ALPHA):
    """Tango (1998): the score at −margin, with the estimate of q constrained to it in closed form."""
    b, c, _ = tables(n)
    delta = -margin
    square, linear, constant = 2 * n, -b - c + (2 * n - b + c) * delta, -c * delta * (1 - delta)
    root = np.sqrt(np.maximum(linear**2 - 4 * square * constant, 0.0))  # a square, where b is 0
    q = (root - linear) / (2 * square)
    z = (b - c - n * delta) / np.sqrt(n * (2 * q + delta * (1 - delta)))
    border = NormalDist().inv_cdf(1 - alpha)
    return z > border, z < -border


def chance(verdict, n, disagreement, difference):
    """Return the probability of all tables with a verdict."""
    b, c, coefficient = tables(n)
    lone_a, lone_b = (disagreement + difference) / 2, (disagreement - difference) / 2
    with np.errstate(divide="ignore"):
        logs = np.log([max(lone_a, 0.0), lone_b, 1 - disagreement])
    told = coefficient[verdict].copy()
    for count, log in zip((b[verdict], c[verdict], n - b[verdict] - c[verdict]), logs, strict=True):
        told += np.where(count == 0, 0.0, count * log) if np.isfinite(log) else np.where(count == 0, 0.0, -np.inf)
    return np.exp(told).sum()


@pytest.mark.parametrize("margin", MARGINS)
def test_every_cell_is_the_sum_over_all_tables(margin):
    rows = [row for row in card().rates if row.margin == margin and row.examples <= 500]
    assert len(rows) == 4 * len(SHARES)
    for row in rows:
        passed, worse = verdicts(row.examples, margin)
        expected = {"passed": chance(passed, row.examples, row.disagreement, 0.0)}
        expected["worse"] = chance(worse, row.examples, row.disagreement, 0.0)
        if row.disagreement >= margin:
            expected["false_pass"] = chance(passed, row.examples, row.disagreement, -margin)
            expected["false_worse"] = chance(worse, row.examples, row.disagreement, -margin)
        for name, value in expected.items():
            assert_allclose(getattr(row, name), value, rtol=6e-6, atol=1e-13, err_msg=f"{name} of {row}")
        assert row.little == 1 - row.passed - row.worse


def test_all_sizes_and_discordant_rates_are_measured():
    assert {(row.margin, row.examples, row.disagreement) for row in card().rates} == {
        (margin, examples, share) for margin in MARGINS for examples in SIZES for share in SHARES
    }
    assert {(row.margin, row.disagreement) for row in card().rates if row.false_pass is None} == {(0.05, 0.02)}


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_maxima_are_at_the_designs_of_the_card(alpha):
    rows = [row for row in card().largest if row.method == METHOD and row.alpha == alpha and row.last <= 1000]
    assert rows
    for row in rows:
        for verdict, name in enumerate(("false_pass", "false_worse")):
            (examples, disagreement), value = getattr(row, f"{name}_at"), getattr(row, name)
            if examples <= 400:
                found = chance(verdicts(examples, row.margin, alpha)[verdict], examples, disagreement, -row.margin)
                assert_allclose(value, found, rtol=1e-4)  # six digits of the discordant rate are kept
            assert row.first <= examples <= row.last
            assert row.least - 1e-9 <= disagreement <= MOST


@pytest.mark.parametrize("margin", MARGINS)
def test_no_design_has_a_larger_rate_than_the_card(margin):
    """For every size from 50 to 1000 examples, and discordant rates from the margin to 0.8."""
    (row,) = (row for row in of(METHOD, ALPHA, margin) if row.least == margin)
    (apart,) = (row for row in of(METHOD, ALPHA, margin) if row.least != margin)
    rng = np.random.default_rng(1998)
    for n in (*rng.integers(*WHOLE, 12) // 2 + 25, 1000):
        passed, worse = verdicts(int(n), margin)
        for disagreement in (margin, *(margin + (MOST - margin) * rng.random(6) ** 3)):
            found = [chance(each, int(n), disagreement, -margin) for each in (passed, worse)]
            bound = row if disagreement < 2 * margin else apart
            assert found[0] <= bound.false_pass * (1 + 1e-5)
            assert found[1] <= bound.false_worse * (1 + 1e-5)


def of(method, alpha, margin):
    kept = [row for row in card().largest if (row.method, row.alpha, row.margin) == (method, alpha, margin)]
    return [row for row in kept if (row.first, row.last) == WHOLE]


def test_the_largest_false_pass_rate_is_that_of_a_sample_without_losses():
    """The largest false pass rate at a margin of 1 pp: 268 examples without errors at a true loss of 1%."""
    (row,) = (row for row in of(METHOD, ALPHA, 0.01) if row.least == 0.01)
    assert row.false_pass_at == (268, 0.01)
    assert_allclose(row.false_pass, 0.99**268, rtol=1e-5)


def test_a_worse_candidate_passes_less_often_and_a_better_one_fails_less_often():
    """The rates on the border bound those beyond it."""
    passed, worse = verdicts(200, 0.02)
    differences = np.linspace(-0.1, 0.1, 21)
    assert np.all(np.diff([chance(passed, 200, 0.1, each) for each in differences]) > 0)
    assert np.all(np.diff([chance(worse, 200, 0.1, each) for each in differences]) < 0)


def test_the_card_measures_the_rule_of_the_gate():
    """The verdicts of the gate equal those of the score, on tables on both sides of each border."""
    b, c, _ = tables(200)
    passed, worse = verdicts(200, 0.05)
    shown = ta.compare(ta.PairedTable(np.zeros_like(b), b, c, 200 - b - c), margin=0.05)
    assert_allclose(shown.rejected, passed)
    rng = np.random.default_rng(5)
    for place in rng.choice(np.flatnonzero(b + c < 40), 40, replace=False):
        found = ta.judge(ta.PairedTable(0, b[place], c[place], 200 - b[place] - c[place]), margin=0.05)
        expected = "pass" if passed[place] else "worse" if worse[place] else "not enough evidence"
        assert found.verdict == expected
        assert found.method == METHOD


def test_a_new_measurement_equals_the_stored_one():
    for row in card().rates[::37]:
        again = rates(margin=row.margin, examples=row.examples, disagreement=row.disagreement)
        assert_allclose(again.passed, row.passed, rtol=1e-5)
    (found,) = module._largest(METHOD, margin=0.05, alpha=ALPHA, bands=[(50, 55)], leasts=[0.05])
    assert found.false_pass_at == (52, 0.05)
    assert_allclose(found.false_pass, 0.95**52, rtol=1e-9)
    for method in (METHOD, OTHER, PROVEN):
        again = rates(margin=0.05, method=method, **module.EQUALS)
        assert_allclose(again.passed, card().equals[method]["0.05"], rtol=1e-5)


def test_the_file_is_what_the_command_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "measured", card)
    assert module.main(["--out", str(tmp_path / "card.json")]) == 0
    assert (tmp_path / "card.json").read_bytes() == module.FILE.read_bytes()
    assert json.loads(module.FILE.read_text())["command"] == "python -m tellapart.gate.card"


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("gate_rates", DOCS / "gate_rates.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_the_card(page):
    text = page.PAGE.read_text(encoding="utf-8")
    assert text == page.with_tables(text), "run: python docs/generate.py"
    assert all(f"<!-- {name}, by docs/generate.py -->" in text for name in page.TABLES)
    assert f"`{card().command}`" in text
    broken = text.replace("| 50 |", "| 51 |")
    assert broken != text
    assert page.with_tables(broken) == text

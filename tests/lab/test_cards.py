"""The maker of cards: what it measured once, it measures again."""

import json

import numpy as np
import pytest
from scipy.stats import binom

from tellapart.lab import OneRate, calibrate
from tellapart.lab.cards.maker import CardTask, main, measured, own_methods, tasks
from tellapart.lab.cards.suites import suite, suites
from tellapart.methods import find_method
from tellapart.methods.cards import card, file_of, key_of

# Quick ones, of all evidence that is enumerated: name, gives, evidence, the words of the group.
EXACT = [
    ("mcnemar-mid-p", "test", "PairedTable", "50 examples"),
    ("mcnemar-exact", "test", "PairedTable", "20 examples"),
    ("k-se", "test", "PairedTable", "10 examples"),
    ("tango", "interval", "PairedTable", "20 examples, differences up to 72 pp"),
    ("newcombe-paired", "interval", "PairedTable", "20 examples, differences up to 72 pp"),
    ("odds-exact", "interval", "PairedTable", "10 examples, differences up to 72 pp"),
    ("fisher-mid-p", "test", "IndependentCounts", "20 and 20 examples, common error rate 0.2% to 50%"),
    ("barnard", "test", "IndependentCounts", "5 and 10 examples, common error rate 0.2% to 50%"),
    (
        "newcombe",
        "interval",
        "IndependentCounts",
        "10 and 20 examples, mean error rates 0.5% to 50%, differences up to 80 pp",
    ),
    ("jeffreys", "interval", "ErrorCount", "30 examples, error rates up to 10%"),
    ("beta", "interval", "ErrorCount", "30 examples, error rates drawn from the prior Beta(1, 3.67)"),
    ("wilson", "test", "ErrorCount", "50 examples, thresholds 0.1% to 99.9%"),
    ("hypergeometric", "interval", "ErrorCount", "10 of a pool of 100, every number of errors"),
    ("sign-test", "test", "ScoreTable", "10 data sets, many ties"),
    ("wilcoxon-signed-rank", "interval", "ScoreTable", "10 data sets, many ties"),
    ("stratified-wilson", "interval", "StratifiedCount", "strata of 5 and 5 examples, error rates 1% to 50% in each"),
]


def rows_of(name, gives, evidence, words):
    """Return the rows that are kept, and those that are measured now."""
    (method,) = [each for each in own_methods(evidence) if (each.name, each.gives) == (name, gives)]
    number = next(index for index, group in enumerate(suite(evidence)) if group.words == words and group.asks(method))
    ((key, now),) = measured(CardTask(evidence, number, ((name, gives),)))
    assert key == key_of(method)
    return [row for row in card(method).entries if row.design == words], now


def figures(row):
    """Return all numbers of a row; the designs describe where they were found."""
    shares = [result and (result.mean, result.extreme) for result in (row.size, row.coverage)]
    return row.facts, row.designs, row.trials, row.alternative, *shares, row.power, row.width


@pytest.mark.parametrize(("name", "gives", "evidence", "words"), EXACT)
def test_what_is_kept_is_what_is_measured(name, gives, evidence, words):
    kept, now = rows_of(name, gives, evidence, words)
    assert len(kept) == len(now) > 0
    for old, new in zip(kept, now, strict=True):
        assert (old.trials, new.trials) == (0, 0)
        assert figures(old) == figures(new)


def test_simulated_figures_come_out_again_with_fewer_trials():
    """Within four standard errors of both: 10,000 trials, and 2,000 of another seed."""
    method = next(each for each in own_methods("ErrorPatterns") if each.name == "cochran-q")
    row = card(method).entries[-1]
    group = next(each for each in suite("ErrorPatterns") if each.words == row.design)
    sizes = [
        float(calibrate(method, design, trials=2000, differences=[], rng=77).size.value) for design, _ in group.cases
    ]
    error = np.sqrt(0.05 * 0.95 * (1 / 2000 + 1 / row.trials) / len(sizes))
    assert abs(np.mean(sizes) - row.size.mean) < 4 * error


def test_the_same_seed_gives_the_same_figures():
    """5x2cv on ten independent normal differences: 20,000 trials."""
    words = "5x2, normal differences, correlation 0"
    kept, now = rows_of("5x2cv-t", "test", "Resamples", words)
    assert [figures(row) for row in kept] == [figures(row) for row in now]
    assert now[0].trials == 20_000
    assert abs(now[0].size.mean - 0.0282) < 4 * np.sqrt(0.0282 * 0.9718 / 20_000)  # its true size, by integration


def test_sizes_against_scipy():
    """One threshold by hand: 5 examples, threshold 0.5, Clopper and Pearson's test; then the largest of the row."""
    method = find_method("clopper-pearson", "test", own_methods("ErrorCount")[0].evidence)
    row = next(row for row in card(method).entries if row.facts["examples"] == 5)
    result = calibrate(method, OneRate(0.5, 5), differences=[]).size.value
    assert result == 0  # the outermost outcomes have a probability of 2/32, which is no less than alpha
    assert binom.pmf([0, 5], 5, 0.5).sum() > 0.05 >= row.size.extreme


def test_every_group_is_tested_with_every_method():
    for evidence in suites:
        options = {key for task in tasks(evidence) for key in task.methods}
        assert options == {(method.name, method.gives) for method in own_methods(evidence)}
        for method in own_methods(evidence):
            words = [group.words for group in suite(evidence) if group.asks(method)]
            assert len(words) == len(set(words)), key_of(method)


def test_the_command_writes_the_same_bytes_on_any_number_of_workers(tmp_path, capsys):
    options = ["--evidence", "StratifiedCount"]
    assert main([*options, "--out", str(tmp_path / "one")]) == 0
    assert main([*options, "--out", str(tmp_path / "two"), "--jobs", "2"]) == 0
    name = file_of("StratifiedCount")
    written = (tmp_path / "one" / name).read_bytes()
    assert written == (tmp_path / "two" / name).read_bytes()
    assert json.loads(written)["command"] == "python -m tellapart.lab.cards --evidence StratifiedCount"
    assert "stratified-wilson" in capsys.readouterr().err


def test_one_method_is_measured_beside_what_was_kept(tmp_path):
    path = tmp_path / file_of("StratifiedCount")
    assert main(["--evidence", "StratifiedCount", "--out", str(tmp_path)]) == 0
    before = json.loads(path.read_text(encoding="utf-8"))
    changed = json.loads(path.read_text(encoding="utf-8"))
    changed["cards"]["stratified-wilson interval"][0]["width"] = 9.0
    changed["cards"]["stratified-normal interval"][0]["width"] = 7.0
    path.write_text(json.dumps(changed), encoding="utf-8")
    assert main(["--method", "stratified-wilson", "--out", str(tmp_path)]) == 0
    after = json.loads(path.read_text(encoding="utf-8"))["cards"]
    assert after["stratified-wilson interval"] == before["cards"]["stratified-wilson interval"]
    assert after["stratified-normal interval"][0]["width"] == 7.0


def test_a_name_that_nobody_has(capsys, tmp_path):
    assert main(["--method", "nobody", "--out", str(tmp_path)]) == 2
    assert "no method 'nobody'" in capsys.readouterr().err


def test_rows_are_split_where_the_method_says_it_holds():
    """mcnemar-mid-p: up to 0.050 where at most 0.8 disagree, up to 0.065 beyond (measured without this package)."""
    method = find_method("mcnemar-mid-p", "test", own_methods("PairedTable")[0].evidence)
    inside, outside = [
        row for row in card(method).entries if (row.design, row.alternative) == ("50 examples", "two-sided")
    ]
    assert inside.facts["disagreement"][1] == 0.8 < outside.facts["disagreement"][0]
    assert inside.size.extreme <= 0.0505
    assert round(outside.size.extreme, 3) == 0.065

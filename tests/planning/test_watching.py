"""Watches: any batches give the same state, looks are kept apart, decisions stand, and nothing kept is lost."""

import json
import math
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import betaln
from scipy.stats import norm

from tellapart import ErrorCount, PairedTable, compare, estimate
from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption, TellapartError
from tellapart.methods.betting import Bets
from tellapart.methods.spending import spending_boundaries
from tellapart.planning import watch_files
from tellapart.planning.watch_files import FORMAT, state_text
from tellapart.planning.watch_looks import PLANNED, RULES
from tellapart.planning.watch_wording import list_look_cells
from tellapart.planning.watching import Watch, read_watch

NAMES = ("old", "new")
seldom = settings(derandomize=True, deadline=None, max_examples=12)
cells = st.tuples(*[st.integers(0, 30)] * 4).filter(any)
batches = st.lists(cells, min_size=1, max_size=5)


def table(*four):
    return PairedTable(*four, models=NAMES)


def watched(tables, **options):
    watch = Watch.pair(models=NAMES, **options)
    for four in tables:
        watch = watch.add(table(*four))
    return watch


# --- Pairs, at any look ---


@pytest.mark.parametrize(("b", "c"), [(9, 2), (25, 10), (0, 0), (40, 3)])
def test_the_evalue_is_the_beta_binomial_mixture(b, c):
    """2^(b+c) B(b + 1, c + 1)/B(1, 1) (the mixture over a uniform share), by SciPy."""
    watch = watched([(3, b, c, 200)])
    assert_allclose(watch.evalue, math.exp((b + c) * math.log(2) + betaln(b + 1, c + 1)), rtol=1e-10)
    assert (watch.decided == "B") == (watch.evalue >= 20) == (watch.interval.low > 0)


@given(batches, st.data())
@seldom
def test_any_batches_of_the_same_examples_give_the_same_state(tables, data):
    """Counts, e-value and interval do not depend on how the examples came; the looks and the intersection may."""
    order = data.draw(st.permutations(tables))
    pooled = tuple(np.sum(tables, axis=0).tolist())
    whole, parts, mixed = watched([pooled]), watched(tables), watched(order)
    for other in (parts, mixed):
        assert other.held.as_dict() == whole.held.as_dict()
        assert (other.evalue, other.estimate) == (whole.evalue, whole.estimate)
        assert (other.interval.low, other.interval.high) == (whole.interval.low, whole.interval.high)
        assert other.examples == whole.examples
    assert len(parts.looks) == len(tables)


@given(batches)
@seldom
def test_the_intersection_only_shrinks_and_is_that_of_the_looks(tables):
    watch = Watch.pair(models=NAMES)
    low, high = -1.0, 1.0
    for four in tables:
        watch = watch.add(table(*four))
        low, high = max(low, float(watch.interval.low)), min(high, float(watch.interval.high))
        if low < high:
            assert (watch.intersection.low, watch.intersection.high) == (low, high)
            assert not watch.broken
        else:
            assert watch.intersection is None
            assert watch.broken


@given(batches)
@seldom
def test_exchanging_the_models_changes_the_sign_and_nothing_else(tables):
    here = watched(tables)
    there = Watch.pair(models=NAMES)
    for bw, oa, ob, br in tables:
        there = there.add(table(bw, ob, oa, br))
    assert there.estimate == -here.estimate
    assert_allclose(there.evalue, here.evalue, rtol=1e-9)
    assert_allclose([-there.interval.high, -there.interval.low], [here.interval.low, here.interval.high], atol=1e-9)
    assert there.decided == {"A": "B", "B": "A", None: None}[here.decided]


def test_a_decision_stands_whatever_comes_later():
    watch = watched([(0, 12, 0, 100), (0, 0, 10, 100)])
    assert watch.evalue < 20 < watch.looks[0].evalue
    assert (watch.decided, watch.decided_at) == ("B", 1)
    assert "(decided at look 1)" in watch.words
    assert "largest 315.1 at look 1" in watch.words  # 2^12/13


def test_an_empty_intersection_is_reported_as_such():
    """First only A errs, then only B: the looks contradict each other."""
    watch = watched([(0, 40, 0, 60), (0, 0, 400, 100)])
    assert watch.interval is not None
    assert watch.intersection is None
    assert watch.broken
    assert "no value in common" in watch.words
    assert "drift" in dict(watch.display().rows)["caution"]
    assert json.loads(watch.to_json())["intersection"] is None


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
def test_alpha_sets_the_bar(alpha):
    watch = watched([(0, 30, 0, 70)], alpha=alpha)
    assert (watch.decided == "B") == (1 / alpha <= 2**30 / 31)


def test_a_billion_examples_and_one():
    large = watched([(10**8, 2 * 10**8, 10**8, 6 * 10**8)])
    assert large.decided == "B"
    assert "e-value above 1e+300" in str(large)
    assert large.interval.width < 1e-3
    one = watched([(0, 0, 0, 1)])
    assert (one.evalue, one.decided, one.broken) == (1.0, None, False)
    assert one.interval.width > 1.5


def test_no_number_beside_the_counts_is_kept():
    """The work of a batch does not grow with its examples: what is held is four counts."""
    watch = watched([(1, 2, 3, 4)] * 3)
    assert isinstance(watch.held, PairedTable)
    assert watch.held.shape == ()
    assert watch.held.as_dict() == (table(1, 2, 3, 4) + table(1, 2, 3, 4) + table(1, 2, 3, 4)).as_dict()


# --- Pairs, at planned looks ---


@pytest.mark.parametrize("rule", PLANNED)
def test_planned_looks_go_by_mcnemars_z_and_the_boundaries_of_the_looks_so_far(rule):
    tables = [(2, 11, 4, 183), (1, 9, 3, 287), (3, 14, 6, 477)]
    watch = watched(tables, rule=rule, total=1000)
    bounds = spending_boundaries([0.2, 0.5, 1.0], spending=rule)
    b, c = np.cumsum([[t[1], t[2]] for t in tables], axis=0).T
    assert_allclose([look.boundary for look in watch.looks], bounds, rtol=1e-9)
    assert_allclose([look.z for look in watch.looks], (b - c) / np.sqrt(b + c), rtol=1e-12)
    for look, bound in zip(watch.looks, bounds, strict=True):
        assert bool(look.decides) == (abs(look.z) >= bound) == (not look.low <= 0 <= look.high)
    whole = table(*np.sum(tables, axis=0).tolist())
    tango = compare(whole, method="mcnemar", alpha=2 * norm.sf(bounds[-1])).interval
    assert_allclose([watch.interval.low, watch.interval.high], [tango.low, tango.high], rtol=1e-9)
    assert watch.is_over
    assert math.isnan(watch.evalue)


def test_one_planned_look_is_mcnemars_test():
    watch = watched([(0, 20, 8, 72)], rule="obrien-fleming", total=100)
    assert_allclose(watch.last.boundary, norm.isf(0.025), rtol=1e-10)
    assert (watch.decided == "B") == (compare(table(0, 20, 8, 72), method="mcnemar").better == "B")


def test_a_look_beyond_the_total_is_the_last_and_spends_what_is_left():
    watch = watched([(0, 10, 5, 485), (0, 15, 5, 980)], rule="pocock", total=1000)
    bounds = spending_boundaries([0.5, 1.0], spending="pocock", information=[500, 1500])
    assert_allclose(watch.last.boundary, bounds[-1], rtol=1e-12)
    assert watch.is_over
    assert not watch.last.late


def test_what_comes_after_the_end_is_reported_and_counts_for_nothing():
    before = watched([(0, 10, 5, 485), (0, 9, 6, 485)], rule="pocock", total=1000)
    after = before.add(table(0, 90, 0, 10), source="too late")
    assert after.decided is None
    assert (after.estimate, after.last) == (before.estimate, before.last)
    assert (after.interval.low, after.intersection.high) == (before.interval.low, before.intersection.high)
    assert (after.examples, int(after.held.only_a_wrong)) == (1100, 109)
    assert "1 look (100 examples) after the end of the plan not used" in after.words
    assert after.words.startswith("No significant difference between old and new: ")
    assert list_look_cells(after, 12)[1][-1][-2:] == ["after the plan", "too late"]


def test_looks_after_a_decision_change_no_decision():
    watch = watched([(0, 30, 2, 468), (0, 0, 60, 240)], rule="pocock", total=1000)
    assert (watch.decided, watch.decided_at) == ("B", 1)
    assert "Looks after the decision narrow the interval and do not change it" in dict(watch.explanations())["test"]


def test_a_tiny_first_look_decides_nothing():
    watch = watched([(0, 1, 0, 0), (0, 10, 2, 487)], rule="obrien-fleming", total=10_000)
    assert watch.looks[0].boundary == math.inf
    assert (watch.looks[0].low, watch.looks[0].high) == (-1.0, 1.0)
    assert list_look_cells(watch, 12)[1][0][4] == "none"
    assert Watch.from_json(watch.to_json()).looks == watch.looks
    assert "no z decides" in watched([(0, 1, 0, 0)], rule="obrien-fleming", total=10_000).words


# --- One model, and scores ---


def test_a_rate_is_that_of_its_method_at_every_look():
    watch = Watch.rate(model="net", against=0.1, level=0.9)
    for errors, trials in [(1, 50), (3, 150), (2, 300)]:
        watch = watch.add(ErrorCount(errors, trials))
    limits = estimate(ErrorCount(6, 500), method="beta-binomial-cs", level=0.9).interval
    assert (watch.interval.low, watch.interval.high) == (limits.low, limits.high)
    assert (watch.decided, watch.estimate) == ("below", 0.012)
    assert str(watch).startswith("Error rate of net is below 10% (decided at look ")
    assert Watch.rate().add(ErrorCount(3, 5)).decided is None
    assert Watch.rate().add(ErrorCount(3, 5)).words.startswith("Error rate 60.0% (95% CI ")
    assert Watch.rate(against=0.01).add(ErrorCount(30, 100)).decided == "above"
    assert "No significant difference of the model from 5% yet" in Watch.rate(against=0.05).add(ErrorCount(0, 3)).words


def test_a_mean_is_that_of_its_bets():
    xs = np.random.default_rng(4).beta(6, 3, 300)
    watch = Watch.mean(model="net", against=0.5).add(xs[:100]).add(xs[100:])
    bets = Bets.begin().after(xs)
    assert_array_equal(watch.held.above, bets.above)
    assert (watch.interval.low, watch.interval.high) == (bets.interval().low, bets.interval().high)
    assert watch.decided == "above"
    assert "Mean score of net is above 0.5 (decided at look 1)" in str(watch)


def test_paired_scores_are_better_where_positive():
    xs = np.random.default_rng(5).uniform(-0.3, 0.5, 400)
    here = Watch.paired_scores(models=NAMES).add(xs)
    there = Watch.paired_scores(models=NAMES).add(-xs)
    assert (here.decided, there.decided) == ("B", "A")
    assert_allclose(here.estimate, xs.mean(), rtol=1e-12)
    assert here.interval.low < xs.mean() < here.interval.high
    assert here.words.startswith("new has a higher mean score than old (decided at look 1): mean score 0.")
    assert "no difference" in Watch.paired_scores(models=NAMES).add([0.0]).words


def test_what_is_bet_on_may_be_chosen_at_the_beginning(tmp_path):
    """2^(b+c) B(b + κ, c + κ)/B(κ, κ), by SciPy, with κ = 5; kept in the file, and told."""
    begun = Watch.pair(models=NAMES, prior=5)
    assert repr(begun) == "Watch(pair, old and new, mcnemar-evalue, alpha=0.05, prior=5.0, 0 looks)"
    file = begun.add(table(1, 10, 2, 87)).save(tmp_path / "state.json")
    watch = read_watch(file).add(table(0, 4, 1, 95))
    assert_allclose(watch.evalue, math.exp(17 * math.log(2) + betaln(19, 8) - betaln(5, 5)), rtol=1e-10)
    whole = compare(table(1, 14, 3, 182), method="mcnemar-evalue", prior=5)
    assert (watch.interval.low, watch.evalue) == (whole.interval.low, whole.test.statistic)
    assert "alpha = 0.05 at any stop, bets from Beta(5, 5)" in watch.words
    rate = Watch.rate(prior="uniform").add(ErrorCount(3, 120))
    assert rate.prior == (1.0, 1.0)
    assert rate.interval.low == estimate(ErrorCount(3, 120), method="beta-binomial-cs", prior=(1, 1)).interval.low
    assert "bets from Beta(1, 1)" in rate.words
    assert "bets from" not in Watch.pair(prior=1.0).words


# --- What it says ---


def test_words_say_it_in_a_few_sentences():
    watch = watched([(3, 9, 2, 286), (2, 14, 3, 281)])
    assert watch.words.startswith("new has a lower error rate than old (decided at look 2): error rate 1.7% vs 4.7%, ")
    assert "3.0 pp lower (95% CI 0.5 to 6.1), e-value 94.2" in watch.words
    assert "20 needed, alpha = 0.05 at any stop" in watch.words
    assert "p < 0.025 (alpha/2)" in dict(watch.explanations())["test"]
    assert "28 discordant: 23 only old wrong, 5 only new wrong" in watch.words
    sentences = watch.words.split(". ")[1:]
    assert [sentence.partition(": ")[0] for sentence in sentences] == ["Test", "Interval", "Data"]


def test_every_sentence_begins_with_a_capital_letter():
    drifting = watched([(0, 60, 0, 0), (0, 0, 300, 0)])
    for watch in (Watch.rate().add(ErrorCount(3, 120)), drifting):
        assert not re.search(r"\. [a-z]", watch.words)
    assert "The intervals of the looks have no value in common" in drifting.words


def test_undecided_and_unbegun():
    begins = "No significant difference between old and new yet; you may stop or continue"
    assert watched([(3, 9, 2, 286)]).words.startswith(begins)
    begun = Watch.pair()
    assert str(begun).startswith("No examples yet\n\n  test      McNemar e-value")
    assert (begun.interval, begun.intersection, begun.broken, begun.decided) == (None, None, False, None)
    with pytest.raises(InvalidEvidence, match="has no examples yet"):
        _ = begun.last
    assert "no difference (95% CI" in watched([(0, 3, 3, 9)]).words


def test_the_table_has_the_digits_that_the_narrowest_interval_earns():
    large = watched([(10**8, 2 * 10**8, 2 * 10**8 - 10**4, 5 * 10**8)])
    estimate, low, high = (list_look_cells(large, 12)[1][0][index] for index in (2, 4, 5))
    assert (estimate, len(low), len(high)) == ("0.001", 6, 5)  # three digits each: the interval is 0.021 points wide
    assert float(low) < 0.001 < float(high)
    assert list_look_cells(watched([(3, 9, 2, 286)]), 12)[1][0][2] == "2.33"


def test_a_long_watch_shows_its_last_looks():
    watch = watched([(0, 0, 0, 1)] * 15)
    assert len(list_look_cells(watch, 12)[1]) == 12
    assert "  the last 12 of 15 looks" in str(watch).splitlines()
    assert "the last 12" not in watch.words


def test_every_form_of_it_can_be_had():
    watch = watched([(3, 9, 2, 286)]).add(table(0, 1, 1, 8), source="<tuesday> & co", when="2026-01-02")
    assert "&lt;tuesday&gt;" in watch._repr_html_()
    assert [line.split("|")[1].strip() for line in watch.to_markdown().splitlines() if line.startswith("| ")][:3] == [
        *("look", "1", "2"),
    ]
    assert r"\begin{tabular}" in watch.to_latex()
    assert json.loads(watch.to_json())["looks"][1]["when"] == "2026-01-02"
    assert repr(watch) == "Watch(pair, old and new, mcnemar-evalue, alpha=0.05, 2 looks)"


def test_a_terminal_obeys_no_name():
    hostile = f"{chr(27)}[31mred\nline"
    watch = Watch.pair(models=(hostile, "b")).add(PairedTable(0, 0, 30, 9, models=(hostile, "b")), source=hostile)
    assert chr(27) not in str(watch)
    assert any(line.endswith("decided  [31mred line") for line in str(watch).splitlines())


def test_no_clock_is_read():
    assert watched([(1, 2, 3, 4)]).to_json() == watched([(1, 2, 3, 4)]).to_json()


# --- Bad input ---


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Watch.pair(models=("a", "a")), "two different names"),
        (
            lambda: Watch.pair(rule="sprt"),
            r"`rule` must be one of 'mcnemar-evalue', 'obrien-fleming', 'pocock' for two models, got 'sprt'\.",
        ),
        (lambda: Watch.pair(rule="pocock"), "`total`, the number of planned examples, is required for rule='pocock'"),
        (lambda: Watch.pair(total=100), "`total` is for obrien-fleming and pocock, got rule='mcnemar-evalue'"),
        (lambda: Watch.pair(rule="pocock", total=0), r"`total` must be a whole number of 1 or more, got 0\."),
        (lambda: Watch.pair(rule="pocock", total=99.5), r"`total` must be a whole number of 1 or more, got 99\.5\."),
        (
            lambda: Watch.pair(alpha=0.0),
            r"`alpha` must be between 0 and 1, got 0\. For a 95% interval use alpha=0\.05\.",
        ),
        (
            lambda: Watch.pair(alpha=0.1, level=0.95),
            r"`alpha` must be 1 - level, got level=0\.95 and alpha=0\.1\. Use one of them\.",
        ),
        (lambda: Watch.rate(against=5), r"`against` must be between 0 and 1, got 5\. For 5% use 0\.05\."),
        (lambda: Watch.pair(prior=0), "`prior` must be a number κ"),
        (lambda: Watch.rate(prior=2.0), "`prior` must be a pair"),
        (lambda: Watch.pair(rule="pocock", total=9, prior=2), "is for mcnemar-evalue and beta-binomial-cs"),
        (lambda: Watch.rate(model=""), r"`model` must be a name, got ''\."),
        (lambda: Watch.pair().add(ErrorCount(1, 2)), "must be one PairedTable"),
        (lambda: Watch.pair().add(PairedTable([1, 2], 1, 1, 1)), r"one of shape \(2,\)"),
        (lambda: Watch.pair().add(table(1, 1, 1, 1)), "must count the errors of A and B, got old and new"),
        (lambda: Watch.pair().add(PairedTable(1, 1, 1, 1, event="positive")), "event='wrong'"),
        (lambda: Watch.rate().add(0.03), "must be one ErrorCount"),
        (lambda: Watch.mean().add([0.5, 3]), r"`values` must be from 0 to 1, got 3 \(number 2\)"),
        (lambda: Watch.mean().add(table(1, 1, 1, 1)), "must be numbers"),
        (lambda: Watch.paired_scores().add([-2]), "from -1 to 1"),
    ],
)
def test_bad_input_is_reported(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()


def test_what_was_added_before_is_recognised():
    watch = Watch.rate().add(ErrorCount(1, 50), source="mon.csv", fingerprint="abc def").add(ErrorCount(1, 50))
    with pytest.raises(InvalidEvidence, match=r"\(copy.csv\) was added before, at look 1 \(mon.csv\)"):
        watch.add(ErrorCount(1, 50), source="copy.csv", fingerprint="xyz def")
    assert watch.add(ErrorCount(1, 50)).examples == 150  # what tells nothing of its content is not recognised


# --- Files ---


def every_kind():
    xs = np.random.default_rng(6).uniform(size=30)
    return {
        "pair": watched([(3, 9, 2, 286), (2, 14, 3, 281)]),
        "planned": watched([(0, 1, 0, 0), (3, 9, 2, 986), (1, 1, 1, 1)], rule="obrien-fleming", total=1000),
        "rate": Watch.rate(against=0.1, alpha=1e-9).add(ErrorCount(3, 120)),
        "priors": Watch.rate(prior="error-rates").add(ErrorCount(3, 120)),
        "mean": Watch.mean(model='the "best", so far').add(xs).add(xs),
        "paired": Watch.paired_scores(models=NAMES).add(xs - 0.5),
        "begun": Watch.pair(models=("ä", "b,c")),
    }


@pytest.mark.parametrize("kind", every_kind())
def test_a_file_keeps_all_of_it(kind, tmp_path):
    watch = every_kind()[kind]
    read = read_watch(watch.save(tmp_path / "state.json"))
    assert read.to_json() == watch.to_json()
    assert str(read) == str(watch)
    assert str(read.looks) == str(watch.looks)  # NaN and infinity included
    assert list(tmp_path.iterdir()) == [tmp_path / "state.json"]


def test_adding_in_one_process_and_over_files_is_the_same(tmp_path):
    file = tmp_path / "state.json"
    xs = np.random.default_rng(8).uniform(size=200)
    Watch.mean().add(xs[:20]).save(file)
    for start in range(20, 200, 60):
        read_watch(file).add(xs[start : start + 60]).save(file)
    through = Watch.mean().add(xs[:20]).add(xs[20:80]).add(xs[80:140]).add(xs[140:])
    assert read_watch(file).to_json() == through.to_json()


def test_a_watch_may_be_saved_again_and_again(tmp_path):
    file = tmp_path / "state.json"
    watch = watched([(1, 2, 3, 4)])
    watch.save(file)
    watch.save(file)
    watch = watch.add(table(1, 0, 0, 0))
    watch.save(file)
    watch.save(tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == file.read_bytes()


def test_what_others_added_meanwhile_is_not_lost(tmp_path):
    file = tmp_path / "state.json"
    watched([(1, 2, 3, 4)]).save(file)
    here, there = read_watch(file), read_watch(file)
    there.add(table(0, 1, 0, 0)).save(file)
    before = file.read_bytes()
    for late in (here, here.add(table(0, 1, 0, 0)), here.add(table(5, 5, 5, 5))):  # the same figures, even
        with pytest.raises(InvalidInput, match="has changed since it was read"):
            late.save(file)
    with pytest.raises(InvalidInput, match="is a watch already"):
        watched([(1, 2, 3, 4)]).save(file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_of_many_that_write_at_once_one_wins(tmp_path):
    """Eight threads read the same state and add to it; whoever is told that it was kept finds it there."""
    file, kept, start = tmp_path / "state.json", [], threading.Barrier(8)
    watched([(1, 2, 3, 4)]).save(file)

    def add(number):
        watch = read_watch(file)
        start.wait()
        try:
            watch.add(table(0, 0, 0, 1), source=f"writer {number}").save(file)
        except InvalidInput:
            return
        kept.append(f"writer {number}")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 1
    assert [look.source for look in read_watch(file).looks] == ["", *kept]


def test_who_writes_keeps_others_waiting(tmp_path, monkeypatch):
    monkeypatch.setattr(watch_files, "_PATIENCE", 0.0)
    file = tmp_path / "state.json"
    with (
        watch_files._lock_file(file, file),
        pytest.raises(InvalidInput, match="is locked by another process"),
    ):
        watched([(1, 2, 3, 4)]).save(file)
    assert not file.exists()
    assert watched([(1, 2, 3, 4)]).save(file).exists()


DYING = """
import os, sys
from tellapart import PairedTable, read_watch, replacing
real = os.fsync
replacing.os.fsync = lambda stream: (real(stream), os.kill(os.getpid(), 9))
read_watch(sys.argv[1]).add(PairedTable(1, 1, 1, 1, models=("old", "new"))).save(sys.argv[1])
"""


def test_who_dies_while_writing_leaves_the_old_state_and_no_lock(tmp_path):
    """Killed between writing the new state and giving it its name: nobody has to clean up before the next batch."""
    file = watched([(1, 2, 3, 4)]).save(tmp_path / "state.json")
    before = file.read_bytes()
    done = subprocess.run([sys.executable, "-c", DYING, str(file)], check=False)  # noqa: S603  # our own lines
    assert done.returncode == -9
    assert file.read_bytes() == before
    assert (tmp_path / ".state.json.lock").exists()
    assert len(read_watch(read_watch(file).add(table(1, 1, 1, 1)).save(file)).looks) == 2
    assert not (tmp_path / ".state.json.lock").exists()


def _text(**changed):
    parts = json.loads(watched([(3, 9, 2, 286), (2, 14, 3, 281)]).to_json())
    for name in ("format", "version", "checksum"):
        del parts[name]
    return state_text(parts | changed, 2)


DAMAGED = {
    "empty": "",
    "no JSON": "label,a,b\n",
    "cut off": _text()[:-40],
    "another JSON": "[1, 2]",
    "of another kind": '{"format": "something", "version": 1}',
    "a later version": _text().replace('"version": 1', '"version": 2'),
    "a digit changed": _text().replace('"only_a_wrong": 23', '"only_a_wrong": 24'),
    "a deep nest": "[" * 100_000,
    "counts that do not fit": _text(
        held={"both_wrong": 1, "only_a_wrong": 0, "only_b_wrong": 0, "both_right": 0, "models": NAMES}
    ),
    "negative counts": _text(
        held={"both_wrong": -5, "only_a_wrong": 600, "only_b_wrong": 5, "both_right": 0, "models": NAMES}
    ),
    "no looks": _text(looks=[]),
    "looks that are none": _text(looks=[1]),
    "looks out of order": _text(
        looks=[{**json.loads(_text())["looks"][0], "examples": 900}, json.loads(_text())["looks"][1]]
    ),
    "no alpha": _text(alpha=None),
    "another alpha": _text(alpha=7.0),
    "three models": _text(models=["a", "b", "c"]),
    "models without names": _text(models=[1, 2]),
    "another rule": _text(rule="guess"),
    "another kind": _text(watches="weather"),
    "kind without its bets": _text(watches="mean", models=["a"]),
    "nothing held": _text(held=None),
    "another prior": _text(prior=-1.0),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_or_foreign_file_is_reported_and_left_alone(what, tmp_path):
    file = tmp_path / "state.json"
    file.write_text(DAMAGED[what])
    with pytest.raises(InvalidInput, match=r"state\.json' (is|must|has) ") as text:
        read_watch(file)
    assert "\n" not in str(text.value)
    with pytest.raises(InvalidInput, match=r"Nothing was written|is a watch already"):
        watched([(1, 2, 3, 4)]).save(file)
    assert file.read_text() == DAMAGED[what]


def test_bytes_that_are_no_text(tmp_path):
    file = tmp_path / "state.json"
    file.write_bytes(bytes(range(256)))
    with pytest.raises(InvalidEvidence, match="is not a watch: it is not valid JSON"):
        read_watch(file)


def test_files_that_cannot_be(tmp_path):
    with pytest.raises(InvalidInput, match=r"cannot read .*: No such file"):
        read_watch(tmp_path / "none.json")
    with pytest.raises(InvalidInput, match="no folder"):
        Watch.pair().save(tmp_path / "nowhere" / "state.json")
    with pytest.raises(InvalidInput, match=r"Is a directory\. Nothing was written"):
        Watch.pair().save(tmp_path)


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    watched([(1, 2, 3, 4)]).save(real)
    link.symlink_to(real)
    read_watch(link).add(table(1, 1, 1, 1)).save(link)
    assert link.is_symlink()
    assert len(read_watch(real).looks) == 2
    real.chmod(0o600)
    read_watch(real).add(table(1, 1, 1, 1)).save(real)
    assert os.stat(real).st_mode & 0o777 == 0o600  # noqa: PTH116  # what the file system says


def test_a_state_that_was_removed_is_written_anew(tmp_path):
    file = tmp_path / "state.json"
    watch = watched([(1, 2, 3, 4)])
    watch.save(file)
    file.unlink()
    assert read_watch(watch.add(table(1, 1, 1, 1)).save(file)).examples == 14


def test_what_a_file_says_of_itself():
    text = json.loads(watched([(3, 9, 2, 286)]).to_json())
    assert (text["format"], text["version"]) == (FORMAT, 1)
    assert text["interval"]["method"] == "mcnemar-evalue"
    assert text["words"].startswith("No significant difference between old and new yet")


def test_every_rule_is_known_and_cited():
    assert {rule for rules in RULES.values() for rule in rules} == {
        "mcnemar-evalue",
        "obrien-fleming",
        "pocock",
        "beta-binomial-cs",
        "betting",
    }
    for kind, watch in every_kind().items():
        assert set(watch.references) <= set(REFERENCES), kind
    assert every_kind()["planned"].references == ("lan1983", "obrien1979", "jennison2000")
    assert "robbins1970" in every_kind()["pair"].references


def test_a_batch_has_its_name_for_itself(tmp_path):
    watch = Watch.rate().add(ErrorCount(1, 50), name="monday")
    assert (watch.last.name, watch.last.source, watch.last.counts) == ("monday", "monday", (1, 50))
    kept = read_watch(watch.save(tmp_path / "state.json"))
    with pytest.raises(
        InvalidEvidence,
        match=r"a batch named 'monday' was added before, at look 1\. Nothing was added; use another name if these",
    ):
        kept.add(ErrorCount(2, 70), name="monday")
    assert kept.add(ErrorCount(1, 50), name="tuesday", source="b.csv").last.source == "b.csv"
    for wrong in (" ", None, 5):
        with pytest.raises(InvalidOption, match="`name` must be a text"):
            kept.add(ErrorCount(2, 70), name=wrong)


def test_repeats_are_those_of_the_end():
    """Enumerated by hand: the longest beginning of the new batches that is the end of the old ones."""
    a, b = table(1, 2, 3, 4), table(1, 2, 3, 5)
    watch = watched([(1, 2, 3, 4), (1, 2, 3, 5)])
    assert [watch.repeats_last(*new) for new in ((b,), (a, b), (b, a), (a,), (), (b, b))] == [1, 2, 1, 0, 0, 1]
    assert Watch.pair().repeats_last(a) == 0
    scores = Watch.mean().add([0.5, 0.7])
    assert scores.repeats_last([0.5, 0.7]) == 0


@pytest.mark.parametrize(
    ("source", "message"), [("/dev/zero", "'/dev/zero' is not a file"), (3.5, r"`file` must be a path, got float\.")]
)
def test_what_is_no_file_is_not_read(source, message):
    with pytest.raises(TellapartError, match=message):
        read_watch(source)

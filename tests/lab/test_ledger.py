"""Trials: the same bits on any worker, and nothing is lost when a run is interrupted."""

import json
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import tellapart as ta
from tellapart.errors import InvalidInput, InvalidOption, StoreMismatch, TellapartError, UnknownMethod
from tellapart.lab import OneRate, PairedOutcomes, trials
from tellapart.lab.ledger import Ledger
from tellapart.methods import find_method
from tellapart.methods.registry import Offer

DESIGN = PairedOutcomes(0.2, 0.2, 0.3, 20)
METHODS = ["mcnemar", "tango", "two-intervals"]
TRIALS = 25_000  # two blocks and a half


def run(**changed):
    options = {"methods": METHODS, "design": DESIGN, "trials": TRIALS, "differences": [0.1], "rng": 3} | changed
    return ta.calibrate(options.pop("methods"), options.pop("design"), **options)


def same(one, other):
    """Whether two calibrations hold the same bits."""
    return all(
        here.method == there.method
        and here.simulated == there.simulated
        and here.tally.keys() == there.tally.keys()
        and all(np.array_equal(here.tally[name], there.tally[name], equal_nan=True) for name in here.tally)
        for here, there in zip(one, other, strict=True)
    )


class Blocks(PairedOutcomes):
    """Small blocks, so that a test needs few trials."""

    __slots__ = ()
    block = 10


# --- Whoever draws ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference():
    return run()


def test_threads_draw_the_same_bits(reference):
    with ThreadPoolExecutor(3) as executor:
        assert same(run(executor=executor), reference)


def test_processes_draw_the_same_bits(reference):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert same(run(executor=executor), reference)


def test_jobs_draw_the_same_bits(reference):
    pytest.importorskip("loky")
    assert same(run(jobs=2), reference)
    assert same(run(jobs=1), reference)


def test_seeds_and_generators(reference):
    assert same(run(), reference)
    assert same(run(rng=np.int64(3)), reference)
    assert not same(run(rng=4), reference)
    one, other = (run(rng=np.random.default_rng(9), trials=50) for _ in range(2))
    assert same(one, other)
    generator = np.random.default_rng(9)
    first, second = run(rng=generator, trials=50), run(rng=generator, trials=50)
    assert same(first, one)
    assert not same(second, first)  # a generator moves on


def test_the_order_and_the_company_of_methods_change_nothing(reference):
    turned = run(methods=METHODS[::-1])
    assert turned.methods == tuple(METHODS[::-1])
    assert same([turned[name] for name in METHODS], reference)
    alone = ta.calibrate("percentile", DESIGN, trials=20, differences=[], resamples=50, rng=5)
    beside = ta.calibrate(["bca-bootstrap", "percentile"], DESIGN, trials=20, differences=[], resamples=50, rng=5)
    assert same([alone], [beside["percentile"]])


def test_workers_are_reported_thresholds_and_margins():
    with ThreadPoolExecutor(2) as executor:
        design = OneRate([0.1, 0.3], 40)
        here, there = (ta.calibrate("wilson", design, trials=500, executor=each) for each in (None, executor))
        assert same([here], [there])
        here, there = (
            ta.calibrate("tango", DESIGN, trials=500, margin=0.1, executor=each) for each in (None, executor)
        )
        assert same([here], [there])
    exact = ta.calibrate("wilson", design)
    drawn = ta.calibrate("wilson", design, trials=20_000)
    assert np.all(np.abs(exact.size.value - drawn.size.value) < 0.007)  # each entry at its own threshold


# --- The store --------------------------------------------------------------------------------------------------------


def test_a_store_resumes_wherever_it_was_cut(tmp_path):
    """Cut at any byte, the run ends with the same bits; what was finished is not drawn again."""
    design = Blocks(0.2, 0.2, 0.3, 20)
    options = {"methods": ["mcnemar", "wald-paired"], "design": design, "trials": 25}
    store = tmp_path / "whole.jsonl"
    whole = run(**options, store=store)
    assert same(whole, run(**options))
    text = store.read_bytes()
    lines = text.split(b"\n")
    edges = np.cumsum([len(line) + 1 for line in lines])
    near = {edge + step for edge in (0, *edges) for step in (-3, -2, -1, 0, 1, 5, 8, 9)}
    some = range(0, len(text), max(len(text) // 23, 1))
    for index in sorted(cut for cut in near | set(some) if 0 <= cut <= len(text)):
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(text[:index])
        assert same(run(**options, store=cut), whole), index
        again = cut.read_bytes()
        assert same(run(**options, store=cut), whole), index
        assert cut.read_bytes() == again  # nothing was missing any more


def test_a_store_that_is_cut_twice_resumes(tmp_path):
    options = {"design": Blocks(0.2, 0.2, 0.3, 20), "trials": 45}
    store = tmp_path / "store.jsonl"
    whole = run(**options, store=store)
    for keep in (0.7, 0.95, 0.6):
        text = store.read_bytes()
        store.write_bytes(text[: int(keep * len(text))])
        with store.open("ab") as file:
            file.write(b"\n")  # as a run that was ended at once would have left it
        assert same(run(**options, store=store), whole)


def test_more_trials_in_the_same_store_are_the_run_of_all(tmp_path, monkeypatch):
    options = {"design": Blocks(0.2, 0.2, 0.3, 20)}
    store = tmp_path / "deeper" / "store.jsonl"
    first = run(**options, trials=25, store=store)
    assert same(run(**options, trials=57, store=store), run(**options, trials=57))
    drawn = []
    whole = Blocks.draw
    monkeypatch.setattr(Blocks, "draw", lambda self, *args: drawn.append(args[1]) or whole(self, *args))
    assert same(run(**options, trials=25, store=store), first)
    assert drawn == []
    run(**options, trials=60, store=store)
    assert drawn == [10, 10]  # the last block, under both conditions: 57 had seven of it


def test_many_blocks_are_summed_up(tmp_path, monkeypatch):
    """The file stays small, every cut of it resumes, and more or fewer trials than were summed up are the same bits."""
    monkeypatch.setattr(trials, "_OFTEN", 10)
    options = {"design": Blocks(0.2, 0.2, 0.3, 20)}
    store = tmp_path / "store.jsonl"
    whole = run(**options, trials=257, store=store)
    assert same(whole, run(**options, trials=257))
    lines = store.read_text().splitlines()
    assert len(lines) == 1 + 1 + 6  # the head, the sum of twenty blocks, and those after it
    assert list(tmp_path.iterdir()) == [store]
    for cut in (1, 2, 3, 6):
        store.write_text("\n".join(lines[:cut]) + "\n")
        assert same(run(**options, trials=257, store=store), whole), cut
    assert same(run(**options, trials=340, store=store), run(**options, trials=340))
    before = store.read_bytes()
    assert same(run(**options, trials=140, store=store), run(**options, trials=140))
    assert store.read_bytes() == before  # drawn again, because the sum does not separate them, but not stored twice
    drawn = []
    draw = Blocks.draw
    monkeypatch.setattr(Blocks, "draw", lambda self, *args: drawn.append(args[1]) or draw(self, *args))
    run(**options, trials=340, store=store)
    assert drawn == []


def test_a_store_takes_few_bytes_a_trial(tmp_path):
    """Of 10 trials ten p-values are written, not a curve of a thousand points."""
    run(design=Blocks(0.2, 0.2, 0.3, 20), trials=500, store=tmp_path / "store")
    assert (tmp_path / "store").stat().st_size < 50 * 2500


def test_an_executor_is_handed_some_blocks_at_a_time(monkeypatch):
    """With a million blocks there must not be a million futures."""
    evidence = []
    whole = trials.wait
    monkeypatch.setattr(trials, "_AHEAD", 4)
    monkeypatch.setattr(trials, "wait", lambda some, **how: evidence.append(len(some)) or whole(some, **how))
    design = Blocks(0.2, 0.2, 0.3, 20)
    with ThreadPoolExecutor(2) as executor:
        assert same(run(design=design, trials=300, executor=executor), run(design=design, trials=300))
    assert max(evidence) == 4


def test_what_is_enumerated_writes_no_file(tmp_path):
    run(trials=None, store=tmp_path / "store.jsonl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"design": PairedOutcomes(0.2, 0.2, 0.3, 21)}, "design"),
        ({"methods": ["mcnemar"]}, "methods"),
        ({"alpha": 0.1}, "alpha"),
        ({"rng": 4}, "seed"),
        ({"differences": [0.2]}, "differences"),
        ({"alternative": "greater"}, "methods"),
        ({"methods": ["tango"], "margin": 0.1}, "margin, methods"),
    ],
)
def test_a_store_of_something_else_is_refused_and_kept(tmp_path, changed, text):
    store = tmp_path / "store.jsonl"
    run(trials=20, store=store)
    before = store.read_bytes()
    with pytest.raises(StoreMismatch, match=f"differs in .*{text}.*Name another file"):
        run(**{"trials": 20} | changed, store=store)
    assert store.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        b"precious",
        b"precious\n",
        b"\n\n",
        b"\x00\xff\xfe",
        b"[1, 2]\n",
        b'{"a": 1}',
        b'{"tellapart": "race"}\n',
        b"5",
        b"{",
    ],
)
def test_a_file_that_is_no_calibration_is_refused_and_kept(tmp_path, content):
    store = tmp_path / "notes.txt"
    store.write_bytes(content)
    if content == b"{":  # the first byte of every calibration: it might be one that was cut off
        assert run(trials=20, store=store)
        return
    with pytest.raises(StoreMismatch, match="is not a store of calibrations"):
        run(trials=20, store=store)
    assert store.read_bytes() == content


@pytest.mark.parametrize(
    "line", ['{"block": 0, "trials": 20, "tallies": {"x": 5}}', "[]", '{"block": 0}}}', "nonsense"]
)
def test_a_damaged_store_says_where(tmp_path, line):
    store = tmp_path / "store.jsonl"
    run(trials=20, store=store)
    head = store.read_text().split("\n")[0]
    store.write_text(f"{head}\n{line}\n")
    with pytest.raises(InvalidInput, match="damaged in line 2"):
        run(trials=20, store=store)


def test_paths_that_cannot_be_written_to(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be read: Is a directory"):
        run(trials=20, store=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="cannot be written"):
        run(trials=20, store=tmp_path / "file" / "store.jsonl")
    for wrong in (5, ""):
        with pytest.raises(InvalidOption, match="`store` must be the path of a file"):
            run(trials=20, store=wrong)


def test_the_store_keeps_every_digit(tmp_path):
    head = {"a": 1}
    ledger = Ledger(tmp_path / "store", head)
    tallies = {"x": {"width": np.array([0.1 + 0.2, np.nan, 1e-300])}}
    ledger.keep(0, 5, tallies)
    kept = Ledger(tmp_path / "store", head).blocks[0, 5]
    assert_array_equal(kept["x"]["width"], tallies["x"]["width"])
    assert json.loads((tmp_path / "store").read_text().split("\n")[0]) == {"tellapart": "calibration", "a": 1}


# --- When workers fail ------------------------------------------------------------------------------------------------


class Failing(Executor):
    """Runs tasks up to a block, and fails there."""

    def __init__(self, at, error):
        self.at, self.error = at, error

    def submit(self, function, /, *args, **kwargs):
        future = Future()
        if args[1] == self.at:
            future.set_exception(self.error)
        else:
            future.set_result(function(*args, **kwargs))
        return future


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (BrokenExecutor("killed"), "a worker died"),
        (MemoryError("no more"), "a worker failed"),
        (KeyError("x"), "a worker failed"),
    ],
)
def test_a_worker_that_fails_is_reported_and_the_others_are_kept(tmp_path, error, text):
    options = {"design": Blocks(0.2, 0.2, 0.3, 20), "trials": 45}
    store = tmp_path / "store.jsonl"
    with pytest.raises(TellapartError, match=f"{text}.*to keep finished trials"):
        run(**options, store=store, executor=Failing(1, error))
    assert len(store.read_text().splitlines()) == 1 + 4  # all but one of five
    assert same(run(**options, store=store), run(**options))


def test_our_own_errors_come_through_as_they_are():
    with pytest.raises(InvalidOption, match=r"^this one$"):
        run(trials=20, executor=Failing(0, InvalidOption("this one")))


def test_an_executor_that_is_shut_down_is_reported():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(TellapartError, match="cannot schedule new futures after shutdown"):
        run(trials=20, executor=executor)


def test_a_method_the_workers_do_not_know():
    facts = {name: getattr(find_method("mcnemar", "test", ta.PairedTable), name) for name in Offer.__dataclass_fields__}
    private = Offer(**facts | {"name": "of-my-own"})
    assert ta.calibrate(private, DESIGN, trials=20).method == "of-my-own"
    with ThreadPoolExecutor(1) as executor, pytest.raises(UnknownMethod, match="is not registered on the workers"):
        ta.calibrate(private, DESIGN, trials=20, executor=executor)


# --- Progress ---------------------------------------------------------------------------------------------------------


def test_a_bar_is_shown_on_standard_error_on_request(capfd):
    run(trials=20)
    assert capfd.readouterr() == ("", "")
    run(trials=20, progress=False)
    assert capfd.readouterr() == ("", "")
    run(trials=20, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "20/20" in err


def test_outcomes_that_take_long_have_a_bar_too(capfd, monkeypatch):
    """MethodRequest part by part, methods say the same; what is quick shows no bar."""
    options = {"methods": ["mcnemar-mid-p", "tango"], "trials": None}
    whole = run(**options)
    assert same(run(**options, progress=True), whole)
    assert capfd.readouterr() == ("", "")
    monkeypatch.setattr("tellapart.lab.batched_results._LONG", 0.0)
    for here, there in zip(run(**options, progress=True), whole, strict=True):
        assert all(np.allclose(here.tally[name], there.tally[name], rtol=1e-12) for name in there.tally)
    assert "outcomes, tango" in capfd.readouterr().err

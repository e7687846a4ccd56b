"""The registry: complete facts, one function for a name, clear refusals, and methods of other packages."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tellapart
from tellapart import ConfusionMatrix, ErrorCount, PairedTable, compare
from tellapart.bibliography import REFERENCES, Reference, cite
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.evidence import ErrorPatterns, Evidence
from tellapart.methods import (
    Offer,
    Standing,
    check_options,
    estimator,
    find_method,
    find_methods,
    get_method,
    interval,
    method,
    procedure,
    simultaneous,
)
from tellapart.methods import test as register_test  # under its own name pytest would collect it
from tellapart.methods.assumptions import Assumption
from tellapart.methods.pivots import Score
from tellapart.methods.registry import _REGISTERED, snake_case

METHODS = find_methods()
each_method = pytest.mark.parametrize("entry", METHODS, ids=lambda entry: f"{entry.name}-{entry.gives}")

FACTS = {
    "name": "on-trial",
    "gives": "interval",
    "question": 1,
    "evidence": ErrorCount,
    "standing": Standing.HEURISTIC,
    "rationale": "it is on trial",
    "reference": "wilson1927",
}


@pytest.fixture(autouse=True)
def _registry_as_it_was():
    """Take out what a test has put in."""
    before = dict(_REGISTERED)
    yield
    _REGISTERED.clear()
    _REGISTERED.update(before)


def on_trial(count, *, alpha=0.05, prior, side="two"):
    """Say nothing.

    At length.
    """


# --- Facts ---------------------------------------------------------------------------------------


@each_method
def test_facts_are_complete(entry):
    assert isinstance(entry.reference, Reference) or entry.reference in REFERENCES
    assert cite(entry.reference)
    assert isinstance(entry.standing, Standing)
    assert entry.rationale.strip()
    assert entry.validity.strip()
    assert entry.question in range(1, 10)
    assert issubclass(entry.evidence, Evidence)
    assert entry.gives in {"estimate", "interval", "test", "pairs"}
    assert all(isinstance(assumption, Assumption) for assumption in entry.assumes)
    assert callable(entry.note) or isinstance(entry.note, str)


@each_method
def test_a_name_is_what_one_would_type(entry):
    assert entry.name == entry.name.lower().strip()
    assert " " not in entry.name
    assert "_" not in entry.name


@each_method
def test_summary_and_options_are_read_off_the_function(entry):
    assert entry.summary
    assert entry.summary == entry.function.__doc__.strip().splitlines()[0]
    assert set(entry.required) <= set(entry.options)
    expected = {"interval": {"alpha", "side"}, "test": {"alternative"}}
    if not entry.of_several:  # several have no side to differ to
        assert expected.get(entry.gives, set()) <= set(entry.options)
    assert "against" in entry.options or (entry.gives, entry.question) != ("test", 1)


@each_method
def test_a_name_finds_its_method(entry):
    assert find_method(entry.name, entry.gives, entry.evidence) is entry


@each_method
def test_a_partner_exists(entry):
    assert entry.partner is None or find_methods(name=entry.partner, evidence=entry.evidence)


@each_method
def test_only_the_trusted_guarantee(entry):
    assert not entry.guarantees or entry.standing in {Standing.RECOMMENDED, Standing.SOUND}


def test_options_required_and_summary_of_a_function():
    entry = Offer(function=on_trial, **FACTS)
    assert entry.options == ("alpha", "prior", "side")
    assert entry.required == ("prior",)
    assert entry.summary == "Say nothing."
    assert Offer(function=lambda count: count, **FACTS).summary == ""


@each_method
def test_facts_apply_or_are_absent(entry):
    of_an_interval = (entry.parameter, entry.monotone, entry.within)
    assert all(fact is not None for fact in of_an_interval) == (entry.gives == "interval")
    assert any(fact is not None for fact in of_an_interval) == (entry.gives == "interval")
    assert (entry.statistic is not None) == (entry.gives in {"test", "pairs"})


def test_a_method_is_called_like_its_function():
    count = ErrorCount(3, 120)
    wilson = find_method("wilson", "interval", ErrorCount)
    assert wilson(count, alpha=0.1).high == wilson.function(count).interval(alpha=0.1).high


# --- Registering ---------------------------------------------------------------------------------


def test_registering_returns_the_function_unchanged():
    assert method(**FACTS)(on_trial) is on_trial
    interval = find_method("on-trial", "interval", ErrorCount)
    assert (interval.function, interval.rationale) == (on_trial, "it is on trial")
    assert interval in find_methods(standing="heuristic")


def test_a_name_is_taken_once():
    def another(count, *, alpha=0.05, side="two"):
        """Say nothing either."""

    method(**FACTS)(on_trial)
    with pytest.raises(ValueError, match=r"on-trial \(interval\) is registered twice, the second time by .*registry"):
        method(**FACTS)(another)
    assert find_method("on-trial", "interval", ErrorCount).function is on_trial


def test_a_name_of_ours_cannot_be_taken_over():
    wilson = find_method("wilson", "interval", ErrorCount)
    with pytest.raises(ValueError, match=r"wilson \(interval\) is registered twice"):
        method(**FACTS | {"name": "wilson"})(on_trial)
    assert find_method("wilson", "interval", ErrorCount) is wilson


def test_a_name_may_give_several_things():
    for gives in ("test", "interval"):
        method(**FACTS | {"gives": gives})(on_trial)
    assert [entry.gives for entry in find_methods(name="on-trial")] == ["interval", "test"]


def test_a_module_loaded_again_registers_its_methods_again():
    """A reload makes new functions of the same name in the same module; the newest one counts."""

    def defined():
        def same(count, *, alpha=0.05, side="two"):
            """Say nothing."""

        return same

    first, second = defined(), defined()
    assert first is not second
    method(**FACTS)(first)
    method(**FACTS)(second)
    assert find_method("on-trial", "interval", ErrorCount).function is second


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ({"gives": "opinion"}, "on-trial gives 'opinion'; it must be one of estimate, interval, test, pairs"),
    ],
)
def test_facts_that_cannot_be_are_a_programming_error(fact, message):
    with pytest.raises(ValueError, match=message):
        method(**FACTS | fact)(on_trial)
    assert (ErrorCount, "on-trial") not in _REGISTERED


def test_a_reference_that_the_bibliography_lacks_is_an_error_where_it_is_cited():
    method(**FACTS | {"reference": "nobody1999"})(on_trial)
    entry = find_method("on-trial", "interval", ErrorCount)
    with pytest.raises(InvalidOption, match="unknown `reference` 'nobody1999'"):
        cite(entry.reference)


def test_a_package_may_bring_its_own_reference():
    own = Reference(authors="Doe, J.", year=2020, title="An interval", where="Somewhere 1, 1-2")
    method(**FACTS | {"reference": own})(on_trial)
    assert cite(find_method("on-trial", "interval", ErrorCount).reference) == str(own)


# --- Procedures: one registration for all that follows from a pivot --------------------------------------------------

OF_TRIAL = {name: fact for name, fact in FACTS.items() if name != "gives"}


def halved(count, *, share=0.5, ties="split"):  # noqa: ARG001  # what registration makes of it is the matter
    """Return a normal pivot around a share of the error."""
    return Score(z=lambda null: (count.rate * share - null) * 10, invert=lambda z: (count.rate - z, count.rate + z))


def test_a_procedure_offers_interval_and_test_of_one_name():
    fitted = procedure(**OF_TRIAL, statistic="z", test={"rationale": "a test of its own"})(halved)
    interval, test = find_methods(name="on-trial")
    assert (interval.gives, test.gives) == ("interval", "test")
    assert (interval.rationale, test.rationale) == ("it is on trial", "a test of its own")
    assert (interval.parameter, test.statistic) == ("error", "z")
    assert (interval.summary, test.summary) == (halved.__doc__, halved.__doc__)
    count = ErrorCount(30, 120)
    limits, result = interval(count, alpha=0.1, side="upper"), test(count, against=0.1, alternative="greater")
    assert (limits.method, limits.parameter, limits.side, limits.low) == ("on-trial", "error", "upper", 0.0)
    assert limits.high == fitted(count).interval(0.1, "upper").high
    assert result.pvalue == fitted(count).test(0.1, "greater").pvalue
    assert result.statistic == pytest.approx(0.25)
    assert test(count, against=0.1, share=1.0).statistic == pytest.approx(1.5)


def test_options_of_a_procedure_are_its_own_and_those_of_what_is_requested():
    procedure(**OF_TRIAL, interval={"unheeded": ("ties",)})(halved)
    interval, test = find_methods(name="on-trial")
    assert interval.options == ("alpha", "side", "share")
    assert test.options == ("against", "alternative", "share", "ties")
    assert (interval.required, test.required) == ((), ("against",))  # of an error rate no threshold is the usual one
    assert interval.defaults == {"alpha": 0.05, "side": "two", "share": 0.5}
    assert test.takes_null
    assert test.takes_side


def test_a_difference_is_tested_against_0_unless_reported():
    procedure(**OF_TRIAL | {"evidence": PairedTable}, parameter="difference")(halved)
    (test,) = find_methods(name="on-trial", gives="test")
    assert test.required == ()
    assert test.defaults["against"] == 0


def test_a_procedure_offers_what_it_says():
    procedure(**OF_TRIAL, offers=("estimate", "interval"), estimate={"question": 6})(halved)
    assert [(entry.gives, entry.question) for entry in find_methods(name="on-trial")] == [
        ("interval", 1),
        ("estimate", 6),
    ]


def test_decorators_say_what_their_function_gives():
    for decorate, gives in (
        (interval, "interval"),
        (register_test, "test"),
        (estimator, "estimate"),
        (simultaneous, "pairs"),
    ):
        assert decorate(**OF_TRIAL)(on_trial) is on_trial
        assert find_method("on-trial", gives, ErrorCount).function is on_trial


# --- Fitting: once for interval and test ------------------------------------------------------------


@pytest.mark.parametrize("name", ["wilson", "clopper-pearson", "jeffreys"])
def test_what_is_fitted_gives_interval_and_test(name):
    count = ErrorCount(3, 120)
    limits, test = (find_method(name, gives, ErrorCount) for gives in ("interval", "test"))
    pivot = limits.fit(count, {"nobody_heeds": "this"})
    assert limits.read(pivot, alpha=0.1, side="upper").high == limits(count, alpha=0.1, side="upper").high
    assert (
        test.read(pivot, against=0.05, alternative="less").pvalue
        == test(count, against=0.05, alternative="less").pvalue
    )


def test_an_answer_fits_a_method_once(monkeypatch):
    """Interval, and both sides of an equivalence test, are read of one pivot."""
    fitted = []
    original = Offer.fit
    monkeypatch.setattr(Offer, "fit", lambda offer, *about: (fitted.append(offer.name), original(offer, *about))[1])
    compare(PairedTable(59, 6, 16, 80), method="tango", margin=0.1, hypothesis="equivalent")
    assert fitted == ["tango"]


def test_an_unknown_name_has_no_method():
    assert get_method("mcnemr", PairedTable) is None
    assert get_method(["mcnemar"], PairedTable) is None


# --- Finding -------------------------------------------------------------------------------------


def test_every_argument_narrows_the_list():
    for fact, value in [("name", "wilson"), ("question", 1), ("gives", "test"), ("standing", "forbidden")]:
        result = find_methods(**{fact: value})
        assert result
        assert result == tuple(entry for entry in METHODS if getattr(entry, fact) == value)
    assert find_methods(evidence=ErrorCount, gives="interval", standing=Standing.SOUND) == tuple(
        entry for entry in METHODS if (entry.evidence, entry.gives, entry.standing) == (ErrorCount, "interval", "sound")
    )
    assert find_methods(name="no-such-method") == ()


def test_the_best_standing_comes_first_and_names_are_in_order():
    rank = ["recommended", "sound", "heuristic", "forbidden"]
    keys = [(entry.question, entry.gives, rank.index(entry.standing), entry.name) for entry in METHODS]
    assert keys == sorted(keys)
    assert METHODS[0].standing == "recommended"


@pytest.mark.parametrize("question", [0, 10, -1, 1.5, "first"])
def test_a_question_is_one_of_nine(question):
    with pytest.raises(InvalidOption, match="`question` must be a number from 1 to 9, got"):
        find_methods(question=question)


@pytest.mark.parametrize("standing", ["good", "", 3])
def test_a_standing_is_one_of_four(standing):
    with pytest.raises(InvalidOption, match="`standing` must be one of recommended, sound, heuristic, forbidden, got"):
        find_methods(standing=standing)


@pytest.mark.parametrize("gives", ["opinion", "", 3])
def test_what_a_method_gives_is_one_of_four(gives):
    with pytest.raises(InvalidOption, match="`gives` must be one of 'estimate', 'interval', 'test', 'pairs', got"):
        find_methods(gives=gives)


@pytest.mark.parametrize("name", ["", None, 3, ["wilson"]])
def test_an_unknown_name_points_to_the_list(name):
    with pytest.raises(
        UnknownMethod, match=r"unknown method .* for ErrorCount\. Choose one of the \d+ that"
    ) as refused:
        find_method(name, "interval", ErrorCount)
    count = len(find_methods(gives="interval", evidence=ErrorCount))
    assert f"the {count} that `tellapart methods` lists." in str(refused.value)
    assert repr(name) in str(refused.value)


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownMethod, match=r"^unknown method 'wilsn'\. Did you mean 'wilson'\?$"):
        find_method("wilsn", "interval", ErrorCount)


def test_few_choices_are_listed():
    with pytest.raises(UnknownMethod, match=r"^unknown method 'zzz' for ErrorPatterns\. Choose one of: max-t\.$"):
        find_method("zzz", "pairs", ErrorPatterns)


def test_an_unknown_option_suggests_the_usual_name():
    wilson = find_method("wilson", "interval", ErrorCount)
    for name, near in (("confidence", "level"), ("levl", "level"), ("significance", "alpha")):
        with pytest.raises(InvalidOption, match=rf"^unknown option `{name}`\. Did you mean `{near}`\?$"):
            check_options({name: 1}, wilson)


def test_a_known_name_is_reported_what_it_gives():
    with pytest.raises(
        UnknownMethod, match=r"method 'percentile' gives an interval, not a test\. Choose one of"
    ) as refused:
        find_method("percentile", "test", ErrorCount)
    assert "tellapart methods" in str(refused.value)
    with pytest.raises(UnknownMethod, match="method 'wilson' gives an interval and a test, not an estimate"):
        find_method("wilson", "estimate", ErrorCount)


KINDS = sorted({entry.evidence for entry in METHODS}, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_methods_of_a_kind_stand_in_the_package_of_its_name(kind):
    home = f"tellapart.methods.{snake_case(kind.__name__)}"
    assert all(entry.function.__module__.startswith(home) for entry in find_methods(evidence=kind))


def test_a_kind_loads_its_own_methods_alone():
    """Besides what these compute with; the methods of learners are not among it."""
    code = (
        "import sys, tellapart as ta; ta.find_methods(evidence=ta.ErrorCount);"
        "print(*(name for name in sys.modules if name.startswith('tellapart.methods.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)  # noqa: S603
    assert "tellapart.methods.error_count.wilson_score" in done.stdout
    assert "tellapart.methods.resamples" not in done.stdout
    assert "tellapart.methods.paired_table" not in done.stdout


# --- Options -------------------------------------------------------------------------------------


def test_options_that_a_method_knows_pass():
    jeffreys = find_method("jeffreys", "interval", ErrorCount)
    check_options({}, jeffreys)
    check_options({"raw": True}, jeffreys)
    check_options({"prior": (1, 1), "raw": True}, find_method("beta", "interval", ErrorCount), jeffreys)


def test_an_option_that_nobody_knows_is_reported_those_they_do():
    jeffreys, wilson = (find_method(name, "interval", ErrorCount) for name in ("jeffreys", "wilson"))
    with pytest.raises(
        InvalidOption, match=r"unknown option `rope` of method 'jeffreys'\. Choose one of: raw, level, alpha"
    ):
        check_options({"rope": 0.01}, jeffreys)
    with pytest.raises(InvalidOption, match=r"unknown option `rope` of method 'wilson'\. Choose one of: level, alpha"):
        check_options({"rope": 0.01}, wilson)
    with pytest.raises(
        InvalidOption, match=r"unknown option `rope` of method 'jeffreys' and 'wilson'\. Choose one of: raw, level"
    ):
        check_options({"rope": 0.01}, jeffreys, wilson)


def test_the_test_and_the_interval_of_one_name_are_named_once():
    both = (find_method("wilson", gives, ErrorCount) for gives in ("test", "interval"))
    with pytest.raises(InvalidOption, match="unknown option `rope` of method 'wilson'"):
        check_options({"rope": 0.01}, *both)


@pytest.mark.parametrize("option", ["alpha", "side", "against", "alternative"])
def test_what_the_verb_says_itself_is_no_option(option):
    with pytest.raises(InvalidOption, match=f"unknown option `{option}` of method 'wilson'"):
        check_options({option: 1}, find_method("wilson", "interval", ErrorCount))


def test_what_the_caller_fills_in_is_neither_missed_nor_taken():
    beta = find_method("beta", "interval", ErrorCount)
    check_options({}, beta, spoken_for=("prior",))
    with pytest.raises(InvalidOption, match=r"unknown option `prior` of method 'beta'\. Choose one of: raw"):
        check_options({"prior": (1, 1)}, beta, spoken_for=("prior",))


def test_an_option_that_is_needed_is_missed():
    with pytest.raises(InvalidOption, match=r"`prior` is required by method 'beta'.*prior=\(0.5, 0.5\)"):
        check_options({}, find_method("beta", "interval", ErrorCount))


# --- Methods of other packages -------------------------------------------------------------------

THEIRS = '''
from tellapart import ConfusionMatrix, ErrorCount, PairedTable, compare
from tellapart.bibliography import Reference
from tellapart.methods import Standing, method
from tellapart.results import Interval


@method(
    name="theirs",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    standing=Standing.HEURISTIC,
    rationale="it is an example",
    reference=Reference(authors="Doe, J.", year=2020, title="Everything", where="Somewhere 1, 1-2"),
)
def theirs(count, *, alpha=0.05, side="two"):
    """Give a quarter and three quarters."""
    return Interval(low=0 * count.rate + 0.25, high=0 * count.rate + 0.75, alpha=alpha, side=side, method="theirs")
'''


@pytest.fixture
def beside(tmp_path):
    """Install a package with one module beside ours, and run `python -m tellapart` where it is found."""

    def install(source):
        (tmp_path / "their_methods.py").write_text(source, encoding="utf-8")
        facts = tmp_path / "their_methods-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: their-methods\nVersion: 1.0\n", encoding="utf-8")
        (facts / "entry_points.txt").write_text("[tellapart.methods]\ntheirs = their_methods\n", encoding="utf-8")
        ours = Path(tellapart.__file__).parents[1]

        def run(*arguments):
            return subprocess.run(  # noqa: S603  # our own interpreter and package
                [sys.executable, "-m", "tellapart", *arguments],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ours, tmp_path)))},
                capture_output=True,
                encoding="utf-8",
                check=False,
            )

        return run

    return install


def test_another_package_adds_a_method(beside):
    run = beside(THEIRS)
    listed = run("methods", "--json")
    assert listed.returncode == 0, listed.stderr
    (listing,) = (entry for entry in json.loads(listed.stdout) if entry["name"] == "theirs")
    assert listing["reference"] == "Doe, J. (2020). Everything. Somewhere 1, 1-2."
    assert (listing["standing"], listing["summary"]) == ("heuristic", "Give a quarter and three quarters.")

    used = run("estimate", "3", "120", "--method", "theirs", "--json")
    assert used.returncode == 0, used.stderr
    result = json.loads(used.stdout)
    assert (result["method"], result["interval"]["low"], result["interval"]["high"]) == ("theirs", 0.25, 0.75)


def test_another_packages_method_is_measured_by_the_lab(beside):
    """It holds every true error from 0.25 to 0.75, and no other."""
    done = beside(THEIRS)("coverage", "--trials", "10", "--method", "theirs", "--json")
    assert done.returncode == 0, done.stderr
    entry = json.loads(done.stdout)
    assert entry["mean"] == pytest.approx(0.5, abs=1e-9)
    assert entry["minimum"] == 0


def test_a_known_name_never_looks_at_other_packages(beside):
    done = beside("raise RuntimeError('this package is broken')\n")("estimate", "3", "120", "--method", "wilson")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Wilson score interval" in done.stdout


@pytest.mark.parametrize("arguments", [("methods",), ("estimate", "3", "120", "--method", "wilsn")])
def test_a_broken_package_is_no_traceback(beside, arguments):
    """Whether it is passed over or told of in one line, the fault is theirs and the reader learns so."""
    done = beside("raise RuntimeError('this package is broken')\n")(*arguments)
    assert "Traceback" not in done.stderr


def test_what_a_pivot_does_not_give_is_refused_by_name():
    pivot = find_method("delta", "interval", ConfusionMatrix).fit(ConfusionMatrix([[5, 1], [2, 4]]).by("mcc"), {})
    with pytest.raises(InvalidOption, match=r"method 'delta' gives no test\. Use its interval\."):
        pivot.test()

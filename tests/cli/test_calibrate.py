"""`tellapart calibrate`: measured error rates of the user's design, as text, JSON and plots."""

import json
import re
import subprocess
import sys

import pytest

from tellapart import ErrorCount, IndependentCounts, PairedTable, calibrate, read_scores
from tellapart.cli.designs import completing_designs
from tellapart.lab import ClusteredOutcomes, Discriminant, OneRate, PairedOutcomes, SimulatedLearners, Twins, TwoRates
from tellapart.methods import find_methods

TABLE = ("--table", "10", "25", "10", "255")


def names_left_out(shown):
    """Return the names of methods that were left out."""
    return re.findall(r"^ *([\w-]+): ", shown.partition("left out")[2], re.MULTILINE)


def expected(run, *words):
    done = run("calibrate", *words, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


# --- Answers ---


def test_one_method_is_printed_as_in_python(run):
    done = run("calibrate", *TABLE, "--method", "mcnemar-mid-p")
    assert done.exit_code == 0
    assert done.stdout == f"{calibrate('mcnemar-mid-p', PairedTable(10, 25, 10, 255))}\n"


@pytest.mark.parametrize(
    ("words", "design", "options"),
    [
        (TABLE, PairedTable(10, 25, 10, 255), {}),
        (("3", "120"), ErrorCount(3, 120), {}),
        (("--independent", "3", "50", "5", "60"), IndependentCounts.from_counts(3, 50, 5, 60), {}),
        (("--design", "PairedOutcomes(0.1, 0.1, 0.08, examples=100)"), PairedOutcomes(0.1, 0.1, 0.08, 100), {}),
        (("--design", "OneRate(0.05, 120)"), OneRate(0.05, 120), {}),
        (("--design", "TwoRates(0.1, 0.1, 50, 80)"), TwoRates(0.1, 0.1, 50, 80), {}),
        (
            ("--design", "ClusteredOutcomes(0.1, 0.1, 0.1, clusters=20, size=5, correlation=0.5)"),
            ClusteredOutcomes(0.1, 0.1, 0.1, 20, 5, 0.5),
            {},
        ),
        (
            ("--design", "SimulatedLearners(epsilon=0.2, beta=0.02)", "--trials", "300", "--rng", "7"),
            SimulatedLearners(epsilon=0.2, beta=0.02),
            {"trials": 300, "rng": 7},
        ),
        (
            ("--design", "Twins(Discriminant(), examples=40, plan='5x2')", "--trials", "30", "--method", "5x2cv-t"),
            Twins(Discriminant(), examples=40, plan="5x2"),
            {"trials": 30, "methods": ["5x2cv-t"]},
        ),
        ((*TABLE, "--difference", "0.01,0.03"), PairedTable(10, 25, 10, 255), {"differences": [0.01, 0.03]}),
        ((*TABLE, "--alpha", "0.1"), PairedTable(10, 25, 10, 255), {"alpha": 0.1}),
        ((*TABLE, "--level", "0.9"), PairedTable(10, 25, 10, 255), {"level": 0.9}),
        ((*TABLE, "--alternative", "greater"), PairedTable(10, 25, 10, 255), {"alternative": "greater"}),
        (
            (*TABLE, "--margin", "0.05", "--method", "tango"),
            PairedTable(10, 25, 10, 255),
            {"margin": 0.05, "methods": ["tango"]},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_json_has_all_digits_of_the_python_result(run, words, design, options):
    methods = options.pop("methods", None)
    target = calibrate(methods if methods is None or len(methods) > 1 else methods[0], design, **options)
    assert expected(run, *words) == json.loads(target.to_json())


def test_methods_are_separated_by_commas_or_repeated(run):
    together = expected(run, *TABLE, "--method", "mcnemar,tango")
    assert together == expected(run, *TABLE, "--method", "mcnemar", "--method", "tango")
    assert [each["method"] for each in together["calibrations"]] == ["mcnemar", "tango"]


def test_without_a_method_the_usual_methods_are_compared(run):
    shown = run("calibrate", *TABLE).stdout
    assert "exact: all outcomes enumerated" in shown
    for name in PairedOutcomes.usual:
        assert re.search(rf"^  {name} +0\.\d+", shown, re.MULTILINE)
    result = calibrate("mcnemar-exact", PairedTable(10, 25, 10, 255))
    (line,) = re.findall(r"^  mcnemar-exact (.+)$", shown, re.MULTILINE)
    values = [result.size.value, *result.power.value, result.sign_errors.value[0]]
    assert line.split() == [*(f"{value:.4f}" for value in values), result.verdict]
    assert shown.startswith("McNemar mid-p holds its level here: type I error rate 0.047 at alpha = 0.05\n")


def test_simulated_rates_have_confidence_intervals(run):
    shown = run("calibrate", *TABLE, "--method", "mcnemar,tango", "--trials", "1000", "-v").stdout
    assert "1,000 simulated trials" in shown
    assert re.search(r"^  mcnemar +0 pp +0\.\d{4} +0\.\d{4} to 0\.\d{4}", shown, re.MULTILINE)


def test_all_includes_every_method_except_slow_ones(run):
    shown = run("calibrate", "3", "30", "--method", "all").stdout
    names = {method.name for method in find_methods(evidence=ErrorCount)}
    left_out = set(names_left_out(shown))
    assert left_out == {"beta", "hypergeometric", "posterior"}  # they want a prior, or a pool
    for name in names - left_out:
        assert re.search(rf"^  {name} +0\.\d+", shown, re.MULTILINE), name


def test_all_accepts_options_of_some_methods(run):
    shown = run("calibrate", "3", "30", "--method", "all", "--prior", "1,3").stdout
    assert re.search(r"^  beta +0\.\d+", shown, re.MULTILINE)
    assert names_left_out(shown) == ["hypergeometric"]


def test_a_usual_method_is_left_out_if_the_plan_does_not_suit_it(run):
    done = run("calibrate", "--design", "SimulatedLearners(plan='10-fold')", "--trials", "50")
    assert done.exit_code == 0
    assert names_left_out(done.stdout) == ["5x2cv-t"]


def test_a_margin_selects_the_usual_methods_that_accept_one(run):
    shown = run("calibrate", *TABLE, "--margin", "0.05").stdout
    assert shown == f"{calibrate('tango', PairedTable(10, 25, 10, 255), margin=0.05)}\n"


def test_many_designs_are_printed_as_ranges(run):
    words = ("--design", "PairedOutcomes(0.1, 0.1, [0.05, 0.1], 50)", "--method", "mcnemar,tango")
    done = run("calibrate", *words)
    assert done.exit_code == 0
    assert f"{calibrate(['mcnemar', 'tango'], PairedOutcomes(0.1, 0.1, [0.05, 0.1], 50))}\n" == done.stdout


def test_one_learner_alone(run):
    design = "Learners(TwoNormals(0.1), NearestNeighbours(1), Majority(), examples=30)"
    shown = run("calibrate", "--design", design, "--method", "kfold,loo", "--alone", "--trials", "20").stdout
    assert "bias" in shown
    assert "power" not in shown


DESIGNS = {
    "OneRate": "OneRate(0.05, 40)",
    "TwoRates": "TwoRates(0.1, 0.1, 20, 30)",
    "PairedOutcomes": "PairedOutcomes(0.1, 0.1, 0.1, 40)",
    "ClusteredOutcomes": "ClusteredOutcomes(0.1, 0.1, 0.1, clusters=10, size=5, correlation=0.5)",
    "SeveralModels": "SeveralModels(0.2, models=3, examples=30, correlation=0.5)",
    "ScoredExamples": "ScoredExamples(40, 'skewed', clusters=10, correlation=0.2)",
    "ConfusedLabels": "ConfusedLabels(40, ((0.5, 0.1), (0.1, 0.3)), 'f1')",
    "ConfusedPairs": "ConfusedPairs(40, (((0.4, 0.1), (0, 0)), ((0.1, 0), (0.1, 0.3))), 'f1')",
    "ManyDataSets": "ManyDataSets(12, 'tied', runs=3, noise=0.5, rho=0.2)",
    "BinormalScores": "BinormalScores(20, 40, auc=0.8)",
    "Pool": "Pool(wrong=20, pool=400, examples=120)",
    "Strata": "Strata((0.02, 0.3), shares=(0.9, 0.1), examples=(100, 50))",
    "SimulatedLearners": "SimulatedLearners(error_a=(0.1, 0.2), error_b=(0.2, 0.1), shares=(0.5, 0.5), examples=60)",
    "NormalEffects": "NormalEffects('5x2')",
    "CrossedEffects": "CrossedEffects(sets=8, examples=20)",
    "CrossedErrors": "CrossedErrors(0.2, sets=3, examples=20)",
    "SeedRuns": "SeedRuns(5, 5)",
    "Twins": "Twins(NearestNeighbours, examples=30, plan='5x2')",
    "Learners": "Learners(NoisyLabels(TwoNormals(0.1), 0.1), Estimator(sklearn.dummy.DummyClassifier), Majority, 30)",
    "yang_predictors": "yang_predictors(40, '5x(0.3)')",
    "yang_logistic": "yang_logistic(40, '5x(0.25)')",
}


def test_every_design_can_be_written_on_the_command_line():
    # Real learners go by --data, and data sets that were observed by --scores.
    assert set(completing_designs(None, None, "")) - {"RealLearners", "ObservedDataSets"} == set(DESIGNS)
    assert completing_designs(None, None, "Paired") == ["PairedOutcomes"]


@pytest.mark.parametrize("text", [text for name, text in DESIGNS.items() if name != "yang_logistic"])
def test_every_design_can_be_requested(run, text):
    done = run("calibrate", "--design", text, "--trials", "2")
    assert done.exit_code == 0, done.stderr
    assert "2 simulated trials" in done.stdout


# --- Files ---


@pytest.mark.usefixtures("animals")
def test_a_file_of_two_models_is_a_table(run):
    words = ("predictions.csv", "--label", "species", "--models", "forest,stump", "--method", "mcnemar")
    target = calibrate("mcnemar", PairedTable(2, 0, 14, 8))  # both say cat of the last two, which are none
    assert expected(run, *words)["size"] == json.loads(target.to_json())["size"]


@pytest.mark.usefixtures("animals")
def test_a_file_of_one_model_is_a_count(run):
    words = ("predictions.csv", "--label", "species", "--models", "forest", "--method", "wilson")
    assert expected(run, *words) == json.loads(calibrate("wilson", ErrorCount(2, 24)).to_json())


@pytest.mark.usefixtures("animals")
def test_the_store_of_a_race_is_refused_as_a_design(refused):
    assert "the store of a race, and its true errors are unknown" in refused("calibrate", "my.race")


@pytest.mark.usefixtures("animals")
def test_a_table_of_scores_is_resampled(run, refused, tmp_path):
    lines = [f"d{index},{0.7 + 0.01 * index:.2f},{0.73 + 0.013 * (index % 4):.3f},0.7" for index in range(9)]
    (tmp_path / "scores.csv").write_text("\n".join(["dataset,nb,tree,svm", *lines]), encoding="utf-8")
    words = ("scores.csv", "--scores", "--models", "nb,tree", "--method", "sign-test", "--trials", "100")
    pilot = read_scores(tmp_path / "scores.csv", learners=["nb", "tree"])
    assert expected(run, *words) == json.loads(calibrate("sign-test", pilot, trials=100).to_json())
    assert "3 learners, 9 data sets" in run("calibrate", "scores.csv", "--scores", "--trials", "20").stdout
    assert "--rho applies to runs on data sets" in refused("calibrate", "3", "120", "--rho", "0.1")
    page = tmp_path / "page.html"
    assert run("calibrate", *words, "--html", str(page)).exit_code == 0
    assert "read_scores" in page.read_text(encoding="utf-8")


# --- Real learners ---


def test_real_learners_are_equalised_first(run):
    stump = "stump=sklearn.tree.DecisionTreeClassifier(max_depth=1)"
    learners = ("--learner", "sklearn.naive_bayes.GaussianNB", "--learner", stump)
    words = ("--data", "iris", *learners, "--examples", "50", "--plan", "5x2", "--sets", "10", "--trials", "4")
    result = expected(run, *words, "--method", "5x2cv-t", "--difference", "")
    assert result["design"]["design"] == "RealLearners"
    assert result["design"]["known"]["damaged"] == "A"
    assert result["size"]["low"] <= 0.05
    as_they_are = expected(run, *words, "--method", "5x2cv-t", "--as-they-are")
    assert as_they_are["design"]["known"] is None
    assert "size" not in as_they_are


# --- What it loads, what it keeps, what it draws ---

QUICK = """
import json, sys
from tellapart.cli import main
main(["calibrate", "--table", "10", "25", "10", "255"], standalone_mode=False)
print(json.dumps(sorted(sys.modules)))
"""


def test_a_quick_answer_loads_nothing_heavy():
    done = subprocess.run([sys.executable, "-c", QUICK], capture_output=True, text=True, check=True)  # noqa: S603
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert "tellapart.lab.calibrating" in loaded
    assert not loaded & {"matplotlib", "narwhals", "pandas", "polars", "sklearn", "scipy.stats", "scipy.optimize"}
    assert not loaded & {"tellapart.running", "tellapart.predictions", "tellapart.readers", "tellapart.report"}


def test_a_store_is_resumed_and_more_trials_added(run, tmp_path):
    store = tmp_path / "trials.jsonl"
    words = ("--design", "SimulatedLearners()", "--method", "5x2cv-t", "--store", str(store))
    first = expected(run, *words, "--trials", "10000")
    kept = store.read_text()
    assert expected(run, *words, "--trials", "10000") == first
    assert store.read_text() == kept  # nothing was simulated again
    more = expected(run, *words, "--trials", "20000")
    assert store.read_text().startswith(kept)
    assert more["trials"] == 20000
    fresh = expected(run, "--design", "SimulatedLearners()", "--method", "5x2cv-t", "--trials", "20000")
    assert more == fresh


def test_a_store_of_another_design_is_refused(run, refused, tmp_path):
    store = str(tmp_path / "trials.jsonl")
    run("calibrate", *TABLE, "--method", "mcnemar", "--trials", "100", "--store", store)
    message = refused("calibrate", *TABLE, "--method", "tango", "--trials", "100", "--store", store)
    assert "Name another file" in message


def test_the_number_of_processes_does_not_matter(run):
    words = ("--design", "SimulatedLearners()", "--method", "kfold-t", "--trials", "12000", "--difference", "0.02")
    assert expected(run, *words, "--jobs", "2") == expected(run, *words)


@pytest.mark.parametrize(("ending", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_a_plot_is_written(run, tmp_path, ending, magic):
    file = tmp_path / f"calibration.{ending}"
    done = run("calibrate", *TABLE, "--method", "mcnemar,tango", "--plot", str(file))
    assert done.exit_code == 0
    assert "mcnemar" in done.stdout
    assert file.read_bytes().startswith(magic)


# --- Bad input ---

BAD = [
    ([], "exactly one of ERRORS TRIALS, FILE, --table, --independent, --design and --data"),
    (["3"], "give two numbers, ERRORS and TRIALS"),
    (["3", "120", *TABLE], "exactly one of"),
    (["120", "3"], "`ERRORS` must be at most `TRIALS`, got 120 of 3"),
    (["--table", "1", "2", "3"], "needs 4 values"),
    (["--table", "0.1", "2", "3", "4"], "`--table` must be whole numbers of 0 or more, got 0.1"),
    (["--table", "0", "0", "0", "0"], "at least one example"),
    ([*TABLE, "--method", "nope"], "unknown method 'nope' for PairedTable"),
    ([*TABLE, "--method", "wilson"], "method 'wilson' needs ConfusionMatrix or ErrorCount, not PairedTable"),
    ([*TABLE, "--method", "mcnemar,mcnemar"], "`--method` must be different"),
    ([*TABLE, "--difference", "0.5"], "`--difference` must be between"),
    ([*TABLE, "--method", " "], "`--method` must be names between commas, got ' '"),
    ([*TABLE, "--difference", "one"], "must be numbers between commas"),
    ([*TABLE, "--difference", "1" * 400], "`--difference` must be different numbers other than 0"),
    ([*TABLE, "--difference", "1e308"], "`--difference` must be different numbers other than 0"),
    ([*TABLE, "--difference", ","], "`--difference` must be numbers between commas, got ','"),
    ([*TABLE, "--difference", "0"], "`--difference` must be different numbers other than 0"),
    ([*TABLE, "--level", "95"], "For 95% use 0.95"),
    ([*TABLE, "--alternative", "more"], "must be one of"),
    ([*TABLE, "--trials", "0"], "`--trials` must be a whole number"),
    ([*TABLE, "--trials", "1.5"], "`--trials` must be a whole number"),
    ([*TABLE, "--trials", "many"], "`--trials` must be a number, got 'many'"),
    ([*TABLE, "--jobs", "0"], "--jobs"),
    ([*TABLE, "--rng", "-1"], "--rng"),
    ([*TABLE, "--label", "species"], "`--label` must be left out with --table"),
    ([*TABLE, "--learner", "sklearn.svm.SVC"], "--learner applies to learners"),
    ([*TABLE, "--plan", "5x2"], "--plan applies to learners"),
    ([*TABLE, "--plot", "figure.gif"], "`--plot` must end in .png, .svg or .pdf"),
    ([*TABLE, "--plot", "no/such/folder/figure.png"], "`--plot` must be a file that can be written"),
    ([*TABLE, "--prior", "1,3"], "prior"),
    ([*TABLE, "--alone"], "compares two models"),
    ([*TABLE, "--nope"], "unknown option `--nope`"),
    (["nothing.csv"], "nothing.csv"),
    (["--design", "Nope(1)"], "unknown `--design` 'Nope'"),
    (["--design", "PairedOutcome(1)"], "Did you mean 'PairedOutcomes'?"),
    (["--design", "calibrate('mcnemar', 3)"], "unknown `--design` 'calibrate'"),
    (["--design", "OneRate(0.05)"], "takes error, examples, against; missing a required argument: 'examples'"),
    (["--design", "OneRate(0.05, 120, size=3)"], "got an unexpected keyword argument 'size'"),
    (["--design", "OneRate(2, 120)"], "`error` must be a rate between 0 and 1, got 2"),
    (["--design", "OneRate(0.05, 120"], "must be a name with arguments"),
    (["--design", "OneRate(0.05, 1 + 120)"], "must be a name with arguments"),
    (["--design", "OneRate(*(0.05, 120))"], "must have plain arguments, without *"),
    (["--design", "OneRate(**{})"], "must have plain arguments, without *"),
    (["--design", "__import__('os').getcwd()"], "must begin with a dotted name"),
    (["--design", "os.getcwd()"], "must be a class with the methods fit and predict"),
    (["--design", "TwoNormals(0.1)"], "must be a design of tellapart.lab"),
    (["--design", "3"], "must be a design of tellapart.lab"),
    (["--design", "(" * 300 + ")" * 300], "--design"),
    (["--data", "iris"], "--learner must be given twice"),
    (["--data", "iris", "--learner", "x", "--learner", "y"], "must begin with a dotted name"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=[" ".join(words)[:60] or "nothing" for words, _ in BAD])
def test_bad_input_is_one_line_with_a_fix(refused, words, message):
    assert message in refused("calibrate", *words)


def test_three_models_are_refused_as_a_design(refused, tmp_path):
    file = tmp_path / "three.csv"
    file.write_text("label,a,b,c\n0,0,1,0\n1,1,1,0\n")
    assert "a design needs two models, got 3: a, b and c" in refused("calibrate", str(file))


@pytest.mark.usefixtures("animals")
def test_groups_are_refused_as_a_design(refused):
    words = ("predictions.csv", "--label", "species", "--models", "forest,stump", "--group", "site")
    assert "a design needs one table" in refused("calibrate", *words)

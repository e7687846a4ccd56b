"""`tellapart plan`: the plan of Python as text, JSON and a report; pilots from files; bad input is one line."""

import json
import re

import pytest

import tellapart as ta

PAIR = ["--difference", "0.1", "--power", "0.8", "--disagreement", "0.2"]


def told(run, *words):
    """Run a command that must succeed, and return its JSON."""
    done = run("plan", *words, "--json")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout, parse_constant=pytest.fail)


def of_api(*evidence, **options):
    return json.loads(ta.plan(*evidence, **options).to_json())


def test_the_text_is_that_of_the_python_result(run):
    done = run("plan", *PAIR, "--method", "mcnemar")
    assert done.exit_code == 0
    assert done.stdout == f"{ta.plan(difference=0.1, power=0.8, disagreement=0.2, method='mcnemar')}\n"


OPTIONS = [
    (["--disagreement", "0.2", "--difference", "0.1", "--power", "0.8"], {"difference": 0.1, "power": 0.8}),
    (["--disagreement", "0.2", "--examples", "100", "--power", "0.8"], {"examples": 100, "power": 0.8}),
    (["--disagreement", "0.2", "--examples", "100", "--difference", "0.1"], {"examples": 100, "difference": 0.1}),
    (
        ["--disagreement", "0.2", "--examples", "100", "--difference=-0.1", "--alternative", "less", "--alpha", "0.01"],
        {"examples": 100, "difference": -0.1, "alternative": "less", "alpha": 0.01},
    ),
    (
        [
            "--disagreement",
            "0.2",
            "--margin",
            "0.1",
            "--difference",
            "0",
            "--power",
            "0.8",
            "--hypothesis",
            "equivalent",
        ],
        {"margin": 0.1, "difference": 0.0, "power": 0.8, "hypothesis": "equivalent"},
    ),
]


@pytest.mark.parametrize(("words", "options"), OPTIONS)
def test_options_are_passed_to_plan(run, words, options):
    assert told(run, *words, "--method", "tango") == of_api(disagreement=0.2, method="tango", **options)


OTHERS = [
    (
        ["--examples", "100", "--difference", "0.1", "--error", "0.2"],
        {"examples": 100, "difference": 0.1, "error": 0.2},
    ),
    (
        ["--examples", "60", "--error-a", "0.3", "--error-b", "0.2", "--independent", "--difference", "0.1"],
        {"examples": 60, "error_a": 0.3, "error_b": 0.2, "independent": True, "difference": 0.1},
    ),
    (
        [*PAIR, "--cluster-size", "4", "--cluster-correlation", "0.5"],
        {"difference": 0.1, "power": 0.8, "disagreement": 0.2, "cluster_size": 4, "cluster_correlation": 0.5},
    ),
    (
        [*PAIR, "--design-effect", "1.5"],
        {"difference": 0.1, "power": 0.8, "disagreement": 0.2, "design_effect": 1.5},
    ),
    (["--width", "0.2", "--error", "0.05:0.2"], {"width": 0.2, "error": (0.05, 0.2)}),
    (["--plan", "10x10", "--sd", "0.03", "--power", "0.8"], {"plan": "10x10", "sd": 0.03, "power": 0.8}),
    (["--training-sets", "9", "--sd", "0.03", "--power", "0.8"], {"training_sets": 9, "sd": 0.03, "power": 0.8}),
    (
        ["--over", "data-sets", "--sd", "0.03", "--power", "0.8", "--difference", "0.02"],
        {"over": "data sets", "sd": 0.03, "power": 0.8, "difference": 0.02},
    ),
    (["--wins", "0.7", "--data-sets", "30"], {"wins": 0.7, "data_sets": 30}),
    (
        ["--against", "0.05", "--error", "0.02", "--alternative", "less"],
        {"against": 0.05, "error": 0.02, "alternative": "less"},
    ),
    (
        ["--width", "0.1", "--side", "upper", "--assurance", "0.9", "--error", "0.1"],
        {"width": 0.1, "side": "upper", "assurance": 0.9, "error": 0.1},
    ),
    (["--width", "0.2", "--method", "beta", "--prior", "1,1"], {"width": 0.2, "method": "beta", "prior": (1, 1)}),
    (
        ["--sd", "0.3", "--sd-a", "0.1", "--sd-b", "0.2", "--epochs", "4,2", "--examples", "500", "--power", "0.8"],
        {"sd": 0.3, "sd_a": 0.1, "sd_b": 0.2, "epochs": (4, 2), "examples": 500, "power": 0.8},
    ),
]


@pytest.mark.parametrize(("words", "options"), OTHERS)
def test_other_options_are_passed_to_plan(run, words, options):
    assert told(run, *words) == of_api(**options)


# --- Pilots ---------------------------------------------------------------------------------------


def test_a_pilot_of_counts(run):
    here = told(run, "--table", "10", "12", "8", "170", "--examples", "300", "--power", "0.8")
    assert here == of_api(ta.PairedTable(10, 12, 8, 170), examples=300, power=0.8)


def test_a_pilot_of_predictions(run, animals):  # noqa: ARG001  # it is the folder
    asked = ["--examples", "50", "--power", "0.8"]
    table = ta.read_predictions("predictions.csv", label="species", models=["forest", "stump"]).paired_table()
    expected = of_api(table, examples=50, power=0.8)
    assert told(run, "predictions.csv", "--label", "species", "--models", "forest,stump", *asked) == expected
    joined = told(run, "new.csv", "old.csv", "--label", "species", "--id", "row", *asked)
    assert joined["difference"] == expected["difference"]


def test_a_pilot_of_a_race(run, animals):  # noqa: ARG001  # it is the folder
    here = told(run, "my.race", "--learner", "nb", "--learner", "nn", "--power", "0.8")
    assert here == of_api(ta.read_race("my.race").resamples("nb", "nn"), power=0.8)
    assert here["unit"] == "replicates"


# --- Pages ----------------------------------------------------------------------------------------


def test_a_report_has_the_python_code_of_the_plan(run, animals):
    words = ["predictions.csv", "--label", "species", "--models", "forest,stump", "--examples", "50", "--power", "0.8"]
    done = run("plan", *words, "--html", "plan.html")
    assert done.exit_code == 0
    assert done.stderr == "report: plan.html\n"
    text = (animals / "plan.html").read_text(encoding="utf-8")
    assert "tellapart plan predictions.csv" in text
    for part in (
        "predictions = ta.read_predictions(",
        "print(ta.plan(predictions.paired_table(), examples=50, power=0.8))",
    ):
        assert re.search(re.escape(part), text)


# --- Bad input ------------------------------------------------------------------------------------

REFUSED = [
    ([], "the discordant rate is required"),
    (["--difference", "0.1", "--power", "0.8"], "the discordant rate is required"),
    (
        ["--difference", "0.3", "--power", "0.8", "--disagreement", "0.2"],
        "`--difference` must be at most the discordant rate (0.2), got 0.3. For 1 pp use 0.01.",
    ),
    (
        ["--sd", "0.1", "--plan", "10x10", *PAIR[:4]],
        "`--plan` must leave the number of replicates open if power and difference are set, got '10x10'",
    ),
    (["--ratio", "2", *PAIR], "`--ratio` is for two test sets"),
    (["--difference", "0.1", "--power", "1.5", "--disagreement", "0.2"], "power"),
    (["--difference", "x", "--power", "0.8"], "--difference"),
    (["--width", "0.1", "--error", "0.1:0.2:0.3"], "`--error` must be a rate or a range, got '0.1:0.2:0.3'"),
    (["--width", "0.1", "--error", "high"], "`--error` must be a rate or a range, got 'high'"),
    (["--sd", "0.1", "--epochs", "many"], "`--epochs` must be a number of epochs, got 'many'"),
    (["--sd", "0.1", "--epochs", "1,2,3"], "`--epochs` must be a number of epochs, got '1,2,3'"),
    (["--plan", "nonsense", "--sd", "0.1", "--power", "0.8"], "unknown `--plan` 'nonsense'"),
    (["--over", "moons"], "--over"),
    (["nothing.csv", *PAIR], "nothing.csv"),
    (["--table", "1", "2", "3", "4", "nothing.csv", *PAIR], "not both"),
    (["--learner", "nb", *PAIR], "`--learner` needs a race store or a table of scores (--scores)"),
    (["--label", "species", *PAIR], "`--label` must be left out with a plan without a file, which are counts."),
    (["--powr", "0.8"], "--powr"),
    (
        [*PAIR, "--design-effect", "1e308"],
        "`--design-effect` must be a number from 0.001 to 1,000,000,000, got 1e+308.",
    ),
    (
        [*PAIR, "--power", "0.9999999999999999"],
        "`--power` must be at most 1 - 1e-12, got 0.9999999999999999. For 80% use 0.8.",
    ),
    (["--sd", "1e308", "--sd-a", "0", "--sd-b", "0", "--epochs", "4", "--difference", "0.1"], "from 1e-50 to 1e50"),
    (
        ["--plan", "10x10", "--sd", "5e-324"],
        "`--sd` must be a standard deviation from 1e-50 to 1e50, got 5e-324. For 3 pp use 0.03.",
    ),
    (
        ["--sd", "0.4", "--difference", "1e308"],
        "`--difference` must have a size from 1e-50 to 1e50, or be 0, got 1e+308.",
    ),
    (
        ["--disagreement", "0.2", "--difference", "0.1", "--examples", "1" * 400],
        "`--examples` must be a whole number from 1 to 1,000,000,000, got",
    ),
    ([*PAIR, "--html", "plan.pdf"], "--html"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_bad_input_is_one_line(refused, words, message):
    assert message in refused("plan", *words)


def test_unsuitable_pilots_are_refused(refused, animals):  # noqa: ARG001  # it is the folder
    assert "`--group` must be left out: a plan is for all examples" in refused(
        "plan", "predictions.csv", "--label", "species", "--group", "site", *PAIR
    )
    assert "two models" in refused("plan", "predictions.csv", "--label", "species", "--models", "forest", *PAIR)
    assert "two learners" in refused("plan", "my.race", "--learner", "nb", "--power", "0.8")


# --- Scores over many data sets ---

SCORES = "dataset,nb,tree,svm\n" + "".join(
    f"d{place},{0.7 + 0.02 * place:.2f},{0.72 + 0.02 * place + 0.01 * (place % 3):.2f},0.8\n" for place in range(8)
)


@pytest.mark.usefixtures("animals")
def test_a_table_of_scores_is_a_pilot(run, refused, tmp_path):
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    words = ("scores.csv", "--scores", "--learner", "nb", "--learner", "tree")
    pilot = ta.read_scores(tmp_path / "scores.csv", learners=["nb", "tree"])
    assert told(run, *words, "--difference", "0.01") == of_api(pilot, difference=0.01)
    assert told(run, "scores.csv", "--scores", "--models", "nb,tree") == of_api(pilot)
    assert "a plan compares two learners, got 3. Select two, such as --learner nb --learner tree." in refused(
        "plan", "scores.csv", "--scores"
    )
    assert "`--label` must be left out with scores of data sets." in refused("plan", *words, "--label", "d")
    assert "`--scores` needs one FILE, got 0: a table of scores, or a folder of races." in refused("plan", "--scores")

"""`tellapart compare` from files: every format and layout, groups, several models; a bad file is one line."""

import gzip
import json
import math
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart import ErrorPatterns, PairedTable, adjust, compare
from tellapart.cli.compare import ADJUSTMENTS

# What label and predictions of two models are where both are wrong, only A, only B, neither.
OUTCOMES = (("x", "y", "y"), ("x", "y", "x"), ("x", "x", "y"), ("x", "x", "x"))
SEEN = (2, 12, 3, 33)  # in the files below
HERE = PairedTable(*SEEN, models=("old", "new"))
KEYS = {"method", "difference", "interval", "statistic", "pvalue", "better", "words", "checks", "evidence"}


def examples(*four):
    """Return label, prediction of A and of B for every example of a table."""
    return [row for row, count in zip(OUTCOMES, four, strict=True) for _ in range(count)]


def as_text(header, rows, separator=","):
    return "\n".join(separator.join(map(str, row)) for row in (header, *rows)) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a folder to work in, with files of predictions."""
    monkeypatch.chdir(tmp_path)
    rows = examples(*SEEN)
    (tmp_path / "pair.csv").write_text(as_text(("label", "old", "new"), rows))
    numbered = [(number, *row) for number, row in enumerate(rows)]
    (tmp_path / "old.csv").write_text(as_text(("row", "label", "prediction"), [(i, y, a) for i, y, a, _ in numbered]))
    backwards = [(i, y, b) for i, y, _, b in reversed(numbered)]
    (tmp_path / "new.csv").write_text(as_text(("row", "label", "prediction"), backwards))
    return tmp_path


def document(run, *words):
    """Run a command that must succeed, and return its JSON."""
    done = run("compare", *words, "--json")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout, parse_constant=pytest.fail)


def as_accuracy(evidence):
    """Return evidence that is reported as accuracy, like that of files."""
    return replace(evidence, as_accuracy=True)


def of_api(evidence, **options):
    """Return the answer of Python, reported as accuracy."""
    return json.loads(compare(as_accuracy(evidence), **options).to_json())


# --- Files ---


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "jsonl", "arrow", "long.csv", "gz"])
def test_every_format_and_layout_gives_the_same_answer(run, folder, kind):
    polars = pytest.importorskip("polars")
    rows = examples(*SEEN)
    frame = polars.DataFrame(rows, schema=["label", "old", "new"], orient="row")
    file = folder / f"predictions.{kind}"
    if kind == "csv":
        frame.write_csv(file)
    elif kind == "tsv":
        frame.write_csv(file, separator="\t")
    elif kind == "parquet":
        frame.write_parquet(file)
    elif kind == "jsonl":
        frame.write_ndjson(file)
    elif kind == "arrow":
        frame.write_ipc(file)
    elif kind == "gz":
        file = folder / "predictions.csv.gz"
        file.write_bytes(gzip.compress(frame.write_csv().encode()))
    else:
        numbered = frame.with_row_index("id")
        long = numbered.unpivot(
            index=["id", "label"], on=["new", "old"], variable_name="model", value_name="prediction"
        )
        long.write_csv(file)
    swapped = HERE if kind != "long.csv" else HERE.swapped()  # models of the long layout come by name
    assert document(run, str(file)) == of_api(swapped)


def test_a_folder_and_a_pattern_are_one_table(run, folder):
    parts = folder / "parts"
    parts.mkdir()
    rows = examples(*SEEN)
    for day in range(3):
        (parts / f"day{day}.csv").write_text(as_text(("label", "old", "new"), rows[day::3]))
    assert document(run, "parts") == of_api(HERE)
    assert document(run, "parts/day*.csv") == of_api(HERE)


@pytest.mark.usefixtures("folder")
def test_two_files_are_joined_by_id_in_any_order(run):
    assert document(run, "old.csv", "new.csv", "--id", "row") == of_api(HERE)
    assert document(run, "new.csv", "old.csv", "--id", "row") == of_api(HERE.swapped())


def test_a_label_column_may_have_any_name(run, folder):
    (folder / "pair.csv").write_text(as_text(("species", "old", "new"), examples(*SEEN)))
    assert document(run, "pair.csv", "--label", "species") == of_api(HERE)


def test_the_first_named_model_is_a(run, folder):
    (folder / "more.csv").write_text(as_text(("label", "old", "new", "note"), [(*row, "?") for row in examples(*SEEN)]))
    assert document(run, "more.csv", "--models", "old,new") == of_api(HERE)
    assert document(run, "more.csv", "--models", "new, old") == of_api(HERE.swapped())


@pytest.mark.parametrize(("right", "wrong"), [(1, 0), ("true", "false"), ("True", "False"), ("1.0", "0.0")])
def test_columns_may_hold_right_and_wrong(run, folder, right, wrong):
    rows = [tuple(right if guess == label else wrong for guess in guesses) for label, *guesses in examples(*SEEN)]
    (folder / "correct.csv").write_text(as_text(("old", "new"), rows))
    assert document(run, "correct.csv", "--correct") == of_api(HERE)


def test_whole_weights_multiply_counts(run, folder):
    rows = [(*row, count) for row, count in zip(OUTCOMES, SEEN, strict=True)]
    (folder / "weighted.csv").write_text(as_text(("label", "old", "new", "times"), rows))
    assert document(run, "weighted.csv", "--weight", "times") == of_api(HERE)


GAPS = as_text(("label", "old", "new"), [*examples(*SEEN), ("x", "", "x"), ("x", "x", ""), ("x", "y", "")])


def test_missing_predictions_fail_without_a_policy(refused, folder):
    (folder / "gaps.csv").write_text(GAPS)
    line = refused("compare", "gaps.csv")
    assert "old has no prediction for 1 of 53 examples" in line
    assert "new has no prediction for 2 of 53 examples" in line
    assert "--missing" in line
    assert line == refused("compare", "gaps.csv", "--missing", "fail")


def test_missing_predictions_may_count_as_errors(run, folder):
    """Adds an example with only old wrong, one with only new wrong, and one with both wrong."""
    (folder / "gaps.csv").write_text(GAPS)
    answer = document(run, "gaps.csv", "--missing", "wrong")
    assert [answer["evidence"][cell] for cell in ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right")] == [
        *(3, 13, 4, 33)
    ]
    assert answer["excluded"] == {
        "missing prediction of old (counted as wrong)": 1,
        "missing prediction of new (counted as wrong)": 2,
    }


def test_dropped_predictions_are_counted_in_the_answer(run, folder):
    (folder / "gaps.csv").write_text(GAPS)
    answer = document(run, "gaps.csv", "--missing", "drop")
    assert answer["evidence"] == HERE.as_dict()
    assert answer["excluded"] == {"missing prediction of old": 1, "missing prediction of new": 2}
    text = " ".join(run("compare", "gaps.csv", "--missing", "drop").stdout.split())
    assert "1 left out (missing prediction of old); 2 left out (missing prediction of new)" in text


def test_predictions_counted_as_wrong_are_not_reported_as_dropped(run, folder):
    (folder / "gaps.csv").write_text(GAPS)
    text = " ".join(run("compare", "gaps.csv", "--missing", "wrong").stdout.split())
    assert "missing prediction of old" in text
    assert "left out" not in text


def test_an_id_in_one_file_only_is_a_missing_prediction(run, refused, folder):
    more = (folder / "new.csv").read_text() + "1000,x,x\n"
    (folder / "new.csv").write_text(more)
    words = ("old.csv", "new.csv", "--id", "row")
    assert "old.csv lacks 1 of 51 examples (first: id 1000)." in refused("compare", *words)
    assert document(run, *words, "--missing", "drop")["evidence"] == HERE.as_dict()
    assert document(run, *words, "--missing", "wrong")["evidence"]["only_a_wrong"] == SEEN[1] + 1


def test_empty_labels_are_missing(run, refused, folder):
    (folder / "odd.csv").write_text(as_text(("label", "old", "new"), [*examples(*SEEN), ("x", "z", "x")]))
    assert "old must be one of 'x', 'y', got 'z' in 1 of 51 examples." in refused(
        "compare", "odd.csv", "--labels", "x,y"
    )
    assert document(run, "odd.csv", "--labels", "x,y", "--missing", "drop")["evidence"] == HERE.as_dict()


# --- Groups ---

GROUPS = {"north": (2, 12, 3, 33), "south": (1, 9, 0, 40), "west": (0, 4, 4, 12)}


@pytest.fixture
def grouped(folder):
    rows = [(*row, group) for group, four in GROUPS.items() for row in examples(*four)]
    (folder / "sites.csv").write_text(as_text(("label", "old", "new", "site"), rows))
    return ("sites.csv", "--group", "site")


def mid_p(b, c):
    """Twice P(X < min) plus P(X = min), X binomial(b + c, ½); 1 at a draw."""
    n, least = b + c, min(b, c)
    return min(1, (2 * sum(math.comb(n, k) for k in range(least)) + math.comb(n, least)) / 2**n)


def test_groups_are_a_list_with_p_values_adjusted_by_holm(run, grouped):
    answer = document(run, *grouped)
    assert answer["adjustment"] == "holm"
    assert [entry["group"] for entry in answer["groups"]] == ["north", "south", "west"]
    assert all(set(entry) >= KEYS | {"adjusted", "a", "b"} for entry in answer["groups"])
    pvalues = {group: mid_p(four[1], four[2]) for group, four in GROUPS.items()}
    first, second, third = sorted(pvalues, key=pvalues.get)  # Holm by hand: the smallest times 3, then times 2
    holm = {first: 3 * pvalues[first], second: max(3 * pvalues[first], 2 * pvalues[second])}
    holm[third] = max(*holm.values(), pvalues[third])
    for entry in answer["groups"]:
        assert_allclose(entry["pvalue"], pvalues[entry["group"]], rtol=1e-12)
        assert_allclose(entry["adjusted"], holm[entry["group"]], rtol=1e-12)
        assert entry["better"] == ("B" if holm[entry["group"]] < 0.05 else None)
        assert entry["evidence"] | {"models": 0} == PairedTable(*GROUPS[entry["group"]]).as_dict() | {"models": 0}
        assert entry["evidence"]["models"] == ["old", "new"]


@pytest.fixture
def twelve(folder):
    """Twelve groups with 8 discordant errors against 1: each is significant unadjusted, none by Holm."""
    rows = [(*row, group) for group in range(12) for row in examples(0, 8, 1, 5)]
    (folder / "twelve.csv").write_text(as_text(("label", "old", "new", "day"), rows))
    assert mid_p(8, 1) < 0.05 < 12 * mid_p(8, 1)
    return ("twelve.csv", "--group", "day")


def test_the_adjusted_p_value_determines_the_better_model(run, twelve):
    assert [entry["better"] for entry in document(run, *twelve)["groups"]] == [None] * 12
    alone = document(run, *twelve, "--adjust", "none")
    assert [entry["better"] for entry in alone["groups"]] == ["B"] * 12
    assert [entry["group"] for entry in alone["groups"]] == list(range(12))


def test_a_group_is_not_significant_unless_its_adjusted_p_value_is(run, twelve):
    assert not [
        entry["words"] for entry in document(run, *twelve)["groups"] if "is more accurate than" in entry["words"]
    ]


def test_the_summary_of_a_group_names_the_models(run, grouped):
    for entry in document(run, *grouped)["groups"]:
        assert "old" in entry["words"]
        assert "new" in entry["words"]


@pytest.mark.parametrize("rule", [rule for rule in ADJUSTMENTS if rule not in {"max-t", "shaffer", "bergmann-hommel"}])
def test_groups_accept_another_adjustment(run, grouped, rule):
    answer = document(run, *grouped, "--adjust", rule)
    assert answer["adjustment"] == rule
    assert_allclose(
        [entry["adjusted"] for entry in answer["groups"]], adjust([entry["pvalue"] for entry in answer["groups"]], rule)
    )


def test_groups_are_printed_one_line_each(run, grouped):
    done = run("compare", *grouped)
    assert done.exit_code == 0
    assert done.stdout.startswith("new is more accurate than old in 2 of 3 groups")
    assert "Holm-adjusted (1979)" in done.stdout
    lines = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.split()}
    for group, (both, b, c, neither) in GROUPS.items():
        size = both + b + c + neither
        rates = [f"{100 * (size - errors) / size:.1f}%" for errors in (both + b, both + c)]
        assert lines[group][1:4] == [str(size), *rates]
    assert lines["south"][-1] == "new"
    assert lines["west"][-1] not in {"old", "new"}
    assert "caution   TA104" in done.stdout  # nine and eight discordant pairs


@pytest.mark.usefixtures("folder")
def test_a_group_may_be_a_day(run):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(examples(*SEEN), schema=["label", "old", "new"], orient="row")
    frame.with_columns(day=polars.lit(date(2024, 5, 1))).write_parquet("days.parquet")
    assert "2024-05-01" in run("compare", "days.parquet", "--group", "day").stdout
    assert document(run, "days.parquet", "--group", "day")["groups"][0]["group"] == "2024-05-01"


def test_the_adjusted_p_value_decides_on_the_margin_of_a_group(run, grouped):
    """In the south p = 0.00025 is below alpha, and three times p is not."""
    words = (*grouped, "--margin", "0.05", "--alpha", "0.0003")
    answer = document(run, *words)
    assert all(entry["better"] is None and entry["hypothesis"] == "non-inferior" for entry in answer["groups"])
    for entry in answer["groups"]:
        assert entry["shown"] == (entry["adjusted"] < 0.0003)
    lines = {line.split()[0]: line for line in run("compare", *words).stdout.splitlines() if line.split()}
    for entry in answer["groups"]:
        assert lines[entry["group"]].rstrip().endswith("demonstrated" if entry["shown"] else "inconclusive")


def test_interim_analyses_are_reported_with_groups(run, grouped):
    assert "alpha/3" in run("compare", *grouped, "--looks", "2").stdout
    assert {entry["looks"] for entry in document(run, *grouped, "--looks", "2")["groups"]} == {2}


def test_groups_take_any_test_and_interval(run, grouped):
    rule = document(run, *grouped, "--method", "mcnemar-exact", "--interval", "odds-exact")
    assert {entry["interval"]["parameter"] for entry in rule["groups"]} == {"odds"}
    assert run("compare", *grouped, "--interval", "odds-exact").exit_code == 0


def test_groups_of_several_models_have_every_pair(run, folder):
    rows = [(*row, row[1], site) for site in "ns" for row in examples(*SEEN)]
    (folder / "three.csv").write_text(as_text(("label", "a", "b", "c", "site"), rows))
    answer = document(run, "three.csv", "--group", "site")
    assert [(entry["group"], entry["a"], entry["b"]) for entry in answer["groups"]] == [
        (site, *pair) for site in "ns" for pair in (("a", "b"), ("a", "c"), ("b", "c"))
    ]
    assert [entry["difference"] for entry in answer["groups"]][1] == 0  # c repeats a


# --- Several models ---


@pytest.fixture
def three(folder):
    right = np.random.default_rng(3).random((3, 200)) < np.array([[0.95], [0.9], [0.6]])
    (folder / "three.csv").write_text(as_text(("forest", "logit", "stump"), right.T.astype(int)))
    return ErrorPatterns.from_correct(dict(zip(("forest", "logit", "stump"), right, strict=True)))


@pytest.mark.parametrize("rule", [None, *ADJUSTMENTS])
def test_several_models_are_ranked_as_in_python(run, three, rule):
    flags = [] if rule is None else ["--adjust", rule]
    answer = document(run, "three.csv", "--correct", *flags)
    assert answer == json.loads(compare(three, adjust=rule).to_json())
    assert {"pairs", "groups", "method", "checks", "evidence", "words", "best"} <= set(answer)
    assert answer["adjustment"] == (rule or "max-t")


def test_the_text_of_several_models_is_that_of_the_ranking(run, three):
    assert run("compare", "three.csv", "--correct").stdout == f"{compare(three)}\n"
    picked = run("compare", "three.csv", "--correct", "--models", "stump,forest").stdout
    assert picked.startswith("forest is more accurate than stump\n")


def test_dropped_examples_of_several_models_are_reported(run, folder):
    rows = [(*row, "x") for row in examples(*SEEN)] + [("x", "", "x", "x")]
    (folder / "gaps.csv").write_text(as_text(("label", "a", "b", "c"), rows))
    words = ("gaps.csv", "--missing", "drop")
    assert document(run, *words)["excluded"] == {"missing prediction of a": 1}
    assert "left out (missing prediction of a)" in run("compare", *words).stdout


# --- Bad input ---


@pytest.fixture
def bad(folder):
    """Files that cannot be used."""
    files = {
        "empty.csv": "",
        "header.csv": "label,a,b\n",
        "nolabel.csv": "truth,a,b\nx,x,y\n",
        "one.csv": "label,a\nx,x\n",
        "words.csv": "a,b\n1,0\n0,maybe\n",
        "numbers.csv": "a,b\n1,0\n0,2\n",
        "twice.csv": "id,label,a,b\n1,x,x,x\n1,y,x,y\n2,x,x,x\n",
        "left.csv": "id,label,prediction\n1,x,x\n2,y,x\n",
        "right.csv": "id,label,prediction\n1,y,x\n2,y,y\n",
        "texts.csv": "id,label,prediction\none,y,x\ntwo,y,y\n",
        "again.csv": "id,label,prediction\n1,x,x\n1,x,x\n",
        "halves.csv": "label,a,b,w\nx,x,y,0.5\n",
        "minus.csv": "label,a,b,w\nx,x,y,-1\n",
        "list.json": "[1, 2]",
        "ragged.csv": "label,a,b\nx,x,x\nx,x,x,x,x\n",
        "long.csv": "id,model,prediction,label\n1,a,x,x\n1,a,y,x\n1,b,x,x\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "bytes.bin").write_bytes(b"\x00\x01\x02,\xff\n")
    (folder / "broken.parquet").write_bytes(b"PAR1 no more")
    (folder / "nothing").mkdir()
    return folder


BAD_FILES = [  # words, what the one line says
    (["nope.csv"], "file not found: nope.csv"),
    (["day-*.csv"], "no file matches day-*.csv"),
    (["nothing"], "the folder nothing must hold a file of CSV, TSV, Parquet, JSON lines or Arrow, got none."),
    (["empty.csv"], "file is empty: empty.csv"),
    (["header.csv"], "header.csv must have rows below its header, got none."),
    (["bytes.bin"], "bytes.bin"),
    (["broken.parquet"], "broken.parquet"),
    (["list.json"], "JSON lines"),
    (["ragged.csv"], "more fields"),
    (["nolabel.csv"], "`--label` must name the column of true labels."),
    (["nolabel.csv", "--label", "trut"], "`--label` must be a column of the table, got 'trut'."),
    (["pair.csv", "--models", "old,nwe"], "`--models` must be columns of the table, got 'nwe'."),
    (["pair.csv", "--models", "old"], "two models are required for a comparison, got old."),
    (["pair.csv", "--models", "old,old"], "`--models` must be different names, got ('old', 'old')."),
    (["pair.csv", "--models", "label,old"], "label"),
    (["pair.csv", "--group", "site"], "'site'"),
    (["pair.csv", "--id", "row"], "'row'"),
    (["pair.csv", "--weight", "w"], "'w'"),
    (["pair.csv", "--missing", "ignore"], "`--missing` must be one of fail, wrong, drop, got 'ignore'."),
    (["pair.csv", "--method", "nope"], "Choose one of"),
    (["pair.csv", "--method", "fisher"], "Choose one of"),
    (["pair.csv", "--interval", "nope"], "Choose one of"),
    (["pair.csv", "--adjust", "holm"], "`--adjust` needs several models or groups."),
    (["pair.csv", "--level", "95"], "use 0.95"),
    (
        ["pair.csv", "--table", "1", "2", "3", "4"],
        "give exactly one of FILE, --table, --independent and --paired-confusion.",
    ),
    (
        ["pair.csv", "--independent", "1", "2", "3", "4"],
        "give exactly one of FILE, --table, --independent and --paired-confusion.",
    ),
    (["one.csv"], "two models are required for a comparison, got a."),
    (["words.csv", "--correct"], "`b` must hold 1 (right) or 0 (wrong), got 'maybe' in 1 of 2 examples."),
    (["numbers.csv", "--correct"], "got 2 in 1 of 2 examples"),
    (["words.csv"], "`--label` must name the column of true labels."),
    (
        ["twice.csv", "--id", "id"],
        "the id must be different in every row, but 1 id occurs more than once (first: 1, 2 times).",
    ),
    (["old.csv", "new.csv"], "`--id` is required to join 2 files."),
    (
        ["left.csv", "right.csv", "--id", "id"],
        "the label must be the same in all rows of an id, but differs for 1 of 2 examples (first: id 1).",
    ),
    (["left.csv", "texts.csv", "--id", "id"], "the id must be of one kind"),
    (["left.csv", "again.csv", "--id", "id"], "more than once"),
    (["left.csv", "nope.csv", "--id", "id"], "file not found: nope.csv"),
    (["halves.csv", "--weight", "w"], "whole numbers"),
    (["minus.csv", "--weight", "w"], "whole numbers"),
    (["long.csv"], "a must have one prediction for each example, got several for 1 of 1 example (first: id 1)."),
    (["pair.csv", "--colour"], "unknown option `--colour`."),
    (["pair.csv", "--labels", "x"], "`--labels` must be two or more different values, got ('x',)."),
]


@pytest.mark.parametrize(("words", "message"), BAD_FILES, ids=[" ".join(words) for words, _ in BAD_FILES])
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.usefixtures("bad")
def test_a_bad_file_is_one_line_with_a_fix(refused, words, message, form):
    assert message in refused("compare", *words, *form)


BAD_SEVERAL = [
    (["--method", "all"], "`--method` all needs two models, got 3."),
    (["--margin", "0.1"], "`--margin` needs two models, got 3."),
    (["--hypothesis", "superior"], "`--margin` needs two models, got 3."),
    (["--method", "cochran-q"], "`--method` must compare pairs, got 'cochran-q'"),
    (["--method", "fisher"], "Choose one of"),
    (["--adjust", "nope"], "unknown `--adjust` 'nope'."),
]


@pytest.mark.parametrize(("words", "message"), BAD_SEVERAL, ids=[" ".join(words) for words, _ in BAD_SEVERAL])
@pytest.mark.usefixtures("three")
def test_options_for_two_models_are_refused_for_several(refused, words, message):
    assert message in refused("compare", "three.csv", "--correct", *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "all"], "`--method` must be one method with --group, got all."),
        (["--adjust", "max-t"], "such as holm"),
    ],
)
def test_options_that_do_not_apply_to_groups_are_refused(refused, grouped, words, message):
    assert message in refused("compare", *grouped, *words)


# --- Columns that are no models ---


def test_scores_compared_as_labels_give_a_note(run, folder):
    """Probabilities never equal the labels 0 and 1; a column named as a model is counted, with a note."""
    (folder / "scores.csv").write_text("label,a,b\n0,0.1,0\n1,0.7,1\n1,0.9,0\n")
    done = run("compare", "scores.csv", "--models", "a,b")
    assert done.exit_code == 0
    assert done.stderr == "note: a never agrees with the labels. Are these scores, or labels of another kind?\n"


def test_a_column_that_never_agrees_with_the_labels_is_refused(refused, folder):
    rows = "cat,cat,dog,north\ndog,dog,dog,south\n" * 5
    (folder / "stray.csv").write_text(f"label,a,b,site\n{rows}")
    assert "model 'site' never agrees with the labels." in refused("compare", "stray.csv")


def test_one_row_is_accepted(run, folder):
    (folder / "one_row.csv").write_text("label,a,b\nx,x,y\n")
    done = run("compare", "one_row.csv")
    assert done.exit_code == 0
    assert "1 example, 1 discordant: 1 only a right, 0 only b right" in " ".join(done.stdout.split())


def test_a_name_with_a_comma_is_quoted(run, folder):
    (folder / "names.csv").write_text('label,"a, the first",b\nx,x,y\ny,y,y\n')
    assert "a, the first" in run("compare", "names.csv", "--models", '"a, the first",b').stdout


def test_labels_can_be_compared_as_text(run, folder):
    (folder / "ones.csv").write_text("label,a,b\n1,1.0,1\n2,2,2\n")
    assert document(run, "ones.csv")["evidence"]["only_a_wrong"] == 0
    assert document(run, "ones.csv", "--text")["evidence"]["only_a_wrong"] == 1

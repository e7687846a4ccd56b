"""`--html` and `--examples`: a report with the answer of the terminal, and the examples behind it."""

import contextlib
import csv
import hashlib
import io
import json
import random
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tellapart as ta
from tellapart.results import Comparison, Estimate, Ranking

NASTY = "<script>alert(1)</script>"
LABELS = ["x", "y, too", 'z "z"', "grün", "<b>&amp;"]


class Read(HTMLParser):
    """The text of a page, its tables by caption, its code, and all tags."""

    def __init__(self, file):
        super().__init__()
        self.words, self.tables, self.codes, self.tags = [], {}, [], []
        self._cells, self._caption, self._inside = [], None, []
        self.feed(Path(file).read_text(encoding="utf-8"))
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "link", "br", "hr", "img", "input", "wbr", "use", "path"}:
            self._inside.append(tag)
        if tag == "table":
            self._rows = []
        elif tag == "tr" and "svg" not in self._inside:
            self._rows.append([])
        elif tag in {"td", "th"}:
            self._rows[-1].append("")
        elif tag == "caption":
            self._caption = ""
        elif tag == "code":
            self.codes.append("")

    def handle_endtag(self, tag):
        if tag in self._inside:
            while self._inside.pop() != tag:
                pass
        if tag == "table":
            self.tables.setdefault(self._caption, self._rows)

    def handle_data(self, data):
        if {"script", "style", "svg"} & set(self._inside):
            return
        self.words.append(data)
        if "code" in self._inside:
            self.codes[-1] += data
        elif "caption" in self._inside:
            self._caption += data
        elif {"td", "th"} & set(self._inside):
            self._rows[-1][-1] += data


def fingerprints(page):
    """Return the rows of the table of fingerprints."""
    (rows,) = [rows for caption, rows in page.tables.items() if "ingerprint" in caption or "SHA-256" in caption]
    return rows


def looped(columns, *, missing="fail", identity=None):
    """Return the discordant examples, found by a loop: id or row, label, a, b, and the model that is right."""
    a, b = [name for name in columns if name not in {"key", "label", "site", "times"}]
    result = []
    for row, true in enumerate(columns["label"]):
        one, two = columns[a][row] or None, columns[b][row] or None
        if missing == "drop" and None in (one, two):
            continue
        if (one == true) != (two == true):
            name = columns[identity][row] if identity else row + 1
            result.append([name, true, one, two, a if one == true else b])
    return sorted(result)


def written(file, columns):
    with Path(file).open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values(), strict=True))


def made(seed, gone=0.0, names=("old", NASTY), rows=160):
    draw = random.Random(seed)  # noqa: S311  # a test's draws
    label = [draw.choice(LABELS) for _ in range(rows)]
    columns = {"key": [f"k{number:03}" for number in range(rows)], "site": [draw.choice("ns") for _ in label]}
    columns |= {"label": label}
    for name, wrong in zip(names, (0.35, 0.15, 0.2), strict=False):
        pick = [None if draw.random() < gone else draw.choice(LABELS) for _ in label]
        columns[name] = [entry if draw.random() < wrong else true for true, entry in zip(label, pick, strict=True)]
    draw.shuffle(columns["key"])
    return columns


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in a folder with a file of predictions."""
    monkeypatch.chdir(tmp_path)
    written("p.csv", {name: cells for name, cells in made(1).items() if name != "site"})
    return tmp_path


@pytest.fixture
def handed(monkeypatch):
    """Record the arguments of a report without drawing it, which is slow."""
    calls = []

    def write_report(file, answer, **shown):
        calls.append((answer, shown))
        return Path(file)

    monkeypatch.setattr("tellapart.report.writing.write_report", write_report)
    return calls


ALL = "p.csv", "--id", "key"


# --- Pages ----------------------------------------------------------------------------------------


def test_compare_writes_a_report(run, here):
    done = run("compare", *ALL, "--examples", "12", "--html", "out.html")
    assert (done.exit_code, done.stderr) == (0, "report: out.html\n")
    assert done.stdout == run("compare", *ALL).stdout  # the rows are on the page
    page = Read("out.html")
    answer = ta.compare(ta.read_predictions("p.csv", id="key"))
    assert answer.display().verdict in page.text
    assert answer.evidence.scope(answer.method).row in page.text
    assert not [attrs for tag, attrs in page.tags if "onerror" in attrs or attrs.get("src")]
    assert sum(tag == "script" for tag, _ in page.tags) <= 2  # our own; none of a name
    (rows,) = [table for caption, table in page.tables.items() if "discordant examples of" in caption]
    assert rows[0] == ["key", "label", "old", NASTY, "right"]
    assert rows[1:] == looped({n: c for n, c in made(1).items() if n != "site"}, identity="key")[:12]
    digest = hashlib.sha256(Path("p.csv").read_bytes()).hexdigest()[:16]
    assert any(row[0] == "p.csv" and digest in row[1] for row in fingerprints(page))
    assert "tellapart compare p.csv --id key --examples 12 --html out.html" in page.codes
    assert str(here) not in Path("out.html").read_text(encoding="utf-8")  # nothing that was not typed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("estimate 3 120", ["jeffreys", "2.5%"]),
        ("compare --table 20 25 10 45", ["mcnemar-mid-p", "p = 0.0113"]),
        ("compare my.race", ["nb", "nn", "5x2"]),
        ("calibrate --table 10 25 10 255 --method mcnemar-mid-p", ["mcnemar-mid-p", "0.0467"]),
    ],
)
def test_each_command_writes_a_report(run, animals, line, says):
    done = run(*shlex.split(line), "--html", "page.HTM")
    assert (done.exit_code, done.stderr) == (0, "report: page.HTM\n")
    page = Read(animals / "page.HTM")
    for text in (*says, f"tellapart {line} --html page.HTM"):
        assert text in page.text


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("more", "drawn"), [((), 21), (("--difference", "0.01,0.05"), 3), (("--trials", "50"), 4)])
def test_exact_power_is_drawn_on_a_fine_grid(run, more, drawn):
    line = ("calibrate", "--table", "10", "25", "10", "255", "--method", "mcnemar", *more)
    assert run(*line, "--html", "out.html").exit_code == 0
    text = Path("out.html").read_text(encoding="utf-8")
    behind = re.search(r'<table id="figures-2-numbers".*?</table>', text, re.DOTALL)[0]
    assert "true difference" in behind
    assert behind.count("<tr>") == 1 + drawn  # and nothing to find, which is one of them


def test_race_writes_a_report(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    learners = "--learner nb=sklearn.naive_bayes.GaussianNB --learner tree=sklearn.tree.DecisionTreeClassifier"
    line = f"race --data iris --plan 5-fold --jobs 1 {learners} --rng 3 --html race.html --json"
    done = run(*line.split())
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (0, "report: race.html")
    document = json.loads(done.stdout)
    page = Read("race.html")
    assert document["answer"]["words"].split(":")[0].split(" at ")[0] in page.text
    assert ["iris", "a data set of scikit-learn"] in fingerprints(page)
    assert "seed 3" in page.text
    (code,) = [lines for lines in page.codes if lines.startswith("import sklearn.datasets")]
    assert printed(code).strip() == str(ta.compare(run_again(code))).strip()
    assert (
        f"p = {round(document['answer']['pvalue'], 3)}" in page.text or str(document["answer"]["method"]) in page.text
    )


def run_again(code):
    """Run Python code, and return the race that it defines."""
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)  # noqa: S102  # the lines that a page shows
    return names["race"]


def printed(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})  # noqa: S102  # the lines that a page shows
    return out.getvalue()


# --- What a page is made of -----------------------------------------------------------------------


def provenance(handed):
    return handed[-1][1]["provenance"]


@pytest.mark.parametrize(
    "line",
    [
        "compare p.csv --models old,NASTY",
        "compare p.csv --id key --method mcnemar --level 0.9 --alternative greater --looks 2",
        "compare p.csv --id key --margin 0.05 --hypothesis equivalent --alpha 0.01 --text",
        "compare --table 20 25 10 45 --interval newcombe-paired",
        "compare --independent 30 100 20 100",
        "compare three.csv --adjust holm",
        "compare gaps.csv --missing drop --labels 'x,\"y, too\",grün,<b>&amp;'",
        "compare gaps.csv --missing drop",
        "compare a.csv b.csv --id key",
        "compare sub/a.csv a.csv b.csv --id key --models old,b.csv --missing drop",
        "compare three.csv --metric f1-macro --adjust holm",
        "compare a.csv b.csv --id key --metric kappa",
        "compare sub/a.csv a.csv b.csv --id key --models old,b.csv --missing drop --metric mcc",
        "compare scored.csv --metric auc --positive y --models v,u",
        "compare --paired-confusion 30 5 2 3 4 6 1 49 --metric precision",
        "compare truth.csv --correct --weight times --models u,v",
        "compare long.csv --model who --prediction said --id key --models old,NASTY",
        "compare my.race --learner nn --learner nb --method corrected-resampled-t --metric f1_macro",
        "estimate 3 120 --side upper --prior 0.5,2 --method beta",
        "estimate my.race --learner nb --level 0.9",
        "calibrate --table 10 25 10 255 --method mcnemar-mid-p,tango --difference 0.01,0.03",
        "calibrate 3 120 --method wilson --alpha 0.1",
        "calibrate --independent 3 50 5 60 --method fisher-mid-p",
        "calibrate p.csv --id key --method mcnemar",
        "calibrate a.csv b.csv --id key --method mcnemar",
        "calibrate --design 'PairedOutcomes(0.1, 0.1, 0.08, examples=100)' --method mcnemar --trials 50 --rng 4",
        "calibrate --design 'Twins(Discriminant, examples=30, distance=1.5)' --method resampled-t --trials 3",
    ],
)
def test_the_python_code_prints_what_the_command_printed(run, here, handed, small_race, line):
    several(here, small_race)
    words = [word.replace("NASTY", NASTY) for word in shlex.split(line)]
    done = run(*words, "--html", "out.html")
    assert done.exit_code == 0, done.stderr
    again = printed(provenance(handed).code)
    assert again.strip()
    # The command may add advice below, and shows several calibrations side by side.
    if words[0] == "calibrate" and "tango" in line:
        assert "mcnemar-mid-p" in again
    elif words[0] == "estimate" and "my.race" in words:
        options = again.replace("plan='10x10'", "`tellapart race --plan 10x10`")  # as the command line writes them
        assert " ".join(options.split()) in " ".join(done.stdout.split())
    else:
        assert done.stdout.startswith(again.rstrip("\n"))
    assert provenance(handed).command == shlex.join(["tellapart", *words, "--html", "out.html"])


def several(folder, race):
    """Write files of every layout."""
    (folder / "sub").mkdir()
    written(
        "three.csv",
        {n: c for n, c in made(2, names=("old", "new", "newer")).items() if n in {"label", "old", "new", "newer"}},
    )
    gaps = made(3, gone=0.3)
    written("gaps.csv", {n: c for n, c in gaps.items() if n not in {"key", "site"}})
    for file, model, title in (("a.csv", "old", "old"), ("b.csv", NASTY, "m"), ("sub/a.csv", NASTY, "m")):
        whole = made(1)
        written(file, {"key": whole["key"], "label": whole["label"], title: whole[model]})
    truth = random.Random(4)  # noqa: S311  # a test's draws
    cells = {name: [truth.random() < 0.7 for _ in range(60)] for name in "uv"}
    written("truth.csv", cells | {"times": [truth.randrange(3) for _ in range(60)]})
    scores = {name: [round(truth.random(), 3) for _ in range(60)] for name in "uv"}
    written("scored.csv", {"key": range(60), "label": ["x", "y"] * 30} | scores)
    whole = made(1)
    rows = [
        (k, t, m, g) for m in ("old", NASTY) for k, t, g in zip(whole["key"], whole["label"], whole[m], strict=True)
    ]
    written("long.csv", dict(zip(("key", "label", "who", "said"), zip(*rows, strict=True), strict=True)))
    (folder / "my.race").write_bytes(race)


@pytest.mark.usefixtures("here")
def test_a_report_of_several_estimates_has_a_row_per_model(run, handed):
    done = run("estimate", *ALL, "--html", "out.html")
    answer, shown = handed[-1]
    assert list(answer) == ["old", NASTY]
    assert all(isinstance(entry, Estimate) for entry in answer.values())
    again = printed(shown["provenance"].code)
    for name, entry in answer.items():
        assert f"{name}\n{entry}\n" in again
    assert done.stderr == "report: out.html\n"


@pytest.mark.usefixtures("here")
def test_a_report_of_one_model_has_its_name_in_the_title(run, handed):
    run("estimate", *ALL, "--models", "old", "--html", "out.html")
    answer, shown = handed[-1]
    assert isinstance(answer, Estimate)
    assert shown["title"] == "How large is the error of old?"


@pytest.mark.usefixtures("here")
def test_groups_follow_the_result_for_all_examples(run, handed):
    columns = made(5)
    written("g.csv", columns)
    line = "compare", "g.csv", "--id", "key", "--group", "site", "--html", "out.html"
    assert run(*line).exit_code == 0
    answer, shown = handed[-1]
    table = ta.read_predictions("g.csv", id="key", models=["old", NASTY]).paired_table()
    assert isinstance(answer, Comparison)
    assert answer.evidence.as_dict() == table.as_dict()
    assert answer.adjusted is None
    assert list(shown["groups"]) == ["n", "s"]
    single = [entry.pvalue for entry in shown["groups"].values()]
    low, high = sorted(single)
    expected = {low: min(1, 2 * low), high: max(min(1, 2 * low), high)}  # Holm's rule, by hand
    assert [entry.adjusted for entry in shown["groups"].values()] == pytest.approx([expected[p] for p in single])
    again = printed(shown["provenance"].code)
    assert again.startswith(str(answer))


@pytest.mark.usefixtures("here")
def test_a_report_has_groups_of_two_files(run, handed):
    columns = made(5)
    for file, model in (("a.csv", "old"), ("b.csv", NASTY)):
        written(
            file, {"key": columns["key"], "label": columns["label"], "site": columns["site"], "said": columns[model]}
        )
    line = "compare", "a.csv", "b.csv", "--id", "key", "--group", "site", "--html", "out.html"
    assert run(*line).exit_code == 0
    answer, shown = handed[-1]
    assert answer.evidence.models == ("a", "b")
    assert list(shown["groups"]) == ["n", "s"]
    assert "Holm-adjusted" in printed(shown["provenance"].code)


@pytest.mark.usefixtures("here")
def test_a_report_has_groups_of_several_models(run, handed):
    written("g.csv", made(5, names=("u", "v", "w")))
    run("compare", "g.csv", "--id", "key", "--group", "site", "--html", "out.html")
    answer, shown = handed[-1]
    assert isinstance(answer, Ranking)
    assert list(shown["groups"])[:3] == ["n: u or v", "n: u or w", "n: v or w"]
    run("estimate", "g.csv", "--id", "key", "--group", "site", "--html", "out.html")
    answer, shown = handed[-1]
    assert list(answer) == ["u", "v", "w"]
    wrong = sum(
        guess != true
        for guess, true in zip(
            made(5, names=("u", "v", "w"))["v"], made(5, names=("u", "v", "w"))["label"], strict=True
        )
    )
    assert int(answer["v"].evidence.errors) == wrong
    assert next(iter(shown["groups"])) == "n: u"


@pytest.mark.usefixtures("animals")
def test_a_report_of_a_store_shows_its_race(run, handed):
    run("compare", "my.race", "--html", "out.html")
    assert handed[-1][1]["race"].learners == ("nb", "nn")
    run("estimate", "my.race", "--html", "out.html")
    answer, shown = handed[-1]
    assert list(answer) == ["nb", "nn"]
    again = printed(shown["provenance"].code)
    for name, entry in answer.items():
        assert f"{name} {entry}" in again or f"{name}\n{entry}" in again


@pytest.mark.usefixtures("animals")
def test_a_report_has_the_seed_of_random_methods(run, handed):
    for line, seed in (
        ("compare --table 20 25 10 45", None),
        ("compare --table 20 25 10 45 --interval bca-bootstrap", 0),
        ("estimate 30 120 --method percentile", 0),
        ("calibrate --table 10 25 10 255 --method mcnemar", None),
        ("calibrate --table 10 25 10 255 --method mcnemar --trials 20 --rng 9", 9),
    ):
        run(*shlex.split(line), "--html", "out.html")
        assert provenance(handed).seed == seed, line


# --- JSON -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "line",
    [
        "compare p.csv --id key --examples 3",
        "estimate p.csv --models old",
        "calibrate 3 120 --method wilson",
        "estimate 3 120",
    ],
)
def test_json_is_not_mixed_with_other_output(run, handed, line):
    done = run(*line.split(), "--json", "--html", "out.html")
    assert json.loads(done.stdout)
    assert done.stderr == "report: out.html\n"
    assert done.stdout == run(*line.split(), "--json").stdout
    assert len(handed) == 1


@pytest.mark.usefixtures("here")
def test_json_has_the_examples(run):
    document = json.loads(run("compare", *ALL, "--examples", "4", "--json").stdout)
    expected = looped({n: c for n, c in made(1).items() if n != "site"}, identity="key")
    assert document["examples"]["total"] == len(expected)
    assert [list(row.values()) for row in document["examples"]["rows"]] == expected[:4]
    assert list(document["examples"]["rows"][0]) == ["id", "label", "a", "b", "right"]
    assert "examples" not in json.loads(run("compare", *ALL, "--json").stdout)


# --- Rows on the terminal -------------------------------------------------------------------------


@pytest.mark.usefixtures("here")
def test_examples_are_listed_below_the_answer(run):
    plain, done = run("compare", *ALL), run("compare", *ALL, "--examples", "3")
    assert done.stdout.startswith(plain.stdout)
    rest = done.stdout.removeprefix(plain.stdout)
    expected = looped({n: c for n, c in made(1).items() if n != "site"}, identity="key")
    document = " ".join(rest.split())
    assert f"{len(expected)} discordant examples of old and" in document
    assert "3 rows shown, by id." in document
    for row in expected[:3]:
        assert " ".join(" ".join(row).split()) in document
    assert expected[3][0] not in rest


@pytest.mark.usefixtures("here")
def test_examples_are_listed_by_group_and_without_ids(run):
    columns = made(6, gone=0.2)
    written("g.csv", columns)
    line = "compare", "g.csv", "--models", f"old,{NASTY}", "--group", "site", "--missing", "drop", "--examples", "5"
    document = json.loads(run(*line, "--json").stdout)["examples"]
    expected = looped(columns, missing="drop")
    assert [list(row.values())[:5] for row in document["rows"]] == expected[:5]
    assert [row["group"] for row in document["rows"]] == [columns["site"][row[0] - 1] for row in expected[:5]]
    assert (document["order"], document["total"]) == ("row", len(expected))
    assert "by row number" in " ".join(run(*line).stdout.split())


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("missing", ["drop", "wrong"])
def test_examples_of_two_files_are_listed(run, missing):
    columns = made(7, gone=0.3)
    for file, model in (("a.csv", "old"), ("b.csv", NASTY)):
        written(file, {"key": columns["key"], "label": columns["label"], "prediction": columns[model]})
    line = "compare", "a.csv", "b.csv", "--id", "key", "--missing", missing, "--examples", "1000", "--json"
    document = json.loads(run(*line).stdout)["examples"]
    renamed = {"key": columns["key"], "label": columns["label"], "a": columns["old"], "b": columns[NASTY]}
    assert [list(row.values()) for row in document["rows"]] == looped(renamed, missing=missing, identity="key")


def test_examples_of_a_race_with_one_split_are_listed(run, tmp_path, monkeypatch):
    """The classifiers are fitted again here to find the discordant rows."""
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    monkeypatch.chdir(tmp_path)
    rows, y = load_iris(return_X_y=True)
    learners = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    evidence = ta.race(learners, rows, y, plan="holdout", store="one.race", jobs=1)
    split = evidence.layout.splits[0]
    guesses = {name: entry.fit(rows[split.train], y[split.train]).predict(rows) for name, entry in learners.items()}
    expected = [
        [int(row) + 1, int(y[row]), int(guesses["nb"][row]), int(guesses["stump"][row])]
        for row in sorted(split.test)
        if (guesses["nb"][row] == y[row]) != (guesses["stump"][row] == y[row])
    ]
    document = json.loads(run("compare", "one.race", "--examples", "4", "--json").stdout)["examples"]
    assert [list(row.values())[:4] for row in document["rows"]] == expected[:4]
    assert document["total"] == len(expected) > 4
    assert "name two: --learner A --learner B" not in run("compare", "one.race", "--examples", "4").stderr


# --- Refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("compare p.csv --html out.pdf", "`--html` must end in .html"),
        (
            "compare p.csv --html nowhere/out.html",
            "`--html` must be a file that can be written, got 'nowhere/out.html': no such folder.",
        ),
        ("estimate 3 120 --html .", "`--html` must end in .html"),
        ("estimate 3 120 --html folder.html", "it is a folder"),
        ("compare p.csv --method all --html out.html", "`--method` must be one method with"),
        ("estimate 3 120 --method all --html out.html", "`--method` must be one method with"),
        ("compare p.csv --method all --examples 3", "`--method` must be one method with"),
        ("compare --table 20 25 10 45 --examples 3", "`--examples` needs a FILE of predictions."),
        ("compare --independent 3 50 5 60 --examples 3", "`--examples` needs a FILE of predictions."),
        ("compare three.csv --examples 3", "`--examples` needs two models, got 4."),
        ("compare p.csv --examples 0", "`--examples` must be from 1 to 10,000, got"),
        ("compare p.csv --examples 10001", "`--examples` must be from 1 to 10,000, got"),
        ("compare p.csv --examples few", "`--examples` must be a whole number, got 'few'."),
        ("compare my.race --examples 3", "`--examples` needs a race of one split, got plan '5x2'."),
        ("compare three.csv --group key --margin 0.1 --html out.html", "`--margin` needs two models, got 3."),
        ("compare nothing.csv --html out.html", "file not found: nothing.csv"),
        (f"compare {'a' * 300} --html out.html", "cannot read"),
        (f"estimate 3 120 --html {'a' * 300}.html", ".html': File name too long."),
        ("race --data iris --learner sklearn.svm.SVC --html race.txt", "`--html` must end in .html"),
        (
            "race --data iris --learner sklearn.svm.SVC --store x.html --html x.html",
            "`--html` must not replace a file of this command, got x.html.",
        ),
        ("calibrate --table 10 25 10 255 --html nowhere/x.html", "`--html` must be a file that can be written"),
        ("calibrate --table 10 25 10 255 --plot x.svg --html x.svg", "`--html` must end in .html"),
        (
            "calibrate --table 10 25 10 255 --method wilson --html out.html",
            "method 'wilson' needs ConfusionMatrix or ErrorCount, not PairedTable.",
        ),
    ],
)
def test_bad_requests_are_refused_and_write_nothing(refused, here, small_race, line, says):
    several(here, small_race)
    (here / "folder.html").mkdir()
    (here / "three.csv").write_text("label,key,u,v,w\nx,n,x,x,y\nn,n,n,x,n\n")
    before = sorted(here.iterdir())
    assert says in refused(*shlex.split(line))
    assert sorted(here.iterdir()) == before


def test_a_failed_command_keeps_the_old_report(refused, run, here):
    Path("out.html").write_text("the old one")
    refused("compare", "p.csv", "--label", "nothing", "--html", "out.html")
    refused("compare", *ALL, "--method", "wilson", "--html", "out.html")
    assert Path("out.html").read_text() == "the old one"
    assert run("estimate", "3", "120", "--html", "out.html").exit_code == 0
    assert Path("out.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert sorted(file.name for file in here.iterdir()) == ["out.html", "p.csv"]


@pytest.mark.usefixtures("here")
def test_a_report_that_cannot_be_drawn_keeps_the_old_one(run, monkeypatch):
    def broken(_page):
        raise ta.TellapartError("no page today")

    Path("out.html").write_text("the old one")
    monkeypatch.setattr("tellapart.report.html.render", broken)
    done = run("estimate", "3", "120", "--html", "out.html")
    assert (done.exit_code, done.stderr) == (
        3,
        "error: the answer was given, but --html 'out.html' was not written: no page today\n",
    )
    assert "error rate" in done.stdout  # the answer was there
    assert Path("out.html").read_text() == "the old one"


@pytest.mark.parametrize("command", ["estimate", "compare", "race", "calibrate"])
def test_the_options_are_in_help_and_completion(run, command):
    from click.shell_completion import ShellComplete

    from tellapart.cli import main

    assert "--html FILE" in run(command, "--help").stdout
    items = ShellComplete(main, {}, "tellapart", "_X").get_completions([command, "--html"], "rep")
    assert [item.type for item in items] == ["file"]


def test_a_closed_pipe_does_not_prevent_the_report(tmp_path):
    """As `tellapart compare … --html page.html | head -1` does."""
    words = ["compare", "--table", "20", "25", "10", "45", "--html", "page.html"]
    program = [sys.executable, "-c", "from tellapart.cli import main; main()", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(program, cwd=tmp_path, **pipes) as process:  # noqa: S603  # our own
        process.stdout.close()
        document = process.stderr.read().decode()
    assert "Traceback" not in document
    assert "B has a lower error rate than A" in (tmp_path / "page.html").read_text(encoding="utf-8")

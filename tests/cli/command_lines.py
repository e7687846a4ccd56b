"""Command lines drawn at random: from the options that click knows, ordinary and odd values, good and bad files.

Each line starts from one that works (an example of the help text, or one of `OPENINGS`); options are added and values
replaced. Options are read from the commands, so new ones are included; if the type of an option does not determine its
values, `ORDINARY` may.
"""

import random
import re
import shlex
import shutil
from pathlib import Path

import click
import polars as pl

from tellapart.cli import main
from tellapart.cli.help_pages import OUTPUT, GroupedOption

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"

# How many lines of each command among 100; races, calibrations and papers take longest.
WEIGHTS = {
    "advise": 10,
    "calibrate": 7,
    "compare": 20,
    "completion": 1,
    "coverage": 6,
    "estimate": 16,
    "gate": 12,
    "methods": 3,
    "peek": 5,
    "plan": 9,
    "race": 3,
    "reproduce": 2,
    "watch": 12,
}
NUMBERS = (
    *("0", "-1", "1", "0.5", "1e-308", "5e-324", "1e308", "inf", "-inf", "nan", "-0.0", "1e3", "1_000", "٣", "1e400"),
    *("0.9999999999999999", "9007199254740993", "9223372036854775807", "9223372036854775808", "1" + "0" * 30),
)
TEXTS = (
    *("", " ", "\n", "a\nb", "🙂", "it's", '"', '"a","b"', ",", "a,,b,", "x" * 300, "-", "--", "-x", "--x=1", "all"),
    *("None", "nan", "%s", "{0}", "[red]x[/red]", "\x1b[31m", "\udcff", "x=1", "a>b=nan", "1:0", "a" * 60),
    *("mcnemar-exat", "jefreys", "wilsn", "tangoo", "foresst", "spezies", "PairedOutcomes", "f(", "pass@99", "۱,۲"),
)
FILES = (
    *("predictions.csv", "old.csv", "new.csv", "scores.csv", "three.csv", "long.csv", "graded.csv", "benchmark.csv"),
    *("header.csv", "empty.csv", "blank.csv", "rubbish.csv", "rubbish.eval", "utf16.csv", "one.csv", "naïve 🙂.csv"),
    *("doubled.csv", "unnamed.csv", "repeated.csv", "marked.csv", "wide.csv", "names.csv", "yes.csv", "nested.jsonl"),
    *("table.jsonl", "table.parquet", "table.arrow", "table.tsv", "numbers.csv", "nan-and-inf.csv", "ragged.csv"),
    *("missing.csv", "nothing", "predictions.csv/below.csv", ".", "x" * 300),
    *("my.race", "races", "torn.race", "kept.calibration", "pair.json", "errors.json", "mean.json", "torn.json"),
    *("old.eval", "new.eval", "run.eval", "outA", "outB", "rules.toml", "costs.csv", "/dev/null", "features.csv"),
    *(
        f"logs/{name}"
        for name in (
            *("deepeval/errors.json", "deepeval/runs", "every_eval_ever/data", "helm/runs", "inspect/errors.eval"),
            *("inspect/scorers.eval", "inspect/folder", "lm_eval/graded", "lm_eval/repeats", "mlflow/a", "mlflow/b"),
            *("openai_evals/a.jsonl", "openai_evals/b.jsonl", "promptfoo", "swebench", "swebench/logs"),
        )
    ),
)
_UNWRITABLE = ("predictions.csv/out", "no such folder/out", "empty", "/dev/full", "x" * 300, "")

_DESIGNS = (
    *("PairedOutcomes(0.1, 0.1, disagreement=0.08, examples=60)", "OneRate(0.05, examples=40)", "OneRate(1, 1)"),
    *("PairedOutcomes(0.1, 0.2, disagreement=0.1, examples=0)", "OneRate(nan, examples=1e9)", "Wine()"),
)

# Where the type and the completions of an option do not tell what is ordinary.
ORDINARY = {
    "--against": ("0.05", "0.1", "0.5"),
    "--alpha": ("0.05", "0.01", "0.1", "0.5"),
    "--assurance": ("0.8", "0.95"),
    "--bounds": ("0,1", "0,100"),
    "--cluster": ("site", "passage", "passage_id"),
    "--cluster-correlation": ("0.1", "0.5"),
    "--cluster-size": ("2", "5.5"),
    "--config": ("rules.toml",),
    "--control": ("nb", "svm"),
    "--costs": ("fox>cat=10,dog>cat=2", "costs.csv", "ill>well=10,well>ill=1"),
    "--data": ("iris", "wine", "features.csv"),
    "--data-sets": ("5", "30"),
    "--dataset": ("dataset",),
    "--design": _DESIGNS,
    "--design-effect": ("1.5",),
    "--difference": ("0.01", "0.05", "0.2"),
    "--disagreement": ("0.05", "0.1", "0.3"),
    "--disagreements": ("5", "20"),
    "--epoch": ("try",),
    "--epochs": ("4", "2,3"),
    "--error": ("0.05", "0.1", "0.02:0.2"),
    "--error-a": ("0.1",),
    "--error-b": ("0.08",),
    "--examples": ("5", "20", "100", "300"),
    "--filter": ("strict-match", "none"),
    "--from": ("0", "0.01", "0.2"),
    "--group": ("site",),
    "--group-margin": ("north=0.1", "south=0.2"),
    "--html": ("page.html",),
    "--id": ("row",),
    "--ignore": ("site", "row"),
    "--junit": ("gate.xml",),
    "--label": ("species", "label"),
    "--labels": ("cat,dog,fox", "ill,well"),
    "--learning-curve": ("0.5", "0.25,0.5"),
    "--level": ("0.95", "0.9", "0.99"),
    "--looks": ("1", "3", "5", "10,20,50"),
    "--margin": ("0.01", "0.05", "0.2"),
    "--markdown": ("page.md",),
    "--models": ("forest,stump", "forest", "old,new", "nb,svm", "nb,nn", "3"),
    "--model": ("model",),
    "--plot": ("power.svg", "power.png", "power.pdf"),
    "--pool": ("500", "2000"),
    "--positive": ("fox", "cat", "ill"),
    "--power": ("0.8", "0.9"),
    "--prediction": ("prediction",),
    "--prior": ("0.5,0.5", "1", "1,1", "jeffreys", "2,30"),
    "--question": ("1", "3", "8"),
    "--ratio": ("1", "2"),
    "--repeats": ("mean", "pass@2", "pass^2"),
    "--resume": ("my.race", "new.race"),
    "--rho": ("0.1", "0.5"),
    "--rng": ("0", "1", "7"),
    "--rope": ("0.01", "0.05"),
    "--runs": ("1", "10"),
    "--sampling-weight": ("weight",),
    "--score": ("old", "old,new", "value"),
    "--sd": ("0.02", "0.1"),
    "--sd-a": ("0.2",),
    "--sd-b": ("0.3",),
    "--seed": ("0", "5"),
    "--store": ("kept.calibration", "fresh.store", "my.race"),
    "--target": ("species", "kind"),
    "--task": ("gsm8k", "arith"),
    "--test": ("mcnemar-mid-p", "mcnemar-exact"),
    "--to": ("1", "0.3", "0.05"),
    "--total": ("300", "2000"),
    "--training-sets": ("10", "30"),
    "--weight": ("weight", "count"),
    "--width": ("0.02", "0.1"),
    "--wins": ("0.7",),
    "--with": ("new.csv",),
    "--add": ("predictions.csv", "old.csv", "scores.csv", "graded.csv"),
}
# What takes as long as it is told to: drawn from here alone, extremes that are refused among them.
BOUNDED = {
    "--dask": ("", "nowhere"),
    "--jobs": ("1", "1", "1", "1", "0", "-1", "x"),
    "--plan": ("5x2", "holdout", "3-fold", "2x(2/3)", "0x2", "2x", "loo", "x", "", "nan-fold", "1e9-fold"),
    "--points": ("1", "2", "50", "400", "0", "-1", "nan"),
    "--reseeds": ("0", "1", "2", "-1", "nan"),
    "--seeds": ("1", "2", "0", "-1"),
    "--sets": ("2", "5", "0", "1", "nan"),
    "--timeout": ("60", "0", "-1", "nan", "inf", "1e-308"),
    "--times": ("0.01", "0.1", "0", "-1", "nan", "1e-308"),
    "--trials": ("1", "7", "30", "0", "-1", "nan", "inf", "0.5", "1e-308"),
}
# What goes with most lines of its command, and is drawn more often than what goes with few.
USUAL = {
    *("--adjust", "--alpha", "--alternative", "--difference", "--examples", "--from", "--group", "--html"),
    *("--hypothesis", "--interval", "--json", "--level", "--looks", "--margin", "--markdown", "--matters", "--method"),
    *("--missing", "--power", "--prior", "--rng", "--rule", "--side", "--to"),
}
_NEVER = {"--full", "--quick"}  # minutes to hours, by design
_LEARNERS = (
    *("nb=sklearn.naive_bayes.GaussianNB", "nn=sklearn.neighbors.KNeighborsClassifier(n_neighbors=1)"),
    *("sklearn.dummy.DummyClassifier", "bad=sklearn.tree.DecisionTreeClassifier(max_depth=-1)", "x=no.such.Learner"),
)
_COUNTS = ("0", "1", "2", "3", "5", "9", "10", "12", "25", "40", "45", "120", "300", "1000")
_RACE = "race --plan holdout --learner nb=sklearn.naive_bayes.GaussianNB --learner sklearn.dummy.DummyClassifier"
OPENINGS = f"""
advise
advise 3 120
advise three.csv --label species
advise --classifier --choose --much --test-sets one
advise --learner --choose --little --runs 10 --models 2
calibrate 3 40 --method wilson,jeffreys
calibrate --table 2 5 3 30 --trials 30
calibrate --table 0 2 1 7 --method all --trials 7
calibrate --independent 3 20 5 20 --trials 20
calibrate predictions.csv --label species --models forest,stump --trials 30 --store fresh.store
calibrate --design 'PairedOutcomes(0.1, 0.1, disagreement=0.08, examples=60)' --trials 30 --store kept.calibration
calibrate --design 'SimulatedLearners(epsilon=0.1)' --trials 7
compare predictions.csv --label species --models forest,stump
compare old.csv new.csv --label species --id row
compare three.csv --label species
compare three.csv --label species --models forest,stump --group site
compare three.csv --label species --metric f1-macro
compare graded.csv --scores --models old,new --cluster passage
compare graded.csv --correct --models first,second --cluster passage --sampling-weight weight
compare long.csv --label species --model model --prediction prediction --id row
compare logs/openai_evals/a.jsonl logs/openai_evals/b.jsonl
compare logs/lm_eval/graded
compare logs/promptfoo
compare --table 2 5 3 30 --method all
compare --independent 3 20 5 25
compare --paired-confusion 3 1 2 0 1 4 2 9 --metric f1
compare wide.csv
compare wide.csv --models m1,m2,m3 --adjust holm
compare names.csv
compare table.jsonl
compare table.parquet --missing drop
compare benchmark.csv --scores
compare my.race
completion bash
coverage --trials 7
coverage --trials 30 --method all --points 50
estimate 3 120
estimate 0 7 --method all
estimate three.csv --label species
estimate predictions.csv --label species --correct
estimate names.csv
estimate yes.csv --correct --missing wrong --id row
estimate table.tsv
estimate --confusion 3 1 2 9 --metric f1
estimate logs/inspect/errors.eval --errors drop
estimate logs/swebench
estimate graded.csv --scores --models old --bounds 0,1
gate --table 20 12 9 2959
gate --table 0 3 2 30 --margin 0.2
gate old.csv new.csv --label species --id row --margin 0.5
gate three.csv --label species --models stump,forest --group site --margin 0.9
gate old.eval new.eval --errors drop
gate wide.csv --models m0,m1 --margin 0.5
gate table.arrow --missing drop --models a,b
methods
methods wilson
methods --question 3
peek --examples 50 --disagreement 0.1 --looks 3
peek --examples 40 --error 0.05 --against 0.1
peek --table 2 5 3 30 --trials 30
plan --difference 0.05 --disagreement 0.1
plan --width 0.1 --error 0.1
plan --examples 300 --error 0.1 --against 0.05
plan --independent --error-a 0.1 --error-b 0.2
plan --table 2 5 3 30
plan predictions.csv --label species --models forest,stump
plan my.race --plan 5x2
plan benchmark.csv --scores --learner nb --learner svm
plan --over data-sets --data-sets 30 --difference 0.02 --sd 0.05
{_RACE} --data iris
{_RACE} --data features.csv --target kind --store fresh.store
race --resume my.race
reproduce --list
reproduce mitchell table-5.6
reproduce dietterich examples --json
watch pair.json
watch pair.json --table 3 14 4 279
watch errors.json --errors 3 120
watch mean.json --add graded.csv --score old
watch new.json --table 3 14 4 279 --rule pocock --total 2000
watch new.json --errors 3 120 --against 0.05
watch new.json --add graded.csv --score old,new
watch new.json --add predictions.csv --label species --models forest,stump
watch new.json --add old.csv --with new.csv --label species --id row
"""


def fill(folder):
    """Add files of many kinds to a folder with the files of the help texts."""
    animals = (folder / "predictions.csv").read_text().splitlines()
    three = [f"{line},{'cat' if index % 3 else 'fox'}" for index, line in enumerate(animals[1:])]
    grades = [(index % 4, index % 5, index % 6, index % 7, index % 3) for index in range(40)]
    graded = [f"{i},{a / 4},{b / 5},{c % 2},{d % 2},{e + 1},p{a},0" for i, (a, b, c, d, e) in enumerate(grades)]
    flowers = [f"{i % 7}.5,{i % 5},{'wet' if i % 3 else 'dry'},{'ab'[i % 2]},{i % 6}" for i in range(30)]
    wide = ["xyz"[i % 3] + "".join(f",{'xyz'[(i + i // (j + 2)) % 3]}" for j in range(8)) + "\n" for i in range(30)]
    texts = {
        "three.csv": "\n".join([f"{animals[0]},mill", *three]),
        "long.csv": "row,species,model,prediction\n" + "".join(f"{i // 2},cat,m{i % 2},cat\n" for i in range(20)),
        "graded.csv": "row,old,new,first,second,weight,passage,try\n" + "\n".join(graded),
        "features.csv": "length,width,soil,kind,site\n" + "\n".join(flowers),
        "header.csv": animals[0],
        "empty.csv": "",
        "blank.csv": f"{animals[0]}\n" + "cat,,,north\n" * 9,
        "rubbish.csv": '\x00\x01\x02,;\n\n\n"x',
        "one.csv": "\n".join(animals[:2]),
        "naïve 🙂.csv": "\n".join(animals),
        "numbers.csv": "label,a,b\n1,1.0,1e308\n0,,-0\n9007199254740993,9007199254740992,5e-324\n",
        "nan-and-inf.csv": "label,old,new\nill,inf,-inf\nwell,nan,0.5\nill,1e308,0\n",
        "ragged.csv": "species,forest,stump\ncat,cat\ndog,dog,dog,dog\n",
        "doubled.csv": "species,forest,forest\ncat,cat,dog\ndog,dog,dog\n",
        "unnamed.csv": "species,,\ncat,cat,dog\ndog,dog,dog\n",
        "repeated.csv": "row,species,forest\n1,cat,cat\n1,dog,dog\n,fox,cat\n",
        "marked.csv": "\ufeffspecies;forest;stump\r\ncat;cat;dog\r\ndog;dog;dog\r\n",
        "wide.csv": "label," + ",".join(f"m{i}" for i in range(8)) + "\n" + "".join(wide),
        "names.csv": 'label,"a\nb","[red]x[/red]","<b>&amp;","' + "long " * 60 + '"\n' + "x,x,y,x,y\ny,x,x,y,x\n" * 6,
        "yes.csv": "row,first,second\n1,true,False\n2,yes,no\n3,1,0.0\n4,TRUE,\n",
        "nested.jsonl": '{"label": {"a": [1]}, "old": null, "new": [2]}\n{"label": 1, "old": "x", "new": {}}\n',
        "table.jsonl": "".join(f'{{"label": "{"xy"[i % 2]}", "a": "x", "b": "y"}}\n' for i in range(9)),
        "table.tsv": "label\ta\tb\n" + "x\tx\ty\ny\tx\ty\n" * 5,
        "torn.json": '{"format": "tellapart watch", "ver',
        "rules.toml": "[tool.tellapart.gate]\nmargin = 0.2\nalpha = 0.1\n",
        "costs.csv": ",cat,dog,fox\ncat,0,1,2\ndog,1,0,1\nfox,10,1,0\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    table = pl.DataFrame({"label": [1, 0, None, 1] * 5, "a": [1.0, 0.0, 1.0, -0.5] * 5, "b": [True, False] * 10})
    table.write_parquet(folder / "table.parquet")
    table.write_ipc(folder / "table.arrow")
    (folder / "rubbish.eval").write_bytes(bytes(range(256)) * 4)
    (folder / "utf16.csv").write_bytes("\n".join(animals).encode("utf-16"))
    (folder / "torn.race").write_bytes((folder / "my.race").read_bytes()[:5000])
    (folder / "empty").mkdir()
    shutil.copytree(LOGS, folder / "logs", ignore=shutil.ignore_patterns("make.py"))
    for line in (
        "watch pair.json --table 3 9 2 86",
        "watch errors.json --errors 4 100 --against 0.1",
        "watch mean.json --add scores.csv --score old",
        f"calibrate --design '{_DESIGNS[0]}' --trials 30 --store kept.calibration",
    ):
        main(shlex.split(line), standalone_mode=False)


def line_of(seed, index):
    """Return one command line, the same for the same seed and index."""
    rng = random.Random(f"{seed}/{index}")  # noqa: S311  # nothing is kept secret by it
    name = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    return [name, *_Drawing(name, rng).words()]


def parts_of(line):
    """Return the parts of a line after the command: options with their values, and arguments."""
    return _Drawing(line[0], None).parts_of(line[1:])


def outputs_of(line):
    """Return the files that a line may write: the state of a watch, and the files of output options."""
    written = {*_written(line[0]), "--resume"}
    named = {word for name, *words in parts_of(line) for word in words if name in written}
    return named | ({name for name, *_ in parts_of(line)} if line[0] == "watch" else set())


class _Drawing:
    """A random line: parts that are an option with its values, or an argument."""

    def __init__(self, name, rng):
        self.name, self.rng, self.command = name, rng, _command(name)
        self.known = {word: entry for entry in _options(self.command) for word in (*entry.opts, *entry.secondary_opts)}

    def words(self):
        """Return the words of a valid line with added options and some invalid values."""
        rng = self.rng
        parts = self.parts_of(rng.choice(_openings(self.name)))
        oddness = rng.choice((0, 0, 0, 0.1, 0.3, 0.7))
        for _ in range(rng.choices((0, 1, 2, 3, 6), (3, 6, 3, 2, 1))[0]):
            usual = [word for word in self.known if word in USUAL]
            every = [word for word in self.known if word not in _NEVER]
            option = rng.choice(usual if usual and rng.random() < 0.6 else every)
            parts.append((option, *self.values(option, oddness)))
        if rng.random() < 0.25:
            index = rng.randrange(len(parts)) if parts else 0
            parts[index : index + 1] = [self.replaced(*part) for part in parts[index : index + 1]]
        if oddness and rng.random() < 0.1:
            parts.insert(rng.randrange(len(parts) + 1), (rng.choice((*TEXTS, *NUMBERS, *FILES)),))
        if oddness and parts and rng.random() < 0.1 and self.name not in ("calibrate", "race", "reproduce"):
            del parts[rng.randrange(len(parts))]
        if rng.random() < 0.15 and "--json" in self.known:
            parts.append(("--json",))
        return [word for part in parts for word in part]

    def parts_of(self, words):
        """Return the options of a line with their values, and its arguments."""
        parts, rest = [], list(words)
        while rest:
            option = self.known.get(rest[0])
            taken = 1 + (_number_of_values(option) if option else 0)
            parts.append(tuple(rest[:taken]))
            rest = rest[taken:]
        return parts

    def replaced(self, word, *values):
        """Return a part with other values; an argument becomes any value."""
        if word in self.known:
            return (word, *self.values(word, 0.7)) if values else (word,)
        if self.name == "reproduce":
            return (self.rng.choice(TEXTS),)
        return (self.rng.choice((*FILES, *FILES, *TEXTS, *NUMBERS, *_COUNTS)),)

    def values(self, word, oddness):
        """Return values for an option: valid ones, or any."""
        option = self.known[word]
        return tuple(self.value(word, option, oddness) for _ in range(_number_of_values(option)))

    def value(self, word, option, oddness):
        rng = self.rng
        if word in BOUNDED:
            return rng.choice(BOUNDED[word] if rng.random() < oddness else BOUNDED[word][:3])
        if rng.random() >= oddness:
            return rng.choice(self.ordinary(word, option))
        if word in _written(self.name):
            return self.target(word)
        return rng.choice(rng.choice((NUMBERS, NUMBERS, TEXTS, FILES)))

    def ordinary(self, word, option):
        """Return a value for an option by its type, its completion or its name, or any value."""
        if isinstance(option.type, click.Choice):
            return [str(entry) for entry in option.type.choices]
        if option.nargs > 1:
            return _COUNTS
        if word == "--learner":
            return _LEARNERS if self.name in ("race", "calibrate") else ("nb", "nn", "svm")
        items = option.shell_complete(click.Context(self.command), "")
        pools = [item.value for item in items if item.type == "plain"], ORDINARY.get(word, ())
        return next(filter(None, pools), FILES if "FILE" in (option.metavar or "") else (*NUMBERS, *TEXTS))

    def target(self, word):
        """Return a path that cannot or must not be written to."""
        suffix = {"--html": ".html", "--markdown": ".md", "--junit": ".xml", "--plot": ".svg"}.get(word, "")
        chosen = self.rng.choice((*_UNWRITABLE, *TEXTS, *FILES))
        return chosen + suffix if self.rng.random() < 0.5 else chosen


def _command(name):
    return main.get_command(click.Context(main), name)


def _options(command):
    return [entry for entry in command.get_params(click.Context(command)) if isinstance(entry, click.Option)]


def _written(name):
    """Return the options of a command that name output files."""
    grouped = (entry for entry in _options(_command(name)) if isinstance(entry, GroupedOption))
    outputs = (entry for entry in grouped if (entry.section, entry.metavar) == (OUTPUT, "FILE"))
    return {word for entry in outputs for word in entry.opts} | {"--store"}


def _number_of_values(option):
    return 0 if option.is_flag else option.nargs


def _openings(name):
    """Return valid lines of a command: the examples of its help text, and those of `OPENINGS`."""
    page = "" if name in ("calibrate", "race", "reproduce") else _command(name).help
    document = re.sub(r"\\\n *", "", page).splitlines()  # a line that ends with a backslash goes on
    lines = [line.strip().removeprefix("tellapart ") for line in (*document, *OPENINGS.splitlines())]
    return [shlex.split(line)[1:] for line in lines if line.partition(" ")[0] == name]

"""The GitHub action and the pre-commit hook: the scripts run, and every input is passed as one argument."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

import tellapart as ta
from tellapart.cli import main

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, JUDGE = ACTION["runs"]["steps"]
INPUTS = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}


def bash(step, folder, env):
    """Run a step like a runner; its files for outputs and for the summary are in the folder."""
    script = folder / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    told = {"GITHUB_OUTPUT": folder / "output", "GITHUB_STEP_SUMMARY": folder / "summary", "RUNNER_TEMP": folder}
    return subprocess.run(  # noqa: S603
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],  # noqa: S607
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **{name: str(value) for name, value in told.items()}, **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def inputs(**given):
    """Return a step's variables, filled in as GitHub would from its expressions."""
    values = {f"inputs.{name}": given.get(name, default) for name, default in INPUTS.items()}
    values["steps.install.outputs.bin"] = str(Path(sys.executable).parent)
    return {name: values[re.fullmatch(r"\$\{\{ (\S+) \}\}", text)[1]] for name, text in JUDGE["env"].items()}


def outputs(folder):
    return dict(line.split("=", 1) for line in (folder / "output").read_text(encoding="utf-8").splitlines())


@pytest.fixture
def hostile(tmp_path):
    """Names that a shell would execute."""
    rng, names = np.random.default_rng(2), ("old; touch hacked #.csv", "$(touch hacked) `touch hacked`.csv")
    for name in names:
        lines = [f"{i},eel,{'eel' if rng.random() < 0.98 else 'cat'},{i % 2}" for i in range(1200)]
        (tmp_path / name).write_text("\n".join(["row,kind,guess,site one", *lines]) + "\n", encoding="utf-8")
    return names


def test_no_expression_stands_in_a_script():
    """GitHub puts an expression into a script as text, before the shell reads it."""
    assert ACTION["runs"]["using"] == "composite"
    for step in (INSTALL, JUDGE):
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
    used = " ".join([*INSTALL["env"].values(), *JUDGE["env"].values()])
    assert [name for name in INPUTS if f"${{{{ inputs.{name} }}}}" not in used] == []
    assert set(ACTION["outputs"]) == {"verdict", "status"}


def test_the_action_judges_and_passes_hostile_input_as_one_argument(tmp_path, hostile):
    old, new = hostile
    env = inputs(
        baseline=old, candidate=new, margin="0.03", id="row", label="kind", group="site one", args="--junit=gate.xml\n"
    )
    done = bash(JUDGE, tmp_path, env)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1].startswith("PASS: ")
    assert "\n  1 " in done.stdout
    assert outputs(tmp_path) == {"verdict": "pass", "status": "0"}
    assert "✔ PASS" in (tmp_path / "summary").read_text(encoding="utf-8")
    assert "<testsuites" in (tmp_path / "gate.xml").read_text(encoding="utf-8")
    assert not (tmp_path / "hacked").exists()


def obeyed(output):
    """Return the lines that a runner executes as commands (GitHub: stop-commands)."""
    token = None
    for line in output.splitlines():
        if token:
            token = None if line == f"::{token}::" else token
        elif line.startswith("::stop-commands::"):
            token = line.removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::"):
            yield line


def test_nothing_the_gate_prints_is_a_command_of_the_workflow(tmp_path):
    (tmp_path / "tellapart").write_text("#!/bin/sh\necho '::set-output name=verdict::pass'\nexit 1\n")
    (tmp_path / "tellapart").chmod(0o755)
    runs = [bash(JUDGE, tmp_path, {**inputs(baseline="a.csv"), "BIN": str(tmp_path)}).stdout for _ in range(2)]
    for run in runs:
        assert "\n::set-output" in run
        assert list(obeyed(f"{run}::warning::after")) == ["::warning::after"]
    tokens = {run.splitlines()[0].removeprefix("::stop-commands::") for run in runs}
    assert len(tokens) == 2  # it cannot be guessed
    assert all(re.fullmatch("[0-9a-f]{32}", token) for token in tokens)


def test_an_input_of_several_words_is_bad_input(tmp_path):
    done = bash(JUDGE, tmp_path, inputs(baseline="a.csv", margin="0.01 --alpha 0.4; touch hacked"))
    assert done.returncode == 2
    assert "got '0.01 --alpha 0.4; touch hacked'" in done.stderr
    assert outputs(tmp_path) == {"verdict": "bad input", "status": "2"}
    assert not (tmp_path / "hacked").exists()


@pytest.mark.parametrize(
    ("status", "verdict"), [(0, "pass"), (1, "worse"), (2, "bad input"), (3, "not enough evidence"), (4, "no verdict")]
)
def test_the_status_passes_through(tmp_path, status, verdict):
    """A stub records the arguments: running the command would take half a second each."""
    (tmp_path / "tellapart").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > words\nexit {status}\n')
    (tmp_path / "tellapart").chmod(0o755)
    given = inputs(baseline="-old.csv", candidate="new.csv", alpha="0.1", models="a b,c", args="--html\na b\n\n")
    done = bash(JUDGE, tmp_path, {**given, "BIN": str(tmp_path)})
    assert done.returncode == status
    assert outputs(tmp_path) == {"verdict": verdict, "status": str(status)}
    words = (tmp_path / "words").read_text().splitlines()
    assert words == ["gate", "--models=a b,c", "--alpha=0.1", "--html", "a b", "--", "-old.csv", "new.csv"]


@pytest.mark.parametrize(
    ("version", "source"), [("", "/some where/tellapart[tables]"), ("1.2.3", "tellapart[tables]==1.2.3")]
)
def test_the_action_installs_into_an_environment_of_its_own(tmp_path, version, source):
    """With a stub of Python, as pip itself is not tested."""
    stub = tmp_path / "python"
    stub.write_text(
        '#!/bin/sh\necho "$@" >> "$RUNNER_TEMP/words"\n'
        'if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi\n'
    )
    stub.chmod(0o755)
    done = bash(INSTALL, tmp_path, {"ACTION": "/some where/tellapart", "PYTHON": str(stub), "VERSION": version})
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "words").read_text().splitlines() == [
        f"-m venv {tmp_path}/tellapart",
        f"-m pip install --quiet {source}",
    ]
    assert outputs(tmp_path) == {"bin": f"{tmp_path}/tellapart/bin"}


PAGE = (ROOT / "docs" / "how-to" / "gate-in-ci.md").read_text(encoding="utf-8")
GITHUB, GITLAB, PRE_COMMIT = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))


def recipes():
    """Return the arguments of the gate in each recipe."""
    given = next(step for step in GITHUB["jobs"]["gate"]["steps"] if step.get("id") == "gate")["with"]
    options = [f"--{name}={given[name]}" for name in ("label", "margin")]
    yield "github", [*options, *given["args"].split(), given["baseline"], given["candidate"]]
    yield "gitlab", shlex.split(GITLAB["gate"]["script"][-1])[2:]
    yield "pre-commit", PRE_COMMIT["repos"][0]["hooks"][0]["args"]


@pytest.mark.parametrize(("name", "words"), list(recipes()), ids=[name for name, _ in recipes()])
def test_the_recipes_judge(name, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = CliRunner().invoke(main, ["gate", *words])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("PASS: new is at most 1 pp worse than old")
    assert (tmp_path / "gate.xml").exists() == (name != "pre-commit")


def test_the_recipes_name_existing_options():
    step = next(step for step in GITHUB["jobs"]["gate"]["steps"] if step.get("id") == "gate")
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert GITLAB["gate"]["allow_failure"]["exit_codes"] == ta.judge(ta.PairedTable(0, 0, 0, 5)).exit_status
    assert GITLAB["gate"]["artifacts"]["reports"]["junit"] == "gate.xml"
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert PRE_COMMIT["repos"][0]["hooks"][0]["id"] == hook["id"]
    assert {step["uses"].rpartition("@v")[2], PRE_COMMIT["repos"][0]["rev"][1:]} == {ta.__version__}


@pytest.mark.parametrize(
    ("status", "said", "left"),
    [
        (0, "ship it", 0),
        (1, "it is worse", 1),
        (2, "there is no verdict", 2),
        (3, "label more examples", 1),
        (4, "there is no verdict", 4),
    ],
)
def test_the_recipe_for_a_shell_runs(status, said, left):
    script = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1]
    stub = f"set -e\ntellapart() {{ return {status}; }}\n"
    done = subprocess.run(["bash", "-c", stub + script], capture_output=True, encoding="utf-8", check=False)  # noqa: S603, S607
    assert (done.returncode, done.stdout) == (left, f"{said}\n")


def test_the_hook_is_a_command_that_exists():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] == "tellapart-gate"
    program, command = shlex.split(hook["entry"])
    assert program == "tellapart"
    assert command in main.list_commands(None)
    assert hook["pass_filenames"] is False
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"]["tellapart"] == "tellapart.cli:main"
    assert hook["additional_dependencies"] == project["optional-dependencies"]["tables"]

"""Lines of Python that reproduce a command."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .file_reading import name_files, split_names

_PARTS = (
    "label",
    "models",
    "id",
    "group",
    "model",
    "prediction",
    "correct",
    "weight",
    "labels",
    "missing",
    "text",
    "scores",
)
_AS_IT_IS: dict[str, tuple[Any, ...]] = {  # defaults, which are left out
    "alternative": ("two-sided",),
    "looks": (0,),
    "missing": ("fail", "refuse"),
    "seeds": (1,),
    "side": ("two",),
}


def write_program(lines: Iterable[str], *modules: str) -> str:
    """Return lines below their imports.

    Examples
    --------
    >>> print(write_program(["print(ta.estimate(ta.ErrorCount(3, 120)))"]))
    import tellapart as ta
    <BLANKLINE>
    print(ta.estimate(ta.ErrorCount(3, 120)))
    """
    return "\n".join([*(f"import {name}" for name in (*modules, "tellapart as ta")), "", *lines])


def write_call(name: str, *arguments: Any, **options: Any) -> str:
    """Return a call; options without a value, or with their default, are left out.

    Examples
    --------
    >>> write_call("ta.compare", "table", method="mcnemar", level=None, alternative="two-sided")
    "ta.compare(table, method='mcnemar')"
    """
    keywords = [
        f"{key}={value!r}"
        for key, value in options.items()
        if not (value is None or value is False or value == [] or value in _AS_IT_IS.get(key, ()))
    ]
    return f"{name}({', '.join([*map(str, arguments), *keywords])})"


def write_reading(files: tuple[str, ...], parts: Mapping[str, Any], each: Sequence[str | None] = ()) -> list[str]:
    """Return the line that reads one file of predictions, or those that read several and join them.

    `each` names the one column of predictions in each of several files.

    Examples
    --------
    >>> parts = {"label": "species", "models": "a,b", "key": None, "labels": None, "missing": "fail"}
    >>> write_reading(("animals.csv",), parts)
    ["predictions = ta.read_predictions('animals.csv', label='species', models=['a', 'b'])"]
    """
    named = parts["models"]
    models = split_names(named) if named is None or isinstance(named, str) else list(named)
    settings = {**parts, "models": models, "id": parts["key"], "labels": split_names(parts["labels"])}
    options = {name: settings[name] for name in _PARTS if name in settings}
    if len(files) == 1:
        return [f"predictions = {write_call('ta.read_predictions', repr(files[0]), **options)}"]
    # Without column names, models are selected when the tables are joined.
    tables = [
        f"    {stem!r}: {write_call('ta.read_predictions', repr(file), **options | {'models': column})},"
        for stem, file, column in zip(name_files(files), files, each or [None] * len(files), strict=True)
    ]
    return ["predictions = ta.Predictions.joined({", *tables, "})"]


def write_comparison(
    files: tuple[str, ...],
    parts: Mapping[str, Any],
    request: Mapping[str, Any],
    *,
    models: tuple[str, ...],
    examples: int | None = None,
) -> str:
    """Return the lines that compare the models of files: all examples, groups, discordant rows."""
    rest = {name: value for name, value in request.items() if name != "adjust"}
    counted = f"predictions.tally({_write_models(files, parts, models)})"
    lines = []
    if not (parts["group"] and len(files) > 1):
        evidence = "paired_table" if len(models) == 2 else "error_patterns"
        argument = "predictions" if counted.endswith("()") else f"{counted}.{evidence}()"
        together = write_call("ta.compare", argument, **(request if len(models) > 2 else rest))
        lines = [*write_reading(files, _without_group(parts, models)), f"print({together})"]
    if parts["group"]:
        tables = "paired_table()" if len(models) == 2 else "error_patterns().pairs()"
        rule = request.get("adjust") or "holm"
        by_group = write_call("ta.compare", f"{counted}.{tables}", **rest, adjust=rule)
        lines += [*write_reading(files, parts), f"print({by_group})"]
    if examples is not None:
        lines.append(f"print({write_call('predictions.disagreements', *map(repr, models), limit=examples)})")
    return write_program(lines)


def write_estimates(
    files: tuple[str, ...], parts: Mapping[str, Any], request: Mapping[str, Any], models: tuple[str, ...]
) -> str:
    """Return the lines that estimate the error of every model of files, on all examples."""
    if parts["group"] and len(files) > 1:
        return ""
    counts = f"predictions.tally({_write_models(files, parts, models)}).error_counts()"
    lines = [
        *write_reading(files, _without_group(parts, models)),
        f"answers = {write_call('ta.estimate', counts, **request)}",
        f"for place, model in enumerate({models!r}):",
        "    print(model, answers[place], sep='\\n')",
    ]
    return write_program(lines)


def write_metric_comparison(
    files: tuple[str, ...],
    parts: Mapping[str, Any],
    request: Mapping[str, Any],
    *,
    models: tuple[str, ...],
    of_scores: bool,
    examples: int | None = None,
) -> str:
    """Return the lines that compare the models of files by a metric: all examples, groups, discordant rows."""
    rest = {name: value for name, value in request.items() if name != "adjust"}
    chosen, lines = _write_models(files, parts, models), []
    counted = f"predictions.cross_tally({chosen})"
    if not (parts["group"] and len(files) > 1):
        evidence = "paired_confusion" if len(models) == 2 else "label_patterns"
        argument = f"{counted}.{evidence}()" if chosen else "predictions"
        options = request if len(models) > 2 else rest
        if of_scores:
            argument, options = _write_scores(map(repr, models if parts["models"] else ()), options)
        read = {**parts, "models": None, "scores": True} if of_scores else _without_group(parts, models)
        lines = [*write_reading(files, read), f"print({write_call('ta.compare', argument, **options)})"]
    if parts["group"]:
        pairs = f"{counted}.label_patterns().pairs()"
        by_group = write_call("ta.compare", pairs, **rest, adjust=request.get("adjust") or "holm")
        lines += [*write_reading(files, parts), f"print({by_group})"]
    if examples is not None:
        lines.append(f"print({write_call('predictions.disagreements', *map(repr, models), limit=examples)})")
    return write_program(lines)


def write_metric_estimates(
    files: tuple[str, ...],
    parts: Mapping[str, Any],
    request: Mapping[str, Any],
    models: tuple[str, ...],
    *,
    of_scores: bool,
) -> str:
    """Return the lines that estimate the metric of every model of files, on all examples."""
    if parts["group"] and len(files) > 1:
        return ""
    argument = "predictions.confusion_matrix(model)"
    if of_scores:
        argument, request = _write_scores(["model"], request)
    lines = [
        *write_reading(
            files, {**parts, "models": None, "scores": True} if of_scores else _without_group(parts, models)
        ),
        f"for model in {models!r}:",
        f"    print(model, {write_call('ta.estimate', argument, **request)}, sep='\\n')",
    ]
    return write_program(lines)


def _write_scores(models: Iterable[str], request: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the call that reads the class scores of these models, and the remaining options."""
    rest = {name: value for name, value in request.items() if name != "positive"}
    return write_call("predictions.class_scores", *models, positive=request["positive"]), rest


def _write_models(files: tuple[str, ...], parts: Mapping[str, Any], models: tuple[str, ...]) -> str:
    """Return the models to select after joining files; models of one file are selected when it is read."""
    return ", ".join(map(repr, models)) if len(files) > 1 and parts["models"] else ""


def _without_group(parts: Mapping[str, Any], models: tuple[str, ...]) -> dict[str, Any]:
    """Return the columns of a table without groups, whose column would otherwise count as a model.

    For joined tables the models are unknown before joining: these have answers by group only.
    """
    if not parts["group"]:
        return dict(parts)
    return {**parts, "group": None, "models": models}


def write_race(chosen: Mapping[str, Any], store: str | None, request: Mapping[str, Any], *, named: bool) -> str:
    """Return the lines of a race: read from its store, or run on a data set of scikit-learn by its name.

    Empty for a file without a store, and for scaled numbers, whose preprocessing does not fit a line.
    """
    verb = "ta.compare" if len(chosen["learners"]) > 1 else "ta.estimate"
    answer = f"print({write_call(verb, 'race', **request)})"
    if store is not None and not request.get("reseeds"):  # a store has no learners to run again
        return write_program([f"race = {write_call('ta.read_race', repr(store))}", answer])
    if not named or chosen["scale"]:
        return ""
    texts = {name: text if text.endswith(")") else f"{text}()" for name, text in chosen["learners"].items()}
    modules = {"sklearn.datasets", *(text.partition("(")[0].rpartition(".")[0] for text in texts.values())}
    plans = chosen["plans"][0] if len(chosen["plans"]) == 1 else chosen["plans"]
    settings = {name: chosen[name] for name in ("seeds", "learning_curve", "rng")}
    call = write_call("ta.race", "learners", "X", "y", plan=plans, **settings)
    if chosen["no_stratify"]:
        call = call.removesuffix(")") + ", stratify=False)"
    lines = [
        f"X, y = sklearn.datasets.load_{chosen['data']}(return_X_y=True)",
        "learners = {",
        *(f"    {name!r}: {text}," for name, text in texts.items()),
        "}",
        f"race = {call}",
        answer,
    ]
    return write_program(lines, *sorted(modules))


def write_calibration(
    names: Sequence[str],
    population: str,
    request: Mapping[str, Any],
    lines: Iterable[str] = (),
    modules: Iterable[str] = (),
) -> str:
    """Return the lines that calibrate methods for a design, given as Python.

    Examples
    --------
    >>> request = {"trials": None, "rng": 0, "store": "x"}
    >>> print(write_calibration(["mcnemar"], "ta.PairedTable(10, 25, 10, 255)", request))
    import tellapart as ta
    <BLANKLINE>
    print(ta.calibrate('mcnemar', ta.PairedTable(10, 25, 10, 255)))
    """
    methods = repr(names[0] if len(names) == 1 else list(names) or None)
    settings = {
        name: value for name, value in request.items() if name not in ("jobs", "store") and (name, value) != ("rng", 0)
    }
    if any(word.startswith("lab.") for word in population.replace("(", " ").split()):
        modules = [*modules, "tellapart.lab as lab"]
    return write_program([*lines, f"print({write_call('ta.calibrate', methods, population, **settings)})"], *modules)


def write_coverage(names: Sequence[str], trials: float, request: Mapping[str, Any]) -> str:
    """Return the lines that compute the exact coverage of intervals.

    Examples
    --------
    >>> print(write_coverage(["wald", "wilson"], 50, {"within": (0.0, 0.1), "alpha": None}))
    import tellapart as ta
    <BLANKLINE>
    for method in ['wald', 'wilson']:
        print(ta.exact_coverage(method, 50, within=(0.0, 0.1)))
    """
    call = write_call("ta.exact_coverage", "method" if len(names) > 1 else repr(names[0]), trials, **request)
    lines = [f"for method in {list(names)!r}:", f"    print({call})"] if len(names) > 1 else [f"print({call})"]
    return write_program(lines)


def write_design(text: str) -> tuple[str, list[str]]:
    """Return a design as Python, and the modules that it needs.

    Examples
    --------
    >>> write_design("Learners(Majority, Estimator(sklearn.svm.SVC(C=1)), examples=50)")
    ('lab.Learners(lab.Majority(), lab.Estimator(sklearn.svm.SVC(C=1)), examples=50)', ['sklearn.svm'])
    """
    modules: set[str] = set()

    class Written(ast.NodeTransformer):
        """Adds `lab.` before names, and parentheses after those without any."""

        def visit_Call(self, node: ast.Call) -> ast.AST:
            func = node.func
            if isinstance(func, ast.Attribute):
                modules.add(ast.unparse(func.value))
            arguments = [self.visit(argument) for argument in node.args]
            keywords = [ast.keyword(argument.arg, self.visit(argument.value)) for argument in node.keywords]
            return ast.Call(ast.Name(f"lab.{func.id}") if isinstance(func, ast.Name) else func, arguments, keywords)

        def visit_Name(self, node: ast.Name) -> ast.AST:
            return self.visit_Call(ast.Call(node, [], []))

        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            return self.visit_Call(ast.Call(node, [], []))

    tree = Written().visit(ast.parse(text.strip(), mode="eval").body)
    return ast.unparse(tree), sorted(modules)

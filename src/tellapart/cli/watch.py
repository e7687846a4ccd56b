"""`tellapart watch`: sequential comparison while labels arrive, valid at any stopping time."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..errors import InvalidEvidence, InvalidInput, InvalidOption, OutputNotWritten
from ..evidence import ErrorCount, PairedTable
from ..figures import join_names
from ..rendering import plain
from ..results.wording import excluded_text
from ..typing_ import as_alpha
from .answer_output import Output, output
from .file_reading import columns, count_predictions, name_files, progress, split_names
from .guarding import drop_output
from .help_pages import COLUMNS, COUNTS, STATISTICS, grouped_option
from .parameters import ALPHA, LEVEL, FilesAndNumbers, as_bets, as_count, build_counts, output_options
from .printing import remark
from .python_code import write_program

if TYPE_CHECKING:
    from ..planning.watching import Watch

_RULES = ("mcnemar-evalue", "obrien-fleming", "pocock", "beta-binomial-cs", "betting")
# The subject of each kind of batch.
_SUBJECTS = {
    "pair": "two models on the same examples",
    "rate": "the error of one model",
    "mean": "the mean score of one model",
    "paired scores": "the scores of two models on the same examples",
}


class _Batch(NamedTuple):
    """New examples: their subject and their source."""

    watches: str
    models: tuple[str, ...] | None  # None: those of the state
    evidence: Any
    source: str = ""
    fingerprint: str = ""
    name: str = ""


@click.command("watch", cls=FilesAndNumbers, short_help="Compare models while labels arrive, at any number of looks.")
@click.argument("state", type=click.Path(path_type=Path), metavar="STATE")
@grouped_option(
    "--add", "files", multiple=True, metavar="FILE", section=COLUMNS, help="Batch of new examples; repeatable."
)
@grouped_option(
    "--with",
    "others",
    multiple=True,
    metavar="FILE",
    section=COLUMNS,
    help="Predictions of B, if --add has those of A; joined by --id.",
)
@grouped_option(
    "--table",
    "tables",
    type=as_count,
    nargs=4,
    multiple=True,
    metavar="N N N N",
    section=COUNTS,
    help="Both wrong, only A wrong, only B wrong, both right.",
)
@grouped_option(
    "--errors",
    type=as_count,
    nargs=2,
    multiple=True,
    metavar="E N",
    section=COUNTS,
    help="Errors and examples of one model.",
)
@grouped_option(
    "--batch",
    "names",
    multiple=True,
    metavar="NAME",
    section=COUNTS,
    help="Unique name of the batch; a repeated name is refused.",
)
@grouped_option(
    "--score",
    metavar="COL[,COL]",
    section=COLUMNS,
    help="Columns of scores from 0 to 1, in order: one model, or A and B.",
)
@grouped_option(
    "--rule",
    type=click.Choice(_RULES),
    metavar="NAME",
    section=STATISTICS,
    help="Decision rule; obrien-fleming and pocock need --total. [anytime-valid]",
)
@grouped_option(
    "--total",
    type=click.IntRange(min=1),
    metavar="N",
    section=STATISTICS,
    help="Planned examples, for obrien-fleming and pocock.",
)
@grouped_option(
    "--against",
    type=float,
    metavar="RATE",
    section=STATISTICS,
    help="Threshold for the error rate or mean of one model.",
)
@grouped_option(
    "--prior",
    type=as_bets,
    metavar="K|U,V",
    section=STATISTICS,
    rare=True,
    help="Beta(K, K) for two models, Beta(U, V) for one. [1, or 0.5,0.5]",
)
@LEVEL
@ALPHA
@columns
@output_options
def command(
    state: Path,
    files: tuple[str, ...],
    others: tuple[str, ...],
    tables: tuple[tuple[float, ...], ...],
    errors: tuple[tuple[float, ...], ...],
    names: tuple[str, ...],
    score: str | None,
    rule: str | None,
    total: int | None,
    against: float | None,
    prior: Any,
    level: float | None,
    alpha: float | None,
    html: str | None,
    as_json: bool,
    **parts: Any,
) -> None:
    """Add batches of new examples to STATE, and show the comparison so far.

    STATE is a small file, created with the first batch. Each batch is a look; however often you look, the probability
    of a false decision is at most alpha.

    A file that was added before is refused, whatever its name; so is a second batch of the same --batch, and counts
    without a name that equal the last ones. If one batch is refused, none is added.

    \b
    Examples:
      tellapart watch pair.json --table 3 14 4 279
      tellapart watch pair.json --table 2 9 5 284 --batch tuesday
      tellapart watch models.json --add predictions.csv --label species \\
        --models forest,stump
      tellapart watch planned.json --table 3 14 4 279 --rule pocock --total 2000
      tellapart watch errors.json --errors 3 120 --against 0.05
    """
    if sum(map(bool, (files, tables, errors))) > 1:
        raise click.UsageError("Use one of --add, --table and --errors.")
    how = output(as_json=as_json, html=html, spare=(state, *files, *others))
    models = tuple(split_names(parts["models"]) or ()) or None
    requested = {"rule": rule, "total": total, "against": against, "prior": prior, "models": models}
    requested["alpha"] = None if level is None and alpha is None else as_alpha(level, alpha)
    stored = _read_state(state, requested)
    if others and len(others) != len(files):
        raise click.UsageError(f"`--with` must be given once for each --add, got {len(others)} for {len(files)}.")
    if not files:
        _check_no_columns({**parts, "score": score}, "but there is no --add")
    _refuse_names(names, len(tables) + len(errors) + len(files))
    batches = [_Batch("pair", models, four) for four in tables]
    batches += [_Batch("rate", models, two) for two in errors]
    for index, file in enumerate(files):
        group = (file, others[index]) if others else (file,)
        batches.append(_read_batch(group, stored, split_names(score), models, parts))
    if names:
        batches = [batch._replace(name=name) for batch, name in zip(batches, names, strict=True)]
    if stored is None and not batches:
        raise InvalidOption(f"file not found: {str(state)!r}. To begin a watch use --add, --table or --errors.")
    watch = _save_batches(state, stored, batches, requested) if batches else stored
    if batches:
        how = replace(how, done=f"{_count_batches(len(batches))} in {str(state)!r} and must not be added again")
    try:
        _show_watch(watch, how)
        how.write(watch, code=write_program([f"print(ta.read_watch({str(state)!r}))"]))
    except (BrokenPipeError, OutputNotWritten):
        raise
    except OSError as error:
        if not batches:
            raise
        drop_output()
        raise OutputNotWritten(f"{how.done}, but standard output cannot be written: {error.strerror}.") from error


def _refuse_names(names: tuple[str, ...], batches: int) -> None:
    """Raise an error if the batches have names, but not one each."""
    if names and len(names) != batches:
        raise click.UsageError(f"`--batch` must be given once for each batch, got {len(names)} for {batches}.")
    for name in names:
        if not name.strip():  # a variable of a script that is not set, say
            raise InvalidOption(
                f"`--batch` must be a name that is not blank, got {name!r}. Leave it out, or give a name."
            )


def _count_batches(batches: int) -> str:
    return "the batch is" if batches == 1 else f"the {batches} batches are"


def _show_watch(watch: Any, how: Output) -> None:
    if not how.as_json:
        how.show(watch)
        return
    fields = plain(watch.as_dict())
    if watch.rule == "betting" and fields["held"]:  # without thousands of scores
        fields["held"] = {name: fields["held"][name] for name in ("count", "total")}
    click.echo(json.dumps(fields, indent=2, ensure_ascii=False, allow_nan=False))


# --- The state ----------------------------------------------------------------------------------------


def _save_batches(state: Path, stored: Watch | None, batches: list[_Batch], requested: dict[str, Any]) -> Watch:
    """Return the saved watch with the batches; if another process changed it meanwhile, add to its state."""
    from ..planning.watch_files import StateChanged

    while True:
        watch = _begin_watch(batches[0], requested) if stored is None else stored
        _check_no_repeat(watch, batches, state)
        for batch in batches:
            watch = _add_batch(watch, batch, state)
        try:
            watch.save(state)
        except StateChanged:
            stored = _read_state(state, requested)
            continue
        if stored is None:
            total = "" if watch.total is None else f", {watch.total:,} examples planned"
            models = " and ".join(watch.models)
            remark(f"note: {state} created: {models}, rule {watch.rule}, alpha = {watch.alpha:.6g}{total}")
        return watch


def _read_state(state: Path, requested: dict[str, Any]) -> Watch | None:
    """Return the watch of the file, or None; raise InvalidOption if options contradict it."""
    from ..planning.watching import read_watch

    try:
        exists = state.exists()
    except OSError as error:
        raise InvalidInput(f"cannot read {str(state)!r}: {error.strerror}.") from error
    stored = read_watch(state) if exists else None
    if stored is not None:
        _check_options(state, stored, requested)
    return stored


def _check_options(state: Path, stored: Watch, requested: dict[str, Any]) -> None:
    from ..planning.watch_looks import prior_for

    for name, value in requested.items():
        earlier = getattr(stored, name)
        if value is None or (prior_for(stored.rule, value) if name == "prior" else value) == earlier:
            continue
        here, before = (", ".join(map(str, item)) if isinstance(item, tuple) else item for item in (value, earlier))
        raise InvalidOption(
            f"`--{name}` must be {'left out' if earlier is None else before} as when {str(state)!r} was created, got"
            f" {here}."
        )


def _begin_watch(batch: _Batch, requested: dict[str, Any]) -> Watch:
    """Return a new watch for the first batch."""
    from ..planning.watching import Watch

    options = {name: value for name, value in requested.items() if value is not None and name != "models"}
    names = batch.models
    if len(names or ()) not in (0, 2 if batch.watches in ("pair", "paired scores") else 1):
        raise InvalidOption(
            f"`--models` must name the models of a watch of {_SUBJECTS[batch.watches]}, got {join_names(names or ())}."
        )
    make = {"pair": Watch.pair, "rate": Watch.rate, "mean": Watch.mean, "paired scores": Watch.paired_scores}
    if names:
        options |= {"models": names} if len(names) == 2 else {"model": names[0]}
    accepted = {"pair": {"rule", "total", "prior"}, "rate": {"against", "prior"}, "mean": {"against"}}
    rules = {"rate": "beta-binomial-cs", "mean": "betting", "paired scores": "betting"}
    if options.get("rule") == rules.get(batch.watches):
        options.pop("rule", None)  # the only rule
    for name in options:
        if name not in accepted.get(batch.watches, set()) | {"alpha", "models", "model"}:
            raise InvalidOption(f"`--{name}` is not for {_SUBJECTS[batch.watches]}, got {options[name]}. Leave it out.")
    return make[batch.watches](**options)  # type: ignore[operator, no-any-return]  # options are checked above


def _add_batch(watch: Watch, batch: _Batch, state: Path) -> Watch:
    """Return the watch after one batch; raise InvalidOption if it is of another kind or of other models."""
    if batch.watches != watch.watches:
        raise InvalidOption(
            f"{str(state)!r} is for {_SUBJECTS[watch.watches]}, got a batch of {_SUBJECTS[batch.watches]}. Use another"
            " file."
        )
    if batch.models is not None and batch.models != watch.models:
        raise InvalidOption(
            f"{str(state)!r} is for {join_names(watch.models)}, got {join_names(batch.models)}. If they are the same,"
            " use --models."
        )
    evidence = _build_evidence(batch, watch)
    if _may_be_repeated(batch) and watch.repeats_last(evidence):
        raise _repeated_error(1, state)
    return watch.add(evidence, source=batch.source, fingerprint=batch.fingerprint, name=batch.name)


def _build_evidence(batch: _Batch, watch: Watch) -> Any:
    from_file = bool(batch.fingerprint)
    if batch.watches == "pair":
        return build_counts(PairedTable, batch.evidence, "--table", models=watch.models, as_accuracy=from_file)
    return build_counts(ErrorCount, batch.evidence, "--errors") if batch.watches == "rate" else batch.evidence


# --- Repeated batches --------------------------------------------------------------------------


def _may_be_repeated(batch: _Batch) -> bool:
    """Return whether only its counts identify a batch: it was typed, and has no name."""
    return not batch.name and not batch.fingerprint


def _check_no_repeat(watch: Watch, batches: list[_Batch], state: Path) -> None:
    """Raise InvalidEvidence if typed counts equal those added last, in order, as if a command was repeated."""
    typed = list(takewhile(_may_be_repeated, batches))
    count = watch.repeats_last(*(_build_evidence(batch, watch) for batch in typed if batch.watches == watch.watches))
    if count:
        raise _repeated_error(count, state)


def _repeated_error(count: int, state: Path) -> InvalidEvidence:
    batches = "this batch equals the last one" if count == 1 else f"these {count} batches equal the last {count}"
    return InvalidEvidence(
        f"{batches} in {str(state)!r}, as if a command was repeated. Nothing was added; if the examples are new, use"
        f" --batch NAME{'' if count == 1 else ' for each'}."
    )


def _check_no_columns(parts: dict[str, Any], why: str) -> None:
    """Raise InvalidOption for column options without a file of predictions."""
    for name, value in parts.items():
        if value and name != "models" and (name, value) != ("missing", "fail"):
            raise InvalidOption(f"`--{name.replace('key', 'id')}` is for files, {why}. Leave it out.")


# --- Batches from files -------------------------------------------------------------------------------


def _read_batch(
    group: tuple[str, ...],
    stored: Watch | None,
    score: list[str] | None,
    names: tuple[str, ...] | None,
    parts: dict[str, Any],
) -> _Batch:
    """Return the batch of one file, or of two joined files."""
    if parts["group"] is not None:
        raise InvalidOption("`--group` must be left out: a watch has one group. Use one state file for each group.")
    before = _compute_fingerprint(group)
    if score or (stored is not None and stored.rule == "betting"):
        batch = _read_scores(group, list(score or (stored.models if stored else ())), names, parts)
    else:
        batch = _read_outcomes(group, stored, names, parts)
    if _compute_fingerprint(group) != before:
        raise InvalidInput(
            f"{' or '.join(group)} changed while being read. Nothing was added: try again when it is complete."
        )
    source = " + ".join(Path(file).name for file in group)
    return batch._replace(source=source, fingerprint=before)


def _compute_fingerprint(group: tuple[str, ...]) -> str:
    """Return the SHA-256 of every file, separated by blanks."""
    from ..readers.files import files_of

    digests = []
    for file in (path for name in group for path in files_of(name)):
        try:
            with file.open("rb") as stream:
                digests.append(hashlib.file_digest(stream, "sha256").hexdigest())
        except OSError as error:
            raise InvalidInput(f"cannot read {file}: {error.strerror}.") from error
    return " ".join(digests)


def _read_scores(
    group: tuple[str, ...], cols: list[str], names: tuple[str, ...] | None, parts: dict[str, Any]
) -> _Batch:
    from ..methods.betting import as_unit_values
    from ..readers.columns import read_numbers

    if len(group) > 1 or len(cols) not in (1, 2):
        raise InvalidOption(
            "`--score` must name one column, or two (A and B), of one file. Use --score COL or --score COL,COL."
        )
    _check_no_columns(parts, "but not with --score")
    with progress(f"reading {group[0]}"):
        try:
            scores = [as_unit_values(values) for values in read_numbers(group[0], cols)]
        except InvalidEvidence as error:
            raise InvalidEvidence(str(error) if group[0] in str(error) else f"{group[0]}: {error}") from error
    models = names or tuple(cols)
    return (
        _Batch("mean", models, scores[0]) if len(cols) == 1 else _Batch("paired scores", models, scores[1] - scores[0])
    )


def _read_outcomes(
    group: tuple[str, ...], stored: Watch | None, names: tuple[str, ...] | None, parts: dict[str, Any]
) -> _Batch:
    """Return the counts of a file, or of two: the first has the predictions of A."""
    models_known = names or (stored.models if stored is not None else ())
    joined = len(group) > 1
    chosen = (
        None if joined or not models_known else ",".join('"' + name.replace('"', '""') + '"' for name in models_known)
    )
    tally = count_predictions(group, **{**parts, "models": chosen})
    if tally.reasons:
        remark(f"note: {' + '.join(group)}: {excluded_text(tally.reasons).removeprefix('; ')}")
    if len(tally.models) > 2:
        raise InvalidOption(
            f"`--models` must name one or two models, got {join_names(tally.models)}. Use --models A,B."
        )
    if len(tally.models) == 1:
        count = tally.error_counts()[0]
        return _Batch("rate", tally.models, (count.errors, count.trials))
    models = tally.models
    if joined and models_known and set(models_known) == set(models):
        models = models_known
    table = tally.paired_table(*models)
    if (
        joined and models_known and tally.models == tuple(name_files(group))
    ):  # the names of the files, which may differ from batch to batch
        models = models_known
    return _Batch("pair", models, (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right))

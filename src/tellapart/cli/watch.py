"""`tellapart watch`: where do things stand while labels arrive, and may one stop now?"""

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
from ..rendering import plain
from ..results.wording import excluded_text
from ..typing_ import as_alpha
from .guarding import drop_output
from .parameters import FilesAndNumbers, as_bets, as_count, output_options
from .printing import remark
from .python_code import write_program
from .reading import columns, count_predictions, name_files, progress, split_names
from .reports import Output, output

if TYPE_CHECKING:
    from ..planning.watching import Watch

_RULES = ("mcnemar-evalue", "obrien-fleming", "pocock", "beta-binomial-cs", "betting")
# What a way to give batches is for.
_FOR = {
    "pair": "two models on the same examples",
    "rate": "the error of one model",
    "mean": "the mean score of one model",
    "paired scores": "the scores of two models on the same examples",
}


class _Batch(NamedTuple):
    """New examples, by what they are evidence of, and where they came from."""

    watches: str
    models: tuple[str, ...] | None  # None: whoever the state says
    held: Any
    source: str = ""
    fingerprint: str = ""
    name: str = ""


@click.command("watch", cls=FilesAndNumbers)
@click.argument("state", type=click.Path(path_type=Path), metavar="STATE")
@click.option("--add", "files", multiple=True, metavar="FILE", help="A batch of new examples; again for the next one.")
@click.option(
    "--with",
    "others",
    multiple=True,
    metavar="FILE",
    help="B's predictions, where --add has those of A: one for each --add, joined by --id.",
)
@click.option(
    "--table",
    "tables",
    type=as_count,
    nargs=4,
    multiple=True,
    metavar="BOTH_WRONG ONLY_A_WRONG ONLY_B_WRONG BOTH_RIGHT",
    help="A batch as four counts: two models on the same examples.",
)
@click.option(
    "--errors",
    type=as_count,
    nargs=2,
    multiple=True,
    metavar="E N",
    help="A batch as errors among examples: one model.",
)
@click.option(
    "--batch",
    "names",
    multiple=True,
    metavar="NAME",
    help="Name of the batch, refused if a batch in STATE has it; one for each batch.",
)
@click.option(
    "--score", metavar="COL[,COL]", help="Files hold scores from 0 to 1, in order: one column, or those of A and B."
)
@click.option("--rule", type=click.Choice(_RULES), help="How to decide; the default looks whenever you like.")
@click.option(
    "--total", type=click.IntRange(min=1), metavar="N", help="Examples planned in all, for obrien-fleming and pocock."
)
@click.option("--against", type=float, metavar="RATE", help="Threshold for the error, or the mean, of one model.")
@click.option(
    "--prior",
    type=as_bets,
    metavar="K|U,V",
    help="What is bet on: K of Beta(K, K) for two models, U,V for an error.  [default: 1, or 0.5,0.5]",
)
@click.option("--level", type=float, help="1 - alpha, over all looks together.  [default: 0.95]")
@click.option("--alpha", type=float, help="Error probability of all looks together.")
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
    """Look while labels arrive: add batches of new examples to STATE, and tell where things stand.

    STATE is a small file, made with the first batch; later options must agree with it. Every batch is a look. However
    often you look, equal models are told apart with probability alpha at most.

    Nothing is counted twice: a file that was added before is recognised by its content, whatever its name, and
    refused; so is a second batch of the same --batch NAME, and counts without a name that equal those added last.
    If one batch is refused, none of the command is added.

    \b
    Examples:
      tellapart watch pair.json --add predictions.csv --label species --models forest,stump
      tellapart watch pair.json --table 3 14 4 279
      tellapart watch pair.json --table 2 9 5 284 --batch tuesday
      tellapart watch pair.json --html pair.html
      tellapart watch joined.json --add old.csv --with new.csv --label species --id row
      tellapart watch planned.json --table 3 14 4 279 --rule obrien-fleming --total 2000
      tellapart watch errors.json --errors 3 120 --against 0.05
    """
    if sum(map(bool, (files, tables, errors))) > 1:
        raise click.UsageError("give batches in one way: --add, --table or --errors.")
    how = output(as_json=as_json, html=html, spare=(state, *files, *others))
    models = tuple(split_names(parts["models"]) or ()) or None
    asked = {"rule": rule, "total": total, "against": against, "prior": prior, "models": models}
    asked["alpha"] = None if level is None and alpha is None else as_alpha(level, alpha)
    kept = _kept(state, asked)
    if others and len(others) != len(files):
        raise click.UsageError(
            f"there must be one --with for each --add, but there are {len(others)} for {len(files)}."
        )
    if not files:
        _refuse_columns({**parts, "score": score}, "but no --add says which")
    _refuse_names(names, len(tables) + len(errors) + len(files))
    batches = [_Batch("pair", models, four) for four in tables]
    batches += [_Batch("rate", models, two) for two in errors]
    for place, file in enumerate(files):
        group = (file, others[place]) if others else (file,)
        batches.append(_read(group, kept, split_names(score), models, parts))
    if names:
        batches = [batch._replace(name=name) for batch, name in zip(batches, names, strict=True)]
    if kept is None and not batches:
        raise InvalidOption(
            f"{str(state)!r} is not there. To begin a watch, add a first batch: --add FILE, --table … or --errors …"
        )
    watch = _saved(state, kept, batches, asked) if batches else kept
    if batches:
        how = replace(how, done=f"{_those(len(batches))} in {str(state)!r} and must not be added again")
    try:
        _show(watch, how)
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
        raise click.UsageError(f"there must be one --batch for each batch, but there are {len(names)} for {batches}.")
    for name in names:
        if not name.strip():  # a variable of a script that is not set, say
            raise InvalidOption(
                f"`--batch` must be a name that is not blank, got {name!r}. Leave it out, or give a name."
            )


def _those(batches: int) -> str:
    return "the batch is" if batches == 1 else f"the {batches} batches are"


def _show(watch: Any, how: Output) -> None:
    if not how.as_json:
        how.show(watch)
        return
    told = plain(watch.as_dict())
    if watch.rule == "betting" and told["held"]:  # thousands of numbers that nobody reads
        told["held"] = {name: told["held"][name] for name in ("count", "total")}
    click.echo(json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False))


# --- The state ----------------------------------------------------------------------------------------


def _saved(state: Path, kept: Watch | None, batches: list[_Batch], asked: dict[str, Any]) -> Watch:
    """Add batches to the watch and keep it; if somebody else was quicker, add to what they left."""
    from ..planning.watch_files import StateChanged

    while True:
        watch = _begun(batches[0], asked) if kept is None else kept
        _refuse_repeated_command(watch, batches, state)
        for batch in batches:
            watch = _added(watch, batch, state)
        try:
            watch.save(state)
        except StateChanged:
            kept = _kept(state, asked)
            continue
        if kept is None:
            remark(f"tellapart: {state} is new: {watch!r}")
        return watch


def _kept(state: Path, asked: dict[str, Any]) -> Watch | None:
    """Return the watch in the file, if there is one; what is asked may not contradict it."""
    from ..planning.watching import read_watch

    try:
        there = state.exists()
    except OSError as error:
        raise InvalidInput(f"{str(state)!r} cannot be read: {error.strerror}.") from error
    kept = read_watch(state) if there else None
    if kept is not None:
        _refuse_contradictions(state, kept, asked)
    return kept


def _refuse_contradictions(state: Path, kept: Watch, asked: dict[str, Any]) -> None:
    from ..planning.watch_looks import prior_for

    for name, value in asked.items():
        held = getattr(kept, name)
        if value is None or (prior_for(kept.rule, value) if name == "prior" else value) == held:
            continue
        here, there = (", ".join(map(str, each)) if isinstance(each, tuple) else each for each in (value, held))
        begun = "without it" if held is None else f"with {there}"
        raise InvalidOption(
            f"--{name} {here} contradicts {str(state)!r}, which was begun {begun}. Leave it out, or begin another."
        )


def _begun(batch: _Batch, asked: dict[str, Any]) -> Watch:
    """Return a new watch of what the first batch is of."""
    from ..planning.watching import Watch

    given = {name: value for name, value in asked.items() if value is not None and name != "models"}
    names = batch.models
    if len(names or ()) not in (0, 2 if batch.watches in ("pair", "paired scores") else 1):
        raise InvalidOption(f"this is a watch of {_FOR[batch.watches]}, but --models names {', '.join(names or ())}.")
    make = {"pair": Watch.pair, "rate": Watch.rate, "mean": Watch.mean, "paired scores": Watch.paired_scores}
    if names:
        given |= {"models": names} if len(names) == 2 else {"model": names[0]}
    known = {"pair": {"rule", "total", "prior"}, "rate": {"against", "prior"}, "mean": {"against"}}
    rules = {"rate": "beta-binomial-cs", "mean": "betting", "paired scores": "betting"}
    if given.get("rule") == rules.get(batch.watches):
        given.pop("rule", None)  # the only one there is
    for name in given:
        if name not in known.get(batch.watches, set()) | {"alpha", "models", "model"}:
            raise InvalidOption(f"--{name} {given[name]} is not for {_FOR[batch.watches]}. Leave it out.")
    return make[batch.watches](**given)  # type: ignore[operator, no-any-return]  # each takes what it knows


def _added(watch: Watch, batch: _Batch, state: Path) -> Watch:
    """Return the watch after one batch, which must be of the same kind and of the same models."""
    if batch.watches != watch.watches:
        raise InvalidOption(
            f"{str(state)!r} watches {_FOR[watch.watches]}, but this batch is of {_FOR[batch.watches]}. Begin another"
            " state for it."
        )
    if batch.models is not None and batch.models != watch.models:
        raise InvalidOption(
            f"{str(state)!r} watches {', '.join(watch.models)}, but this batch is of {', '.join(batch.models)}. If they"
            " are the same, call them so; else begin another state."
        )
    held = _evidence(batch, watch)
    if _may_be_repeated(batch) and watch.repeats_last(held):
        raise _repeated(1, state)
    return watch.add(held, source=batch.source, fingerprint=batch.fingerprint, name=batch.name)


def _evidence(batch: _Batch, watch: Watch) -> Any:
    if batch.watches == "pair":
        return PairedTable(*batch.held, models=watch.models)  # type: ignore[arg-type]  # a pair has two
    return ErrorCount(*batch.held) if batch.watches == "rate" else batch.held


# --- Batches that come again --------------------------------------------------------------------------


def _may_be_repeated(batch: _Batch) -> bool:
    """Whether nothing but its counts tells this batch from the one before it: it was typed, and has no name."""
    return not batch.name and not batch.fingerprint


def _refuse_repeated_command(watch: Watch, batches: list[_Batch], state: Path) -> None:
    """Refuse typed counts that are those added last, in their order: whoever repeats a command repeats all of it."""
    typed = list(takewhile(_may_be_repeated, batches))
    count = watch.repeats_last(*(_evidence(batch, watch) for batch in typed if batch.watches == watch.watches))
    if count:
        raise _repeated(count, state)


def _repeated(count: int, state: Path) -> InvalidEvidence:
    those = "this batch has the counts of the one" if count == 1 else f"these {count} batches have the counts of those"
    return InvalidEvidence(
        f"{those} added last to {str(state)!r}, as if a command was repeated. Nothing was added. If the examples are"
        f" new, name {'the batch' if count == 1 else 'each batch'}: --batch NAME."
    )


def _refuse_columns(parts: dict[str, Any], why: str) -> None:
    """Refuse an option that speaks of a file of predictions where there is none."""
    for name, value in parts.items():
        if value and name != "models" and (name, value) != ("missing", "fail"):
            raise InvalidOption(f"--{name.replace('key', 'id')} speaks of a file, {why}. Leave it out.")


# --- Batches from files -------------------------------------------------------------------------------


def _read(
    group: tuple[str, ...],
    kept: Watch | None,
    score: list[str] | None,
    names: tuple[str, ...] | None,
    parts: dict[str, Any],
) -> _Batch:
    """Return what one file holds, or two that are joined."""
    if parts["group"] is not None:
        raise InvalidOption("--group: a watch is of all examples together. Keep a state for each group.")
    before = _fingerprint(group)
    if score or (kept is not None and kept.rule == "betting"):
        batch = _scores(group, list(score or (kept.models if kept else ())), names, parts)
    else:
        batch = _outcomes(group, kept, names, parts)
    if _fingerprint(group) != before:
        raise InvalidInput(
            f"{' or '.join(group)} was changed while it was read. Nothing was added: wait until it is whole."
        )
    source = " + ".join(Path(file).name for file in group)
    return batch._replace(source=source, fingerprint=before)


def _fingerprint(group: tuple[str, ...]) -> str:
    """Return the SHA-256 of every file, between blanks."""
    from ..readers.files import files_of

    found = []
    for file in (each for name in group for each in files_of(name)):
        try:
            with file.open("rb") as stream:
                found.append(hashlib.file_digest(stream, "sha256").hexdigest())
        except OSError as error:
            raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from error
    return " ".join(found)


def _scores(group: tuple[str, ...], cols: list[str], names: tuple[str, ...] | None, parts: dict[str, Any]) -> _Batch:
    from ..methods.betting import as_unit_values
    from ..readers.columns import read_numbers

    if len(group) > 1 or len(cols) not in (1, 2):
        raise InvalidOption(
            "scores are one column, or two (of A and of B) in one file: --score COL or --score COL,COL."
        )
    _refuse_columns(parts, "but of predictions; --score names columns of scores")
    with progress(f"reading {group[0]}"):
        try:
            found = [as_unit_values(values) for values in read_numbers(group[0], cols)]
        except InvalidEvidence as error:
            raise InvalidEvidence(str(error) if group[0] in str(error) else f"{group[0]}: {error}") from error
    models = names or tuple(cols)
    return _Batch("mean", models, found[0]) if len(cols) == 1 else _Batch("paired scores", models, found[1] - found[0])


def _outcomes(
    group: tuple[str, ...], kept: Watch | None, names: tuple[str, ...] | None, parts: dict[str, Any]
) -> _Batch:
    """Count who was wrong where; of two files the first is A's, and their models may both be called the same."""
    known = names or (kept.models if kept is not None else ())
    joined = len(group) > 1
    chosen = None if joined or not known else ",".join('"' + name.replace('"', '""') + '"' for name in known)
    tally = count_predictions(group, **{**parts, "models": chosen})
    if tally.reasons:
        remark(f"tellapart: {' + '.join(group)}:{excluded_text(tally.reasons)}")
    if len(tally.models) > 2:
        raise InvalidOption(f"a watch is of one model or two, but these are {', '.join(tally.models)}: --models A,B.")
    if len(tally.models) == 1:
        count = tally.error_counts()[0]
        return _Batch("rate", tally.models, (count.errors, count.trials))
    models = tally.models
    if joined and known and set(known) == set(models):
        models = known
    table = tally.paired_table(*models)
    if joined and known and tally.models == tuple(name_files(group)):  # named after the files, which go by the day
        models = known
    return _Batch("pair", models, (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right))

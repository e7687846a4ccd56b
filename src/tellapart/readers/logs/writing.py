"""From the log of any tool to the shared schema Every Eval Ever."""

from __future__ import annotations

import os
from pathlib import Path

from .every_eval_ever import Relationship, write_run
from .log_reading import runs_of
from .run import Selection


def write_every_eval_ever(
    source: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  # the name users give it
    task: str | None = None,
    filter: str | None = None,  # noqa: A002
    metric: str | None = None,
    model: str | None = None,
    organization: str = "unknown",
    relationship: Relationship = "other",
    when: float | None = None,
) -> list[Path]:
    """Write the runs of a log in the shared schema Every Eval Ever: a file of records for each run.

    Parameters
    ----------
    source
        A log, or a folder of logs, as for `read_logs`.
    folder
        Where to write, in data/<task>/<developer>/<model>/ below it, as in the data store of the schema.
    format, task, filter, metric, model
        The tool, task, filter, score and model, as for `read_logs`.
    organization, relationship
        Who ran it, and their relationship to the developer of the model: "first_party", "third_party",
        "collaborative" or "other".
    when
        The time of the records, in seconds since 1970. Default: now.

    Returns
    -------
    list of Path
        The files of records.

    Examples
    --------
    >>> import tempfile
    >>> from tellapart import read_logs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = write_every_eval_ever("examples/logs/reed.eval", folder, organization="Example")
    ...     read_logs(files[0]).outcomes().examples
    24
    """
    selection = Selection(task=task, filter=filter, metric=metric, model=model)
    return [
        write_run(run, folder, organization=organization, relationship=relationship, when=when)
        for run in runs_of(Path(source), format, selection)
    ]

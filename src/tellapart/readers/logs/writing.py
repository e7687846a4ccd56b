"""From the log of any tool to the shared schema Every Eval Ever."""

from __future__ import annotations

import os
from pathlib import Path

from .every_eval_ever import Relationship, write_run
from .reading import runs_of
from .run import Wanted


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
    """Write what a log of any tool holds in the shared schema Every Eval Ever: a file of records for each run.

    Parameters
    ----------
    source
        A log, or a folder of logs, as for `read_logs`.
    folder
        Where to write; the schema's data store wants data/<task>/<developer>/<model>/ below it.
    format, task, filter, metric, model
        Which tool, and which of several tasks, filters, scores and models, as for `read_logs`.
    organization, relationship
        Who ran it, and how they are related to who made the model: "first_party", "third_party", "collaborative" or
        "other".
    when
        The time that the records bear, in seconds since 1970; now, if left out.

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
    wanted = Wanted(task=task, filter=filter, metric=metric, model=model)
    return [
        write_run(run, folder, organization=organization, relationship=relationship, when=when)
        for run in runs_of(Path(source), format, wanted)
    ]

"""Pictures as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InvalidOption, OutputNotWritten, import_extra
from ..style import STYLE
from ..targets import check_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")


def figure_format(file: str | Path) -> str:
    """Return the format of a file name; raise InvalidOption for an unknown one.

    Examples
    --------
    >>> figure_format("calibration.svg")
    'svg'
    """
    ending = Path(file).suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise InvalidOption(f"{str(file)!r} must end in .{', .'.join(FORMATS)}.")
    check_target(file, in_place=True)
    import_extra("matplotlib", "plot")
    return ending


def save(drawing: Figure | Axes, file: str | Path) -> None:
    """Write a figure, or that of some axes, to a file; the format follows from its ending: .png, .svg or .pdf.

    The same figure is the same file: no dates, no random names.

    Examples
    --------
    >>> import tellapart as ta, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(ta.plots.paired_table(ta.PairedTable(20, 25, 10, 45)), f"{folder}/table.svg")
    """
    ending = figure_format(file)
    if not hasattr(drawing, "figure"):
        raise InvalidOption(f"`drawing` must be a figure or axes, got {type(drawing).__name__}.")
    figure: Any = drawing.figure.figure  # axes may belong to a larger figure
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}
    try:
        with import_extra("matplotlib", "plot").rc_context(STYLE):
            figure.savefig(file, format=ending, dpi=200, metadata=undated[ending])
    except OSError as error:
        raise OutputNotWritten(f"{str(file)!r} cannot be written: {error.strerror}.") from error

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
    """Return the format that a file's name asks for, or say which there are.

    Examples
    --------
    >>> figure_format("calibration.svg")
    'svg'
    """
    ending = Path(file).suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise InvalidOption(f"a figure's name must end in .{', .'.join(FORMATS)}, but is {str(file)!r}.")
    check_target(file, in_place=True)
    import_extra("matplotlib", "plot")
    return ending


def save(drawing: Figure | Axes, file: str | Path) -> None:
    """Write a figure, or that of some axes, to a file; its ending tells the format: .png, .svg or .pdf.

    The same figure is the same file: no dates, no random names.

    Examples
    --------
    >>> import tellapart as ta, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(ta.plots.paired_table(ta.PairedTable(20, 25, 10, 45)), f"{folder}/table.svg")
    """
    ending = figure_format(file)
    figure: Any = drawing.figure.figure  # that of axes may be a part of a larger one
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}
    try:
        with import_extra("matplotlib", "plot").rc_context(STYLE):
            figure.savefig(file, format=ending, dpi=200, metadata=undated[ending])
    except OSError as error:
        raise OutputNotWritten(f"{str(file)!r} cannot be written: {error.strerror}.") from error

"""W10: how long an import and a whole command take from cold, and how large the wheel is."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from contest import Contest, children, command

PYTHON = sys.executable
PROGRAM = str(Path(sys.executable).with_name("tellapart"))


def contests() -> Iterator[Contest]:
    """Yield the contests of W10 that are about time."""
    yield Contest(
        title="W10 import tellapart, and the names that need NumPy",
        ours=command(PYTHON, "-c", "from tellapart import ErrorCount; ErrorCount(3, 120)"),
        peers={"import numpy": command(PYTHON, "-c", "import numpy")},
        within={"import numpy": 1.15},
        turns=25,
        clock=children,
    )
    yield Contest(
        title="W10 tellapart estimate 3 120, from cold",
        ours=command(PROGRAM, "estimate", "3", "120"),
        peers={
            "click + scipy.special": command(PYTHON, "-c", "import click, scipy.special"),
            "click + numpy": command(PYTHON, "-c", "import click, numpy"),
        },
        within={"click + scipy.special": 1.1},
        turns=25,
        clock=children,
    )


def wheel_is_small(limit: float = 0.5) -> bool:
    """Build the wheel, print its size, and return whether it is within the limit (in megabytes)."""
    here = Path(__file__).parent.parent
    with tempfile.TemporaryDirectory() as folder:
        build = (PYTHON, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(here))
        subprocess.run(build, check=True)  # noqa: S603  # our own words
        size = next(Path(folder).glob("*.whl")).stat().st_size / 1e6
    print(f"\nW10 own wheel: {size:.3f} MB   goal: at most {limit} MB: {'met' if size <= limit else 'MISSED'}")
    return size <= limit

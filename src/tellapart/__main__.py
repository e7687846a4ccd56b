"""The command line as a module: `python -m tellapart` runs `tellapart`."""

from __future__ import annotations

import sys

from .cli import main

sys.exit(main(prog_name="tellapart"))

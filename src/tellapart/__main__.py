"""`python -m tellapart` is `tellapart`."""

from __future__ import annotations

import sys

from .cli import main

sys.exit(main(prog_name="tellapart"))

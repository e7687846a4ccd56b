"""Command `python -m tellapart.lab.cards`: measure the error rates of all methods."""

from __future__ import annotations

import sys

from .maker import main

sys.exit(main())

"""`python -m tellapart.lab.cards`: make the cards."""

from __future__ import annotations

import sys

from .maker import main

sys.exit(main())

"""Sample-size planning before data arrive, and sequential comparison while they arrive."""

from __future__ import annotations

from .learner_options import Varying
from .planned import Aside, Curve, Planned
from .verb import plan
from .watching import Watch, read_watch

__all__ = ["Aside", "Curve", "Planned", "Varying", "Watch", "plan", "read_watch"]

"""Two classifiers on one test set: tests, and intervals of the difference, odds ratio and relative reduction.

Every test is a function of a `PairedTable` with `alternative` by keyword, every interval one with `alpha` and `side`.
Tests that take `against` accept a margin. To add a method, see `mcnemar.py`.
"""

from . import mcnemar as mcnemar  # imported for most answers; others are loaded by name
from . import tango_score as tango_score

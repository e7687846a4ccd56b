"""Two classifiers on one test set: tests, and intervals of the difference, odds ratio and relative reduction.

Every test is a function of a `PairedTable` with `alternative` by keyword, every interval one with
`alpha` and `side`. Tests that take `against` serve a margin. To add one, read `mcnemar.py`.
"""

from . import mcnemar as mcnemar  # what most answers need; other modules are loaded when one of their methods is named
from . import tango_score as tango_score

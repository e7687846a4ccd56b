"""Scores by class: areas under ROC curves and average precisions, of one model and of two on the same examples.

Every method is a function of `ClassScores`; an interval takes `alpha` and `side` by keyword, a test `alternative` (and
`against`, where it can serve a margin). Log loss and Brier score are means, and `Outcomes` has their methods.
"""

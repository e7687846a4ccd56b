"""Two classifiers by precision, recall, F and the like: every test and interval that joint counts allow.

Every test is a function of a `PairedConfusion` with `alternative` by keyword, every interval one with `alpha` and
`side`, in units of loss(A) − loss(B). Tests that take `against` serve a margin. To add one, read `delta.py`.
"""

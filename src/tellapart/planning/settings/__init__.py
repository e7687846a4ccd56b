"""Settings of plans: each computes the power of a test, or the width of an interval, at a sample size.

`pairs` and `two_sets` are for two classifiers, `threshold` for one, `mean_differences` for learners and graded scores,
and `widths` for intervals. `setting` is their interface to the solvers; `regions` and `counts` enumerate outcomes.
"""

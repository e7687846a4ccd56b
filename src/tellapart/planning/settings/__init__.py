"""What can be planned for: each setting knows the power (or the width) that so many examples have.

`pairs` and `two_sets` are of two classifiers, `threshold` of one, `mean_differences` of learners and graded scores,
`widths` of intervals. `setting` says what a solver may ask of them, `regions` and `counts` are how they count.
"""

"""One classifier's precision, recall, F and the like: every interval that counts alone allow.

Every method is a function of a `ConfusionMatrix` that is asked for a metric (`matrix.by("f1")`). It returns a pivot,
`MetricLimits`, whose interval is of the metric itself; where the metric is not defined it is all of the metric's range.
To add one, read `f1.py`.
"""

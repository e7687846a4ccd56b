"""Intervals of precision, recall, F1 and other metrics of one classifier, from its confusion matrix.

Every method is a function of a `ConfusionMatrix` with a metric (`matrix.by("f1")`). It returns a pivot, `MetricLimits`,
whose interval is of the metric itself; if the metric is undefined, it is the whole range. To add a method, see `f1.py`.
"""

"""Learners on several training sets and one test set, both sampled.

Every classifier is tested on every test example, so training sets and examples are crossed, and both are random
effects: an analysis of variance without replication, y = mean + training set + example + rest, of the losses of one
learner or of the differences of two. A t test over training sets ignores that they share one test set, and is wrong
here: if the examples carry the variance, its 95% interval covers 66% to 86%.
"""

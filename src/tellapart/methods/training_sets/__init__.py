"""Learners on much data: disjoint training sets and one test set, both a sample of what could have been.

Every classifier meets every test example, so training sets and examples are crossed, and both vary at
random: an analysis of variance without replication, y = mean + training set + example + rest, of the losses
of one learner or of the differences of two. A t test over training sets leaves out that they share one test set,
and is wrong here: where the examples carry the variance its 95 % interval covers 0.66 to 0.86.
"""

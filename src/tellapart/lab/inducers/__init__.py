"""Learners of the lab: those that are trained on thousands of samples at once, those of scikit-learn, damaged ones."""

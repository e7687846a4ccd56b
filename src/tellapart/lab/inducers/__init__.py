"""Learners for simulations: fast learners for thousands of samples, scikit-learn estimators, and damaged ones."""

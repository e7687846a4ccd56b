"""Learners for simulations: trained on thousands of samples at once, of scikit-learn, and damaged ones."""

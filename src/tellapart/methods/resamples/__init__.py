"""Learners on little data: every test, interval and estimator that a plan of splits allows."""

from __future__ import annotations

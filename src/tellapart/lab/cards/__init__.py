"""Measured error rates of every registered method, and the designs that they are measured on."""

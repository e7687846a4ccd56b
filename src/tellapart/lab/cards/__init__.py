"""The cards: what the lab measures of every registered method, and on which designs."""

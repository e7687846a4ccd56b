"""These are scripts that write reference numbers, run by hand: they hold no tests and no doctests."""

collect_ignore_glob = ["*.py"]

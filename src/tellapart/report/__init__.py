"""What is drawn: figures of results, by matplotlib, each beside the numbers it shows."""

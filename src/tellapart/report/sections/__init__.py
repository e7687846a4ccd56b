"""Content of reports by section, from results to plain blocks without layout."""

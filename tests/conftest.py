"""What all tests share: how often hypothesis tries a property that does not say it itself."""

from hypothesis import settings

settings.register_profile("suite", max_examples=12)
settings.load_profile("suite")

collect_ignore = ["fixtures"]  # files that other tools wrote, and the scripts that had them do so


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true", help="write the golden files of tests/golden anew")

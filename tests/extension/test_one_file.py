"""No module of the package mentions the kind of evidence that these tests add."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_file_of_the_package_mentions_preferences():
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S607  # git of the developer
    files = listed.stdout.split() or [str(file) for file in (ROOT / "src").rglob("*.py")]
    mentions = [name for name in files if b"Preferences" in (ROOT / name).read_bytes()]
    assert mentions == []

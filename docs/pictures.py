"""The README's pictures, from what `make demo` writes: the race's forest, and a report as a browser shows it.

Run by `make pictures`, which wants chromium.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
DEMO, PICTURES = ROOT / "demo", ROOT / "docs" / "pictures"


def main() -> None:
    """Copy the one and photograph the other."""
    PICTURES.mkdir(exist_ok=True)
    shutil.copy(DEMO / "six-learners.svg", PICTURES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1180}, color_scheme="light")
        page.goto((DEMO / "two-models.html").as_uri())
        page.screenshot(path=PICTURES / "report.png")
        browser.close()


if __name__ == "__main__":
    main()

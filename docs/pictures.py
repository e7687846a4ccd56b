"""Make the README's pictures from the output of `make demo`: a forest plot, and a screenshot of a report.

Run by `make pictures`; requires chromium.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
DEMO, PICTURES = ROOT / "demo", ROOT / "docs" / "pictures"


def main() -> None:
    """Copy the forest plot, and take a screenshot of the report."""
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

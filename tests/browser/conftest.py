"""A real browser: the Chromium of the system, headless, with a fresh profile; nothing is ever downloaded for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

#: Names that distributions give it. `WORKBENCH_CHROMIUM` names another one.
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

#: What makes a page in a fresh profile; options as `browser.new_context` has them (viewport, color_scheme, ...).
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """
    One Chromium for the tests of a file, which are skipped where there is none.

    Playwright keeps an event loop running in this thread, and switches stacks: it is not left on for tests of anything else.
    """
    found = os.environ.get("WORKBENCH_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no Chromium is installed here (looked for {', '.join(NAMES)}; WORKBENCH_CHROMIUM names another)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Make pages whose profiles end with the test."""
    contexts: list[BrowserContext] = []

    def new_page(**options: Any) -> Page:
        contexts.append(browser.new_context(**options))
        return contexts[-1].new_page()

    yield new_page
    for context in contexts:
        context.close()

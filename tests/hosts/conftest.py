"""What tests of hosts share: waits that are written down instead of waited."""

from __future__ import annotations

import pytest

from workbench.sources import sending


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client would have waited before trying again."""
    found: list[float] = []
    monkeypatch.setattr(sending, "sleep", found.append)
    return found

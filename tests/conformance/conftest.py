from __future__ import annotations

from collections.abc import Iterator

import pytest

from conformance.many_hosts import Hosts, running
from conformance.replaying import Recordings


@pytest.fixture(scope="session")
def hosts() -> Iterator[Hosts]:
    with running() as found:
        yield found


@pytest.fixture(scope="session")
def recordings(hosts: Hosts) -> Recordings:
    return Recordings(hosts)

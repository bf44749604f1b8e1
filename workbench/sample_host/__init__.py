"""
A host to test against: OpenWOP 1.x and 2.x at once, discovery, principals, both views of a catalog, and faults to switch on.

`Host` is the reference to read: what a host answers that does all that is asked of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.sample_host.faults import FAULTS, Fault
from workbench.sample_host.host import Host
from workbench.sample_host.running import RunningHost, serve

if TYPE_CHECKING:
    from workbench.sample_host.app import create_app

__all__ = ["FAULTS", "Fault", "Host", "RunningHost", "create_app", "serve"]


def __getattr__(name: str) -> Any:
    """Import what needs Starlette when it is asked for, so that the list of faults is there at once."""
    if name == "create_app":
        from workbench.sample_host.app import create_app

        return create_app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

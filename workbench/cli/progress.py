"""Progress: a bar on standard error, on a terminal only, and only once the work takes long enough to wonder about."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import click

from workbench.cli.output import acts

if TYPE_CHECKING:
    from workbench.catalog import Catalog, Tool
    from workbench.projection import Projection, ToolLoss

__all__ = ["progress_of", "project_watched"]

#: Seconds before the bar shows.
_PATIENCE: Final = 1.0


def project_watched(catalog: Catalog, **options: Any) -> Projection:
    """Project a catalog tool by tool, which gives the same as all at once, and show how far it is. Raises as `project` does."""
    from workbench.projection import project

    whole = project(replace(catalog, tools=()), **options)
    tools: list[Tool] = []
    losses: list[ToolLoss] = []
    for tool in _watched(catalog.tools, "Projecting"):
        part = project(replace(catalog, tools=(tool,)), **options)
        tools += part.catalog.tools
        losses += part.losses
    return replace(whole, catalog=replace(whole.catalog, tools=tuple(tools)), losses=tuple(losses))


def _watched(tools: tuple[Tool, ...], label: str) -> Iterator[Tool]:
    with progress_of(label) as say:
        for done, tool in enumerate(tools):
            say(done, len(tools))
            yield tool
        say(len(tools), len(tools))


@contextmanager
def progress_of(label: str) -> Iterator[Callable[[int, int], None]]:
    """Shows how far some work is; what it gives is to be told how many steps are done, and of how many."""
    begun = monotonic()
    bar: Any = None
    with ExitStack() as closing:

        def say(done: int, total: int) -> None:
            nonlocal bar
            if bar is None and acts(sys.stderr) and monotonic() - begun > _PATIENCE:
                bar = closing.enter_context(click.progressbar(length=total, label=label, file=sys.stderr))
            if bar is not None:
                bar.length = total  # Which may have become clear only now.
                bar.update(done - bar.pos)

        yield say

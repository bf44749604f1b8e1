"""Measuring: a catalog, a rendering and an encoding in; a budget out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.budgets.attribution import Attribution, attribute
from workbench.budgets.parts import FIELD_PARTS, KEYWORD_PARTS
from workbench.budgets.result import Budget
from workbench.budgets.values import Cost, Part, ToolCost
from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.projection import Projection, project
from workbench.renderings import rendering as named_rendering
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as named_encoding

__all__ = ["WINDOWS", "budget"]

#: Context windows, in tokens, that a budget is compared with when none is asked for: those of models in wide use.
WINDOWS = (128_000, 200_000, 1_000_000)


def budget(
    catalog: Catalog,
    *,
    encoding: str = DEFAULT_ENCODING,
    rendering: str = "wire",
    turns: int = 1,
    context: int | Iterable[int] | None = None,
    projection: Projection | None = None,
) -> Budget:
    """
    What a catalog costs in tokens, standard against compact (RFC 0112, Motivation: the cost on every turn).

    The compact view is the projection with the usual policy, or `projection`, which must come from the same catalog. `context`
    is the size of a context window in tokens, or several; without it, windows in wide use. Counts are exact: each view is
    encoded once, as a whole.

    Raises:
        UsageError: an unknown encoding or rendering, no turn, an empty window, or a projection of another catalog.
        EncodingUnavailable: the vocabulary is neither bundled nor reachable.
    """
    if turns < 1:
        raise UsageError(f"a catalog is sent on at least one turn, not on {turns}")
    windows = _windows(context)
    writes, counts = named_rendering(rendering), named_encoding(encoding)
    if projection is None:
        projection = project(catalog, encoding=encoding)
    if projection.catalog.ids != catalog.ids:
        raise UsageError("the projection has other tools than the catalog; project the catalog that is measured")
    standard, compact = (attribute(view, writes, counts) for view in (catalog, projection.catalog))
    return Budget(
        encoding=counts.name,
        rendering=writes.name,
        rows=_rows(catalog, standard, compact),
        overhead=Cost(standard.overhead, compact.overhead),
        total=Cost(standard.total, compact.total),
        fields=_parts(FIELD_PARTS, standard.fields, compact.fields),
        keywords=_parts(KEYWORD_PARTS, standard.keywords, compact.keywords),
        depths=_parts(_depths(standard, compact), standard.depths, compact.depths),
        tool_fields=tuple(
            _parts(FIELD_PARTS, *pair) for pair in zip(standard.tool_fields, compact.tool_fields, strict=True)
        ),
        turns=turns,
        windows=windows,
        certainty=writes.certainty,
        assurance=writes.assurance,
        notes=tuple(note for view in (catalog, projection.catalog) for note in writes.remarks(view, counts.name)),
        views=(catalog, projection.catalog),
    )


def _parts(keys: Iterable[str], standard: Mapping[str, int], compact: Mapping[str, int]) -> tuple[Part, ...]:
    return tuple(Part(standard.get(key, 0), compact.get(key, 0), key) for key in keys)


def _depths(*views: Attribution) -> list[str]:
    """All depths that occur, what stands in no schema first, what lies between the tools last."""
    found = {key for view in views for key in view.depths}
    return sorted(found, key=lambda key: (key == "overhead", key != "outside schemas", len(key), key))


def _rows(catalog: Catalog, standard: Attribution, compact: Attribution) -> tuple[ToolCost, ...]:
    costs = zip(catalog.ids, standard.tools, compact.tools, strict=True)
    return tuple(ToolCost(before, after, tool_id, before / standard.total) for tool_id, before, after in costs)


def _windows(context: int | Iterable[int] | None) -> tuple[int, ...]:
    if context is None:
        return WINDOWS
    windows = (context,) if isinstance(context, int) else tuple(context)
    for size in windows:
        if size < 1:
            raise UsageError(f"a context window has at least one token, not {size}")
    return windows

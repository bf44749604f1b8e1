"""Computing: the material of one source and the options in; all figures and verdicts out, as results and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.budgets import Budget, Claims, Savings, budget, claims, savings
from workbench.catalog import Catalog
from workbench.checks import CheckResult, check
from workbench.errors import InputError, UsageError, WorkbenchError
from workbench.evidence.material import Material, sha256
from workbench.evidence.options import Options
from workbench.fidelities import Fidelity, fidelity
from workbench.projection import Projection, project
from workbench.renderings import rendering as named_rendering
from workbench.tokens import encoding as named_encoding
from workbench.tuning import Query, Tuning, tune
from workbench.tuning.queries import queries_of
from workbench.values import dumps

__all__ = ["STEPS", "Examined", "examine"]

#: How often `examine` says that something is done.
STEPS = 7


@dataclass(frozen=True, slots=True)
class Examined:
    """One source and what was found out about it: the results themselves, which know tables, frames and figures."""

    material: Material
    projection: Projection
    #: By encoding and rendering; the reason where a rendering cannot be made of this catalog.
    budgets: Mapping[tuple[str, str], Budget | str]
    savings: tuple[Savings, Savings]
    #: Of the standard view as it came, of our compact view of it, and of the compact view of a host, if it could be read.
    standard: CheckResult
    compact: CheckResult
    offered: CheckResult | None
    fidelity: Fidelity
    tuning: Tuning
    #: What RFC 0112 claims about cost; no row for a catalog without a tool.
    claims: Claims

    @property
    def catalog(self) -> Catalog:
        """The standard view."""
        return self.material.catalog

    def to_json(self) -> dict[str, Any]:
        """The source as it stands in a bundle, without what is embedded."""
        material = self.material
        return {
            "name": material.name,
            "kind": material.kind,
            "form": material.catalog.form,
            "server": material.server,
            "tools": len(material.catalog),
            "notes": list(material.catalog.notes),
            "received": _text(material.catalog.received),
            "views": {"standard": _wire(material.catalog), "compact": _wire(self.projection.catalog)},
            "budgets": list(self._budgets()),
            "savings": [_savings(each) for each in self.savings],
            "checks": {"standard": self.standard.to_json(), "compact": self.compact.to_json()},
            "projection": {
                "counts": dict(self.projection.counts),
                "looser": list(self.projection.looser),
                "losses": [loss.to_json() for loss in self.projection.losses],
            },
            "fidelity": _fidelity(self.fidelity),
            "tuning": _tuning(self.tuning),
            "claims": self.claims.to_json()["claims"],
            "host": self._host(),
            "probe": material.host.probe.to_json() if material.host else None,
        }

    def _host(self) -> dict[str, Any] | None:
        host = self.material.host
        if host is None:
            return None
        offered: dict[str, Any] | None = None
        if isinstance(host.offered, str):
            offered = {"refused": host.offered}
        elif host.offered is not None and self.offered is not None:
            tokens = named_rendering("wire").count(host.offered, named_encoding(self.tuning.encoding))
            texts = {"received": _text(host.offered.received), "wire": _wire(host.offered)}
            offered = {"tools": len(host.offered), **texts, "tokens": tokens, "check": self.offered.to_json()}
        return {"origin": host.origin, "major": host.major, "asked": host.asked, "offered": offered}

    def _budgets(self) -> Iterator[dict[str, Any]]:
        for (encoding, rendering), found in self.budgets.items():
            if isinstance(found, str):
                yield {"encoding": encoding, "rendering": rendering, "refused": found}
                continue
            whole = found.to_json()
            del whole["turns"]  # One turn is the total once more.
            splits = {f"{by}s": [_part(part) for part in found.parts(by)] for by in ("field", "keyword", "depth")}
            yield whole | splits


def examine(material: Material, options: Options, done: Callable[[], None] = lambda: None) -> Examined:
    """
    Compute everything about one source. Options are normal ones; `done` is called `STEPS` times.

    Raises:
        LimitError: a descriptor nested deeper than 500 levels, or one with more to find than can be reported.
        EncodingUnavailable: a vocabulary cannot be loaded.
    """
    catalog = material.catalog
    encoding = options.encodings[0]
    major, offered = (material.host.major, material.host.offered) if material.host else (1, None)

    def step(value: Any) -> Any:
        done()
        return value

    projection = step(project(catalog, encoding=encoding))
    return Examined(
        material=material,
        projection=projection,
        budgets=step(dict(_budgets(catalog, projection, options))),
        savings=step((savings(catalog, encoding=encoding), savings(projection.catalog, encoding=encoding))),
        standard=step(check(catalog, "standard", major)),
        compact=check(projection.catalog, "compact", major),
        offered=check(offered, "compact", major) if isinstance(offered, Catalog) else None,
        fidelity=step(fidelity(catalog, samples=options.samples, seed=options.seed, encoding=encoding)),
        tuning=step(
            tune(
                catalog,
                limits=options.limits,
                strategy=options.strategies,
                unit=options.unit,
                encoding=encoding,
                queries=_queries(catalog),
            )
        ),
        claims=step(claims([catalog], encoding=encoding)),
    )


def _budgets(
    catalog: Catalog, projection: Projection, options: Options
) -> Iterator[tuple[tuple[str, str], Budget | str]]:
    for encoding in options.encodings:
        # No compact descriptor costs more than its standard one, in the encoding that the projection was made for.
        compact = projection if encoding == options.encodings[0] else project(catalog, encoding=encoding)
        for rendering in options.renderings:
            key = (encoding, rendering)
            try:
                yield key, budget(catalog, encoding=encoding, rendering=rendering, projection=compact)
            except (InputError, UsageError) as error:
                yield key, _reason(error)


def _reason(error: WorkbenchError) -> str:
    """What is wrong, without the name of the source, which stands above."""
    pointer = error.pointer if isinstance(error, InputError) else None
    return f"{error.message} (at {pointer})" if pointer else error.message


def _queries(catalog: Catalog) -> tuple[Query, ...]:
    """The task sentences of a bundled sample; none for a catalog that only bears the name of one."""
    try:
        return queries_of(catalog)
    except InputError:
        return ()


def _text(text: str) -> dict[str, Any]:
    return {"sha256": sha256(text), "bytes": len(text.encode())}


def _wire(view: Catalog) -> dict[str, Any]:
    return _text(dumps(view.to_json()))


def _part(part: Any) -> dict[str, Any]:
    return {"key": part.key, "standard": part.standard, "compact": part.compact}


def _savings(found: Savings) -> dict[str, Any]:
    return {"view": found.view, "total": found.total, "rows": found.to_json()}


def _fidelity(found: Fidelity) -> dict[str, Any]:
    whole = found.to_json()
    for row in whole["tools"]:
        del row["losses"]  # They stand among those of the projection.
    return whole


def _tuning(found: Tuning) -> dict[str, Any]:
    """The tuning with tokens at every limit as one list for each strategy, and rows only where more is known."""
    whole = found.to_json()
    measured = [row.to_json() for row in found.rows if row.measured]
    curves = [{"strategy": each, "tokens": [row.tokens for row in found.of(each)]} for each in found.strategies]
    limits = [row.limit for row in found.of(found.strategies[0])]
    return whole | {"rows": measured, "limits": limits, "curves": curves, "best": _best(found)}


def _best(found: Tuning) -> list[dict[str, Any]]:
    rows = [found.best(strategy) for strategy in found.strategies]
    return [{"strategy": row.strategy, "limit": row.limit, "tokens": row.tokens} for row in rows if row is not None]

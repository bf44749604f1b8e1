"""
Measure and conform: the compact view of OpenWOP tool catalogs (RFC 0112) as a workbench.

    import workbench as wb

    catalog = wb.load("sample:twenty")
    wb.check(catalog)       # findings: what the specification does not allow
    wb.project(catalog)     # the compact view, and what it gave up
    wb.budget(catalog)      # what either view costs in tokens, per tool, field, keyword and turn
    wb.difference(old, new) # what a change to a catalog costs, tool by tool
    wb.claims([catalog])    # what RFC 0112 claims about cost, put to the test
    wb.fidelity(catalog)    # how faithful the compact schemas are, measured on sampled arguments
    wb.collect([catalog])   # all of this as one evidence bundle, and wb.verify computes one again
    wb.probe(url)           # what RFC 0112 asks of a host, decided one by one
    wb.report([catalog], d) # the bundle with a page, Markdown and figures, in the folder d
    wb.serve(catalog)       # a host to test against, in a `with` block, with faults to switch on
    wb.tune(catalog)        # how short descriptions may get before tools blur into each other

Every result shows itself as a table in a notebook and turns into a pandas frame with `.frame()`. Names are imported when
they are first used, so that `import workbench` is instant.
"""

from __future__ import annotations

from importlib import import_module
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from workbench.version import __version__

if TYPE_CHECKING:
    from workbench.budgets import Budget, Claims, Difference, budget, claims, difference
    from workbench.catalog import Catalog, Tool
    from workbench.checks import CheckResult, check
    from workbench.conformance import ProbeResult, probe
    from workbench.errors import WorkbenchError
    from workbench.evidence import Evidence, Verification, collect, verify
    from workbench.fidelities import Fidelity, fidelity
    from workbench.findings import Finding
    from workbench.lowering import Loss, Lowered, lower
    from workbench.projection import Projection, ToolLoss, project
    from workbench.reporting import Report, report
    from workbench.sample_host import RunningHost, serve
    from workbench.sources import load
    from workbench.tables import Table
    from workbench.tuning import Tuning, tune

__all__ = [
    "Budget",
    "Catalog",
    "CheckResult",
    "Claims",
    "Difference",
    "Evidence",
    "Fidelity",
    "Finding",
    "Loss",
    "Lowered",
    "ProbeResult",
    "Projection",
    "Report",
    "RunningHost",
    "Table",
    "Tool",
    "ToolLoss",
    "Tuning",
    "Verification",
    "WorkbenchError",
    "__version__",
    "budget",
    "check",
    "claims",
    "collect",
    "difference",
    "fidelity",
    "load",
    "lower",
    "probe",
    "project",
    "report",
    "serve",
    "tune",
    "verify",
]

#: Where each public name lives.
_HOMES: Final = MappingProxyType(
    {
        "Budget": "workbench.budgets",
        "Catalog": "workbench.catalog",
        "CheckResult": "workbench.checks",
        "Claims": "workbench.budgets",
        "Difference": "workbench.budgets",
        "Evidence": "workbench.evidence",
        "Fidelity": "workbench.fidelities",
        "Finding": "workbench.findings",
        "Loss": "workbench.lowering",
        "Lowered": "workbench.lowering",
        "ProbeResult": "workbench.conformance",
        "Projection": "workbench.projection",
        "Report": "workbench.reporting",
        "RunningHost": "workbench.sample_host",
        "Table": "workbench.tables",
        "Tool": "workbench.catalog",
        "ToolLoss": "workbench.projection",
        "Tuning": "workbench.tuning",
        "Verification": "workbench.evidence",
        "WorkbenchError": "workbench.errors",
        "budget": "workbench.budgets",
        "check": "workbench.checks",
        "claims": "workbench.budgets",
        "collect": "workbench.evidence",
        "difference": "workbench.budgets",
        "fidelity": "workbench.fidelities",
        "load": "workbench.sources",
        "lower": "workbench.lowering",
        "probe": "workbench.conformance",
        "project": "workbench.projection",
        "report": "workbench.reporting",
        "serve": "workbench.sample_host",
        "tune": "workbench.tuning",
        "verify": "workbench.evidence",
    }
)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for (PEP 562)."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    if isinstance(value, FunctionType):
        value = import_module("workbench.arguments").checked(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

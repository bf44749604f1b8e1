"""
The report as GitHub-flavoured Markdown, fit to be pasted into an RFC.

It has what the page has, in the same order. All text that comes from outside is escaped (`workbench.tables.escaped`), so that a
reader of the Markdown or of a page made of it sees it as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from workbench.evidence import Evidence
from workbench.reporting import answers, costs, losses, reproducing, standing
from workbench.reporting.pictures import drawn
from workbench.reporting.reading import introduced
from workbench.reporting.verdict import verdict
from workbench.tables import Table, escaped

__all__ = ["markdown"]

_MINUS: Final = re.compile(r"(?<=\| )-(?=[\d.,]+%? \|)")


def markdown(evidence: Evidence, connection: Mapping[str, Any] | None = None) -> str:
    """The whole report; figures are linked as `figures/NAME.svg`. `connection` is how its sources were reached."""
    parts = [
        "## Evidence: the compact view of RFC 0112\n",
        _text("\n".join(introduced(evidence))),
        *map(_text, verdict(evidence)),
        *_section("Scorecard", _text(standing.hosts_said(evidence)), _table(standing.hosts(evidence))),
        _table(standing.failures(evidence), fold=True),
        _table(standing.scorecard(evidence)),
        _text(standing.scorecard_said(evidence)),
        *_section("Tokens per turn", _table(costs.totals(evidence)), _figure(evidence, "tokens-by-source")),
        _table(costs.by_rendering(evidence)),
        _text(costs.by_rendering_said(evidence)),
        _figure(evidence, "tokens-by-rendering"),
        *_section("Where the tokens go", _figure(evidence, "tokens-by-field"), _table(costs.by_field(evidence))),
        _text(costs.by_field_said(evidence)),
        _text(costs.dearest_said(evidence)),
        _table(costs.dearest(evidence), fold=True),
        *_section("What is broken", _table(standing.breaches(evidence)), _text(standing.breaches_said(evidence))),
        _table(standing.places(evidence), fold=True),
        *_section("What the projection lost", _table(losses.losses(evidence)), _text(losses.losses_said(evidence))),
        _table(losses.places_lost(evidence), fold=True),
        _table(losses.misjudged(evidence), fold=True),
        *_section(
            "How short descriptions may get", _table(answers.limits(evidence)), _text(answers.limits_said(evidence))
        ),
        _figure(evidence, "limits"),
        *_section("Open questions and claims", _table(answers.questions(evidence)), _table(answers.claims(evidence))),
        _text(answers.claims_said(evidence)),
        *_section(
            "How to get this again",
            _code(reproducing.commands(evidence, connection)),
            _table(reproducing.examined(evidence)),
        ),
        _table(reproducing.options(evidence), fold=True),
        _table(reproducing.environment(evidence), fold=True),
    ]
    return "\n".join(part for part in parts if part)


def _section(title: str, *parts: str) -> Iterable[str]:
    return (f"### {title}\n", *parts)


def _text(text: str) -> str:
    return "\n".join(f"{escaped(line)}\n" for line in text.splitlines())


def _table(table: Table | None, *, fold: bool = False) -> str:
    """A table; folded, it opens by a click. One without rows is left out."""
    if table is None or not table.rows:
        return ""
    text = (Table(table.columns, table.rows) if fold else table).markdown()
    text = _MINUS.sub("\u2212", text)
    return f"<details><summary>{escaped(table.title)}</summary>\n\n{text}\n</details>\n" if fold else text


def _figure(evidence: Evidence, name: str) -> str:
    return f"![{escaped(drawn(evidence, name).alt)}](figures/{name}.svg)\n"


def _code(lines: Iterable[str]) -> str:
    """Lines as a code block, indented rather than fenced: no text can end it."""
    return "\n".join(f"    {line}" for line in lines) + "\n"

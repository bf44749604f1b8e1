"""
Evidence: every number and verdict about some catalogs in one file, and the check that recomputes them.

    evidence = wb.collect(["sample:twenty"], embed=True)
    evidence.write("evidence.json")
    wb.verify("evidence.json").ok

The bundle, described by `schemas/evidence.schema.json` (all objects are closed):

    format, version
    seal                    SHA-256 of all but `seal` and `generated`: names a bundle, and breaks when one is edited
    generated               at, seconds, sources[{seconds, timings{name: seconds}}]: all that differs from run to run
    environment             workbench, python, implementation, system, machine, packages{name: version},
                            vocabularies{encoding: {published, checked}}
    options                 encodings, renderings, samples, seed, strategies, unit, limits
    sources[]
      name, kind, form, server, tools, notes[]
      received              {sha256, bytes} of the text as it came
      views                 {standard, compact}: {sha256, bytes} of the wire text
      budgets[]             one for each encoding and rendering: what `budget --format json` has (one turn), and
                            fields[], keywords[], depths[] of {key, standard, compact}; or {encoding, rendering, refused}
      savings[]             standard, compact: {view, total, rows[{what, tokens, ratio, places, tools, costs}]}
      checks                {standard, compact}: what `check --format json` has
      projection            counts{schema, text, field}, looser[toolId], losses[]
      fidelity              policy, samples, seed, encoding, counts, soundness, precision, tightness, tools[]
      tuning                what `tune --format json` has, `rows` only where more than tokens was measured;
                            limits[] and curves[{strategy, tokens[]}], best[{strategy, limit, tokens}] for each strategy
      claims[]              {catalog, claim, measured, holds}
      host                  origin, major, asked (the major that was asked for, or null),
                            offered: the host's own compact view, {tools, received, wire, tokens, check}, or {refused}, or null
                            where it is not advertised; null for a source that is no host
      probe                 what `probe --format json` has; null for a source that is no host
      embedded              {catalog: text}, or {exchanges[], bodies{sha256: {body or bodyBase64}}} of a host, or null

Savings, fidelity, tuning and claims are of the first encoding and the rendering `wire`.
"""

from __future__ import annotations

from workbench.evidence.bundle import MAX_BUNDLE, Evidence
from workbench.evidence.collecting import collect
from workbench.evidence.comparing import Difference
from workbench.evidence.examining import Examined
from workbench.evidence.material import Material, Source
from workbench.evidence.options import Options
from workbench.evidence.verifying import Verification, Verified, verify

__all__ = [
    "MAX_BUNDLE",
    "Difference",
    "Evidence",
    "Examined",
    "Material",
    "Options",
    "Source",
    "Verification",
    "Verified",
    "collect",
    "verify",
]

"""
Checks: what in a catalog breaks the specification, what it advises against, and what a reader should look at.

| rule | level | view | says |
|---|---|---|---|
| `descriptor-schema` | must | both | the bundled schema of the view is broken |
| `compact-field` | must | compact | a field outside the closed compact set |
| `compact-root` | must | compact | `inputSchema` without `type: "object"` or without an object of `properties` |
| `compact-keyword` | must | compact | a banned keyword in a schema position, at any depth |
| `exec-source` | must | both | `safetyTier: exec` without `source: host-extension` |
| `duplicate-tool-id` | must | both | a `toolId` that an earlier tool has |
| `secret` | must | both | credential material; of the standard view, also in what came beside the descriptor |
| `tier-1` | should | standard | outside the Tier-1 subset |
| `malformed-keyword` | advice | both | a keyword's value that the metaschema of the schema's own draft does not allow |
| `required-unknown` | advice | both | `required` names what `properties` does not list |
| `loophole` | advice | compact | what the letter allows and the intent does not |
| `hidden-text` | advice | both | characters that do not show |

A breach is reported once, by the most specific rule: what `compact-field`, `compact-root`, `compact-keyword`, `exec-source` or
`secret` says of a place, `descriptor-schema` does not repeat. One breach of a schema is only advice: the stored 2.x schema of the
compact view admits nothing but `type` and `properties` in `inputSchema`, against the text and the example of RFC 0112.
"""

from __future__ import annotations

from workbench.checks.result import CheckResult
from workbench.checks.rules import check

__all__ = ["CheckResult", "check"]

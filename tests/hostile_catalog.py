"""A catalog whose every text tries something: what a report of it must show as text, and never do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workbench.evidence import Evidence, Options, collect
from workbench.evidence.bundle import seal

__all__ = ["FILE_NAME", "MARK", "TRICKS", "hostile_catalog", "hostile_evidence"]

#: What a script of theirs would call; a page on which anything acted has it in its title, its console or a dialog.
MARK = "pwned"
_WORD, _TOGETHER = "w" * 5_000, 3
TRICKS = {
    "script": f"<script>alert('{MARK}');document.title='{MARK}'</script>",
    "end of script": f"</script></style></title></details></table></pre><script>document.title='{MARK}'</script>",
    "handler": f"<img src=x onerror=document.title='{MARK}'><svg onload=document.title='{MARK}'><body onload=alert(1)>",
    "frame": f"<iframe srcdoc=\"<script>parent.document.title='{MARK}'</script>\" src=https://evil.example/f></iframe>",
    "refresh": '<meta http-equiv="refresh" content="0;url=https://evil.example/r"><base href="https://evil.example/">',
    "form": '<form action=https://evil.example/s><button autofocus>Sign in</button></form><a href="javascript:alert(1)">x</a>',
    "style": "<style>*{display:none!important;background:url(//evil.example/s)}</style><link rel=stylesheet href=//evil.example/c>",
    "attribute": f"\" onmouseover=document.title='{MARK}' style='position:fixed;inset:0' x=' onclick=alert(1) `",
    "markdown": "![i](https://evil.example/i.png) [l](javascript:alert(1)) <https://evil.example> **b** `c` ~~s~~ [ ] | a | b |",
    "links": "https://evil.example/a www.evil.example me@evil.example @somebody #1 GH-1 data:text/html,<script>alert(1)</script>",
    "blocks": "\n\n# heading\n\n> quote\n\n```\ncode\n\n    code\n\n- [x] list\n\n1. one\n\n---\n\n<details>\n\n| a |\n|---|\n",
    "formula": r"$\frac{1}{0}$ $$\def\x{\x\x}\x$$ \(\href{javascript:alert(1)}{x}\) \begin{align}a\end{align} $`a`$",
    "template": "{{ 7*7 }} {% include '/etc/passwd' %} ${7*7} <%= 7*7 %> %(x)s {0.__class__} %%html",
    "terminal": "\x1b[2J\x1b[31mred\x1b]8;;https://evil.example\x07link\x1b]0;title\x07\x9b2J\r\x08\x00",
    "direction": "\u202egnp.exe\u2066abc\u2069 \u200b\u2028\ufeff\U000e0041\U000e0042 \u061c\u200f",
    "zalgo": "Z" + "\u0300\u0316\u0489" * 300 + "a" + "\u035c\u0361" * 300,
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &amp;amp; <!-- --> <![CDATA[ ]]> <?php ?>",
    "wide": "﷽" * 200 + "𒐫" * 200,
}
#: The name of a file can be hostile too.
FILE_NAME = "<img src=x onerror=alert(1)> ![i](javascript:1) $x$ \x1b[31m\u202e.json"


def hostile_catalog() -> dict[str, Any]:
    """Tools with three tricks each, which they have in every place that holds a text, and one with a long word."""
    texts = list(TRICKS.items())
    groups = [texts[start : start + _TOGETHER] for start in range(0, len(texts), _TOGETHER)]
    tools = [_tool(" ".join(name for name, _ in group), " ".join(text for _, text in group)) for group in groups]
    return {"tools": [*tools, _tool("word", _WORD)]}


def hostile_evidence() -> Evidence:
    """The evidence of that catalog, read from a file of a hostile name in the current folder; with texts of a megabyte on top."""
    Path(FILE_NAME).write_text(json.dumps(hostile_catalog()), "utf-8")
    few = Options(renderings=("wire", "openai"), samples=1, strategies=("hard",), limits=(64,))
    document = collect([FILE_NAME], options=few).to_json()
    for finding in document["sources"][0]["checks"]["standard"]["findings"][-2:]:
        finding |= {"toolId": "w" * 1_000_000, "pointer": f"/{'p' * 1_000_000}", "message": "m\u0300" * 500_000}
    return Evidence(document | {"seal": seal(document)})


def _tool(name: str, text: str) -> dict[str, Any]:
    short = text[:2_000]
    schema = {
        "type": "object",
        "title": short,
        "description": text,
        "properties": {
            short: {"type": "string", "description": short, "enum": [short, "b"], "default": short},
            "either": {"oneOf": [{"const": short}, {"$ref": f"#/$defs/{short.replace('~', '~0').replace('/', '~1')}"}]},
        },
        "required": [short, f"lost {short}"],
        "$defs": {short: {"type": "integer", "minimum": 1}},
        short: short,
    }
    return {
        "toolId": f"{name} {short}",
        "source": "mcp",
        "safetyTier": "write",
        "title": short,
        "description": text,
        "inputSchema": schema,
        short: short,
    }

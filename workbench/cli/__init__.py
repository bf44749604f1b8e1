"""
The command line: arguments in, one call into the package, text out, an exit code.

Exit codes: 0 done and clean, 1 done and something falls short, 2 not done; 130 after an interrupt, 141 when whoever reads the
output has stopped reading.
"""

from __future__ import annotations

from workbench.cli.entry import main

__all__ = ["main"]

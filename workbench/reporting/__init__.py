"""
Reports: evidence as one page, as Markdown and as figures, in one folder.

    wb.report(["sample:twenty"], "out/report").page

What a report says stands in `verdict`, `standing`, `costs`, `losses`, `answers` and `reproducing`: each function takes the
evidence, and gives a table or a sentence. Notebook 5 and the Markdown show the same ones.
"""

from __future__ import annotations

from workbench.reporting.making import FILES, Report, report

__all__ = ["FILES", "Report", "report"]

"""`workbench lab`: the notebooks, copied into a folder and opened in JupyterLab."""

from __future__ import annotations

import click

from workbench.cli.output import note

__all__ = ["lab_command"]


@click.command("lab")
@click.argument("folder", default="workbench-notebooks", type=click.Path(file_okay=False))
@click.option("--port", metavar="N", type=click.IntRange(0, 65_535), help="Listen on this port.  [default: a free one]")
@click.option("--no-browser", is_flag=True, help="Print the address, and leave the browser alone.")
def lab_command(folder: str, port: int | None, no_browser: bool) -> int:
    """
    Open the notebooks in JupyterLab.

    They are copied into FOLDER (workbench-notebooks unless given), which is theirs to change: a file that is there already is never
    overwritten. They run in this very Python. Ctrl-C stops JupyterLab and all that runs in it.

    \b
    Examples:
      workbench lab
      workbench lab my-notebooks --no-browser --port 8899
    """
    from workbench.lab import copy_notebooks, open_lab

    copied = copy_notebooks(folder)
    if copied.kept:
        note(f"kept as they are, since they differ from the notebooks of this version: {', '.join(copied.kept)}")
    note(f"{len(copied.names)} notebooks in {copied.folder}; Ctrl-C stops JupyterLab")
    open_lab(copied.folder, copied.names[0], port=port, browser=not no_browser, say=note)
    return 0

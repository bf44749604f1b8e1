"""
The notebooks in JupyterLab: copied into a folder of the user's choice, and run by the Python that this package is installed in.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from workbench.errors import OutputError, UsageError, WorkbenchError
from workbench.resources import notebooks

__all__ = ["Copied", "copy_notebooks", "open_lab"]

#: The name by which notebooks ask for their kernel.
_KERNEL: Final = "python3"
#: Tabs of other work stay in the user's own workspace, and those of the notebooks in this one.
_ADDRESS: Final = "/lab/workspaces/workbench/tree/{}"
#: Nothing is fetched: neither Jupyter's news nor the number of its newest version. In a container everybody is root.
_ALWAYS: Final = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--ServerApp.allow_root=True",
    "--Application.log_level=WARN",
)


@dataclass(frozen=True, slots=True)
class Copied:
    """The notebooks of a folder by name, in reading order; `kept` are those that were there and differ from the bundled ones."""

    folder: Path
    names: tuple[str, ...]
    kept: tuple[str, ...]


def copy_notebooks(folder: str | os.PathLike[str]) -> Copied:
    """
    Copy the bundled notebooks into a folder, which is made unless it is there. A file that is there is never written to.

    Raises:
        OutputError: the folder cannot be made or written.
        InputError: the notebooks are not installed.
    """
    place, bundled = Path(folder), notebooks()
    try:
        place.mkdir(parents=True, exist_ok=True)
        kept = [each.name for each in bundled if not _copy(each.read_bytes(), place / each.name)]
    except OSError as error:
        raise OutputError(f"cannot put notebooks into {place}: {error.strerror or error}") from error
    return Copied(place, tuple(each.name for each in bundled), tuple(kept))


def _copy(data: bytes, target: Path) -> bool:
    """Write a new file; say whether the file of that name has this content, whoever wrote it."""
    try:
        with target.open("xb") as file:
            file.write(data)
    except FileExistsError:
        return target.is_file() and target.read_bytes() == data
    except OSError:
        target.unlink(missing_ok=True)
        raise
    return True


def open_lab(folder: str | os.PathLike[str], first: str, *, port: int | None = None, browser: bool = True) -> None:
    """
    Start JupyterLab in a folder, on the notebook named `first`, and return when it has been stopped.

    Without a `port` it takes the first free one from 8888 up.

    Raises:
        UsageError: JupyterLab is not installed, or the port is taken.
        WorkbenchError: it did not start, for a reason that it has written to standard error.
    """
    if not all(map(find_spec, ("jupyterlab", "ipykernel"))):
        raise UsageError("JupyterLab is not installed in this Python: pip install jupyterlab")
    from ipykernel.kernelspec import write_kernel_spec
    from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]

    arguments = [
        *_ALWAYS,
        f"--ServerApp.root_dir={Path(folder).resolve()}",
        f"--LabApp.default_url={_ADDRESS.format(first)}",
    ]
    if port is not None:
        _see_that_it_is_free(port)
        arguments += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if not browser:
        arguments.append("--no-browser")
    with TemporaryDirectory(prefix="workbench-") as data:
        # Any other kernel of that name, such as one that a user once installed for another Python, comes after this one.
        write_kernel_spec(Path(data, "kernels", _KERNEL))
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, (data, os.environ.get("JUPYTER_PATH"))))
        try:
            LabApp.launch_instance(arguments)
        except SystemExit as stopped:
            if stopped.code:
                raise WorkbenchError("JupyterLab did not start; why, it says above") from stopped


def _see_that_it_is_free(port: int) -> None:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {error.strerror}; --port 0 takes any that is free") from error

"""
The notebooks in JupyterLab: copied into a folder of the user's choice, and run by the Python that this package is installed in.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from workbench.errors import InputError, OutputError, UsageError, WorkbenchError
from workbench.resources import notebooks
from workbench.values import dumps, read_json

__all__ = ["Copied", "copy_notebooks", "open_lab"]

#: The name by which notebooks ask for their kernel.
_KERNEL: Final = "python3"
#: Tabs of other work stay in the user's own workspace, and those of the notebooks in this one.
_ADDRESS: Final = "/lab/workspaces/workbench/tree/{}"
#: What would ask whether it may fetch Jupyter's news.
_NEWS: Final = "@jupyterlab/apputils-extension:announcements"
#: Nothing is fetched, neither news nor the number of the newest version. In a container everybody is root.
_ALWAYS: Final = (
    "--Application.log_level=WARN",
    "--KernelManager.transport_encryption=auto",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--ServerApp.allow_root=True",
)


@dataclass(frozen=True, slots=True)
class Copied:
    """The notebooks of a folder by name, in reading order; `kept` are those whose cells are not those of the bundled ones."""

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
    """Write a new file; say whether the file of that name has the same cells, whoever wrote and ran it."""
    try:
        with target.open("xb") as file:
            file.write(data)
    except FileExistsError:
        return target.is_file() and _cells(target.read_bytes()) == _cells(data)
    except OSError:
        target.unlink(missing_ok=True)
        raise
    return True


def _cells(notebook: bytes) -> Any:
    """The text of each cell (nbformat 4: a string, or the list of its lines); the outputs change with every run."""
    try:
        return ["".join(cell["source"]) for cell in read_json(notebook)["cells"]]  # type: ignore[call-overload,index]
    except (InputError, LookupError, TypeError):
        return None


def open_lab(
    folder: str | os.PathLike[str],
    first: str,
    *,
    port: int | None = None,
    browser: bool = True,
    say: Callable[[str], None] | None = None,
) -> None:
    """
    Start JupyterLab in a folder, on the notebook named `first`, and return when SIGINT or SIGTERM has stopped it and its kernels.

    Without a `port` it takes the first free one from 8888 up. `say` is told the address where Jupyter itself keeps it to itself:
    there the user has set a password or token.

    Raises:
        UsageError: JupyterLab is not installed, or the port is taken.
        WorkbenchError: it did not start, for a reason that it has written to standard error.
    """
    if not all(map(find_spec, ("jupyterlab", "ipykernel"))):
        raise UsageError("JupyterLab is not installed in this Python: pip install jupyterlab")
    options = [f"--ServerApp.root_dir={Path(folder).resolve()}", f"--LabApp.default_url={_ADDRESS.format(first)}"]
    if port is not None:
        _see_that_it_is_free(port)
        options += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if not browser:
        options.append("--no-browser")
    with _settings():
        try:
            _run([*_ALWAYS, *options], say)
        except SystemExit as stopped:
            raise WorkbenchError("JupyterLab did not start; it says above why") from stopped


def _run(arguments: list[str], say: Callable[[str], None] | None) -> None:
    from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]

    server = LabApp.initialize_server(argv=arguments)
    # Jupyter's own answer to SIGINT asks back on a terminal, and leaves kernels to themselves elsewhere.
    signal.signal(signal.SIGINT, lambda *_: server.stop(from_signal=True))
    if say is not None and not server.identity_provider.token_generated:
        server.io_loop.add_callback(say, server.public_url)  # after the callback that makes it listen there
    server.start()


@contextmanager
def _settings() -> Iterator[None]:
    """Give JupyterLab settings that come before the user's own, and stay after it nowhere."""
    from ipykernel.kernelspec import write_kernel_spec

    with TemporaryDirectory(prefix="workbench-") as place:
        # Before any kernel of that name that somebody once installed for another Python.
        write_kernel_spec(Path(place, "kernels", _KERNEL))
        Path(place, "labconfig").mkdir()
        Path(place, "labconfig", "page_config.json").write_text(dumps({"disabledExtensions": {_NEWS: True}}))
        for variable in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
            os.environ[variable] = os.pathsep.join(filter(None, (place, os.environ.get(variable))))
        yield


def _see_that_it_is_free(port: int) -> None:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {error.strerror}; --port 0 takes any that is free") from error

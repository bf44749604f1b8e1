"""
Running a notebook with parameters, in a process of its own.

papermill runs it on a kernel of this Python. It is a process, and not a call, so that nothing of the user's Jupyter and IPython
settings reaches it, and so that an interruption ends it and its kernel whatever either is doing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from workbench.errors import WorkbenchError
from workbench.values import JSON, dumps

__all__ = ["run"]

#: Seconds that papermill has to end its kernel before it is ended itself; a kernel ends with its papermill.
_GRACE: Final = 10.0
#: What papermill calls the cell that it puts parameters into. Its own id is drawn at random.
_INJECTED: Final = "injected-parameters"


def run(notebook: Path, parameters: Mapping[str, JSON], folder: Path) -> Any:
    """
    The notebook as a node with its outputs, run in `folder`; nothing in it tells when or where it ran.

    Raises:
        WorkbenchError: a cell failed, or no kernel could be started; the message has the last line of what was said.
    """
    import nbformat

    with TemporaryDirectory(prefix="workbench-") as own:
        done = Path(own, "done.ipynb")
        arguments = [
            sys.executable,
            "-m",
            "papermill",
            "--no-progress-bar",
            "--log-level",
            "ERROR",
            "--kernel",
            "python3",
        ]
        arguments += ["--cwd", str(folder), str(notebook), str(done)]
        # Base64 of YAML, of which JSON is a part.
        arguments += ["--parameters_base64", b64encode(dumps(parameters).encode()).decode()]
        _call(arguments, _environment(Path(own)))
        node = nbformat.read(done, as_version=4)  # type: ignore[no-untyped-call]
    for cell in node.cells:
        if _INJECTED in cell.metadata.get("tags", []):
            cell.id = _INJECTED
        cell.metadata = {"tags": cell.metadata.get("tags", [])}
    node.metadata.pop("papermill", None)
    return node


def _environment(own: Path) -> dict[str, str]:
    """The environment of the run: kernels of this Python only, and settings of nobody."""
    from ipykernel.kernelspec import write_kernel_spec

    write_kernel_spec(own / "kernels" / "python3")
    folders = {
        "JUPYTER_PATH": own,
        "JUPYTER_DATA_DIR": own,
        "JUPYTER_CONFIG_DIR": own / "config",
        "JUPYTER_RUNTIME_DIR": own / "runtime",
    }
    quiet = {"JUPYTER_NO_CONFIG": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1", "WORKBENCH_STATIC": "1"}
    return {
        **os.environ,
        **{name: str(path) for name, path in folders.items()},
        "IPYTHONDIR": str(own / "ipython"),
        **quiet,
    }


def _call(arguments: list[str], environment: dict[str, str]) -> None:
    # A session of its own: a terminal's Ctrl-C reaches us alone, and we pass it on once.
    with subprocess.Popen(
        arguments,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate()
        except BaseException:
            _end(process)
            raise
    if process.returncode:
        lines = output.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise WorkbenchError(f"the notebook could not be run: {lines[-1]}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Have papermill end its kernel and itself; kill it if it does not."""
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()

"""The command group, and the one place where errors become a line on standard error and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

import click

from workbench.cli.budget_command import budget_command
from workbench.cli.check_command import check_command
from workbench.cli.completion_command import COMPLETE_VARIABLE, completion_command
from workbench.cli.diff_command import diff_command
from workbench.cli.lab_command import lab_command
from workbench.cli.output import complain, tolerate
from workbench.cli.probe_command import probe_command
from workbench.cli.project_command import project_command
from workbench.cli.report_command import report_command
from workbench.cli.serve_command import serve_command
from workbench.cli.tune_command import tune_command
from workbench.cli.verify_command import verify_command
from workbench.errors import WorkbenchError
from workbench.version import __version__

__all__ = ["cli", "main"]

#: What a shell reports for a program that SIGINT or SIGPIPE has ended.
_INTERRUPTED: Final = 130
_UNREAD: Final = 141
#: Set, it lets the traceback of a fault of our own through.
_TRACEBACK_VARIABLE: Final = "WORKBENCH_TRACEBACK"


@click.group(
    commands=[
        budget_command,
        check_command,
        completion_command,
        diff_command,
        lab_command,
        probe_command,
        project_command,
        report_command,
        serve_command,
        tune_command,
        verify_command,
    ],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, package_name="compact-tool-workbench", message="workbench %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """
    Measure and conform: the compact view of OpenWOP tool catalogs (RFC 0112).

    A SOURCE is a JSON file, - for standard input, sample:NAME for a bundled catalog, http(s)://... for an OpenWOP host, or
    "mcp:COMMAND ARGS..." or mcp:http(s)://... for a live MCP server. A file holds {"tools": [...]} or a bare list, of OpenWOP
    descriptors, MCP tools, OpenAI tools or Anthropic tools.

    \b
    Examples:
      workbench budget sample:twenty              what the catalog costs on every turn
      workbench project sample:twenty             its compact view, as JSON
      workbench check sample:twenty               what the specification does not allow in it
      workbench tune sample:twenty                how short its descriptions may get
      workbench diff sample:small sample:twenty   what a change to a catalog costs
      workbench probe https://host.example        what RFC 0112 asks of a host, and whether it does it
      workbench report sample:twenty --out page   everything a reviewer needs, as one page
      workbench serve sample:twenty               a host to test against, with faults to switch on
      workbench lab                               the notebooks, in JupyterLab

    Results go to standard output, or to --out FILE; all else to standard error. Exit codes: 0 done and clean, 1 done and
    something falls short, 2 not done. Colours appear on a terminal only, and never when NO_COLOR is set. For completion in your
    shell, see: workbench completion --help
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (that of the process unless given) and say how it went, as an exit code."""
    tolerate(sys.stdout)
    try:
        status = _run(sys.argv[1:] if arguments is None else list(arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _give_up()
        return _UNREAD
    except OSError as error:
        _give_up()
        return complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
    return status


def _run(arguments: list[str]) -> int:
    instruction = os.environ.get(COMPLETE_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "workbench", COMPLETE_VARIABLE, instruction)
    try:
        with cli.make_context("workbench", arguments) as context:
            return int(cli.invoke(context) or 0)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        help_of = error.ctx.command_path if error.ctx else "workbench"
        return complain(f"{error.format_message().rstrip('.')}; see {help_of} --help")
    except click.ClickException as error:
        return complain(error.format_message())
    except WorkbenchError as error:
        return complain(str(error))
    except (KeyboardInterrupt, EOFError, click.Abort):
        complain("interrupted")
        return _INTERRUPTED
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with us, a user gets one line, as the contract says
        return _own_fault(error)


def _own_fault(error: Exception) -> int:
    if os.environ.get(_TRACEBACK_VARIABLE):
        raise error
    what = f"{type(error).__name__}: {error}"
    return complain(f"this is a fault of workbench itself: {what} ({_TRACEBACK_VARIABLE}=1 shows where)")


def _give_up() -> None:
    """Point standard output at nothing, so that the interpreter does not fail on it once more on its way out."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

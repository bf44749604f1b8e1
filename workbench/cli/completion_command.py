"""`workbench completion`: the script that makes a shell complete commands, options, samples and encodings."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

__all__ = ["COMPLETE_VARIABLE", "completion_command"]

#: Set by the script when the shell asks for completions.
COMPLETE_VARIABLE: Final = "_WORKBENCH_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> int:
    """
    Print the script that completes workbench commands in SHELL.

    \b
    Examples:
      workbench completion bash >> ~/.bashrc
      workbench completion zsh >> ~/.zshrc
      workbench completion fish > ~/.config/fish/completions/workbench.fish
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"no completion for {shell}", context)
    script = found(context.find_root().command, {}, "workbench", COMPLETE_VARIABLE).source()
    click.echo(script, color=False)
    return 0

"""Keys on the command line of a server: wherever the server is named or quoted, none of them is shown."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from workbench.cli import main
from workbench.errors import UsageError
from workbench.evidence import Options
from workbench.sources.mcp.commands import command_of

Command = Callable[[str], str]
KEY = "Zm9vYmFy+0123/456789=="
GITHUB = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
#: How servers are given one, and what remains of it.
WAYS = [
    ("--api-key {}", "--api-key ***"),
    ("--apiKey={}", "--apiKey=***"),
    ("--token={}", "--token=***"),
    ("--token '{} with words'", "--token ***"),
    ("--key {}", "--key ***"),
    ("-k {}", "-k ***"),
    ("-e API_KEY={}", "-e API_KEY=***"),
    ("--env=MY_SECRET={}", "--env=MY_SECRET=***"),
    ("OPENAI_KEY={} npx server", "OPENAI_KEY=*** npx server"),
    ("--header 'Authorization: Bearer {}'", "--header 'Authorization: ***'"),
    ("--header X-API-Key:{}", "--header X-API-Key:***"),
    (
        '--config \'{{"mode": "fast", "exaApiKey": "{}", "n": 1}}\'',
        '--config \'{"mode": "fast", "exaApiKey": "***", "n": 1}\'',
    ),
    ("https://mcp.example/sse?api_key={}&v=2", "'https://mcp.example/sse?api_key=***&v=2'"),
    ("postgresql://reader:{}@db.example/base", "postgresql://reader:***@db.example/base"),
]


@pytest.mark.parametrize(("way", "left"), WAYS)
def test_each_way_to_give_one_is_known(way: str, left: str) -> None:
    key = KEY.replace("/", "_") if "://" in way else KEY
    command = command_of(f"env {way.format(key)}")
    assert command.source == f"mcp:env {left}"
    assert any(key in word for word in command.words)
    assert any(key in secret for secret in command.secrets)


def test_a_known_format_needs_no_name() -> None:
    assert command_of(f"env npx server {GITHUB} --verbose").source == "mcp:env npx server *** --verbose"
    command = command_of(f"env npx server 'use Bearer {'0123456789' * 3} now'")
    assert command.source == "mcp:env npx server 'use *** now'"


@pytest.mark.parametrize(
    "text",
    [
        "env npx -y @modelcontextprotocol/server-everything",
        "env uvx --from  git+https://host.example/a.git@v1.2.3 server --max-tokens 100 --token-env NAME",
        "env docker run -i --rm -p 8080:80 -v /a:/b image:1.0@sha256:" + "0a" * 32,
        "env node 'my server.js' --port=80 --keyboard us --monkey yes --key --verbose",
    ],
)
def test_a_command_without_one_is_named_to_the_letter(text: str) -> None:
    assert command_of(text)[1:] == (f"mcp:{text}", frozenset())


@given(st.text(st.characters(blacklist_characters="\0"), min_size=1), st.sampled_from(["--token", "--api-key"]))
def test_no_value_of_such_an_option_is_named(value: str, option: str) -> None:
    key = f"k{value}"
    assert command_of(shlex.join(["env", option, key])).source == f"mcp:env {option} ***"
    assert command_of(shlex.join(["env", f"{option}={key}"])).source == f"mcp:env {option}=***"


@pytest.mark.parametrize("text", ["npx --token '{}", "API_KEY={} npx server", "no-such-program --token {}"])
def test_a_command_that_cannot_be_run_is_told_without_it(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        wb.load(f"mcp:{text.format(KEY)}")
    assert KEY not in str(caught.value)


class TestOfAServer:
    """One that repeats its command line wherever it can."""

    def test_its_tools_and_its_name_are_shown_without_it(
        self, command: Command, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["project", f"mcp:{command('plain')} --api-key {KEY}"]) == 0
        out, err = capfd.readouterr()
        assert "mcp:pit.dig" in out and KEY not in out + err
        (line,) = err.splitlines()
        assert "--api-key ***: there is a key on this command line" in line and "environment variable" in line

    def test_what_it_says_in_the_end_is_quoted_without_it(
        self, command: Command, capfd: pytest.CaptureFixture[str]
    ) -> None:
        for mode in ("repeats", "repeats-noise"):
            assert main(["budget", f"mcp:{command(mode)} --api-key {KEY}"]) == 2
            out, err = capfd.readouterr()
            assert "given --api-key ***" in err and KEY not in out + err

    def test_its_descriptions_are_read_without_it(self, command: Command) -> None:
        catalog = wb.load(f"mcp:{command('describes')} --api-key {KEY}")
        assert catalog.tools[0].descriptor["description"] == "given --api-key ***"
        assert KEY not in catalog.received

    def test_evidence_does_not_hold_it(self, command: Command, tmp_path: Path) -> None:
        options = Options(renderings=("wire",), samples=1, limits=(0,), strategies=("hard",))
        source = f"mcp:{command('describes')} --api-key {KEY}"
        bundle = wb.collect([source], options=options)
        bundle.write(tmp_path / "evidence.json")
        found = wb.verify(bundle, [source])
        assert found.ok and found.sources[0].taken_from.endswith("--api-key ***")
        assert KEY not in (tmp_path / "evidence.json").read_text()

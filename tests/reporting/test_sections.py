"""What a report says: read from a bundle, adding up, and true of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.evidence import Evidence, Options, collect
from workbench.figures import figure_alt, to_svg
from workbench.reporting import answers, costs, losses, reproducing, standing
from workbench.reporting.markdown import markdown
from workbench.reporting.pictures import FIGURES, drawn
from workbench.reporting.reading import clipped, introduced, named, shown, spread
from workbench.reporting.verdict import falls_short, verdict
from workbench.tables import Cell, Table
from workbench.visible import hidden_characters

SHARES = ("standard", "compact", "saved", "saved %")
FEW = Options(renderings=("wire", "openai"), samples=3, strategies=("hard",), limits=(0, 32, 128, 256))
TABLES: list[Callable[[Evidence], Table | None]] = [
    *(costs.totals, costs.by_rendering, costs.by_field, costs.dearest),
    *(standing.scorecard, standing.hosts, standing.failures, standing.breaches, standing.places),
    *(losses.losses, losses.places_lost, losses.misjudged),
    *(answers.limits, answers.questions, answers.claims),
    *(reproducing.examined, reproducing.environment, reproducing.options),
]
SENTENCES: list[Callable[[Evidence], str]] = [
    *(costs.by_rendering_said, costs.by_field_said, standing.scorecard_said, standing.hosts_said),
    *(standing.breaches_said, losses.losses_said, answers.limits_said, answers.claims_said),
]


@cache
def _collected() -> Evidence:
    return collect(["sample:small", "sample:mcp"], options=FEW)


def evidence(**changes: Any) -> Evidence:
    """The evidence of two samples, as a value that may be changed; `changes` are put into its first source."""
    document = deepcopy(_collected().to_json())
    document["sources"][0] |= changes
    return Evidence(document)


def alone(**changes: Any) -> Evidence:
    """The first of them alone."""
    return Evidence(evidence().to_json() | {"sources": evidence(**changes).sources[:1]})


def rows(table: Table | None) -> tuple[tuple[Cell, ...], ...]:
    return table.rows if table else ()


def probe(*outcomes: tuple[str, str, str]) -> dict[str, Any]:
    seen = {"request": "GET /v1/tools", "status": 200, "toolId": "t", "pointer": "/p", "excerpt": "x"}
    return {
        "requirements": [
            {"id": name, "level": level, "status": status, "summary": "why", "evidence": [seen]}
            for name, level, status in outcomes
        ]
    }


class TestVerdict:
    def test_is_three_sentences_with_the_numbers_of_the_bundle(self) -> None:
        sentences = verdict(evidence())
        assert "cost 1,591 to 1,735 tokens on every turn" in sentences[0], "versions of one catalog are not added up"
        assert "rendering wire, encoding o200k_base, exact" in sentences[0]
        assert "accepts 100% of the valid sample calls" in sentences[1]
        assert "256 characters" in sentences[2]
        assert all(sentence.endswith(".") for sentence in sentences)

    def test_names_what_a_host_fails(self) -> None:
        failing = evidence(probe=probe(("compact-keyword", "must", "fail"), ("unknown-view", "should", "fail")))
        assert verdict(failing)[1].startswith("The host broke what is required (compact-keyword); ")
        assert falls_short(failing) == ["sample:small: the host fails compact-keyword"]
        assert standing.hosts_said(failing).startswith("sample:small: 0 pass, 2 fail, 0 undecided, 0 skip")

    def test_one_source_is_no_range(self) -> None:
        assert verdict(alone())[0].startswith("This catalog of 5 tools costs 1,591 tokens")
        assert " to " not in verdict(alone())[0]


class TestLimits:
    """Nothing is recommended that saves nothing, or of so few tools; nothing is claimed that was not shown."""

    @staticmethod
    def tuned(tools: int, limit: int = 1, saved: int = 10, **cap: Any) -> Evidence:
        source = deepcopy(evidence().sources[0])
        tuning = source["tuning"]
        tuning["recommended"] = {**tuning["cap"], "limit": limit, "unit": "chars", "tokens": tuning["compact"] - saved}
        tuning["cap"] |= cap
        return alone(tools=tools, tuning=tuning | {"queries": 0})

    def test_a_limit_is_told_in_plain_words(self) -> None:
        said = verdict(self.tuned(6))[2]
        assert said.startswith(
            "Descriptions can be cut to 1 character, which saves a further 0.9% of the compact view; "
        )
        assert "no task sentences were given, so a model may need longer ones" in said
        assert answers.limits_said(self.tuned(6)).startswith("sample:small: 1 character (hard) save 10 of ")

    @pytest.mark.parametrize(("tools", "saved"), [(5, 10), (6, 0)])
    def test_none_is_recommended_without_reason(self, tools: int, saved: int) -> None:
        found = self.tuned(tools, saved=saved)
        assert verdict(found)[2].startswith("No limit on descriptions is recommended, since ")
        assert "no limit is recommended, since " in answers.limits_said(found)
        assert not any("recommended" in str(row[0]) for row in rows(answers.limits(found)))
        assert "no limit is recommended" in drawn(found, "limits").alt

    def test_a_cap_that_cuts_nothing_shows_nothing(self) -> None:
        found = self.tuned(5, shortened=0)
        assert verdict(found)[2].endswith("; no description is over 256 characters.")
        assert answers.questions(found).rows[0][1:] == (
            "nothing here shows it: no description is over 256 characters",
            "none was found",
        )

    def test_one_number_is_no_reason_against_one_number(self) -> None:
        assert "no one number" not in str(answers.questions(self.tuned(6)).rows[0])

    def test_our_own_views_say_nothing_of_those_of_hosts(self) -> None:
        assert answers.questions(evidence()).rows[2][1] == "nothing here shows it: no host's compact view was examined"


class TestHosts:
    OFFERED: ClassVar = {
        "tokens": 7,
        "check": {"tools": 5, "counts": dict.fromkeys(("must", "should", "advice"), 0), "findings": []},
    }

    def asked(self, status: str) -> Evidence:
        return alone(host={"offered": self.OFFERED}, probe=probe(("compact-honoured", "must", status)))

    def test_a_standard_view_is_not_called_compact(self) -> None:
        assert "its own compact view costs 7 tokens" in standing.hosts_said(self.asked("pass"))
        assert "sends none when asked for it" in standing.hosts_said(self.asked("fail"))
        assert [row[0] for row in rows(standing.scorecard(self.asked("pass")))][2:] == ["compact, by the host"]
        assert [row[0] for row in rows(standing.scorecard(self.asked("fail")))][2:] == ["sent for view=compact"]
        assert answers.questions(self.asked("fail")).rows[2][1].startswith("nothing here shows it")

    def test_without_hosts_nothing_is_said_of_them(self) -> None:
        assert standing.hosts_said(evidence()) == "" and standing.hosts(evidence()) is None


def test_what_a_reader_has_to_know_of_a_source_is_in_the_report() -> None:
    noted = evidence(notes=["1 tool is no function: <b>x</b>"])
    assert introduced(noted)[2] == "note on sample:small: 1 tool is no function: <b>x</b>"
    assert "1 tool is no function: &#60;b&#62;" in markdown(noted)


def test_what_may_be_accepted_and_what_was_seen_are_told_apart() -> None:
    fidelity = deepcopy(evidence().sources[0]["fidelity"])
    for tool in fidelity["tools"]:
        tool["wronglyAdmitted"] = None
    found = alone(fidelity=fidelity)
    assert losses.misjudged(found) is None
    assert losses.losses_said(found).endswith(
        "may accept calls that the standard view refuses, and no sample call shows it."
    )
    nothing = alone(projection={"counts": {}, "looser": [], "losses": []})
    assert losses.losses_said(nothing) == "Nothing was given up." and losses.losses(nothing) is None


class TestTables:
    def test_totals_and_fields_add_up(self) -> None:
        totals = rows(costs.totals(evidence()))
        assert totals[-1][1:3] == (sum(row[1] for row in totals[:-1]), sum(row[2] for row in totals[:-1]))  # type: ignore[misc]
        fields = rows(costs.by_field(evidence()))
        for place in range(1, 5):
            assert sum(row[place] for row in fields[:-1]) == fields[-1][place]  # type: ignore[misc]

    def test_a_rendering_that_cannot_be_made_says_why(self) -> None:
        budgets = deepcopy(evidence().sources[0]["budgets"])
        budgets[1] = {"encoding": "o200k_base", "rendering": "openai", "refused": "two names"}
        row = rows(costs.by_rendering(evidence(budgets=budgets)))[1]
        assert row[1:3] == ("openai", None) and row[-1] == "not possible: two names"

    def test_hosts_stand_beside_each_other_failures_first(self) -> None:
        document = evidence(probe=probe(("a", "must", "pass"), ("b", "must", "fail"))).to_json()
        document["sources"][1]["probe"] = probe(("a", "must", "pass"))
        table = standing.hosts(Evidence(document))
        assert table is not None
        assert table.rows == (("b", "must", "fail: why", ""), ("a", "must", "pass: why", "pass: why"))
        assert standing.hosts(evidence()) is None

    def test_every_finding_is_counted_and_a_pointer_shown(self) -> None:
        found = [
            each for source in evidence().sources for check in source["checks"].values() for each in check["findings"]
        ]
        assert sum(row[2] for row in rows(standing.breaches(evidence()))) == len(found)  # type: ignore[misc]
        assert {row[4] for row in rows(standing.places(evidence()))} <= {each["pointer"] for each in found}

    def test_versions_of_one_catalog_have_no_sum(self) -> None:
        document = evidence().to_json()
        document["sources"] = [document["sources"][0], deepcopy(document["sources"][0])]
        assert [row[0] for row in rows(costs.totals(Evidence(document)))] == ["sample:small", "sample:small (2)"]

    def test_of_one_source_no_column_says_so_and_constants_stand_in_the_title(self) -> None:
        table = costs.by_rendering(alone())
        assert table is not None and table.title == "Tokens per turn (encoding o200k_base)"
        assert [column.name for column in table.columns] == ["rendering", *SHARES, "certainty"]

    def test_every_claim_and_question_is_there(self) -> None:
        assert {row[0] for row in rows(answers.claims(evidence()))} == {
            row["claim"].replace(" %", "%") for row in evidence().sources[0]["claims"]
        }
        assert [str(row[0])[:2] for row in answers.questions(evidence()).rows] == ["1.", "2.", "3."]

    def test_what_is_too_much_to_read_is_counted(self) -> None:
        table = clipped(["a"], [["x" * 3_000]] * 250, "t")
        assert len(table.rows) == 200 and table.title == "t; 50 rows more in evidence.json"
        assert table.rows[0][0] == "x" * 2_000 + "\u2026 (3,000 characters)"


class TestNames:
    def test_files_go_by_their_names_and_doubles_are_told_apart(self) -> None:
        document = evidence(kind="file", name="/a/b/tools.json").to_json()
        document["sources"][1] |= {"kind": "file", "name": "c/tools.json"}
        assert list(named(Evidence(document))) == ["tools", "tools (2)"]

    @given(st.text(max_size=400))
    def test_a_shown_text_is_one_short_line_with_nothing_hidden(self, text: str) -> None:
        line = shown(text, 40)
        assert len(line) <= 40
        assert not set(line) & set("\n\r\t\x1b")
        assert not hidden_characters(line)

    def test_a_spread_of_one_number_is_that_number(self) -> None:
        assert (spread([0.5]), spread([0.1, 0.2])) == ("50.0%", "10.0% to 20.0%")


@pytest.mark.parametrize("tools", [[], [{"toolId": "t", "source": "mcp", "safetyTier": "read"}]], ids=["none", "bare"])
def test_a_catalog_of_almost_nothing_has_a_report(tools: list[Any]) -> None:
    bare = collect([{"tools": tools}], options=FEW)
    for tell in (*TABLES, *SENTENCES):
        tell(bare)
    assert len(verdict(bare)) == 3
    assert markdown(bare)
    for name in FIGURES:
        assert figure_alt(drawn(bare, name))


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_the_same_every_time_and_say_their_numbers(name: str) -> None:
    figure = drawn(evidence(), name)
    assert to_svg(figure) == to_svg(drawn(evidence(), name))
    assert "sample:small" in figure.alt and "sample:mcp" in figure.alt
    assert sum(char.isdigit() for char in figure.alt) > 10


def test_the_markdown_has_every_section_and_links_every_figure() -> None:
    text = markdown(Evidence(evidence().to_json() | {"options": Options().to_json()}))
    headings = [line.removeprefix("### ") for line in text.splitlines() if line.startswith("### ")]
    assert headings == [
        *("Scorecard", "Tokens per turn", "Where the tokens go", "What is broken", "What the projection lost"),
        *("How short descriptions may get", "Open questions and claims", "How to get this again"),
    ]
    assert all(f"](figures/{name}.svg)" in text for name in FIGURES)
    assert "    workbench report sample:small sample:mcp --out report" in text.splitlines()
    assert json.dumps(_collected().to_json()) == json.dumps(evidence().to_json()), "reading changes nothing"

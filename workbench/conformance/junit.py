"""
JUnit XML of a probe.

A requirement is a test case. Only a `must` that fails is a failure, as for the exit code; other failures are told in the output
of their case, and what does not apply or cannot be told is skipped, with the reason.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Final

from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.conformance.result import Outcome, ProbeResult

__all__ = ["junit"]

#: What XML 1.0 cannot hold (2.2); most of it is written as an escape before.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(result: ProbeResult) -> bytes:
    """The outcomes as one suite, without times and dates: the same for the same answers."""
    from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite

    suite = TestSuite(_text(f"workbench probe {result.host}"))
    for outcome in result.outcomes:
        case = TestCase(outcome.id, _text(f"workbench.probe.v{result.major}.{outcome.level}"))
        case.system_out = _text("\n".join(_lines(outcome)))
        if outcome.status == "fail" and outcome.level == "must":
            failure = Failure(_text(outcome.summary), outcome.level)
            failure.text = case.system_out
            case.result = [failure]
        elif outcome.status in ("skip", "undecided"):
            case.result = [Skipped(_text(f"{outcome.status}: {outcome.summary}"))]
        suite.add_testcase(case)
    report = JUnitXml(_text(f"workbench probe {result.host}"))
    report.add_testsuite(suite)
    file = BytesIO()
    report.write(file)
    return file.getvalue()


def _lines(outcome: Outcome) -> list[str]:
    lines = [f"{outcome.status}: {outcome.summary}", f"{outcome.requirement.text} ({outcome.requirement.source})"]
    lines += [
        " ".join(str(part) for part in each.to_json().values() if part not in ("", None)) for each in outcome.evidence
    ]
    return [*lines, outcome.disagreement] if outcome.disagreement else lines


def _text(text: str) -> str:
    return _NO_XML.sub("�", visible(text))

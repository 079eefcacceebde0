"""Tries an operation out with schemathesis, in a process that has accounts of its own."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

import requests
import schemathesis
from schemathesis import Case, HookContext, Response
from schemathesis.cli import schemathesis as command_line

from callers import Callers
from checks import Sent, create_checks
from guide import Guide
from tally import LEAST_2XX, LOST, Counts, successes

CONFIG = Path(__file__).with_name("schemathesis.toml")
MOST_TIMES = 10


@dataclass(frozen=True)
class Outcome:
    counts: Counts
    is_passed: bool
    findings: str
    """What schemathesis found, for people."""


class Trial:
    """Registers what schemathesis calls for each request; one in a process."""

    def __init__(self, callers: Callers, *, document: str, seed: int) -> None:
        self._document = document
        self._seed = seed
        self._counts = Counts()
        self._register(callers, Guide(seed))

    def try_out(self, operation: str) -> Outcome:
        """Once, and again where there is so little to vary that the first time makes too few requests."""
        self._counts.clear()
        for seed in range(self._seed, self._seed + MOST_TIMES):
            exit_code, output = run(self._document, operation, seed)
            if exit_code != 0 or successes(self._counts) >= LEAST_2XX:
                break
        return Outcome(Counts(self._counts), exit_code == 0, findings_in(output))

    def _register(self, callers: Callers, guide: Guide) -> None:
        sent = Sent()
        counts = self._counts

        def before_call(_: HookContext, case: Case, kwargs: dict) -> None:
            caller = callers.next()
            is_led = caller.belongings is not None and guide.lead(case, caller.belongings)
            case.headers["X-API-Key"] = caller.key
            sent.note(case, caller, is_led)

        def after_call(_: HookContext, case: Case, response: Response) -> None:
            counts[response.status_code] += 1

        def after_network_error(_: HookContext, case: Case, request: requests.PreparedRequest) -> None:
            counts[LOST] += 1

        def filter_failure(_: HookContext, failure: Exception, case: Case, response: Response) -> bool:
            """A valid request may be refused for what the document cannot say, unless it was led to what exists."""
            return type(failure).__name__ != "RejectedPositiveData" or sent.is_led(case)

        for hook in (before_call, after_call, after_network_error, filter_failure):
            schemathesis.hook(hook)
        for check in create_checks(sent):
            schemathesis.check(check)


def run(document: str, operation: str, seed: int) -> tuple[int, str]:
    """The exit code of schemathesis and what it printed."""
    arguments = ["--config-file", str(CONFIG), "run", document, "--include-name", operation, "--seed", str(seed)]
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            command_line.main([*arguments, "--no-color"], standalone_mode=False)
            exit_code = 0
        except SystemExit as ended:
            exit_code = int(ended.code or 0)
    return exit_code, output.getvalue()


def findings_in(output: str) -> str:
    """What stands before the summary, without how far each phase got; everything where there is no finding."""
    start = re.search(r"^=+ (ERRORS|FAILURES) =+$", output, re.MULTILINE)
    if start is None:
        return output
    return re.split(r"^=+ (?:WARNINGS|SUMMARY) =+$", output[start.start() :], maxsplit=1, flags=re.MULTILINE)[0]

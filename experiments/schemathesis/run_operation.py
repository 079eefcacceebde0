"""Tests one operation with schemathesis, in a process with its own share of the accounts."""

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
from checks import SentRequests, create_checks
from guide import Guide
from results import MIN_2XX, NO_ANSWER, Counts, successes

CONFIG = Path(__file__).with_name("schemathesis.toml")
MAX_REPEATS = 10


@dataclass(frozen=True)
class Outcome:
    counts: Counts
    is_passed: bool
    report: str
    """The failures in the output of schemathesis."""


class OperationRunner:
    """Registers the hooks and checks of schemathesis. They are global, so a process has one runner."""

    def __init__(self, callers: Callers, *, document: str, seed: int) -> None:
        self._document = document
        self._seed = seed
        self._counts = Counts()
        self._register(callers, Guide(seed, requests.get(document, timeout=10).json()))

    def run(self, operation: str) -> Outcome:
        """Repeats with other seeds until enough requests succeed: some operations have few parameters to vary."""
        self._counts.clear()
        for seed in range(self._seed, self._seed + MAX_REPEATS):
            exit_code, output = run_schemathesis(self._document, operation, seed)
            if exit_code != 0 or successes(self._counts) >= MIN_2XX:
                break
        return Outcome(Counts(self._counts), exit_code == 0, extract_failures(output))

    def _register(self, callers: Callers, guide: Guide) -> None:
        sent = SentRequests()
        counts = self._counts

        def before_call(_: HookContext, case: Case, kwargs: dict) -> None:
            caller = callers.next()
            is_guided = caller.resources is not None and guide.apply(case, caller.resources)
            case.headers["X-API-Key"] = caller.key
            sent.record(case, caller, is_guided)

        def after_call(_: HookContext, case: Case, response: Response) -> None:
            counts[response.status_code] += 1

        def after_network_error(_: HookContext, case: Case, request: requests.PreparedRequest) -> None:
            counts[NO_ANSWER] += 1

        def filter_failure(_: HookContext, failure: Exception, case: Case, response: Response) -> bool:
            """The API may reject an unguided valid request, for conditions that the document cannot express."""
            return type(failure).__name__ != "RejectedPositiveData" or sent.is_guided(case)

        for hook in (before_call, after_call, after_network_error, filter_failure):
            schemathesis.hook(hook)
        for check in create_checks(sent):
            schemathesis.check(check)


def run_schemathesis(document: str, operation: str, seed: int) -> tuple[int, str]:
    """Returns the exit code and the output."""
    arguments = ["--config-file", str(CONFIG), "run", document, "--include-name", operation, "--seed", str(seed)]
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            command_line.main([*arguments, "--no-color"], standalone_mode=False)
            exit_code = 0
        except SystemExit as ended:
            exit_code = int(ended.code or 0)
    return exit_code, output.getvalue()


def extract_failures(output: str) -> str:
    """The failures, without progress and summary; the whole output when there are none."""
    start = re.search(r"^=+ (ERRORS|FAILURES) =+$", output, re.MULTILINE)
    if start is None:
        return output
    return re.split(r"^=+ (?:WARNINGS|SUMMARY) =+$", output[start.start() :], maxsplit=1, flags=re.MULTILINE)[0]

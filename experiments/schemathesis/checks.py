"""What every answer is held against beside the checks that schemathesis brings."""

from __future__ import annotations

from collections.abc import Callable

from schemathesis import Case, CheckContext, Response

from callers import Caller

# What the API may answer to those whom it turns away.
REFUSALS = {"free": {403}, "stranger": {401, 429}}


class Sent:
    """Who sent a request, and whether it was led to what exists; by the request's id."""

    def __init__(self) -> None:
        self._by_id: dict[str, tuple[Caller, bool]] = {}

    def note(self, case: Case, caller: Caller, is_led: bool) -> None:
        self._by_id[case.id] = (caller, is_led)

    def caller(self, case: Case) -> Caller:
        return self._by_id[case.id][0]

    def is_led(self, case: Case) -> bool:
        return self._by_id[case.id][1]


def create_checks(sent: Sent) -> list[Callable[[CheckContext, Response, Case], None]]:
    def caller_is_told_apart(_: CheckContext, response: Response, case: Case) -> None:
        """An account whose plan gives access is let in; every other caller is not."""
        kind, status = sent.caller(case).kind, response.status_code
        refusals = REFUSALS.get(kind)
        if refusals is None:
            assert status not in (401, 403), f"An account with access was answered {status}."
        else:
            assert status in refusals, f"A caller of the kind {kind} was answered {status}."

    def answer_is_traceable(_: CheckContext, response: Response, case: Case) -> None:
        """Every answer carries a request id; one of a full window says which and until when."""
        expected = ["x-request-id"]
        if response.status_code == 429:
            expected.append("retry-after")
            if sent.caller(case).kind != "stranger":
                expected += ["x-ratelimit-limit", "x-ratelimit-reset"]
        missing = [name for name in expected if name not in response.headers]
        assert not missing, f"The answer has no {', '.join(missing)}."

    return [caller_is_told_apart, answer_is_traceable]

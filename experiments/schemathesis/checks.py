"""Checks of every answer of the API, in addition to those of schemathesis."""

from __future__ import annotations

from collections.abc import Callable

from schemathesis import Case, CheckContext, Response

from callers import Caller

# The only statuses that callers without access may get: an account whose plan has no API access, and an unknown key,
# which gets 429 after too many calls.
REJECTIONS = {"free": {403}, "unknown": {401, 429}}


class SentRequests:
    """What is known of each request, by its id: its caller, and the result of `Guide.apply` (`is_guided`).

    The API may reject an unguided request although it is valid by the document, for example for an unknown country.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, tuple[Caller, bool]] = {}

    def record(self, case: Case, caller: Caller, is_guided: bool) -> None:
        self._by_id[case.id] = (caller, is_guided)

    def caller(self, case: Case) -> Caller:
        return self._by_id[case.id][0]

    def is_guided(self, case: Case) -> bool:
        return self._by_id[case.id][1]


def create_checks(sent: SentRequests) -> list[Callable[[CheckContext, Response, Case], None]]:
    def caller_has_access(_: CheckContext, response: Response, case: Case) -> None:
        """Accounts with API access are never rejected; other callers always are."""
        kind, status = sent.caller(case).kind, response.status_code
        rejections = REJECTIONS.get(kind)
        if rejections is None:
            # An account has at most so many channels and open jobs, and messages on request in an hour.
            is_cap = status == 403 and response.json().get("code") == "PLAN_LIMIT"
            assert status not in (401, 403) or is_cap, f"An account with access got {status}."
        else:
            assert status in rejections, f"A caller of the kind {kind} got {status}."

    def answer_has_headers(_: CheckContext, response: Response, case: Case) -> None:
        """Every answer has a request id. A 429 says when to retry and, for a known key, which limit was reached."""
        expected = ["x-request-id"]
        if response.status_code == 429:
            expected.append("retry-after")
            if sent.caller(case).kind != "unknown":
                expected += ["x-ratelimit-limit", "x-ratelimit-reset"]
        missing = [name for name in expected if name not in response.headers]
        assert not missing, f"The answer has no {', '.join(missing)}."

    return [caller_has_access, answer_has_headers]

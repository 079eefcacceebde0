"""Counts the answers by status, and finds what fails the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

MIN_REQUESTS = 5000
MAX_429_SHARE = 0.05
MIN_2XX = 20

# Answers by status. Requests without an answer have the status 0.
Counts = Counter[int]
NO_ANSWER = 0


def table(by_operation: Mapping[str, Counts]) -> str:
    totals = total(by_operation)
    statuses = sorted(totals)
    rows = [["operation", *(str(status or "none") for status in statuses), "all"]]
    for operation, counts in [*by_operation.items(), ("all", totals)]:
        rows.append([operation, *(str(counts[status] or "-") for status in statuses), str(counts.total())])
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)


def summary(by_operation: Mapping[str, Counts], seconds: float) -> str:
    totals = total(by_operation)
    requests = totals.total()
    share = totals[429] / max(requests, 1)
    return f"{requests} requests in {seconds:.0f} s, {requests / seconds:.0f} per second; {share:.1%} of the answers are 429"


def find_failures(by_operation: Mapping[str, Counts]) -> list[str]:
    totals = total(by_operation)
    requests = totals.total()
    failures = []
    if requests < MIN_REQUESTS:
        failures.append(f"{requests} requests, fewer than {MIN_REQUESTS}")
    if totals[429] >= MAX_429_SHARE * requests:
        failures.append(f"{totals[429]} of {requests} answers are 429: {MAX_429_SHARE:.0%} or more")
    for operation, counts in by_operation.items():
        if successes(counts) < MIN_2XX:
            failures.append(f"{operation} gave 2xx {successes(counts)} times, fewer than {MIN_2XX}")
        if counts[NO_ANSWER] > 0:
            failures.append(f"{operation} did not answer {counts[NO_ANSWER]} times")
        for status in sorted(status for status in counts if status >= 500):
            failures.append(f"{operation} answered {status} {counts[status]} times")
    return failures


def total(by_operation: Mapping[str, Counts]) -> Counts:
    return sum(by_operation.values(), Counts())


def successes(counts: Counts) -> int:
    return sum(count for status, count in counts.items() if 200 <= status < 300)

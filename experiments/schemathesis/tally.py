"""Counts the answers, and holds them against what the run promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

LEAST_REQUESTS = 5000
MOST_429_SHARE = 0.05
LEAST_2XX = 20

# Answers by status. A request that no answer came to has the status 0.
Counts = Counter[int]
LOST = 0


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
    return f"{requests} requests in {seconds:.0f} s, {requests / seconds:.0f} a second; {share:.1%} of the answers are 429"


def broken_promises(by_operation: Mapping[str, Counts]) -> list[str]:
    totals = total(by_operation)
    requests = totals.total()
    broken = []
    if requests < LEAST_REQUESTS:
        broken.append(f"{requests} requests, fewer than {LEAST_REQUESTS}")
    if totals[429] >= MOST_429_SHARE * requests:
        broken.append(f"{totals[429]} of {requests} answers are 429: {MOST_429_SHARE:.0%} or more")
    for operation, counts in by_operation.items():
        if successes(counts) < LEAST_2XX:
            broken.append(f"{operation} gave 2xx {successes(counts)} times, fewer than {LEAST_2XX}")
        if counts[LOST] > 0:
            broken.append(f"{operation} did not answer {counts[LOST]} times")
        for status in sorted(status for status in counts if status >= 500):
            broken.append(f"{operation} answered {status} {counts[status]} times")
    return broken


def total(by_operation: Mapping[str, Counts]) -> Counts:
    return sum(by_operation.values(), Counts())


def successes(counts: Counts) -> int:
    return sum(count for status, count in counts.items() if 200 <= status < 300)

"""Chooses the account of each request: one of many accounts within its rate windows, or a caller that the API rejects."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["member", "burst", "free", "unknown"]

# The rate windows of a key as (calls, seconds): 5 in a second and fewer than 60 in a minute. The margin allows for
# requests that arrive closer together than they were sent.
MARGIN_SECONDS = 0.25
WINDOWS = ((5, 1 + MARGIN_SECONDS), (59, 60 + MARGIN_SECONDS))

# A small share of the requests comes from callers that the API rejects, so that these answers are checked too: an
# account whose plan has no API access (403), and an unknown key (401, or 429 after 30 such calls in a minute from one
# address). The burst account makes several calls in a row, more than the window of a second allows (429).
BURST_EVERY, BURST_CALLS = 300, 12
FREE_EVERY = 100
UNKNOWN_EVERY = 250


@dataclass(frozen=True)
class Resources:
    """What an account tracks, by id. Requests may remove the spare resources."""

    store: str
    # the store's identifier of the app with app_id
    store_app_id: str
    app_id: int
    spare_app_id: int
    keyword_id: int
    spare_keyword_id: int
    simulation_id: int
    competitor_id: int
    link_id: int
    # Each can be removed once.
    note_ids: list[int]
    rule_id: int
    spare_rule_id: int
    channel_id: int
    spare_channel_id: int
    # As many as there may be tests, so that deliveries can be repeated, too.
    test_channel_ids: list[int]
    delivery_id: int
    digest_id: int
    spare_digest_id: int
    job_id: int


@dataclass(frozen=True)
class Caller:
    kind: Kind
    key: str
    resources: Resources | None = None


class Callers:
    """Chooses the next caller and waits until its key may call. Each member has just made `spent` calls."""

    def __init__(
        self,
        members: Sequence[Caller],
        *,
        burst: Caller,
        free: Caller,
        unknown: Caller,
        spent: int,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._members = members
        self._burst = burst
        self._rejected = ((UNKNOWN_EVERY, unknown), (FREE_EVERY, free))
        self._limiter = RateLimiter(len(members), spent=spent, now=now)
        self._sleep = sleep
        self._count = itertools.count(1)

    def next(self) -> Caller:
        count = next(self._count)
        if count % BURST_EVERY >= BURST_EVERY - BURST_CALLS:
            return self._burst
        for every, caller in self._rejected:
            if count % every == 0:
                return caller
        index, wait_seconds = self._limiter.reserve()
        self._sleep(wait_seconds)
        return self._members[index]


class RateLimiter:
    """Keeps the calls of several keys within the windows of each key. Each key has just made `spent` calls."""

    def __init__(self, count: int, *, spent: int, now: Callable[[], float]) -> None:
        longest = max(calls for calls, _ in WINDOWS)
        self._calls = [deque([now()] * spent, maxlen=longest) for _ in range(count)]
        self._now = now

    def reserve(self) -> tuple[int, float]:
        """The key that may call first (the least recently used one of several), and the seconds until then."""
        now = self._now()
        at, _, index = min(
            (max(now, next_allowed_at(calls)), calls[-1] if calls else float("-inf"), index)
            for index, calls in enumerate(self._calls)
        )
        self._calls[index].append(at)
        return index, at - now


def next_allowed_at(calls: Sequence[float]) -> float:
    """The time at which a key may call again after these calls, oldest first."""
    return max(
        (calls[-count] + seconds for count, seconds in WINDOWS if len(calls) >= count),
        default=float("-inf"),
    )

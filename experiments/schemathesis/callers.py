"""Who makes a request: one of many accounts, each within the windows of its key, or somebody whom the API turns away."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["member", "hasty", "free", "stranger"]

# The windows of a key (calls, seconds): 5 in a second and fewer than 60 in a minute. A request that leaves later may
# arrive sooner, hence the margin.
MARGIN_SECONDS = 0.25
WINDOWS = ((5, 1 + MARGIN_SECONDS), (59, 60 + MARGIN_SECONDS))

# Of so many requests one is made by somebody whom the API turns away, so that these answers are looked at too: by an
# account whose plan gives no access (403), and with a key that nobody has (401; after 30 of those in a minute from an
# address it is 429). The hasty account makes several in a row, faster than a window of a second takes them (429).
HASTY_EVERY, HASTY_CALLS = 300, 12
FREE_EVERY = 100
STRANGER_EVERY = 250


@dataclass(frozen=True)
class Belongings:
    """What an account tracks, by its ids. What is spare may be removed without anybody missing it."""

    store: str
    # how the store names the app of app_id
    identifier: str
    app_id: int
    spare_app_id: int
    keyword_id: int
    spare_keyword_id: int
    run_id: int
    rival_id: int


@dataclass(frozen=True)
class Caller:
    kind: Kind
    key: str
    belongings: Belongings | None = None


class Callers:
    """Chooses who makes the next request and waits for its turn. Each member has made `spent` calls just now."""

    def __init__(
        self,
        members: Sequence[Caller],
        *,
        hasty: Caller,
        free: Caller,
        stranger: Caller,
        spent: int,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._members = members
        self._hasty = hasty
        self._turned_away = ((STRANGER_EVERY, stranger), (FREE_EVERY, free))
        self._pace = Pace(len(members), spent=spent, now=now)
        self._sleep = sleep
        self._count = itertools.count(1)

    def next(self) -> Caller:
        count = next(self._count)
        if count % HASTY_EVERY >= HASTY_EVERY - HASTY_CALLS:
            return self._hasty
        for every, caller in self._turned_away:
            if count % every == 0:
                return caller
        index, wait_seconds = self._pace.reserve()
        self._sleep(wait_seconds)
        return self._members[index]


class Pace:
    """Keeps the calls of a number of keys within the windows of each. Each key has made `spent` calls just now."""

    def __init__(self, count: int, *, spent: int, now: Callable[[], float]) -> None:
        longest = max(calls for calls, _ in WINDOWS)
        self._calls = [deque([now()] * spent, maxlen=longest) for _ in range(count)]
        self._now = now

    def reserve(self) -> tuple[int, float]:
        """The key that may call soonest, of several the one that has rested longest, and in how many seconds it may."""
        now = self._now()
        at, _, index = min(
            (max(now, next_free(calls)), calls[-1] if calls else float("-inf"), index)
            for index, calls in enumerate(self._calls)
        )
        self._calls[index].append(at)
        return index, at - now


def next_free(calls: Sequence[float]) -> float:
    """When a key that made these calls, oldest first, may make the next one."""
    return max(
        (calls[-count] + seconds for count, seconds in WINDOWS if len(calls) >= count),
        default=float("-inf"),
    )

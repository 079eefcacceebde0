from __future__ import annotations

import random
from typing import Callable

from .errors import ApiError, NoAnswerError, ShelfwiseError

FIRST_WAIT_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 8.0
LONGEST_ASKED_SECONDS = 600.0
"""The API asks for a minute at most. What asks for more is not waited for."""
MOST_JITTER_SECONDS = 0.25
"""So that clients of one key do not come back at the same moment."""
PROXY_STATUSES = (502, 503, 504)
"""Answers of what is in front of the API, while a copy of it is replaced."""


def choose_wait(
    error: ShelfwiseError, retries: int, choose_random: Callable[[], float] = random.random
) -> float | None:
    """How many seconds to wait before the same call is made again; None: it is not made again.

    A rate limit has refused the call, so every call may come again. Otherwise only one that does nothing twice does, when the API is
    busy or there was no answer.
    """
    if not _is_worth_repeating(error):
        return None
    asked = (error.retry_after_seconds or 0.0) if isinstance(error, ApiError) else 0.0
    if asked > LONGEST_ASKED_SECONDS:
        return None
    backoff = min(LONGEST_BACKOFF_SECONDS, FIRST_WAIT_SECONDS * 2.0**retries)
    return max(asked, backoff) + MOST_JITTER_SECONDS * choose_random()


def _is_worth_repeating(error: ShelfwiseError) -> bool:
    if not isinstance(error, ApiError):
        return isinstance(error, NoAnswerError) and error.is_repeatable
    if error.code == "RATE_LIMITED":
        return True
    is_of_proxy = error.code == f"HTTP_{error.status}" and error.status in PROXY_STATUSES
    return error.is_repeatable and (is_of_proxy or error.code == "SERVICE_UNAVAILABLE")

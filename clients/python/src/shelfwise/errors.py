from __future__ import annotations

import re
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Mapping

from .advise import advise_on_code, advise_on_silence

if TYPE_CHECKING:
    from .generated import schemas

_DIGITS = re.compile(r"[0-9]{1,15}")


class ShelfwiseError(Exception):
    """Whatever goes wrong with a call, except that its caller ended it."""

    is_temporary = True
    """The same call can succeed later."""

    def __init__(self, message: str, *, request_id: str | None, is_repeatable: bool) -> None:
        super().__init__(message)
        self.message = message
        self.request_id = request_id
        """The id of the call in the logs of the API; None: it is not known."""
        self.is_repeatable = is_repeatable
        """Sending the same call again does nothing twice."""
        self.advice: str | None = advise_on_silence(is_repeatable)
        """What to do about it; None: the message says so."""

    def __str__(self) -> str:
        return self.message if self.advice is None else f"{self.message}\n{self.advice}"


class NoAnswerError(ShelfwiseError):
    """There was no answer: the API cannot be reached, or the connection ended. A write may have been done."""


class TimedOutError(ShelfwiseError):
    """There was no answer in time. A write may have been done, or still be under way."""


class Canceled(Exception):
    """The stop event of the client was set. A write may have been done."""


class ApiError(ShelfwiseError):
    """The API refused the call, or failed."""

    def __init__(
        self,
        status: int,
        headers: Message,
        body: Mapping[str, Any] | None,
        *,
        request_id: str | None,
        is_repeatable: bool,
    ) -> None:
        answer = body or {}
        message = answer.get("error", f"This is not an answer of the Shelfwise API (status {status}).")
        super().__init__(message, request_id=request_id, is_repeatable=is_repeatable)
        self.status = status
        self.code: schemas.ErrorCode | str = answer.get("code", f"HTTP_{status}")
        """Of the table of the API. A later version may have others; HTTP_502 is an answer of something in front of the API."""
        self.details: dict[str, Any] | None = answer.get("details")
        """Which fields are wrong, or with DUPLICATE the id of what exists."""
        self.usage: dict[str, Any] | None = answer.get("usage")
        """With QUOTA_EXCEEDED what was spent, and when the quota renews."""
        self.retry_after_seconds = _read_retry_after(headers.get("Retry-After"))
        """How long the API asks to wait."""
        self.rate_limit = _read_number(headers.get("X-RateLimit-Limit"))
        """With RATE_LIMITED the window that is full: 5 or 60 calls."""
        self.rate_limit_reset = _read_number(headers.get("X-RateLimit-Reset"))
        """When it has room again, in Unix seconds."""
        self.is_temporary = status >= 500 or self.code == "RATE_LIMITED"
        self.advice = advise_on_code(self.code, status, is_repeatable)

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"


def _read_number(text: str | None) -> int | None:
    """Python itself refuses to read thousands of digits."""
    return int(text) if text is not None and _DIGITS.fullmatch(text) else None


def _read_retry_after(text: str | None) -> float | None:
    """Seconds; what is in front of the API may send a date."""
    seconds = _read_number(text)
    if seconds is not None or text is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None

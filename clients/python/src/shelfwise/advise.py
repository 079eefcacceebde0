from __future__ import annotations

ADVICE_BY_CODE = {
    "INVALID_API_KEY": "Give the client a key that is valid now: the account page of the dashboard makes one.",
    "PLAN_REQUIRED": "The account needs a plan with API access.",
    "INVALID_PARAMS": "details says which fields are wrong.",
    "DUPLICATE": "It exists already: details has its id.",
    "APP_NOT_FOUND": "The ids of tracked applications are those of list_applications.",
    "RATE_LIMITED": "Make fewer calls at a time: all programs with this key share its limits.",
    "QUOTA_EXCEEDED": "Make the call again when the quota renews: usage says when.",
    "STORE_FETCH_FAILED": "Make the call again in some minutes.",
    "ANALYSIS_FAILED": "Make the call again in some minutes.",
}
"""What to do about an error code of the API, where its message does not say."""


def advise_on_code(code: str, status: int, is_repeatable: bool) -> str | None:
    """None: its message says what to do."""
    advice = ADVICE_BY_CODE.get(code)
    if advice is not None:
        return advice
    if status >= 500:
        return advise_on_silence(is_repeatable)
    return "base_url must be the address of a Shelfwise, without /api/v1." if code == f"HTTP_{status}" else None


def advise_on_silence(is_repeatable: bool) -> str:
    """Of a call that failed, or had no answer, so that it may have been done."""
    if is_repeatable:
        return "Make the call again later."
    return "Look whether it was done before you make the call again."

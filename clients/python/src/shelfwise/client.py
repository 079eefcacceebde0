from __future__ import annotations

import json
import re
import threading
import time
from typing import Any, Callable, Mapping
from urllib.parse import urlencode, urlsplit

from . import transport
from .choose_wait import choose_wait
from .errors import ApiError, Canceled, NoAnswerError, ShelfwiseError, TimedOutError
from .generated.operations import Operations, Pages, Rows
from .operation import Answer, Caller, Operation

GRACE_SECONDS = 10.0
"""The API reports its own timeout; this much longer its answer may take."""
_THIS_MACHINE = re.compile(r"localhost|127(\.\d+){3}|::1")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Client(Operations):
    """A client of the API with one key: a method for each endpoint. Threads may share it.

    base_url: where the API is, such as https://shelfwise.example.com.
    insecure: lets the key go to another machine without encryption, in a network that is trusted.
    timeout: seconds of each try of each call. None: the time in which the API answers the call, and ten seconds.
    max_retries: tries after the first one, at most.
    max_wait: a call is not made again when its tries and waits together take longer, in seconds. A window of the rate limit is free
        again after a minute.
    user_agent: the name of your program, for the logs of the API.
    request_id: called for each call; returns its id in the logs of the API: 1 to 64 of A-Z a-z 0-9 . _ -.
    on_retry: called with the error and the seconds to wait before a call is made again.
    stop: when it is set, waits end and further calls raise Canceled; a call in progress ends with its next part.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        insecure: bool = False,
        timeout: float | None = None,
        max_retries: int = 5,
        max_wait: float = 120.0,
        user_agent: str = "shelfwise-client-python",
        request_id: Callable[[], str] | None = None,
        on_retry: Callable[[ShelfwiseError, float], None] | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        self._base_url = _read_base_url(base_url, insecure)
        if not api_key:
            raise ValueError("api_key is empty.")
        # http.client would say what it cannot send, with the key in it.
        if not re.fullmatch(r"[!-~]+", api_key):
            raise ValueError("api_key has a space, a line break or another character that no key has.")
        if not re.fullmatch(r"[ -~]+", user_agent):
            raise ValueError("user_agent must be printable ASCII.")
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_wait = max_wait
        self._user_agent = user_agent
        self._request_id = request_id
        self._on_retry = on_retry
        self._stop = stop or threading.Event()
        self.rows: Rows = _RowsOf(self)
        """Iterators over the rows of all pages of a list."""
        self.pages: Pages = _PagesOf(self)
        """Iterators over the pages of a list, with their meta and warnings."""

    def _call(self, operation: Operation, sent: Mapping[str, object]) -> Answer[Any, Any]:
        request, request_id = self._to_request(operation, sent)
        spent = 0.0
        retries = 0
        while True:
            if self._stop.is_set():
                raise Canceled
            sent_at = time.monotonic()
            try:
                return self._send(operation, request, request_id)
            except ShelfwiseError as error:
                wait = choose_wait(error, retries) if retries < self._max_retries else None
                spent += time.monotonic() - sent_at + (wait or 0.0)
                if wait is None or spent > self._max_wait:
                    raise
                failure = error
            retries += 1
            if self._on_retry:
                self._on_retry(failure, wait)
            self._stop.wait(wait)

    def _send(self, operation: Operation, request: transport.Request, request_id: str | None) -> Answer[Any, Any]:
        timeout = self._timeout if self._timeout is not None else operation.deadline_seconds + GRACE_SECONDS
        is_repeatable = operation.is_repeatable
        try:
            response = transport.send(request, timeout, self._stop)
        except transport.Stopped:
            raise Canceled from None
        except transport.TimedOut as error:
            message = f"There was no answer within {timeout:g} s."
            raise TimedOutError(message, request_id=request_id, is_repeatable=is_repeatable) from error
        except transport.NoAnswer as error:
            message = f"There was no answer ({error})."
            raise NoAnswerError(message, request_id=request_id, is_repeatable=is_repeatable) from error
        request_id = response.headers.get("X-Request-Id") or request_id
        body = _parse_object(response.body)
        is_ok = 200 <= response.status < 300
        if is_ok and body is not None and "data" in body:
            meta = body.get("meta") or {}
            return Answer(body["data"], meta, meta.get("warnings", []), request_id)
        is_of_api = (
            response.status >= 400
            and body is not None
            and all(isinstance(body.get(name), str) for name in ("code", "error"))
        )
        raise ApiError(
            response.status,
            response.headers,
            body if is_of_api else None,
            request_id=request_id,
            is_repeatable=is_repeatable,
        )

    def _to_request(self, operation: Operation, sent: Mapping[str, object]) -> tuple[transport.Request, str | None]:
        """Raises TypeError for an unknown parameter, and for an id that could lead to another endpoint, such as `..`."""
        # from_ is from: that word belongs to Python.
        values = {name.removesuffix("_"): value for name, value in sent.items()}
        in_path: list[str] = re.findall(r"\{(\w+)\}", operation.path)
        known = (*in_path, *operation.query, *operation.body)
        for name in values:
            if name not in known:
                raise TypeError(f"There is no parameter {name}. There are: {', '.join(known)}.")
        path = operation.path
        for name in in_path:
            identifier = str(values.get(name))
            if not re.fullmatch(r"[0-9]+", identifier):
                raise TypeError(f"{name} must be an id, not {identifier[:50]!r}.")
            path = path.replace(f"{{{name}}}", identifier)
        query = urlencode([(name, _to_text(values[name])) for name in operation.query if values.get(name) is not None])
        request_id = self._request_id() if self._request_id else None
        if request_id is not None and not _REQUEST_ID.fullmatch(request_id):
            raise ValueError(f"{request_id[:70]!r} is no id of a request.")
        body = None
        if operation.body:
            # None is a value; what is left out is not sent.
            fields = {name: values[name] for name in operation.body if name in values}
            body = json.dumps(fields).encode()
        # Last, so that no error above has the key among its variables.
        headers = {"X-API-Key": self._api_key, "User-Agent": self._user_agent, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if request_id is not None:
            headers["X-Request-Id"] = request_id
        url = f"{self._base_url}{path}{'?' if query else ''}{query}"
        return transport.Request(operation.method, url, headers, body), request_id


class _RowsOf(Rows):
    def __init__(self, client: Caller) -> None:
        self._call = client._call  # type: ignore[method-assign]


class _PagesOf(Pages):
    def __init__(self, client: Caller) -> None:
        self._call = client._call  # type: ignore[method-assign]


def _read_base_url(text: str, is_insecure_allowed: bool) -> str:
    """Without a slash at the end."""
    parts = urlsplit(text)
    is_plain = not (parts.query or parts.fragment or "@" in parts.netloc or re.search(r"\s", text))
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        raise ValueError("base_url must be an address with http or https, such as https://shelfwise.example.com.")
    if parts.scheme == "http" and not is_insecure_allowed and not _THIS_MACHINE.fullmatch(parts.hostname):
        raise ValueError(
            f"base_url would carry the key to {parts.hostname} without encryption: use https, or insecure=True."
        )
    return text.rstrip("/")


def _to_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse_object(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

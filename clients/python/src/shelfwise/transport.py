"""One request and its answer, with the standard library."""

from __future__ import annotations

import http.client
import socket
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, Mapping

CHUNK_BYTES = 64 * 1024
MOST_ANSWER_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    """With the key: tools that show variables do not show them."""
    body: bytes | None


@dataclass(frozen=True)
class Response:
    status: int
    headers: Message
    body: bytes


class NoAnswer(Exception):
    pass


class TimedOut(Exception):
    pass


class Stopped(Exception):
    pass


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key is sent to no other address than the one in the settings."""

    def redirect_request(
        self, req: object, fp: object, code: object, msg: object, headers: object, newurl: object
    ) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def send(request: Request, timeout_seconds: float, stop: threading.Event) -> Response:
    """Raises NoAnswer, TimedOut or Stopped. The timeout is that of the connection and of each read, and of all of them together."""
    deadline = time.monotonic() + timeout_seconds
    prepared = urllib.request.Request(
        request.url, data=request.body, headers=dict(request.headers), method=request.method
    )
    try:
        response: Any
        try:
            response = _opener.open(prepared, timeout=timeout_seconds)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return Response(response.status, response.headers, _read(response, deadline, stop))
    except (TimeoutError, socket.timeout) as error:
        raise TimedOut from error
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            raise TimedOut from error
        raise NoAnswer(str(reason)) from error


def _read(response: Any, deadline: float, stop: threading.Event) -> bytes:
    """Empty when it is larger than any answer of the API: the rest is not read."""
    chunks: list[bytes] = []
    size = 0
    # What has come is read at once: a server that sends byte after byte must not hold the caller beyond the deadline.
    while chunk := response.read1(CHUNK_BYTES):
        size += len(chunk)
        if stop.is_set():
            raise Stopped
        if time.monotonic() > deadline:
            raise TimedOut
        if size > MOST_ANSWER_BYTES:
            return b""
        chunks.append(chunk)
    # The library does not say when a connection ends early.
    if response.headers.get("Content-Length") not in (None, str(size)):
        raise NoAnswer("the connection ended early")
    return b"".join(chunks)

"""An API whose replies a test decides."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    """As text instead of JSON."""
    text: str | None = None
    """The connection ends before the body is complete."""
    is_cut: bool = False
    """Seconds before the answer."""
    delay: float = 0


@dataclass
class Got:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


class FakeApi:
    """Answers with these replies in their order."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.got: list[Got] = []
        self.is_over = threading.Event()
        api = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                api.got.append(Got(self.command, self.path, headers, json.loads(body) if body else None))
                reply = api.replies.pop(0)
                api.is_over.wait(reply.delay)
                text = (reply.text if reply.text is not None else json.dumps(reply.body)).encode()
                # A client whose deadline has passed is gone.
                with suppress(ConnectionError):
                    self.send_response(reply.status)
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text[: len(text) // 2] if reply.is_cut else text)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self) -> None:
        self.is_over.set()
        self.server.shutdown()
        self.server.server_close()

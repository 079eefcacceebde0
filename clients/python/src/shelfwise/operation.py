"""What the generated part and the client share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, Iterator, Mapping, TypeVar

Data = TypeVar("Data")
Meta = TypeVar("Meta")

MOST_PAGES = 10_000
"""A way out, should a list never end."""


@dataclass(frozen=True)
class Operation:
    """One endpoint, as the client calls it."""

    method: str
    path: str
    """With placeholders: /api/v1/applications/{id}."""
    query: tuple[str, ...]
    """The names of the parameters in the query."""
    body: tuple[str, ...]
    """The names of the fields of the body; none: it has no body."""
    deadline_seconds: float
    """The API answers within this time."""
    is_repeatable: bool
    """Sending it again does nothing twice."""
    is_paged: bool
    rows_field: str | None
    """Of a list with pages: the field of the data that has the rows; None: the data are the rows."""
    cursor: str | None
    """The parameter that takes the id of the last row seen."""


@dataclass(frozen=True)
class Answer(Generic[Data, Meta]):
    """Answers without a meta have an empty one."""

    data: Data
    """As the API sent it: null is None."""
    meta: Meta
    warnings: list[str]
    """What the API warns of; the data are valid."""
    request_id: str | None
    """The id of the call in the logs of the API."""


class Caller:
    """Makes the calls of the generated methods."""

    def _call(self, operation: Operation, sent: Mapping[str, object]) -> Answer[Any, Any]:
        raise NotImplementedError

    def _rows(self, operation: Operation, sent: Mapping[str, object]) -> Iterator[Any]:
        for page in self._pages(operation, sent):
            yield from rows_of(operation, page)

    def _pages(self, operation: Operation, sent: Mapping[str, object]) -> Iterator[Answer[Any, Any]]:
        """Each page is read when it is asked for. With a cursor the pages go on after the last row seen, so rows that arrive
        meanwhile are neither missed nor repeated. A page that is the one before again ends them. Raises RuntimeError after
        10,000 pages."""
        following: dict[str, Any] = {**sent, "page": 1 if sent.get("page") is None else sent["page"]}
        before = ""
        for _ in range(MOST_PAGES):
            page = self._call(operation, following)
            rows = rows_of(operation, page)
            # As it was sent: the caller may change what it gets.
            text = json.dumps(rows)
            if rows and text == before:
                return
            before = text
            is_last = page.meta.get("has_more") is not True or not rows
            last_id = None if is_last else rows[-1].get("id")
            yield page
            # A list that became shorter meanwhile ends with an empty page.
            if is_last:
                return
            seen = None if operation.cursor is None else following.get(operation.cursor)
            if operation.cursor is None or seen is None:
                following["page"] = int(following["page"]) + 1
            elif last_id is not None and last_id > int(seen):
                following.update({operation.cursor: last_id, "page": 1})
            else:
                return
        raise RuntimeError(f"The list has more than {MOST_PAGES} pages: send a larger per_page.")


def rows_of(operation: Operation, page: Answer[Any, Any]) -> list[Any]:
    rows: list[Any] = page.data if operation.rows_field is None else page.data[operation.rows_field]
    return rows

"""The main job with the client: tracks an app and 20 keywords, reads their ranks page by page, inspects a keyword, reads the audit and
scores a draft. Prints a line of JSON for each step.

SHELFWISE_API_KEY=… SHELFWISE_BASE_URL=http://localhost:8080 python3 main_job.py
"""

from __future__ import annotations

import json
import os
import time
from typing import Any, Callable, TypeVar

from shelfwise import ApiError, Client, ShelfwiseError

KEYWORDS = (
    "habit tracker,habits,daily routine,routine planner,goal tracker,habit builder,streak tracker,morning routine,"
    "to do list,task manager,reminders,tasks,checklist,planner,daily planner,calendar,weekly planner,focus timer,notes,meditation"
).split(",")
PAGE_ROWS = 7
MOST_POLLS = 150
"""A way out for what never comes."""
POLL_SECONDS = 2.0

Result = TypeVar("Result")
retries = 0


def count_retry(*_: object) -> None:
    global retries
    retries += 1


client = Client(
    os.environ.get("SHELFWISE_BASE_URL", "http://localhost:8080"),
    os.environ["SHELFWISE_API_KEY"],
    on_retry=count_retry,
)


def show(step: str, **facts: Any) -> None:
    print(json.dumps({"step": step, **facts, "retries": retries}), flush=True)


def insist(write: Callable[[], Result]) -> Result:
    """A write without an answer may have been done, so the client does not repeat it. This program may: tracking finds what the first
    call did, and a draft that is scored twice only spends a second request."""
    for left in range(5, -1, -1):
        try:
            return write()
        except ShelfwiseError as error:
            if not error.is_temporary or left == 0:
                raise
            count_retry()
            time.sleep(POLL_SECONDS)
    raise AssertionError


def track_app() -> int:
    """The id of the app, tracked now or before."""
    try:
        return client.track_application(app_id="9005997251", store="ITUNES", country="US", lang="en-US").data["id"]
    except ApiError as error:
        if error.code != "DUPLICATE" or error.details is None:
            raise
        return int(error.details["id"])


def track_keywords(app_id: int) -> list[str]:
    """The keywords that the store or the API refuses; one that is tracked already is none of them."""
    answer = client.track_keywords(app_id=app_id, keywords=KEYWORDS, store="ITUNES", country="US", lang="en-US")
    tracked = {row["keyword"] for row in client.list_keywords(app_id=app_id).data}
    return [result["keyword"] for result in answer.data["results"] if result["keyword"] not in tracked]


def wait_for_audit(app_id: int) -> None:
    for _ in range(MOST_POLLS):
        applications = client.list_applications(app_id=app_id).data
        if applications and applications[0]["aso_health"] is not None:
            return
        time.sleep(POLL_SECONDS)
    raise TimeoutError("there is no audit")


def main() -> None:
    app_id = insist(track_app)
    show("app", id=app_id)
    show("keywords", refused=insist(lambda: track_keywords(app_id)))

    ranks = [row["current_rank"] for row in client.rows.list_keywords(app_id=app_id, per_page=PAGE_ROWS)]
    show("ranks", rows=len(ranks), unranked=ranks.count(None), pages=-(-len(ranks) // PAGE_ROWS))

    inspected = client.inspect_keyword(keyword="habit tracker", store="ITUNES", country="US", lang="en-US")
    show(
        "inspection",
        traffic=inspected.data["traffic_score"],
        difficulty=inspected.data["difficulty_score"],
        apps=len(inspected.data["ranking"]),
        warnings=inspected.warnings,
    )

    wait_for_audit(app_id)
    audit = client.get_aso_health(id=app_id, include_words=True)
    report = audit.data["report"]
    show("audit", **{"global": report["global"] if report else None}, warnings=audit.warnings)

    draft = insist(lambda: client.simulate_metadata(app_id=app_id, subtitle="Routine Planner: Goals & Mood")).data
    scores, delta = draft["aso_health"], draft["delta"]
    show("draft", **{"global": scores["global"] if scores else None}, delta=delta["global"] if delta else None)


main()

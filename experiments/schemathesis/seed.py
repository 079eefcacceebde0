"""Gives every account apps, keywords, a competitor, a simulation and a link; rules of alerts it has."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import requests

from callers import Resources, Caller

# Apps of the sample catalog, sold in the United States and in Germany.
APPS = {
    "ITUNES": (
        "9005997251",
        "9048598736",
        "9082344945",
        "9004445605",
        "9088906524",
        "9068189624",
        "9034696455",
        "9013745099",
    ),
    "GPLAY": (
        "com.example.britibosoftwarellc.habitember",
        "com.example.harvirystudio.ritualwick",
        "com.example.birchlanternappsgmbh.habittern",
        "com.example.cedarlanternsoftwarellc.habitloom",
        "com.example.selratostudio.brirary",
        "com.example.quietcoveapps.sproutfinch",
        "com.example.mossdellappslimited.selvadel",
        "com.example.ivorymoorsoftwarellc.norilin",
    ),
}
TERMS = ("habit tracker", "daily planner", "budget planner", "photo editor", "sleep sounds", "recipe book")
# A host that never exists: the API accepts it, and nothing is sent to anyone.
RECEIVER = "https://hooks.example.invalid/x"
STOREFRONT = {"country": "US", "lang": "en-US"}

PARALLEL = 16
# The number of calls per account. The pause keeps them within the window of a second.
NOTES = 4
CALLS = 14 + NOTES
# Of the 10 deliveries by hand that an account has in an hour, one is made here; the others are left to be repeated.
TESTS = 4
PAUSE_SECONDS = 0.22
# A busy machine answers 502 when the sample did not come in time; the answer asks to try again.
ATTEMPTS = 4
RETRY_SECONDS = 5


def seed(url: str, keys: Sequence[str]) -> list[Caller]:
    """Returns a caller for each key, with the resources of its account."""
    with ThreadPoolExecutor(PARALLEL) as pool:
        return list(pool.map(lambda numbered: seed_account(url, *numbered), enumerate(keys)))


def seed_account(url: str, number: int, key: str) -> Caller:
    store = ("ITUNES", "GPLAY")[number % 2]
    storefront = {"store": store, **STOREFRONT}
    store_app_ids = [APPS[store][(number + offset) % len(APPS[store])] for offset in range(3)]
    terms = [TERMS[(number + offset) % len(TERMS)] for offset in range(2)]
    call = create_client(url, key)
    app_id, spare_app_id = (
        call("/applications", {"app_id": store_app_id, **storefront})["id"] for store_app_id in store_app_ids[:2]
    )
    call("/keywords", {"keywords": terms, "app_id": app_id, **storefront})
    keywords = {row["keyword"]: row["keyword_id"] for row in call("/keywords")}
    simulation = call("/metadata/simulate", {"app_id": app_id, "subtitle": "Daily goals and streaks"})
    competitor = call("/competitors", {"app_id": app_id, "competitor_app_id": store_app_ids[2], **storefront})
    link = call(f"/applications/{app_id}/share-links", {"days": 30, "label": "For the agency"})
    note = {"date": "2026-01-05", "text": "A new icon"}
    note_ids = [call(f"/applications/{app_id}/notes", note)["id"] for _ in range(NOTES)]
    # A new account has several rules, those about ranks first.
    rule_id, spare_rule_id = (rule["id"] for rule in call("/alerts/rules")[:2])
    channel = {"type": "webhook", "name": "Team", "url": RECEIVER}
    channel_id, spare_channel_id = (call("/alerts/channels", channel)["id"] for _ in range(2))
    delivery = call(f"/alerts/channels/{channel_id}/test", {})
    digest = {"channel": channel_id, "every": "week", "hour": 7, "time_zone": "UTC"}
    digest_id, spare_digest_id = (call("/alerts/digests", digest)["id"] for _ in range(2))
    job = call("/jobs", {"kind": "inspect_keywords", "keywords": terms, **storefront})
    keyword_id, spare_keyword_id = (keywords[term] for term in terms)
    return Caller(
        "member",
        key,
        Resources(
            store=store,
            store_app_id=store_app_ids[0],
            app_id=app_id,
            spare_app_id=spare_app_id,
            keyword_id=keyword_id,
            spare_keyword_id=spare_keyword_id,
            simulation_id=simulation["saved"]["id"],
            competitor_id=competitor["id"],
            link_id=link["id"],
            note_ids=note_ids,
            rule_id=rule_id,
            spare_rule_id=spare_rule_id,
            channel_id=channel_id,
            spare_channel_id=spare_channel_id,
            test_channel_ids=[channel_id] * TESTS,
            delivery_id=delivery["id"],
            digest_id=digest_id,
            spare_digest_id=spare_digest_id,
            job_id=job["id"],
        ),
    )


def create_client(url: str, key: str) -> Callable[..., dict | list]:
    session = requests.Session()
    session.headers["X-API-Key"] = key

    def call(path: str, body: dict | None = None) -> dict | list:
        method = "GET" if body is None else "POST"
        for attempt in range(ATTEMPTS):
            time.sleep(RETRY_SECONDS if attempt else PAUSE_SECONDS)
            answer = session.request(method, f"{url}/api/v1{path}", json=body, timeout=60)
            # A busy machine answers 503 after a deadline.
            if answer.status_code not in (502, 503):
                break
        if answer.status_code not in (200, 202):
            raise RuntimeError(f"{method} {path} answered {answer.status_code} while seeding: {answer.text}")
        return answer.json()["data"]

    return call

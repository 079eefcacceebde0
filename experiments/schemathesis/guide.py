"""Guides some of the valid requests to existing resources.

JSON Schema cannot express some conditions of a request: that an id belongs to the account, that a country exists, that
an app is sold there. Generated requests rarely meet them. `Guide` corrects most of the requests that are valid by the
document and leaves the others as generated. It never changes intentionally invalid requests.

The rules belong to fields, not to operations: the name of a field, and the sample request that the document shows, say
what it stands for. A new operation with known fields needs no rule.
"""

from __future__ import annotations

import copy
import json
import random
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from schemathesis import Case

from callers import Resources
from seed import APPS, RECEIVER, TERMS

GUIDED_SHARE = 0.75
# The other half of the search texts stays as generated.
KNOWN_TERM_SHARE = 0.5
# Few lists stay long: each keyword costs a page of the store and two scores.
LONG_LIST_SHARE = 0.1

COUNTRIES = ("US", "de", "GB", "FR", "ES", "BR", "JP", "IN", "KR", "us")
LANGUAGES = ("en-US", "de", "fr-FR", "es", "pt-BR", "ja", "EN-gb", "ko")
TOPICS = ("habit tracker", "meditation", "budget planner", "photo editor", "recipes", "sleep")

STOREFRONT = ("store", "country", "lang")
SEARCH_TERMS = ("keyword", "prefix", "topic", "term")
# The parameters of a query whose valid values a schema cannot express.
GUIDED_PARAMETERS = {"country", "app_id", "keyword_ids", "category", *SEARCH_TERMS}
# The resource of an id in a path, by the segment before it.
PATH_IDS = {
    "applications": "app_id",
    "apps": "app_id",
    "keywords": "keyword_id",
    "competitors": "competitor_id",
    "history": "simulation_id",
    "share-links": "link_id",
    "rules": "rule_id",
    "channels": "channel_id",
    "deliveries": "delivery_id",
    "notes": "note_ids",
    "digests": "digest_id",
    "jobs": "job_id",
}
SIMULATE = "POST /api/v1/metadata/simulate"
TIME_ZONES = ("UTC", "Europe/Berlin", "Australia/Lord_Howe")
ALERT_RULES = "/api/v1/alerts/rules"
CREATE_JOB = "POST /api/v1/jobs"
# The kinds of rules that have a whole number as threshold and look at keywords.
PLACE_KINDS = ("rank_drop", "rank_rise", "entered_top", "left_top")
# Those that are about all applications at once.
WHOLE_ACCOUNT_KINDS = ("store_blocked", "store_recovered", "quota_used")
# Google Play has no keywords field.
SET_KEYWORDS_FIELD = "PUT /api/v1/applications/{id}/keywords-field"


@dataclass(frozen=True)
class Operation:
    # The resource of each id in the path, by the name of the parameter.
    path_ids: dict[str, str]
    # The resource that other requests need, of an id that takes the spare one.
    needed_ids: dict[str, str]
    query: set[str]
    # The sample of the body; None: the operation takes no body.
    body: dict[str, Any] | None

    @property
    def is_guided(self) -> bool:
        return bool(self.path_ids or self.body or self.query & GUIDED_PARAMETERS)


def read_operations(document: dict) -> dict[str, Operation]:
    """The operations of the OpenAPI document, by their label."""
    return {
        f"{method.upper()} {path}": read_operation(path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def read_operation(path: str, method: str, operation: dict) -> Operation:
    ids = re.findall(r"([^/]+)/\{(\w+)\}", path)
    path_ids = {name: PATH_IDS[segment] for segment, name in ids if segment in PATH_IDS}
    needed_ids = {}
    first = next(iter(path_ids), None)
    # A call that removes a resource takes the spare one; notes and links are removed of the application that has them.
    removes_first = method == "delete" and list(path_ids.values())[1:] in ([], ["app_id"]) and path.endswith("}")
    if removes_first and f"spare_{path_ids.get(first)}" in Resources.__annotations__:
        needed_ids[first] = path_ids[first]
        path_ids[first] = f"spare_{path_ids[first]}"
    # An account has a few tests and repeated deliveries an hour, together.
    if path.endswith("/test"):
        path_ids[first] = "test_channel_ids"
    query = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"}
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    return Operation(path_ids, needed_ids, query, body)


class Guide:
    """Deterministic, apart from resources that are there once: the same request and seed give the same result."""

    def __init__(self, seed: int, document: dict) -> None:
        self._seed = seed
        self._operations = read_operations(document)

    def apply(self, case: Case, resources: Resources) -> bool:
        """Changes the request in place. Returns whether the API must accept it as valid."""
        operation = self._operations[case.operation.label]
        if not operation.is_guided:
            return True
        if not is_valid(case):
            return False
        for name, resource in operation.needed_ids.items():
            # Accounts have small ids, so a generated one may be theirs.
            if case.path_parameters[name] == getattr(resources, resource):
                case.path_parameters[name] = getattr(resources, operation.path_ids[name])
        rng = random.Random(f"{self._seed} {case.operation.label} {content(case)}")
        if rng.random() >= GUIDED_SHARE:
            return False
        if any(getattr(resources, resource) == [] for resource in operation.path_ids.values()):
            return False
        for name, resource in operation.path_ids.items():
            value = getattr(resources, resource)
            # Of a list, each is there once: it is gone when the call was made.
            case.path_parameters[name] = value.pop() if isinstance(value, list) else value
        if operation.query & GUIDED_PARAMETERS:
            guide_query(case.query, resources, rng)
        if operation.body is not None:
            # The sample is valid, whatever the API requires besides the schema.
            case.body = {**copy.deepcopy(operation.body), **case.body}
            is_rule = ALERT_RULES in case.operation.label
            (guide_rule if is_rule else guide_body)(case.body, resources, rng)
            if case.operation.label == SIMULATE:
                choose_storefront_or_app(case.body, rng)
            if case.operation.label == CREATE_JOB:
                choose_kind_of_job(case.body, resources, rng)
            if case.operation.label == SET_KEYWORDS_FIELD:
                # The API counts UTF-16 units, up to two for a character; the schema counts characters.
                case.body["kw_field"] = case.body["kw_field"][:50]
        return case.operation.label != SET_KEYWORDS_FIELD or resources.store == "ITUNES"


def is_valid(case: Case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def content(case: Case) -> str:
    return json.dumps([case.path_parameters, case.query, case.body], default=repr, sort_keys=True)


def guide_query(query: dict[str, Any], resources: Resources, rng: random.Random) -> None:
    if "app_id" in query:
        query["app_id"] = resources.app_id
    if "keyword_ids" in query:
        query["keyword_ids"] = str(resources.keyword_id)
    if "category" in query:
        query["category"] = "OVERALL"
    known_storefront(query, rng)
    for name in SEARCH_TERMS:
        if name in query and (rng.random() < KNOWN_TERM_SHARE or not is_searchable(query[name])):
            query[name] = rng.choice(TOPICS)


def guide_body(body: dict[str, Any], resources: Resources, rng: random.Random) -> None:
    app_id = body.get("app_id")
    if isinstance(app_id, str):
        known_storefront(body, rng)
        body.update(app_id=rng.choice(APPS[body["store"]]), country="US")
    elif app_id is not None:
        own_storefront = {"store": resources.store, "country": "US", "lang": "en-US"}
        body.update({"app_id": resources.app_id}, **{name: own_storefront[name] for name in STOREFRONT if name in body})
    if "competitor_app_id" in body:
        others = [app for app in APPS[resources.store] if app != resources.store_app_id]
        body["competitor_app_id"] = rng.choice(others)
    if "keywords" in body:
        guide_keywords(body, rng)
    if "url" in body:
        body["url"] = RECEIVER
        # Mail is not set up.
        if body.get("type") == "email":
            body["type"] = "webhook"
    if "time_zone" in body:
        body["time_zone"] = rng.choice(TIME_ZONES)
    if "channel" in body:
        body["channel"] = resources.channel_id


def guide_rule(body: dict[str, Any], resources: Resources, rng: random.Random) -> None:
    """The kind decides whether a rule has a threshold and looks at keywords. The seeded rules are of PLACE_KINDS."""
    if body.get("app_id") is not None:
        body["app_id"] = resources.app_id
    if "channels" in body:
        body["channels"] = [resources.channel_id]
    if body.get("kind") in WHOLE_ACCOUNT_KINDS:
        body.pop("app_id", None)
    if body.get("kind", PLACE_KINDS[0]) not in PLACE_KINDS:
        body.pop("threshold", None)
        body.pop("keywords", None)
    elif body.get("threshold") is not None:
        body["threshold"] = rng.randint(1, 100)


def guide_keywords(body: dict[str, Any], rng: random.Random) -> None:
    if rng.random() < KNOWN_TERM_SHARE or not all(map(is_searchable, body["keywords"])):
        body["keywords"] = rng.sample(TERMS, rng.randint(1, 3))
    elif rng.random() >= LONG_LIST_SHARE:
        del body["keywords"][3:]


def choose_storefront_or_app(body: dict[str, Any], rng: random.Random) -> None:
    """A draft may also belong to no app; it then names its storefront."""
    if rng.random() < 0.5:
        del body["app_id"]
        body.update(dict.fromkeys(STOREFRONT))
        known_storefront(body, rng)
        body.setdefault("title", rng.choice(TERMS))


def choose_kind_of_job(body: dict[str, Any], resources: Resources, rng: random.Random) -> None:
    """The kind decides whether a job names an application or a storefront."""
    if body["kind"] == "track_keywords":
        for name in STOREFRONT:
            body.pop(name, None)
        body["app_id"] = resources.app_id
    else:
        body.pop("app_id", None)
        body.update(dict.fromkeys(STOREFRONT))
        known_storefront(body, rng)


def known_storefront(fields: dict[str, Any], rng: random.Random) -> None:
    known = {"store": rng.choice(tuple(APPS)), "country": rng.choice(COUNTRIES), "lang": rng.choice(LANGUAGES)}
    fields.update({name: known[name] for name in STOREFRONT if name in fields})


def is_searchable(term: str) -> bool:
    """Whether the API surely accepts the term: its normal form has at least 2 letters or digits and at most 60 characters."""
    kinds = [unicodedata.category(character)[0] for character in unicodedata.normalize("NFKC", term)]
    return len(kinds) <= 60 and sum(kind in "LN" for kind in kinds) >= 2

"""Guides some of the valid requests to existing resources.

JSON Schema cannot express some conditions of a request: that an id belongs to the account, that a country exists, that
an app is sold there. Generated requests rarely meet them. `Guide` corrects most of the requests that are valid by the
document and leaves the others as generated. It never changes intentionally invalid requests.
"""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Callable
from typing import Any

from schemathesis import Case

from callers import Resources
from seed import APPS, TERMS

GUIDED_SHARE = 0.75
# The other half of the search texts stays as generated.
KNOWN_TERM_SHARE = 0.5
# Few lists stay long: each keyword costs a page of the store and two scores.
LONG_LIST_SHARE = 0.1

COUNTRIES = ("US", "de", "GB", "FR", "ES", "BR", "JP", "IN", "KR", "us")
LANGUAGES = ("en-US", "de", "fr-FR", "es", "pt-BR", "ja", "EN-gb", "ko")
TOPICS = ("habit tracker", "meditation", "budget planner", "photo editor", "recipes", "sleep")

Rule = Callable[[Case, Resources, random.Random], None]


class Guide:
    """Deterministic: the same request and seed give the same result."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def apply(self, case: Case, resources: Resources) -> bool:
        """Changes the request in place. Returns whether the API must accept it as valid."""
        rule = RULES.get(case.operation.label)
        if rule is None:
            return True
        if not is_valid(case):
            return False
        rng = random.Random(f"{self._seed} {case.operation.label} {content(case)}")
        if rng.random() >= GUIDED_SHARE:
            return False
        rule(case, resources, rng)
        return True


def is_valid(case: Case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def content(case: Case) -> str:
    return json.dumps([case.path_parameters, case.query, case.body], default=repr, sort_keys=True)


def own_app(case: Case, resources: Resources, _: random.Random) -> None:
    case.path_parameters["id"] = resources.app_id


def spare_app(case: Case, resources: Resources, _: random.Random) -> None:
    case.path_parameters["id"] = resources.spare_app_id


def own_simulation(case: Case, resources: Resources, _: random.Random) -> None:
    case.path_parameters["id"] = resources.simulation_id


def own_competitor(case: Case, resources: Resources, _: random.Random) -> None:
    case.path_parameters["id"] = resources.competitor_id


def own_app_in_query(case: Case, resources: Resources, _: random.Random) -> None:
    if "app_id" in case.query:
        case.query["app_id"] = resources.app_id


def own_keyword(case: Case, resources: Resources, rng: random.Random) -> None:
    case.path_parameters["id"] = resources.keyword_id
    if "app_id" in case.path_parameters:
        case.path_parameters["app_id"] = resources.app_id
    own_app_in_query(case, resources, rng)


def spare_keyword(case: Case, resources: Resources, _: random.Random) -> None:
    case.path_parameters.update(id=resources.spare_keyword_id, app_id=resources.app_id)


def app_to_track(case: Case, _: Resources, rng: random.Random) -> None:
    store = rng.choice(tuple(APPS))
    case.body.update(
        app_id=rng.choice(APPS[store]), store=store, country="US", lang=rng.choice(LANGUAGES)
    )


def competitor_to_add(case: Case, resources: Resources, rng: random.Random) -> None:
    others = [app for app in APPS[resources.store] if app != resources.store_app_id]
    case.body.update(app_id=resources.app_id, competitor_app_id=rng.choice(others), **storefront_of(resources))


def keywords_to_track(case: Case, resources: Resources, rng: random.Random) -> None:
    if rng.random() < KNOWN_TERM_SHARE or not all(map(is_searchable, case.body["keywords"])):
        case.body["keywords"] = rng.sample(TERMS, rng.randint(1, 3))
    elif rng.random() >= LONG_LIST_SHARE:
        del case.body["keywords"][3:]
    case.body.update(app_id=resources.app_id, **storefront_of(resources))


def draft_to_check(case: Case, _: Resources, rng: random.Random) -> None:
    if case.body.keys() == {"store"}:
        case.body["title"] = rng.choice(TERMS)


def draft_to_score(case: Case, resources: Resources, rng: random.Random) -> None:
    if rng.random() < 0.5:
        for name in ("store", "country", "lang"):
            case.body.pop(name, None)
        case.body["app_id"] = resources.app_id
        return
    case.body.pop("app_id", None)
    known_storefront(case.body, rng)
    case.body.setdefault("title", rng.choice(TERMS))


def term_to_search(name: str) -> Rule:
    def guide(case: Case, _: Resources, rng: random.Random) -> None:
        if rng.random() < KNOWN_TERM_SHARE or not is_searchable(case.query[name]):
            case.query[name] = rng.choice(TOPICS)
        known_storefront(case.query, rng)

    return guide


def chart_to_read(case: Case, _: Resources, rng: random.Random) -> None:
    case.query.update(store=rng.choice(tuple(APPS)), country=rng.choice(COUNTRIES))
    if "category" in case.query:
        case.query["category"] = "OVERALL"


def known_storefront(fields: dict[str, Any], rng: random.Random) -> None:
    fields.update(store=rng.choice(tuple(APPS)), country=rng.choice(COUNTRIES), lang=rng.choice(LANGUAGES))


def storefront_of(resources: Resources) -> dict[str, str]:
    return {"store": resources.store, "country": "US", "lang": "en-US"}


def is_searchable(term: str) -> bool:
    """Whether the API surely accepts the term: its normal form has at least 2 letters or digits and at most 60 characters."""
    kinds = [unicodedata.category(character)[0] for character in unicodedata.normalize("NFKC", term)]
    return len(kinds) <= 60 and sum(kind in "LN" for kind in kinds) >= 2


RULES: dict[str, Rule] = {
    "GET /api/v1/applications": own_app_in_query,
    "POST /api/v1/applications": app_to_track,
    "DELETE /api/v1/applications/{id}": spare_app,
    "GET /api/v1/applications/{id}/scores/history": own_app,
    "GET /api/v1/applications/{id}/aso-health": own_app,
    "POST /api/v1/metadata/check": draft_to_check,
    "POST /api/v1/metadata/simulate": draft_to_score,
    "GET /api/v1/metadata/simulate/history/{id}": own_simulation,
    "POST /api/v1/competitors": competitor_to_add,
    "DELETE /api/v1/competitors/{id}": own_competitor,
    "GET /api/v1/competitors": own_app_in_query,
    "GET /api/v1/keywords": own_app_in_query,
    "POST /api/v1/keywords": keywords_to_track,
    "DELETE /api/v1/keywords/{id}/apps/{app_id}": spare_keyword,
    "PATCH /api/v1/keywords/{id}/apps/{app_id}/favorite": own_keyword,
    "GET /api/v1/keywords/{id}/ranks/history": own_keyword,
    "GET /api/v1/keywords/inspect": term_to_search("keyword"),
    "GET /api/v1/autocomplete": term_to_search("prefix"),
    "GET /api/v1/niches": term_to_search("topic"),
    "GET /api/v1/top-charts": chart_to_read,
}

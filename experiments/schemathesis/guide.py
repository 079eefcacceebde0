"""Leads a part of the valid requests to what exists.

What JSON Schema cannot say of a request (that an id is one of the account's own, that a country exists, that an app
is sold there) a generator gets right by chance only. `Guide` puts it right in most of the requests that the document
calls valid; the others stay as they were generated. Requests that are invalid on purpose are never touched.
"""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Callable
from typing import Any

from schemathesis import Case

from callers import Belongings
from seed import APPS, TERMS

GUIDED_SHARE = 0.75
# Half of the texts to search for stay as they were generated.
KNOWN_TERM_SHARE = 0.5
# Each keyword of a list is a page of the store to read and two scores to measure.
LONG_LIST_SHARE = 0.1

COUNTRIES = ("US", "de", "GB", "FR", "ES", "BR", "JP", "IN", "KR", "us")
LANGUAGES = ("en-US", "de", "fr-FR", "es", "pt-BR", "ja", "EN-gb", "ko")
TOPICS = ("habit tracker", "meditation", "budget planner", "photo editor", "recipes", "sleep")

Draw = random.Random
Rule = Callable[[Case, Belongings, Draw], None]


class Guide:
    """The same request is treated the same way in every run with the same seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def lead(self, case: Case, belongings: Belongings) -> bool:
        """Changes the request in place. Whether nothing is left in it that the API may refuse as invalid."""
        rule = RULES.get(case.operation.label)
        if rule is None:
            return True
        if not is_valid(case):
            return False
        draw = Draw(f"{self._seed} {case.operation.label} {content(case)}")
        if draw.random() >= GUIDED_SHARE:
            return False
        rule(case, belongings, draw)
        return True


def is_valid(case: Case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def content(case: Case) -> str:
    return json.dumps([case.path_parameters, case.query, case.body], default=repr, sort_keys=True)


def own_app(case: Case, belongings: Belongings, _: Draw) -> None:
    case.path_parameters["id"] = belongings.app_id


def spare_app(case: Case, belongings: Belongings, _: Draw) -> None:
    case.path_parameters["id"] = belongings.spare_app_id


def own_run(case: Case, belongings: Belongings, _: Draw) -> None:
    case.path_parameters["id"] = belongings.run_id


def own_rival(case: Case, belongings: Belongings, _: Draw) -> None:
    case.path_parameters["id"] = belongings.rival_id


def own_app_in_query(case: Case, belongings: Belongings, _: Draw) -> None:
    if "app_id" in case.query:
        case.query["app_id"] = belongings.app_id


def own_keyword(case: Case, belongings: Belongings, draw: Draw) -> None:
    case.path_parameters["id"] = belongings.keyword_id
    if "app_id" in case.path_parameters:
        case.path_parameters["app_id"] = belongings.app_id
    own_app_in_query(case, belongings, draw)


def spare_keyword(case: Case, belongings: Belongings, _: Draw) -> None:
    case.path_parameters.update(id=belongings.spare_keyword_id, app_id=belongings.app_id)


def app_to_track(case: Case, _: Belongings, draw: Draw) -> None:
    store = draw.choice(tuple(APPS))
    case.body.update(
        app_id=draw.choice(APPS[store]), store=store, country="US", lang=draw.choice(LANGUAGES)
    )


def rival_to_add(case: Case, belongings: Belongings, draw: Draw) -> None:
    others = [identifier for identifier in APPS[belongings.store] if identifier != belongings.identifier]
    rival = draw.choice(others)
    case.body.update(app_id=belongings.app_id, competitor_app_id=rival, **market_of(belongings))


def keywords_to_track(case: Case, belongings: Belongings, draw: Draw) -> None:
    if draw.random() < KNOWN_TERM_SHARE or not all(map(is_searchable, case.body["keywords"])):
        case.body["keywords"] = draw.sample(TERMS, draw.randint(1, 3))
    elif draw.random() >= LONG_LIST_SHARE:
        del case.body["keywords"][3:]
    case.body.update(app_id=belongings.app_id, **market_of(belongings))


def draft_to_check(case: Case, _: Belongings, draw: Draw) -> None:
    if case.body.keys() == {"store"}:
        case.body["title"] = draw.choice(TERMS)


def draft_to_score(case: Case, belongings: Belongings, draw: Draw) -> None:
    if draw.random() < 0.5:
        for name in ("store", "country", "lang"):
            case.body.pop(name, None)
        case.body["app_id"] = belongings.app_id
        return
    case.body.pop("app_id", None)
    known_market(case.body, draw)
    case.body.setdefault("title", draw.choice(TERMS))


def term_to_search(name: str) -> Rule:
    def lead(case: Case, _: Belongings, draw: Draw) -> None:
        if draw.random() < KNOWN_TERM_SHARE or not is_searchable(case.query[name]):
            case.query[name] = draw.choice(TOPICS)
        known_market(case.query, draw)

    return lead


def chart_to_read(case: Case, _: Belongings, draw: Draw) -> None:
    case.query.update(store=draw.choice(tuple(APPS)), country=draw.choice(COUNTRIES))
    if "category" in case.query:
        case.query["category"] = "OVERALL"


def known_market(fields: dict[str, Any], draw: Draw) -> None:
    fields.update(store=draw.choice(tuple(APPS)), country=draw.choice(COUNTRIES), lang=draw.choice(LANGUAGES))


def market_of(belongings: Belongings) -> dict[str, str]:
    return {"store": belongings.store, "country": "US", "lang": "en-US"}


def is_searchable(term: str) -> bool:
    """Whether the API takes it for certain in its normal form: two letters or digits at least, 60 characters at most."""
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
    "GET /api/v1/metadata/simulate/history/{id}": own_run,
    "POST /api/v1/competitors": rival_to_add,
    "DELETE /api/v1/competitors/{id}": own_rival,
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

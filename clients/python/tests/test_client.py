from __future__ import annotations

import sys
import threading
import unittest
from typing import Any
from unittest import mock

from shelfwise import ApiError, Canceled, Client, NoAnswerError, TimedOutError, transport
from shelfwise.generated.operations import OPERATIONS

from fake_api import FakeApi, Reply

GOOD = Reply(body={"data": 1}, headers={"X-Request-Id": "r2"})
BUSY = Reply(503, {"error": "It is busy.", "code": "SERVICE_UNAVAILABLE"}, {"Retry-After": "2"})


def limited(seconds: int) -> Reply:
    headers = {
        "Retry-After": str(seconds),
        "X-RateLimit-Limit": "60",
        "X-RateLimit-Reset": "1795292401",
        "X-Request-Id": "r1",
    }
    return Reply(429, {"error": "Slow down.", "code": "RATE_LIMITED"}, headers)


class Stop(threading.Event):
    """Waits end at once, and are remembered in whole seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[int] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(int(timeout or 0))
        return self.is_set()


class ClientTest(unittest.TestCase):
    def connect(self, *replies: Reply, **options: Any) -> tuple[Client, FakeApi, Stop]:
        api = FakeApi(*replies)
        self.addCleanup(api.close)
        stop = options.pop("stop", None) or Stop()
        return Client(options.pop("base_url", api.url), "secret-key", stop=stop, **options), api, stop

    def test_a_request_has_the_key_in_a_header_and_its_parameters_where_they_belong(self) -> None:
        client, api, _ = self.connect(GOOD, GOOD, GOOD, request_id=lambda: "mine")
        client.list_keyword_gap(id=7, min_traffic=0, include_brands=True)
        self.assertEqual(api.got[0].path, "/api/v1/applications/7/keyword-gap?min_traffic=0&include_brands=true")
        self.assertEqual(api.got[0].headers["x-api-key"], "secret-key")
        self.assertEqual(api.got[0].headers["x-request-id"], "mine")
        client.update_alert_rule(rule_id=3, app_id=None)
        self.assertEqual((api.got[1].method, api.got[1].body), ("PATCH", {"app_id": None}))
        client.get_rank_history(id=1, from_="2026-01-31")
        self.assertEqual(api.got[2].path, "/api/v1/keywords/1/ranks/history?from=2026-01-31")

    def test_an_unknown_parameter_and_an_id_that_leads_elsewhere_are_refused(self) -> None:
        client, api, _ = self.connect()
        for sent in ({"id": ".."}, {}, {"id": 7, "per_pge": 3}):
            with self.assertRaises(TypeError):
                client.list_keyword_gap(**sent)  # type: ignore[typeddict-item]
        self.assertEqual(api.got, [])

    def test_an_answer_has_data_with_its_nulls_meta_warnings_and_the_id_of_the_request(self) -> None:
        body = {"data": [{"current_rank": None}], "meta": {"total": 1, "warnings": ["unknown_parameter: x"]}}
        client, _, _ = self.connect(Reply(body=body, headers={"X-Request-Id": "r3"}), GOOD)
        answer = client.list_keywords()
        self.assertIsNone(answer.data[0]["current_rank"])
        self.assertEqual((answer.warnings, answer.request_id), (["unknown_parameter: x"], "r3"))
        self.assertEqual(client.list_keywords().meta, {})

    def test_after_a_rate_limit_every_call_comes_again_as_late_as_the_api_asks(self) -> None:
        client, api, stop = self.connect(limited(2), limited(30), GOOD)
        client.simulate_metadata(title="Notes")
        self.assertEqual((len(api.got), stop.waits), (3, [2, 30]))

    def test_the_waits_are_bounded(self) -> None:
        client, _, stop = self.connect(limited(70), limited(70))
        with self.assertRaises(ApiError):
            client.list_keywords()
        self.assertEqual(stop.waits, [70])
        client, api, _ = self.connect(limited(1), limited(1), limited(1), max_retries=2)
        with self.assertRaises(ApiError) as raised:
            client.list_keywords()
        error = raised.exception
        self.assertEqual((error.retry_after_seconds, error.rate_limit, error.rate_limit_reset), (1, 60, 1795292401))
        self.assertEqual((error.request_id, len(api.got)), ("r1", 3))

    def test_a_failure_comes_again_only_where_that_does_nothing_twice(self) -> None:
        for failure in (BUSY, Reply(502, text="<html>"), Reply(body={"data": 1}, is_cut=True)):
            client, api, _ = self.connect(failure, GOOD, failure, GOOD, failure)
            client.list_applications()
            client.untrack_keyword(id=1, app_id=1)
            with self.assertRaises((ApiError, NoAnswerError)) as raised:
                client.track_application(app_id="1", store="ITUNES", country="US", lang="en")
            self.assertTrue(raised.exception.is_temporary)
            self.assertFalse(raised.exception.is_repeatable)
            self.assertIn("Look whether it was done", str(raised.exception))
            self.assertEqual(len(api.got), 5)

    def test_other_errors_are_raised_at_once_with_what_the_api_says_of_them(self) -> None:
        details = {"issues": {"formErrors": [], "fieldErrors": {"country": ["is required"]}}, "notes": []}
        wrong = Reply(400, {"error": "country is required", "code": "INVALID_PARAMS", "details": details})
        usage = {"api_requests": 10, "api_requests_per_month": 10, "renews_at": "2026-12-01T00:00:00.000Z"}
        spent = Reply(429, {"error": "Spent.", "code": "QUOTA_EXCEEDED", "usage": usage})
        store = Reply(502, {"error": "Away.", "code": "STORE_FETCH_FAILED"})
        client, api, _ = self.connect(wrong, spent, store)
        raised: list[ApiError] = []
        for _ in range(3):
            with self.assertRaises(ApiError) as one:
                client.list_applications()
            raised.append(one.exception)
        self.assertEqual([error.code for error in raised], ["INVALID_PARAMS", "QUOTA_EXCEEDED", "STORE_FETCH_FAILED"])
        self.assertEqual([error.is_temporary for error in raised], [False, False, True])
        self.assertEqual((raised[0].details, raised[1].usage), (details, usage))
        self.assertEqual(str(raised[0]), "INVALID_PARAMS: country is required\ndetails says which fields are wrong.")

    def test_what_is_no_answer_of_the_api_is_an_error(self) -> None:
        for reply, code in (
            (Reply(text="<html>"), "HTTP_200"),
            (Reply(body={}), "HTTP_200"),
            (Reply(404, {"message": "no"}), "HTTP_404"),
            (Reply(302, {}, {"Location": "http://127.0.0.1:9/"}), "HTTP_302"),
            (Reply(307, {"error": "Slow down.", "code": "RATE_LIMITED"}), "HTTP_307"),
        ):
            client, _, _ = self.connect(reply)
            with self.assertRaises(ApiError) as raised:
                client.list_applications()
            self.assertEqual(raised.exception.code, code)

    def test_an_answer_that_is_too_large_is_none_of_the_api(self) -> None:
        client, api, _ = self.connect(Reply(body={"data": "x" * 1000}))
        with mock.patch("shelfwise.transport.MOST_ANSWER_BYTES", 500), self.assertRaises(ApiError) as raised:
            client.list_applications()
        self.assertEqual((raised.exception.code, len(api.got)), ("HTTP_200", 1))

    def test_an_api_that_cannot_be_reached(self) -> None:
        client, _, stop = self.connect(base_url="http://127.0.0.1:9", max_retries=2)
        with self.assertRaises(NoAnswerError):
            client.list_applications()
        self.assertEqual(stop.waits, [0, 1])

    def test_a_late_answer_is_not_waited_for_and_the_call_is_not_made_again(self) -> None:
        client, api, _ = self.connect(Reply(body={"data": 1}, delay=30), timeout=0.05)
        with self.assertRaises(TimedOutError):
            client.list_applications()
        self.assertEqual(len(api.got), 1)

    def test_the_stop_event_ends_waits_and_further_calls(self) -> None:
        stop = threading.Event()
        client, api, _ = self.connect(limited(60), stop=stop, on_retry=lambda *_: stop.set())
        for _ in range(2):
            with self.assertRaises(Canceled):
                client.list_applications()
        self.assertEqual(len(api.got), 1)

    def test_an_address_and_a_key_that_cannot_be_used(self) -> None:
        for base_url in ("shelfwise.example.com", "ftp://x", "https://x/?a=b", "https://me:word@x", "http://x\n", ""):
            with self.assertRaises(ValueError):
                Client(base_url, "k")
        with self.assertRaises(ValueError):
            Client("https://api", "")

    def test_a_key_goes_to_another_machine_only_with_encryption_or_where_that_is_said(self) -> None:
        for host in ("example.com", "localhost.example.com", "10.0.0.7", "127.0.0.1.example.com"):
            with self.assertRaisesRegex(ValueError, "without encryption"):
                Client(f"http://{host}", "k")
        for host in ("localhost:8080", "127.0.0.1", "[::1]:8080"):
            Client(f"http://{host}", "k")
        Client("http://10.0.0.7", "k", insecure=True)

    def test_a_key_is_not_said_by_an_error_nor_shown(self) -> None:
        for key in ("secret\n", "sec ret", "\u201csecret\u201d"):
            with self.assertRaises(ValueError) as raised:
                Client("https://api", key)
            self.assertNotIn(key, str(raised.exception))
        shown = repr(transport.Request("GET", "https://api", {"X-API-Key": "secret-key"}, None))
        self.assertNotIn("secret-key", shown + repr(Client("https://api", "secret-key")))

    def test_a_call_is_not_made_again_after_its_tries_and_waits_have_taken_too_long(self) -> None:
        client, api, _ = self.connect(BUSY, GOOD, max_wait=1.0)
        with self.assertRaises(ApiError):
            client.list_applications()
        self.assertEqual(len(api.got), 1)
        client, api, stop = self.connect(BUSY, GOOD, max_wait=3.0)
        with mock.patch("shelfwise.client.time", mock.Mock(monotonic=mock.Mock(side_effect=(0.0, 2.0, 2.0)))):
            with self.assertRaises(ApiError):
                client.list_applications()
        self.assertEqual((len(api.got), stop.waits), (1, []))


class RowsTest(unittest.TestCase):
    def connect(self, *answers: Any) -> tuple[Client, FakeApi]:
        api = FakeApi(*(Reply(body=answer) for answer in answers))
        self.addCleanup(api.close)
        return Client(api.url, "k"), api

    def pages(self) -> tuple[Any, ...]:
        return tuple({"data": [{"keyword": f"k{page}"}], "meta": {"has_more": page < 3}} for page in (1, 2, 3))

    def test_rows_come_from_all_pages(self) -> None:
        client, api = self.connect(*self.pages())
        rows = list(client.rows.list_keywords(app_id=1, per_page=1))
        self.assertEqual([row["keyword"] for row in rows], ["k1", "k2", "k3"])
        queries = [got.path.partition("?")[2] for got in api.got]
        self.assertEqual(queries, [f"app_id=1&page={page}&per_page=1" for page in (1, 2, 3)])

    def test_a_page_is_read_only_when_it_is_asked_for(self) -> None:
        client, api = self.connect(*self.pages())
        rows = client.rows.list_keywords()
        self.assertEqual(api.got, [])
        next(rows)
        next(rows)
        self.assertEqual(len(api.got), 2)

    def test_an_empty_page_is_the_end(self) -> None:
        client, _ = self.connect({"data": [], "meta": {"has_more": True}})
        self.assertEqual(list(client.rows.list_notes(id=1)), [])

    def test_a_page_that_comes_again_is_the_end(self) -> None:
        page = {"data": [{"keyword": "k"}], "meta": {"has_more": True}}
        client, api = self.connect(page, page)
        self.assertEqual(len(list(client.rows.list_keywords())), 1)
        self.assertEqual(len(api.got), 2)

    def test_a_cursor_that_does_not_move_is_the_end(self) -> None:
        client, api = self.connect({"data": [{"id": 7}], "meta": {"has_more": True}})
        self.assertEqual(list(client.rows.list_alerts(since=7)), [{"id": 7}])
        self.assertEqual(len(api.got), 1)

    def test_no_list_goes_on_for_ever(self) -> None:
        client, api = self.connect(*self.pages()[:2])
        with mock.patch("shelfwise.operation.MOST_PAGES", 2), self.assertRaisesRegex(RuntimeError, "per_page"):
            list(client.rows.list_keywords())
        self.assertEqual(len(api.got), 2)

    def test_rows_may_be_a_field_of_the_data(self) -> None:
        client, _ = self.connect({"data": {"apps": [{}], "rows": [{"keyword_id": 7}]}, "meta": {"has_more": False}})
        self.assertEqual(list(client.rows.list_rank_matrix(id=1)), [{"keyword_id": 7}])

    def test_alerts_go_on_after_the_last_one_seen(self) -> None:
        client, api = self.connect(*({"data": [{"id": id}], "meta": {"has_more": id < 13}} for id in (11, 12, 13)))
        self.assertEqual([row["id"] for row in client.rows.list_alerts(since=10)], [11, 12, 13])
        queries = [got.path.partition("?")[2] for got in api.got]
        self.assertEqual(queries, [f"since={since}&page=1" for since in (10, 11, 12)])

    def test_pages_have_their_meta_and_warnings(self) -> None:
        client, _ = self.connect({"data": [], "meta": {"has_more": False, "warnings": ["unknown_parameter: x"]}})
        [page] = client.pages.list_keywords()
        self.assertEqual((page.meta["has_more"], page.warnings), (False, ["unknown_parameter: x"]))


class GeneratedTest(unittest.TestCase):
    def test_there_is_a_method_for_each_endpoint_and_iterators_for_each_list_with_pages(self) -> None:
        client = Client("https://api", "k")
        for name, operation in OPERATIONS.items():
            self.assertTrue(callable(getattr(client, name)), name)
            self.assertEqual(hasattr(client.rows, name), operation.is_paged, name)
            self.assertEqual(hasattr(client.pages, name), operation.is_paged, name)

    @unittest.skipIf(sys.version_info < (3, 11), "the types are for type checkers on Python 3.10")
    def test_the_types_can_be_imported(self) -> None:
        from shelfwise.generated import schemas

        self.assertIn("current_rank", schemas.ListKeywordsRow.__annotations__)


class WaitTest(unittest.TestCase):
    def test_each_wait_is_longer_than_the_one_before_and_never_shorter_than_the_api_asks(self) -> None:
        from email.message import Message

        from shelfwise.choose_wait import choose_wait

        error = NoAnswerError("x", request_id=None, is_repeatable=True)
        waits = [choose_wait(error, retries, lambda: 0.0) for retries in (0, 1, 2, 3, 4, 9)]
        self.assertEqual(waits, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0])
        headers = Message()
        headers["Retry-After"] = "30"
        refusal = {"error": "x", "code": "RATE_LIMITED"}
        slow = ApiError(429, headers, refusal, request_id=None, is_repeatable=False)
        self.assertEqual([choose_wait(slow, 0, lambda: 1.0), choose_wait(slow, 0, lambda: 0.0)], [30.25, 30.0])
        headers.replace_header("Retry-After", "601")
        late = ApiError(429, headers, refusal, request_id=None, is_repeatable=False)
        self.assertIsNone(choose_wait(late, 0))

    def test_a_wait_that_is_no_number_or_date_is_none(self) -> None:
        from email.message import Message

        for text in ("9" * 5000, "soon", "-1", "Mon, 99 Xxx 0000 99:99:99"):
            headers = Message()
            headers["Retry-After"] = text
            error = ApiError(503, headers, None, request_id=None, is_repeatable=True)
            self.assertIsNone(error.retry_after_seconds, text[:30])

    def test_a_date_in_retry_after_is_a_wait_too(self) -> None:
        from email.message import Message

        headers = Message()
        headers["Retry-After"] = "Thu, 01 Jan 1970 00:01:00 GMT"
        with mock.patch("time.time", return_value=20.0):
            error = ApiError(503, headers, None, request_id=None, is_repeatable=True)
        self.assertEqual(error.retry_after_seconds, 40.0)


if __name__ == "__main__":
    unittest.main()

from __future__ import annotations

import unittest

from tally import LOST, Counts, broken_promises, table

FINE = {"GET /a": Counts({200: 4970, 400: 10}), "GET /b": Counts({200: 20})}


class TallyTest(unittest.TestCase):
    def test_a_run_that_keeps_its_promises_is_not_blamed(self) -> None:
        self.assertEqual(broken_promises(FINE), [])

    def test_each_broken_promise_is_named(self) -> None:
        for operation, counts, expected in (
            ("GET /a", {200: 4979}, "4999 requests, fewer than 5000"),
            ("GET /a", {200: 4700, 429: 300}, "300 of 5020 answers are 429: 5% or more"),
            ("GET /b", {200: 19, 400: 1}, "GET /b gave 2xx 19 times, fewer than 20"),
            ("GET /b", {200: 20, 503: 2}, "GET /b answered 503 2 times"),
            ("GET /b", {200: 20, LOST: 1}, "GET /b did not answer 1 times"),
        ):
            with self.subTest(expected):
                self.assertEqual(broken_promises({**FINE, operation: Counts(counts)}), [expected])

    def test_the_table_has_a_row_for_each_operation_and_their_sum(self) -> None:
        self.assertEqual(
            table(FINE).splitlines(),
            [
                "operation   200  400   all",
                "GET /a     4970   10  4980",
                "GET /b       20    -    20",
                "all        4990   10  5000",
            ],
        )


if __name__ == "__main__":
    unittest.main()

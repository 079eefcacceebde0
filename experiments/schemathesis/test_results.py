from __future__ import annotations

import unittest

from results import NO_ANSWER, Counts, find_failures, table

FINE = {"GET /a": Counts({200: 4970, 400: 10}), "GET /b": Counts({200: 20})}


class ResultsTest(unittest.TestCase):
    def test_a_good_run_has_no_failures(self) -> None:
        self.assertEqual(find_failures(FINE), [])

    def test_each_failure_is_named(self) -> None:
        for operation, counts, expected in (
            ("GET /a", {200: 4979}, "4999 requests, fewer than 5000"),
            ("GET /a", {200: 4700, 429: 300}, "300 of 5020 answers are 429: 5% or more"),
            ("GET /b", {200: 19, 400: 1}, "GET /b gave 2xx 19 times, fewer than 20"),
            ("GET /b", {200: 20, 503: 2}, "GET /b answered 503 2 times"),
            ("GET /b", {200: 20, NO_ANSWER: 1}, "GET /b did not answer 1 times"),
        ):
            with self.subTest(expected):
                self.assertEqual(find_failures({**FINE, operation: Counts(counts)}), [expected])

    def test_the_table_has_a_row_per_operation_and_a_total(self) -> None:
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

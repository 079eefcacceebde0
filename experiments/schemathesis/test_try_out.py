from __future__ import annotations

import unittest

from try_out import findings_in


class FindingsTest(unittest.TestCase):
    def test_only_what_is_wrong_is_shown(self) -> None:
        output = "Coverage\n==== FAILURES ====\n1. GET /a\n   curl -X GET\n==== SUMMARY ====\n1 failure\n"
        self.assertEqual(findings_in(output), "==== FAILURES ====\n1. GET /a\n   curl -X GET\n")

    def test_a_run_that_ended_without_a_finding_shows_everything(self) -> None:
        self.assertEqual(findings_in("the document cannot be read\n"), "the document cannot be read\n")


if __name__ == "__main__":
    unittest.main()

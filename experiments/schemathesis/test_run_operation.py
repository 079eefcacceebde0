from __future__ import annotations

import unittest

from run_operation import extract_failures


class ExtractFailuresTest(unittest.TestCase):
    def test_only_failures_are_shown(self) -> None:
        output = "Coverage\n==== FAILURES ====\n1. GET /a\n   curl -X GET\n==== SUMMARY ====\n1 failure\n"
        self.assertEqual(extract_failures(output), "==== FAILURES ====\n1. GET /a\n   curl -X GET\n")

    def test_output_without_failures_is_shown_completely(self) -> None:
        self.assertEqual(extract_failures("the document cannot be read\n"), "the document cannot be read\n")


if __name__ == "__main__":
    unittest.main()

from __future__ import annotations

import unittest

from callers import Caller, Callers, Pace


class PaceTest(unittest.TestCase):
    def test_one_key_makes_at_most_5_calls_in_any_second_and_59_in_any_minute(self) -> None:
        clock = 0.0
        pace = Pace(1, spent=0, now=lambda: clock)
        times = []
        for _ in range(300):
            _, wait_seconds = pace.reserve()
            clock += wait_seconds
            times.append(clock)
        for seconds, most in ((1, 5), (60, 59)):
            for start in times:
                self.assertLessEqual(sum(start <= time < start + seconds for time in times), most)

    def test_nobody_waits_while_another_key_has_room(self) -> None:
        pace = Pace(3, spent=0, now=lambda: 0.0)
        reserved = [pace.reserve() for _ in range(15)]
        self.assertEqual([wait_seconds for _, wait_seconds in reserved], [0.0] * 15)
        self.assertEqual([sum(index == key for index, _ in reserved) for key in range(3)], [5, 5, 5])
        self.assertGreater(pace.reserve()[1], 1)

    def test_calls_made_before_count_too(self) -> None:
        pace = Pace(1, spent=58, now=lambda: 0.0)
        self.assertLess(pace.reserve()[1], 2)
        self.assertGreater(pace.reserve()[1], 60)


class CallersTest(unittest.TestCase):
    def test_a_few_requests_are_made_by_those_whom_the_api_turns_away(self) -> None:
        turned_away = {kind: Caller(kind, kind) for kind in ("hasty", "free", "stranger")}
        clocks = {"now": lambda: 0.0, "sleep": lambda _: None}
        callers = Callers([Caller("member", "a")], **turned_away, spent=0, **clocks)
        kinds = [callers.next().kind for _ in range(1000)]
        self.assertEqual({kind: kinds.count(kind) for kind in turned_away}, {"hasty": 36, "free": 8, "stranger": 4})


if __name__ == "__main__":
    unittest.main()

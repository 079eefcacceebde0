from __future__ import annotations

import unittest

from callers import Caller, Callers, RateLimiter


class RateLimiterTest(unittest.TestCase):
    def test_one_key_makes_at_most_5_calls_in_any_second_and_59_in_any_minute(self) -> None:
        clock = 0.0
        limiter = RateLimiter(1, spent=0, now=lambda: clock)
        times = []
        for _ in range(300):
            _, wait_seconds = limiter.reserve()
            clock += wait_seconds
            times.append(clock)
        for seconds, most in ((1, 5), (60, 59)):
            for start in times:
                self.assertLessEqual(sum(start <= time < start + seconds for time in times), most)

    def test_no_call_waits_while_a_key_is_free(self) -> None:
        limiter = RateLimiter(3, spent=0, now=lambda: 0.0)
        reserved = [limiter.reserve() for _ in range(15)]
        self.assertEqual([wait_seconds for _, wait_seconds in reserved], [0.0] * 15)
        self.assertEqual([sum(index == key for index, _ in reserved) for key in range(3)], [5, 5, 5])
        self.assertGreater(limiter.reserve()[1], 1)

    def test_earlier_calls_count(self) -> None:
        limiter = RateLimiter(1, spent=58, now=lambda: 0.0)
        self.assertLess(limiter.reserve()[1], 2)
        self.assertGreater(limiter.reserve()[1], 60)


class CallersTest(unittest.TestCase):
    def test_a_few_requests_come_from_callers_that_the_api_rejects(self) -> None:
        rejected = {kind: Caller(kind, kind) for kind in ("burst", "free", "unknown")}
        clocks = {"now": lambda: 0.0, "sleep": lambda _: None}
        callers = Callers([Caller("member", "a")], **rejected, spent=0, **clocks)
        kinds = [callers.next().kind for _ in range(1000)]
        self.assertEqual({kind: kinds.count(kind) for kind in rejected}, {"burst": 36, "free": 8, "unknown": 4})


if __name__ == "__main__":
    unittest.main()

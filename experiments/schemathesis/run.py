"""Tests the OpenAPI document of a running Shelfwise, with many accounts and the rate windows on.

    python run.py < setup.json

The setup is {"url": str, "keys": [str], "burst_keys": [str], "free_key": str, "seed": int}. Starts one process per
burst key. Prints the failures and a table of the answers; the exit code is 1 when there are failures.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.queues import Queue

import requests

from callers import Caller, Callers
from results import find_failures, summary, table
from run_operation import OperationRunner, Outcome
from seed import CALLS, seed

# A well-formed key that belongs to no account.
UNKNOWN = Caller("unknown", "sw_live_" + "0" * 43)


def main() -> int:
    setup = json.load(sys.stdin)
    document = f"{setup['url']}/api/v1/openapi.json"
    print(f"seed {setup['seed']}", flush=True)
    started_at = time.monotonic()
    members = seed(setup["url"], setup["keys"])
    print(f"{len(members)} accounts prepared in {time.monotonic() - started_at:.0f} s", flush=True)

    started_at = time.monotonic()
    outcomes = run_all(document, setup, members)
    seconds = time.monotonic() - started_at
    by_operation = {operation: outcome.counts for operation, outcome in outcomes.items()}
    failures = find_failures(by_operation)
    for operation, outcome in outcomes.items():
        if not outcome.is_passed:
            print(outcome.report)
            failures.append(f"{operation} does not match the document: see above")
    print(f"{table(by_operation)}\n\n{summary(by_operation, seconds)}")
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


def run_all(document: str, setup: dict, members: list[Caller]) -> dict[str, Outcome]:
    """Uses processes, because schemathesis fails when several threads of Python 3.11 generate requests."""
    burst_keys = setup["burst_keys"]
    # Forked processes reuse the loaded modules.
    context = multiprocessing.get_context("fork")
    shares: Queue[Callers] = context.Queue()
    size = len(members) // len(burst_keys)
    for number, burst_key in enumerate(burst_keys):
        burst, free = Caller("burst", burst_key), Caller("free", setup["free_key"])
        # Neighbors, because they have apps of different stores.
        share = members[number * size : (number + 1) * size]
        shares.put(Callers(share, burst=burst, free=free, unknown=UNKNOWN, spent=CALLS))
    operations = operations_of(document)
    runner_args = (shares, document, setup["seed"])
    with ProcessPoolExecutor(len(burst_keys), context, initializer=create_runner, initargs=runner_args) as pool:
        return dict(zip(operations, pool.map(run_operation, operations)))


def operations_of(document: str) -> list[str]:
    paths = requests.get(document, timeout=10).json()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


def create_runner(shares: Queue[Callers], document: str, seed_number: int) -> None:
    """Runs once per process; all operations of the process share the runner."""
    global runner
    runner = OperationRunner(shares.get(), document=document, seed=seed_number)


def run_operation(operation: str) -> Outcome:
    return runner.run(operation)


if __name__ == "__main__":
    sys.exit(main())

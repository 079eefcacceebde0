"""Tries out the OpenAPI document of a Shelfwise that runs, over many accounts, with the rate windows on.

    python run.py < setup.json

The setup is {"url": str, "keys": [str], "hasty_keys": [str], "free_key": str, "seed": int}, with a process for each
hasty key. Prints what is wrong and a table of the answers; exit code 1 when anything that a run promises is broken.
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
from seed import CALLS, seed
from tally import broken_promises, summary, table
from try_out import Outcome, Trial

# A key of the right form that no account has.
STRANGER = Caller("stranger", "sw_live_" + "0" * 43)


def main() -> int:
    setup = json.load(sys.stdin)
    document = f"{setup['url']}/api/v1/openapi.json"
    print(f"seed {setup['seed']}", flush=True)
    started_at = time.monotonic()
    members = seed(setup["url"], setup["keys"])
    print(f"{len(members)} accounts prepared in {time.monotonic() - started_at:.0f} s", flush=True)

    started_at = time.monotonic()
    outcomes = try_out_all(document, setup, members)
    seconds = time.monotonic() - started_at
    by_operation = {operation: outcome.counts for operation, outcome in outcomes.items()}
    broken = broken_promises(by_operation)
    for operation, outcome in outcomes.items():
        if not outcome.is_passed:
            print(outcome.findings)
            broken.append(f"{operation} does not do what the document says: see above")
    print(f"{table(by_operation)}\n\n{summary(by_operation, seconds)}")
    for promise in broken:
        print(f"broken: {promise}")
    return 1 if broken else 0


def try_out_all(document: str, setup: dict, members: list[Caller]) -> dict[str, Outcome]:
    """In several processes: threads of Python 3.11 that make requests up at the same time fail in its parser."""
    hasty_keys = setup["hasty_keys"]
    # Forked, so that nothing is loaded twice.
    context = multiprocessing.get_context("fork")
    shares: Queue[Callers] = context.Queue()
    for number, hasty_key in enumerate(hasty_keys):
        hasty, free = Caller("hasty", hasty_key), Caller("free", setup["free_key"])
        share = members[number :: len(hasty_keys)]
        shares.put(Callers(share, hasty=hasty, free=free, stranger=STRANGER, spent=CALLS))
    operations = operations_of(document)
    trial = (shares, document, setup["seed"])
    with ProcessPoolExecutor(len(hasty_keys), context, initializer=begin, initargs=trial) as pool:
        return dict(zip(operations, pool.map(try_out, operations)))


def operations_of(document: str) -> list[str]:
    paths = requests.get(document, timeout=10).json()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


def begin(shares: Queue[Callers], document: str, seed_number: int) -> None:
    """What a process keeps for all the operations that it tries out."""
    global trial_of_this_process
    trial_of_this_process = Trial(shares.get(), document=document, seed=seed_number)


def try_out(operation: str) -> Outcome:
    return trial_of_this_process.try_out(operation)


if __name__ == "__main__":
    sys.exit(main())

"""Verifies webhooks as a receiver in Python does.

Reads a list of {name, secret, headers, body, is_valid} as JSON from the standard input, the body in base64 as it was received, and
ends with 1 unless exactly the valid ones verify. Uses the published library of standardwebhooks.com where it is installed; otherwise
the few lines that a receiver would write itself.
"""

import base64
import hashlib
import hmac
import json
import sys
import time

TOLERANCE_SECONDS = 300

try:
    import standardwebhooks

    library = f"standardwebhooks {standardwebhooks.__version__}"
except ImportError:
    standardwebhooks = None
    library = "hmac of the standard library, because standardwebhooks is not installed"


def verify(secret, headers, body):
    """Raises an exception unless the message is signed with the secret and recent."""
    if standardwebhooks is not None:
        standardwebhooks.Webhook(secret).verify(body, headers)
        return
    stamp = headers["webhook-timestamp"]
    if abs(time.time() - int(stamp)) > TOLERANCE_SECONDS:
        raise ValueError("too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{stamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(expected, one) for one in given):
        raise ValueError("no signature matches")


def is_verified(message):
    try:
        verify(message["secret"], message["headers"], base64.b64decode(message["body"]))
        return True
    except Exception:
        return False


def main():
    messages = json.load(sys.stdin)
    print(f"Python {sys.version.split()[0]}, {library}")
    wrong = 0
    for message in messages:
        verified = is_verified(message)
        is_right = verified == message["is_valid"]
        wrong += not is_right
        print(f"{'ok  ' if is_right else 'FAIL'} {message['name']}: {'verified' if verified else 'refused'}")
    valid = sum(message["is_valid"] for message in messages)
    print(f"{len(messages)} messages, {valid} of them valid, {wrong} judged wrong")
    return 0 if wrong == 0 and 0 < valid < len(messages) else 1


sys.exit(main())

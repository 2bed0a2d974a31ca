# What the Python clients make of faults: the same as sdk-faults.ts, in the same words. With CLIENT=async it is the one
# for asyncio, each of whose calls is waited for here.
import asyncio
import json
import os
from decimal import Decimal

from quittance_client import AsyncQuittance, CallOptions, Quittance, QuittanceError, verify_webhook

runner = asyncio.Runner()


async def awaited(what):
    return await what


def stepwise(entries):
    while True:
        try:
            yield runner.run(awaited(anext(entries)))
        except StopAsyncIteration:
            return


class Waiting:
    def __init__(self, client):
        self._client = client

    def __getattr__(self, name):
        def call(*args, **given):
            found = getattr(self._client, name)(*args, **given)
            return runner.run(found) if asyncio.iscoroutine(found) else stepwise(found)

        return call


def client_of(*args, **given):
    if os.environ.get("CLIENT") == "async":
        return Waiting(AsyncQuittance(*args, **given))
    return Quittance(*args, **given)


base, receipt_id, tip = os.environ["BASE"], os.environ["RECEIPT"], json.loads(os.environ["TIP"])
client = client_of(base + "/under/", "key")
hurried = client_of(base, retries=1)
quick = client_of(base, retries=1, timeout=0.3)


def named(call):
    try:
        call()
    except Exception as error:
        return getattr(error, "code", type(error).__name__)
    return "answered"


def family_of(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__ + ("" if isinstance(error, QuittanceError) else "?")
    return "answered"


def invalid():
    try:
        client.create_webhook_endpoint({"url": "x"})
    except QuittanceError as error:
        return [type(error).__name__, error.issues[0]["loc"]]


headers = []
options = CallOptions(idempotency_key="mine", on_headers=lambda told: headers.append(told["X-API-Key"]))
report = {
    "recorded": client.record_tip({**tip, "amount": Decimal("12.50")})["status"],
    "cut": client.receipts(reference="a b&c")["total"],
    "running": client.refund({"original_receipt_id": receipt_id})["status"],
    "events": [[event.id, event.data["status"]] for event in client.events(receipt_id)],
    "seen": [event.id for event in client.events(receipt_id, last_event_id="3")],
    "headers": (client.create_api_key({"label": "x"}, options=options), headers)[1],
    "deleted": named(lambda: client.delete_agent(receipt_id)),
    "gateway": named(hurried.me),
    "silent": named(quick.organisation),
    "patient": named(client.projects),
    "redirected": named(client.api_keys),
    "moved": named(lambda: next(client.events("moved"))),
    "captive": named(lambda: next(client.events("captive"))),
    "failed": named(lambda: client.wait_for_anchored("failing")),
    "late": named(lambda: client.wait_for_anchored("late", timeout=0.3)),
    "mismatch": named(lambda: client.download_bundle("mismatch")),
    "float": named(lambda: client.record_tip({**tip, "amount": 12.5})),
    "dots": {"ValueError": "TypeError"}[named(lambda: client.receipt(".."))],
    "families": [family_of(lambda: client.agent(one)) for one in os.environ["REFUSALS"].split(",")],
    "once": named(lambda: client.ping(options=CallOptions(retries=0))),
    "hasty": named(lambda: hurried.organisation(options=CallOptions(timeout=0.1, retries=0))),
    "everyEvent": [one["id"] for one in client.all_audit_events(limit=2)],
    "everyEndpoint": [one["id"] for one in client.all_webhook_endpoints()],
    "rotated": client.rotate_webhook_secret("e", {"overlap_hours": 1})["secret"],
    "nothing": family_of(lambda: client.webhook_endpoint("none")),
    "invalid": invalid(),
    "hidden": named(lambda: client.statement_accounts()),
    "denied": family_of(lambda: client.generate_statement()),
    "webhooks": [],
}
for one in json.loads(os.environ["WEBHOOKS"]):
    try:
        told = verify_webhook(one["secret"], one["headers"], one["body"].encode())["type"]
    except Exception as error:
        told = type(error).__name__
    report["webhooks"].append(told)
print(json.dumps(report))

# What the Python client makes of faults: the same as sdk-faults.ts, in the same words.
import json
import os
from decimal import Decimal

from quittance_client import CallOptions, Quittance, verify_webhook

base, receipt_id, tip = os.environ["BASE"], os.environ["RECEIPT"], json.loads(os.environ["TIP"])
client = Quittance(base + "/under/", "key")
hurried = Quittance(base, retries=1)
quick = Quittance(base, retries=1, timeout=0.3)


def named(call):
    try:
        call()
    except Exception as error:
        return getattr(error, "code", type(error).__name__)
    return "answered"


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
    "webhooks": [],
}
for one in json.loads(os.environ["WEBHOOKS"]):
    try:
        told = verify_webhook(one["secret"], one["headers"], one["body"].encode())["type"]
    except Exception as error:
        told = type(error).__name__
    report["webhooks"].append(told)
print(json.dumps(report))

# What a user writes with the client that was downloaded. Its address is the one it was built for.
import base64
import json
import os
import re

from quittance_client import Quittance, QuittanceError

tip = json.loads(os.environ["TIP"])
client = Quittance(api_key=os.environ["KEY"])

receipt_id = client.record_tip(tip)["receipt_id"]
receipt = client.wait_for_anchored(receipt_id)
verified = client.verify({"bundle_url": receipt["bundle_url"]})
listed = client.receipts(reference=tip["reference"], since="2020-01-01")
bundle = client.download_bundle(receipt_id)
audit = client.audit_events(object_id=receipt_id)

agent = client.create_agent({"name": "Buyer", "wallet_address": "0x1"})
assert [one["id"] for one in client.agents()] == [agent["id"]]
assert client.agent_stats(agent["id"], days=1)["payment_count"] == 0
assert client.delete_agent(agent["id"])["status"] == "deleted"


def failure(call):
    try:
        call()
    except QuittanceError as error:
        return error


wrong = failure(lambda: client.record_tip({**tip, "amount": "many"}))
absent = failure(lambda: client.receipt(os.environ["ABSENT"]))

print(
    json.dumps(
        {
            "bundle_hash": receipt["bundle_hash"],
            "listed": [[one["id"] == receipt_id, one["amount"]] for one in listed["items"]],
            "verified": [verified["matches_onchain"], verified["bundle_hash"], verified["errors"]],
            "zip": base64.b64encode(bundle).decode(),
            "audit": [[bool(re.fullmatch(r"[1-9]\d*", one["id"])), one["action"]] for one in audit][-1],
            "issues": [[".".join(map(str, one["loc"])), one["type"]] for one in wrong.issues],
            "absent": [absent.code, len(absent.request_id)],
        }
    )
)

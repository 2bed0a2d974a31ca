# What a user writes with the client of openapi-python-client, which is the package `quittance` beside this file.
import base64
import datetime
import json
import os
import re
import time
from uuid import UUID

from quittance.api.audit import audit_events
from quittance.api.receipts import file, get_receipt, post_record_tip, receipts
from quittance.api.verification import post_verify
from quittance.client import AuthenticatedClient
from quittance.models import ErrorResponse, HTTPValidationError, RecordTipResponse, TipRecordRequest, VerifyRequest

tip = json.loads(os.environ["TIP"])
client = AuthenticatedClient(os.environ["BASE"], os.environ["KEY"], prefix="", auth_header_name="X-API-Key")

recorded = post_record_tip.sync(client=client, body=TipRecordRequest.from_dict(tip))
assert isinstance(recorded, RecordTipResponse)
rid = recorded.receipt_id
while (present := get_receipt.sync(rid, client=client)).status != "anchored":
    time.sleep(0.1)

listed = receipts.sync(client=client, reference=tip["reference"], since=datetime.date(2020, 1, 1))
verified = post_verify.sync(client=client, body=VerifyRequest(bundle_url=present.bundle_url))
archive = file.sync(rid, "evidence.zip", client=client)
audit = audit_events.sync(client=client, object_id=str(rid))

wrong = post_record_tip.sync(client=client, body=TipRecordRequest.from_dict({**tip, "amount": "many"}))
assert isinstance(wrong, HTTPValidationError)
absent = get_receipt.sync(UUID(os.environ["ABSENT"]), client=client)
assert isinstance(absent, ErrorResponse)
assert absent.message

print(
    json.dumps(
        {
            "bundle_hash": present.bundle_hash,
            "listed": [[item.id == rid, item.amount] for item in listed.items],
            "verified": [verified.matches_onchain, verified.bundle_hash, verified.errors],
            "zip": base64.b64encode(archive.payload.read()).decode(),
            "audit": [bool(re.fullmatch(r"[1-9]\d*", audit[-1].id)), audit[-1].action],
            "issues": [[".".join(map(str, issue.loc)), issue.type_] for issue in wrong.detail],
            "absent": [absent.detail, len(absent.request_id)],
        }
    )
)

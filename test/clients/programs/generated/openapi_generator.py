# What a user writes with the Python client of openapi-generator, which is the package `quittance` beside this file.
import json
import os
from uuid import UUID

import quittance

configuration = quittance.Configuration(host=os.environ["BASE"], api_key={"apiKey": os.environ["KEY"]})
for name in configuration.auth_settings():
    configuration.api_key[name] = os.environ["KEY"]
tip = json.loads(os.environ["TIP"])

with quittance.ApiClient(configuration) as client:
    client.set_default_header("X-API-Key", os.environ["KEY"])
    api = quittance.ReceiptsApi(client)
    recorded = api.post_record_tip(quittance.TipRecordRequest.from_dict(tip))
    receipt = api.get_receipt(recorded.receipt_id)
    page = api.receipts(reference=tip["reference"], since="2020-01-01")
    try:
        api.get_receipt(UUID(os.environ["ABSENT"]))
        absent = 200
    except quittance.ApiException as error:
        absent = error.status

print(
    json.dumps(
        {
            "read": receipt.id == recorded.receipt_id,
            "listed": [[item.id == recorded.receipt_id, item.amount] for item in page.items],
            "absent": absent,
        }
    )
)

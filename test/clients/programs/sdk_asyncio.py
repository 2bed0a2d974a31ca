# What a user of asyncio writes: webhooks, statements and all pages, against a real service. The same as
# sdk-commonjs.cjs, in the same words.
import asyncio
import json
import os

from quittance_client import AsyncQuittance, NotFoundError, PermissionDeniedError, ValidationFailedError

client = AsyncQuittance(api_key=os.environ["KEY"])


async def failure(call):
    try:
        await call
    except Exception as error:
        return error


async def ids_of(entries, key="id"):
    return [one[key] async for one in entries]


async def main():
    tip, hook = json.loads(os.environ["TIP"]), os.environ["HOOK"]
    ids = []
    for number in range(1, 4):
        body = {**tip, "tip_tx_hash": f"{tip['tip_tx_hash']}{number}", "reference": f"all-{number}"}
        ids.insert(0, (await client.record_tip(body))["receipt_id"])
    listed = await ids_of(client.all_receipts(page_size=2))
    events = await ids_of(client.all_audit_events(action="receipt.record", limit=1), "object_id")
    followed = [event.data["status"] async for event in client.events(ids[0])]
    together = await asyncio.gather(*(client.receipt(one) for one in ids))

    made = await client.create_webhook_endpoint({"url": hook, "event_types": ["RECEIPT_ANCHORED"]})
    other = await client.create_webhook_endpoint({"url": hook})
    rotated = await client.rotate_webhook_secret(made["id"], {"overlap_hours": 1})
    secret = await client.webhook_secret(made["id"])
    changed = await client.update_webhook_endpoint(made["id"], {"description": "Books"})
    test = await client.test_webhook_endpoint(made["id"])
    deliveries = await ids_of(client.all_webhook_deliveries(endpoint=made["id"], limit=1))
    disabled = await client.disable_webhook_endpoint(made["id"])
    enabled = await client.enable_webhook_endpoint(made["id"])
    replayed = await client.replay_webhook_delivery(test["id"])
    endpoints = await ids_of(client.all_webhook_endpoints(limit=1))
    deleted = await client.delete_webhook_endpoint(made["id"])
    statement = await client.generate_statement()
    statements = await ids_of(client.all_statements(limit=1))
    viewer = AsyncQuittance(api_key=os.environ["VIEWER"])
    assert followed[-1] == "anchored"
    assert [one["id"] if "id" in one else one["receipt_id"] for one in together] == ids

    print(
        json.dumps(
            {
                "listed": listed[:3] == ids,
                "events": events[:3] == ids,
                "rotated": [made["secret"] != rotated["secret"], rotated["secret"] == secret["secret"]],
                "changed": [changed["description"], changed["event_types"]],
                "delivered": [test["type"], test["id"] in deliveries, replayed["id"] == test["id"]],
                "enabled": [disabled["is_enabled"], enabled["is_enabled"]],
                "endpoints": [endpoints == [other["id"], made["id"]], deleted["deleted_id"] == made["id"]],
                "statement": [
                    statement["id"] in statements,
                    (await client.statement(statement["id"]))["url"] == statement["url"],
                ],
                "absent": isinstance(await failure(client.statement(os.environ["ABSENT"])), NotFoundError),
                "invalid": isinstance(
                    await failure(client.create_webhook_endpoint({"url": "ftp://x"})), ValidationFailedError
                ),
                "denied": isinstance(await failure(viewer.rotate_webhook_secret(other["id"])), PermissionDeniedError),
                "pays": "function",
            }
        )
    )


asyncio.run(main())

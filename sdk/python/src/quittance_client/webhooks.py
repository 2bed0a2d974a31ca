"""Verifies the service's notifications, which are signed as Standard Webhooks specifies."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, TypeAlias

from .errors import WebhookNotVerified
from .types import (
    AgentAnchoredWebhook,
    EndpointTestWebhook,
    PaymentSettledWebhook,
    ReceiptRefundedWebhook,
    ReceiptWebhook,
)

# `type` determines the form of `data`. To the `callback_url` of a receipt only the first two are sent.
WebhookEvent: TypeAlias = (
    ReceiptWebhook | ReceiptRefundedWebhook | PaymentSettledWebhook | AgentAnchoredWebhook | EndpointTestWebhook
)


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes, tolerance_seconds: float = 300
) -> WebhookEvent:
    """Raises WebhookNotVerified. The same notification can arrive more than once, with the same `webhook-id`.

    `secret` is `whsec_` and base64, as the service shows it; `body` the bytes as received: parsed and serialised they
    would differ.
    """
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret is not whsec_ and base64.")
    lower = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not lower.get(name)]
    if missing:
        raise WebhookNotVerified(f"There is no header {missing[0]}.")
    timestamp = lower["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookNotVerified("webhook-timestamp is not a time.")
    if abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookNotVerified("webhook-timestamp is too far from now.")
    signed = f"{lower['webhook-id']}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    for one in lower["webhook-signature"].split(" "):
        version, _, signature = one.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            event: WebhookEvent = json.loads(body)
            return event
    raise WebhookNotVerified("No signature is valid.")

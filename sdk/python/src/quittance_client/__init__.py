"""Client of Quittance: evidence of payments that already happened on a blockchain."""

from . import types
from .client import Quittance
from .connection import CallOptions
from .errors import BundleMismatch, ConnectionFailed, QuittanceError, ReceiptFailed, WebhookNotVerified
from .events import StreamEvent
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "BundleMismatch",
    "CallOptions",
    "ConnectionFailed",
    "Quittance",
    "QuittanceError",
    "ReceiptFailed",
    "StreamEvent",
    "WebhookEvent",
    "WebhookNotVerified",
    "types",
    "verify_webhook",
]

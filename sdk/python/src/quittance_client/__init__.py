"""Client of Quittance: evidence of payments that already happened on a blockchain."""

from . import types
from .client import AsyncQuittance, Quittance
from .connection import CallOptions
from .errors import (
    AuthenticationError,
    BundleMismatch,
    ConflictError,
    ConnectionFailed,
    NotFoundError,
    PaymentRequiredError,
    PermissionDeniedError,
    QuittanceError,
    RateLimitError,
    ReceiptFailed,
    ServerError,
    TimedOut,
    ValidationFailedError,
    WebhookNotVerified,
)
from .events import StreamEvent
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "AsyncQuittance",
    "AuthenticationError",
    "BundleMismatch",
    "CallOptions",
    "ConflictError",
    "ConnectionFailed",
    "NotFoundError",
    "PaymentRequiredError",
    "PermissionDeniedError",
    "Quittance",
    "QuittanceError",
    "RateLimitError",
    "ReceiptFailed",
    "ServerError",
    "StreamEvent",
    "TimedOut",
    "ValidationFailedError",
    "WebhookEvent",
    "WebhookNotVerified",
    "types",
    "verify_webhook",
]

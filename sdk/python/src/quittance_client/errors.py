"""The errors with which a call can end."""

from __future__ import annotations

import email.utils
import json
import time
from email.message import Message
from typing import Any, cast

from .types import ValidationError


class QuittanceError(Exception):
    """The service responded with a refusal.

    `code` is stable: `detail` of the response, `validation_failed` for 422, `http_<status>` when a gateway responded.
    `issues` says which value is invalid and why, and is empty unless the status is 422. `retry_after` is in seconds,
    None when the service did not say. `body` is the response body as received: JSON, or else text.
    """

    def __init__(self, status: int, headers: Message, content: bytes) -> None:
        text = content.decode("utf-8", "replace")
        try:
            body: Any = json.loads(text)
        except ValueError:
            body = text
        told = body if isinstance(body, dict) else {}
        detail = told.get("detail")
        self.status = status
        issues = [one for one in detail if isinstance(one, dict)] if isinstance(detail, list) else []
        self.issues = cast(list[ValidationError], issues)
        self.code: str = detail if isinstance(detail, str) else "validation_failed" if self.issues else f"http_{status}"
        self.request_id = headers.get("X-Request-ID")
        self.retry_after = _seconds(headers.get("Retry-After"))
        self.body = body
        said = told.get("message") or "; ".join(
            f"{'.'.join(str(part) for part in one.get('loc', []))}: {one.get('msg')}" for one in self.issues
        )
        super().__init__(said or f"The status was {status}.")


class ConnectionFailed(Exception):
    """No response arrived in any try. Whether the call was carried out is unknown."""


class ReceiptFailed(Exception):
    """The receipt can never be anchored."""


class BundleMismatch(Exception):
    """The received bytes are not those that were sealed."""


class WebhookNotVerified(Exception):
    """The sender of this request is unknown: do not act on it."""


def _seconds(header: str | None) -> float | None:
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None

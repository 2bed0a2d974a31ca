"""What a call can end with other than an answer."""

from __future__ import annotations

import email.utils
import json
import time
from email.message import Message
from typing import Any, cast

from .types import ValidationError


class QuittanceError(Exception):
    """The service answered, and refused.

    `code` is stable: `detail` of the answer, `validation_failed` for 422, `http_<status>` when a gateway answered.
    `issues` says what is wrong with which value and is empty unless the status is 422. `retry_after` is in seconds,
    None when the service did not say. `body` is the answer as it came: JSON, or else text.
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
        super().__init__(said or f"The answer was {status}.")


class ConnectionFailed(Exception):
    """No answer came, however often it was asked. Whether it was carried out is unknown."""


class ReceiptFailed(Exception):
    """The receipt can never be anchored."""


class BundleMismatch(Exception):
    """The bytes that came are not those that were sealed."""


class WebhookNotVerified(Exception):
    """It is not known who sent this: do not act on it."""


def _seconds(header: str | None) -> float | None:
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None

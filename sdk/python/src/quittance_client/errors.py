"""The errors with which a call can end."""

from __future__ import annotations

import email.utils
import json
import time
from email.message import Message
from typing import Any, cast

from .codes import STATUS_OF_CODE
from .types import ValidationError


class QuittanceError(Exception):
    """The service responded with a refusal. Its subclasses are the families of refusals, by their status.

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


class ValidationFailedError(QuittanceError):
    """400 and 422: a value, or the request as a whole, is invalid."""


class AuthenticationError(QuittanceError):
    """401: the API key is missing, unknown, revoked or expired."""


class PaymentRequiredError(QuittanceError):
    """402: the operation must be paid for; `body` is the challenge."""


class PermissionDeniedError(QuittanceError):
    """403: the API key may not do this."""


class NotFoundError(QuittanceError):
    """404 and 410: there is none, or none that the API key may see."""


class ConflictError(QuittanceError):
    """409: it contradicts what the service has already."""


class RateLimitError(QuittanceError):
    """429: too many requests; `retry_after` says how long to wait."""


class ServerError(QuittanceError):
    """500 and above: the service, or a gateway before it, failed."""


_FAMILIES: dict[int, type[QuittanceError]] = {
    400: ValidationFailedError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    422: ValidationFailedError,
    429: RateLimitError,
}


def refusal_of(status: int, headers: Message, content: bytes) -> QuittanceError:
    """Returns the error of a response, in the class of its family."""
    family = ServerError if status >= 500 else _FAMILIES.get(status, QuittanceError)
    return family(status, headers, content)


def graphql_refusal_of(status: int, headers: Message, content: bytes) -> QuittanceError | None:
    """Returns the error of a response over GraphQL, as the same refusal over REST would be; None when there is none."""
    try:
        body: Any = json.loads(content)
    except ValueError:
        body = None
    errors = body.get("errors") if isinstance(body, dict) else None
    if not errors:
        return None if status == 200 and isinstance(body, dict) and "data" in body else refusal_of(status, headers, content)
    first = errors[0]
    told = first.get("extensions") or {}
    code = told.get("code", "graphql")
    issues = told.get("issues")
    detail = [{"loc": one["path"], "msg": one["message"], "type": one["type"]} for one in issues] if issues else code
    if status == 200:
        status = STATUS_OF_CODE.get(code, 500)
    return refusal_of(status, headers, json.dumps({**body, "detail": detail, "message": first["message"]}).encode())


def nothing_there(headers: Message) -> QuittanceError:
    """There is nothing at the path in the answer."""
    return refusal_of(404, headers, b'{"detail": "not_found", "message": "There is none for this key."}')


class ConnectionFailed(Exception):
    """No response arrived in any try. Whether the call was carried out is unknown."""


class TimedOut(ConnectionFailed, TimeoutError):
    """No response arrived in time, in the last try."""


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

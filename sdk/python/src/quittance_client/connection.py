"""Sends requests and repeats them, with the standard library."""

from __future__ import annotations

import decimal
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from email.message import Message
from typing import Any, Callable, Iterator, Mapping

from .errors import ConnectionFailed, QuittanceError
from .events import StreamEvent, events_in
from .retry import backoff, pause_after

__all__ = ["CallOptions", "Connection", "StreamEvent", "segment"]

# The service sends something every 15 seconds.
_SILENCE = 45.0


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """Options of one call.

    `idempotency_key`: equal calls with the same key are carried out once; by default POST and PUT generate a key.
    `payment`: PAYMENT-SIGNATURE for a paid operation; the same signature is charged once however often it is sent.
    `timeout`: longest silence in seconds. `on_headers` receives the headers of the response: some keys are shown in
    `X-API-Key` alone.
    """

    idempotency_key: str | None = None
    payment: str | None = None
    timeout: float | None = None
    on_headers: Callable[[Message], None] | None = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    # Redirects are not followed, because the API key would be sent to their target.
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def segment(value: str) -> str:
    """Encodes a value for a path. Raises ValueError for a value that would lead to another path."""
    if value in ("", ".", ".."):
        raise ValueError("An id must not be empty or dots.")
    return urllib.parse.quote(value, safe="")


def exact(value: Any) -> Any:
    """Returns the value with each Decimal as a string. Raises TypeError for a float, which may have lost digits."""
    if isinstance(value, float):
        raise TypeError("A float is not exact: amounts are str or decimal.Decimal.")
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise TypeError("An amount must be a finite number.")
        return format(value, "f")
    if isinstance(value, Mapping):
        return {key: exact(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [exact(one) for one in value]
    return value


class Connection:
    def __init__(self, base_url: str, api_key: str | None, retries: int, timeout: float) -> None:
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError("base_url must be an http or https URL.")
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._api_key = api_key
        self._retries = retries
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def url(self, path: str, query: Mapping[str, Any] | None = None) -> str:
        given = {key: _text(value) for key, value in (query or {}).items() if value is not None}
        return self._base + path + (f"?{urllib.parse.urlencode(given)}" if given else "")

    def json(self, method: str, path: str, **request: Any) -> Any:
        return json.loads(self.content(method, path, **request))

    def text(self, method: str, path: str, **request: Any) -> str:
        return self.content(method, path, **request).decode()

    def content(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        is_paid: bool = False,
        options: CallOptions | None = None,
    ) -> bytes:
        options = options or CallOptions()
        headers = self._headers()
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(exact(body), ensure_ascii=False).encode()
        is_write = method in ("POST", "PUT") and not is_paid
        if is_write:
            headers["Idempotency-Key"] = options.idempotency_key or str(uuid.uuid4())
        if options.payment is not None:
            headers["PAYMENT-SIGNATURE"] = options.payment
        # A payment is charged once for each signature, and without a payment nothing is carried out.
        is_safe = is_write or is_paid or method == "GET"
        tries = 0
        while True:
            request = urllib.request.Request(self.url(path, query), data, headers, method=method)
            try:
                told, answer = self._try(request, options.timeout or self._timeout)
                break
            except (OSError, http.client.HTTPException, QuittanceError) as error:
                seconds = pause_after(error, is_safe, tries) if tries < self._retries else None
                if seconds is None:
                    if isinstance(error, QuittanceError):
                        raise
                    raise ConnectionFailed("No response arrived.") from error
            time.sleep(seconds)
            tries += 1
        if options.on_headers is not None:
            options.on_headers(told)
        return answer

    def _try(self, request: urllib.request.Request, timeout: float) -> tuple[Message, bytes]:
        with self._open(request, timeout) as response:
            return response.headers, response.read()

    def _open(self, request: urllib.request.Request, timeout: float) -> Any:
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise QuittanceError(error.code, error.headers, error.read()) from None

    def events(self, path: str, last_event_id: str | None = None) -> Iterator[StreamEvent]:
        """Yields each change of a receipt once, in order, over as many connections as needed. Ends after `anchored`."""
        last = last_event_id
        failures = 0
        while True:
            headers = {**self._headers(), "Accept": "text/event-stream"}
            if last is not None:
                headers["Last-Event-ID"] = last
            cause: Exception | None = None
            seconds: float | None = None
            try:
                with self._open(urllib.request.Request(self.url(path), headers=headers), _SILENCE) as response:
                    if response.status == 204:
                        return
                    if response.headers.get_content_type() != "text/event-stream":
                        raise QuittanceError(response.status, response.headers, response.read())
                    for event in events_in(response):
                        failures = 0
                        if event is None:
                            continue
                        last = event.id
                        yield event
                        if event.data["status"] == "anchored":
                            return
            except (OSError, http.client.HTTPException, QuittanceError) as error:
                cause = error
                seconds = pause_after(error, True, failures)
                if seconds is None:
                    raise
            if failures >= self._retries:
                if isinstance(cause, QuittanceError):
                    raise cause
                raise ConnectionFailed("The event stream broke off.") from cause
            time.sleep(backoff(failures) if seconds is None else seconds)
            failures += 1

    def _headers(self) -> dict[str, str]:
        return {"Accept": "*/*"} if self._api_key is None else {"Accept": "*/*", "X-API-Key": self._api_key}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(exact(value))

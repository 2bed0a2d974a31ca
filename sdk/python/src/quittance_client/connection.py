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
from typing import Any, Callable, Generator, Iterator, Literal, Mapping, TypeAlias

from .errors import ConnectionFailed, QuittanceError, TimedOut, graphql_refusal_of, nothing_there, refusal_of
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
    `timeout`: longest silence in seconds. `retries`: how often the call is repeated after its first try. `on_headers` receives the headers of the response: some keys are shown in
    `X-API-Key` alone.
    """

    idempotency_key: str | None = None
    payment: str | None = None
    timeout: float | None = None
    retries: int | None = None
    on_headers: Callable[[Message], None] | None = None


@dataclass(frozen=True)
class Told:
    headers: Message
    content: bytes


@dataclass(frozen=True)
class Attempt:
    request: urllib.request.Request
    timeout: float
    graphql: bool


# A float is a pause in seconds.
Step: TypeAlias = Attempt | float


def is_timeout(error: Exception) -> bool:
    return isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)


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

    def graphql(self, document: str, path: list[str], variables: Mapping[str, Any], **request: Any) -> Any:
        return self._run(self.graphql_steps(document, path, variables, **request))

    def content(self, method: str, path: str, **request: Any) -> bytes:
        answer: bytes = self._run(self.steps(method, path, **request))
        return answer

    def _run(self, steps: Generator[Step, Told | Exception | None, Any]) -> Any:
        try:
            step = next(steps)
            while True:
                if isinstance(step, float):
                    time.sleep(step)
                    step = next(steps)
                else:
                    step = steps.send(self.outcome(step))
        except StopIteration as end:
            return end.value

    def outcome(self, attempt: Attempt) -> Told | Exception:
        """Sends a request once."""
        try:
            with self._open(attempt.request, attempt.timeout, attempt.graphql) as response:
                told = Told(response.headers, response.read())
                refusal = graphql_refusal_of(200, told.headers, told.content) if attempt.graphql else None
                return told if refusal is None else refusal
        except (OSError, http.client.HTTPException, QuittanceError) as error:
            return error

    def graphql_steps(
        self,
        document: str,
        path: list[str],
        variables: Mapping[str, Any],
        *,
        is_write: bool,
        options: CallOptions | None = None,
    ) -> Generator[Step, Told | Exception | None, Any]:
        given = {key: value for key, value in variables.items() if value is not None}
        body = {"query": document, "variables": given}
        content = yield from self.steps(
            "POST", "/graphql", body=body, graphql="write" if is_write else "read", options=options
        )
        found = json.loads(content)["data"]
        for name in path:
            found = found[name]
            if found is None:
                raise nothing_there(Message())
        return found

    def steps(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        is_paid: bool = False,
        graphql: Literal["read", "write"] | None = None,
        options: CallOptions | None = None,
    ) -> Generator[Step, Told | Exception | None, bytes]:
        """Yields what to do next: to send a request, whose outcome it is sent, or to wait for so many seconds."""
        options = options or CallOptions()
        headers = self._headers()
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(exact(body), ensure_ascii=False).encode()
        if graphql is not None:
            headers["Accept"] = "application/graphql-response+json"
        is_keyed = method in ("POST", "PUT") and not is_paid and graphql != "read"
        if is_keyed:
            headers["Idempotency-Key"] = options.idempotency_key or str(uuid.uuid4())
        if options.payment is not None:
            headers["PAYMENT-SIGNATURE"] = options.payment
        # A payment is charged once for each signature, and without a payment nothing is carried out.
        is_idempotent = is_keyed or is_paid or method == "GET" or graphql == "read"
        most = self._retries if options.retries is None else options.retries
        timeout = options.timeout or self._timeout
        tries = 0
        while True:
            request = urllib.request.Request(self.url(path, query), data, headers, method=method)
            outcome = yield Attempt(request, timeout, graphql is not None)
            if isinstance(outcome, Told):
                if options.on_headers is not None:
                    options.on_headers(outcome.headers)
                return outcome.content
            assert isinstance(outcome, Exception)
            seconds = pause_after(outcome, is_idempotent, tries) if tries < most else None
            if seconds is None:
                if isinstance(outcome, QuittanceError):
                    raise outcome
                raise (TimedOut if is_timeout(outcome) else ConnectionFailed)("No response arrived.") from outcome
            yield seconds
            tries += 1

    def _open(self, request: urllib.request.Request, timeout: float, graphql: bool = False) -> Any:
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                content = error.read()
            refusal = graphql_refusal_of(error.code, error.headers, content) if graphql else None
            raise refusal or refusal_of(error.code, error.headers, content) from None

    def events(
        self, path: str, last_event_id: str | None = None, is_left: Callable[[], bool] = lambda: False
    ) -> Iterator[StreamEvent]:
        """Yields each change of a receipt once, in order, over as many connections as needed. Ends after `anchored`.

        `is_left` is asked with each line, and ends it as well.
        """
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
                        raise refusal_of(response.status, response.headers, response.read())
                    for event in events_in(response):
                        if is_left():
                            return
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
            if is_left():
                return
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

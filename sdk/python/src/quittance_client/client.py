"""The client: every operation of the API, and functions that combine several operations."""

from __future__ import annotations

import asyncio
import hashlib
import time

from .async_connection import AsyncConnection
from .async_operations import AsyncOperations
from .connection import Connection
from .errors import BundleMismatch, ReceiptFailed
from .operations import Operations
from .settings import DEFAULT_BASE_URL
from .types import ReceiptResponse


class Quittance(Operations):
    """`timeout`: longest time without a byte, in seconds. `retries`: how often a call is repeated after its first try."""

    def __init__(
        self,
        base_url: str | None = DEFAULT_BASE_URL,
        api_key: str | None = None,
        *,
        retries: int = 4,
        timeout: float = 30.0,
    ) -> None:
        if base_url is None:
            raise ValueError("base_url is missing.")
        super().__init__(Connection(base_url, api_key, retries, timeout))

    def wait_for_anchored(self, receipt_id: str, *, timeout: float = 120.0) -> ReceiptResponse:
        """Polls a receipt until it is anchored, and returns it.

        Raises ReceiptFailed when it can never be anchored, and TimeoutError after `timeout` seconds.
        """
        waiting = _Waiting(receipt_id, timeout)
        while not waiting.is_over(receipt := self.receipt(receipt_id)):
            # Polls, because a thread that reads a stream cannot be woken when the time is over.
            time.sleep(waiting.pause())
        return receipt

    def download_bundle(self, receipt_id: str) -> bytes:
        """Returns the evidence ZIP. Raises BundleMismatch unless its SHA-256 is the receipt's `bundle_hash`."""
        expected = _hash_of(self.receipt(receipt_id), receipt_id)
        return _checked(self.file(receipt_id, "evidence.zip"), expected)


class AsyncQuittance(AsyncOperations):
    """The same for asyncio. Requests run in threads: cancelling a call ends the wait, not the request."""

    def __init__(
        self,
        base_url: str | None = DEFAULT_BASE_URL,
        api_key: str | None = None,
        *,
        retries: int = 4,
        timeout: float = 30.0,
    ) -> None:
        if base_url is None:
            raise ValueError("base_url is missing.")
        super().__init__(AsyncConnection(Connection(base_url, api_key, retries, timeout)))

    async def wait_for_anchored(self, receipt_id: str, *, timeout: float = 120.0) -> ReceiptResponse:
        """Polls a receipt until it is anchored, and returns it.

        Raises ReceiptFailed when it can never be anchored, and TimeoutError after `timeout` seconds.
        """
        waiting = _Waiting(receipt_id, timeout)
        while not waiting.is_over(receipt := await self.receipt(receipt_id)):
            await asyncio.sleep(waiting.pause())
        return receipt

    async def download_bundle(self, receipt_id: str) -> bytes:
        """Returns the evidence ZIP. Raises BundleMismatch unless its SHA-256 is the receipt's `bundle_hash`."""
        expected = _hash_of(await self.receipt(receipt_id), receipt_id)
        return _checked(await self.file(receipt_id, "evidence.zip"), expected)


class _Waiting:
    def __init__(self, receipt_id: str, timeout: float) -> None:
        self._receipt_id = receipt_id
        self._until = time.monotonic() + timeout
        self._seconds = 0.2

    def is_over(self, receipt: ReceiptResponse) -> bool:
        if receipt["status"] == "failed":
            raise ReceiptFailed(f"Receipt {self._receipt_id} failed.")
        return receipt["status"] == "anchored"

    def pause(self) -> float:
        seconds = self._seconds
        if time.monotonic() + seconds >= self._until:
            raise TimeoutError(f"Receipt {self._receipt_id} is not anchored yet.")
        self._seconds = min(seconds * 1.5, 3.0)
        return seconds


def _hash_of(receipt: ReceiptResponse, receipt_id: str) -> str:
    expected = receipt["bundle_hash"]
    if expected is None:
        raise LookupError(f"Receipt {receipt_id} has no bundle yet.")
    return expected


def _checked(content: bytes, expected: str) -> bytes:
    found = "0x" + hashlib.sha256(content).hexdigest()
    if found != expected:
        raise BundleMismatch(f"The bundle's SHA-256 is {found}, not {expected}.")
    return content

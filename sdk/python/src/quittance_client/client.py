"""The client: every operation of the API, and functions that combine several operations."""

from __future__ import annotations

import hashlib
import time

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
        until = time.monotonic() + timeout
        seconds = 0.2
        while True:
            receipt = self.receipt(receipt_id)
            if receipt["status"] == "anchored":
                return receipt
            if receipt["status"] == "failed":
                raise ReceiptFailed(f"Receipt {receipt_id} failed.")
            # Polls, because a thread that reads a stream cannot be woken when the time is over.
            if time.monotonic() + seconds >= until:
                raise TimeoutError(f"Receipt {receipt_id} is not anchored yet.")
            time.sleep(seconds)
            seconds = min(seconds * 1.5, 3.0)

    def download_bundle(self, receipt_id: str) -> bytes:
        """Returns the evidence ZIP. Raises BundleMismatch unless its SHA-256 is the receipt's `bundle_hash`."""
        expected = self.receipt(receipt_id)["bundle_hash"]
        if expected is None:
            raise LookupError(f"Receipt {receipt_id} has no bundle yet.")
        content = self.file(receipt_id, "evidence.zip")
        found = "0x" + hashlib.sha256(content).hexdigest()
        if found != expected:
            raise BundleMismatch(f"The bundle's SHA-256 is {found}, not {expected}.")
        return content

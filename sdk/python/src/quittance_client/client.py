"""The client: every operation of the API, and what takes more than one of them."""

from __future__ import annotations

import hashlib
import time

from .connection import Connection
from .errors import BundleMismatch, ReceiptFailed
from .operations import Operations
from .settings import DEFAULT_BASE_URL
from .types import ReceiptResponse


class Quittance(Operations):
    """`timeout` is in seconds without a byte; `retries` says how often a call is repeated after its first try."""

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
        """Asks for a receipt until it is anchored, and answers with it.

        Raises ReceiptFailed when it never will be, and TimeoutError when that is not known in `timeout` seconds.
        """
        until = time.monotonic() + timeout
        seconds = 0.2
        while True:
            receipt = self.receipt(receipt_id)
            if receipt["status"] == "anchored":
                return receipt
            if receipt["status"] == "failed":
                raise ReceiptFailed(f"Receipt {receipt_id} failed.")
            # A thread that reads a stream cannot be woken when the time is over: so the receipt is asked for.
            if time.monotonic() + seconds >= until:
                raise TimeoutError(f"Receipt {receipt_id} is not anchored yet.")
            time.sleep(seconds)
            seconds = min(seconds * 1.5, 3.0)

    def download_bundle(self, receipt_id: str) -> bytes:
        """The bytes of the evidence ZIP, whose SHA-256 is the receipt's `bundle_hash`. Raises BundleMismatch otherwise."""
        expected = self.receipt(receipt_id)["bundle_hash"]
        if expected is None:
            raise LookupError(f"Receipt {receipt_id} has no bundle yet.")
        content = self.file(receipt_id, "evidence.zip")
        found = "0x" + hashlib.sha256(content).hexdigest()
        if found != expected:
            raise BundleMismatch(f"The bundle's SHA-256 is {found}, not {expected}.")
        return content

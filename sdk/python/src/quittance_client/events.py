"""Parses server-sent events as far as the service uses them: id and data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Iterable, Iterator

from .types import ReceiptEvent


@dataclass(frozen=True)
class StreamEvent:
    """`id` is the value for `last_event_id`."""

    id: str
    data: ReceiptEvent


def events_in(lines: Iterable[bytes]) -> Iterator[StreamEvent | None]:
    """Yields the events, and None for each other line as a sign of life. An event cut off at the end is dropped."""
    event_id = ""
    data: list[str] = []
    for raw in lines:
        line = raw.decode().rstrip("\r\n")
        field, _, content = line.partition(":")
        if field == "id":
            event_id = content.removeprefix(" ")
        if field == "data":
            data.append(content.removeprefix(" "))
        if line == "" and data:
            yield StreamEvent(event_id, json.loads("\n".join(data)))
            data = []
        else:
            yield None

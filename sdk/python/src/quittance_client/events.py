"""Server-sent events out of lines, as far as the service sends them: id and data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Iterable, Iterator

from .types import ReceiptEvent


@dataclass(frozen=True)
class StreamEvent:
    """`id` is what `last_event_id` takes."""

    id: str
    data: ReceiptEvent


def events_in(lines: Iterable[bytes]) -> Iterator[StreamEvent | None]:
    """None for a line that completes no event: something came. What is cut off at the end is no event."""
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

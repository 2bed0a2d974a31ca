"""Yields the entries of a list of pages."""

from __future__ import annotations

from typing import Any, AsyncGenerator, Awaitable, Callable, Iterator

_SIZE = 100


class _Pages:
    """Says what to ask for next, and which entries of an answer are new."""

    def __init__(self, by: str, query: dict[str, Any]) -> None:
        self._by = by
        self._query = {key: value for key, value in query.items() if value is not None}
        self._size = self._query.get("page_size") or self._query.get("limit") or _SIZE
        self._page = 1
        self._after: str | None = None
        # An entry that moved to the next page, because newer ones were recorded meanwhile, is yielded once.
        self._seen: set[str] = set()
        self.is_over = False

    def asked(self) -> dict[str, Any]:
        if self._by == "page":
            place: dict[str, Any] = {"page": self._page, "page_size": self._size}
        elif self._by == "offset":
            place = {"offset": (self._page - 1) * self._size, "limit": self._size}
        else:
            place = {"after": self._after, "limit": self._size}
        return {**self._query, **place}

    def fresh(self, answer: Any) -> list[Any]:
        items = answer if isinstance(answer, list) else answer["items"]
        self._page += 1
        if self._by == "cursor":
            self._after = answer["next"]["cursor"]
            self.is_over = not answer["next"]["exists"]
            return list(items)
        self.is_over = len(items) < self._size
        new = [one for one in items if one["id"] not in self._seen]
        self._seen.update(one["id"] for one in new)
        return new


def entries(by: str, query: dict[str, Any], ask: Callable[[dict[str, Any]], Any]) -> Iterator[Any]:
    pages = _Pages(by, query)
    while not pages.is_over:
        yield from pages.fresh(ask(pages.asked()))


async def async_entries(
    by: str, query: dict[str, Any], ask: Callable[[dict[str, Any]], Awaitable[Any]]
) -> AsyncGenerator[Any, None]:
    pages = _Pages(by, query)
    while not pages.is_over:
        for one in pages.fresh(await ask(pages.asked())):
            yield one

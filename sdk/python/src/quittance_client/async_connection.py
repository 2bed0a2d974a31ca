"""The connection of the client for asyncio: each request runs in a thread, because the standard library has no other."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any, AsyncGenerator, Callable, Generator, Mapping

from .connection import Connection, Step, StreamEvent, Told


async def in_thread(work: Callable[[], Any]) -> Any:
    """Runs in a thread of its own, so that calls that wait do not take the threads of others. A cancelled call is no
    longer waited for; its thread ends with its request, and does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def run() -> None:
        value, failure = None, None
        try:
            value = work()
        except BaseException as error:
            failure = error
        _tell(loop, lambda: settle(value, failure))

    threading.Thread(target=run, daemon=True, name="quittance").start()
    return await future


def _tell(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> bool:
    try:
        loop.call_soon_threadsafe(what)
        return True
    except RuntimeError:
        # The loop is closed: nobody waits any more.
        return False


class AsyncConnection:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def url(self, path: str, query: Mapping[str, Any] | None = None) -> str:
        return self._connection.url(path, query)

    async def json(self, method: str, path: str, **request: Any) -> Any:
        return json.loads(await self.content(method, path, **request))

    async def text(self, method: str, path: str, **request: Any) -> str:
        return (await self.content(method, path, **request)).decode()

    async def content(self, method: str, path: str, **request: Any) -> bytes:
        answer: bytes = await self._run(self._connection.steps(method, path, **request))
        return answer

    async def graphql(self, document: str, path: list[str], variables: Mapping[str, Any], **request: Any) -> Any:
        return await self._run(self._connection.graphql_steps(document, path, variables, **request))

    async def _run(self, steps: Generator[Step, Told | Exception | None, Any]) -> Any:
        try:
            step = next(steps)
            while True:
                if isinstance(step, float):
                    await asyncio.sleep(step)
                    step = next(steps)
                else:
                    attempt = step
                    step = steps.send(await in_thread(lambda: self._connection.outcome(attempt)))
        except StopIteration as end:
            return end.value

    async def events(self, path: str, last_event_id: str | None = None) -> AsyncGenerator[StreamEvent, None]:
        """Yields each change of a receipt once, in order, over as many connections as needed. Ends after `anchored`."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[StreamEvent | BaseException | None] = asyncio.Queue()
        is_left = threading.Event()

        def put(what: StreamEvent | BaseException | None) -> bool:
            return not is_left.is_set() and _tell(loop, lambda: queue.put_nowait(what))

        def follow() -> None:
            try:
                for event in self._connection.events(path, last_event_id, is_left.is_set):
                    if not put(event):
                        return
                put(None)
            except BaseException as error:
                put(error)

        threading.Thread(target=follow, daemon=True, name="quittance-events").start()
        try:
            while True:
                event = await queue.get()
                if event is None:
                    return
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            is_left.set()

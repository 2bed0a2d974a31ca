"""Decides whether a call is repeated, and after which pause."""

from __future__ import annotations

import random

from .errors import QuittanceError

# A longer `Retry-After` is not waited for: the error is raised at once.
_LONGEST_ASKED = 60.0
_LONGEST_PAUSE = 8.0
_PASSING = {429, 502, 503, 504}


def backoff(tries: int) -> float:
    return min(0.5 * 2.0**tries, _LONGEST_PAUSE) * (0.5 + random.random() / 2)


def pause_after(error: Exception, is_idempotent: bool, tries: int) -> float | None:
    """Returns seconds, or None when the outcome is final. `is_idempotent`: two executions do no more than one."""
    if not isinstance(error, QuittanceError):
        return backoff(tries) if is_idempotent else None
    # The first try is still in progress: its response will be available under the same Idempotency-Key.
    is_running = error.status == 409 and error.code == "idempotency_in_progress"
    if not is_running and error.status not in (_PASSING if is_idempotent else {429}):
        return None
    seconds = backoff(tries) if error.retry_after is None else error.retry_after
    return None if seconds > _LONGEST_ASKED else seconds

# SPDX-License-Identifier: GPL-2.0-only
"""One set-up at a time."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from console import say

FOLDER = Path(__file__).resolve().parents[2] / "build"


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Keep two calls from changing the same folders at once."""
    FOLDER.mkdir(exist_ok=True)
    with open(FOLDER / ".lock", "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another ./run to finish its set-up")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield

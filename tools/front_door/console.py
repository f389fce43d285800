# SPDX-License-Identifier: GPL-2.0-only
"""What the front door says, and how it stops."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


class Stop(Exception):
    """A reason to stop, told in one line.

    :param message: what is wrong and what to do
    :param status: exit status; 2 if the user has to change something, else 1
    """

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def say(message: str) -> None:
    """Tell what is being done, on standard error: standard output belongs to the command."""
    print(f"[linux-tcp] {message}", file=sys.stderr, flush=True)


def call(
    command: Sequence[str | Path],
    *,
    why: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> None:
    """Run a command of the set-up, with its output on standard error.

    :param command: the command and its arguments
    :param why: what the command does, for the message if it fails
    :param environment: its environment, this process's if None
    :param folder: its folder, this process's if None
    :raises Stop: if it cannot be started or fails
    """
    try:
        result = subprocess.run(
            command, stdout=sys.stderr, env=environment, cwd=folder, check=False
        )
    except OSError as error:
        raise Stop(f"{why} failed: {error}", 1) from error
    if result.returncode != 0:
        shown = shlex.join(str(word) for word in command)
        raise Stop(f"{why} failed (status {result.returncode}): {shown}", 1)

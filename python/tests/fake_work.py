# SPDX-License-Identifier: GPL-2.0-only
"""Work for the runner's tests: quick, and wrong on request."""

from __future__ import annotations

import os
import time
from pathlib import Path

#: Stands for the versions of a simulator.
VERSIONS = {"linux-tcp": "0", "ns-3": "3.0"}


def square(scenario: dict) -> bytes:
    """Return the square of ``value``; obey ``sleep``, ``raise``, ``exit`` and ``trace``."""
    if "trace" in scenario:
        with Path(scenario["trace"]).open("a", encoding="ascii") as file:
            file.write(f"{scenario['value']}\n")
    time.sleep(scenario.get("sleep", 0.0))
    print("a line that must not disturb the protocol")
    if "raise" in scenario:
        raise ValueError(scenario["raise"])
    if "exit" in scenario:
        os.write(2, b"last words\n")
        os._exit(scenario["exit"])
    if "signal" in scenario:
        os.kill(os.getpid(), scenario["signal"])
    return str(scenario["value"] ** 2).encode()

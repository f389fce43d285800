# SPDX-License-Identifier: GPL-2.0-only
"""One process that performs runs for :mod:`linux_tcp.runs`.

It is a process of its own, started as ``python -m linux_tcp.worker``, so that a script, a notebook
and the command line can all start it, and a run that ends its process (as ns-3 does on a fatal
error) takes nothing else with it.

Protocol: one request a line on standard input, ``{"work": "module:function", "scenario": {...}}``;
each answer is one line ``{"ok": true, "size": N}`` followed by N bytes, or
``{"ok": false, "error": TEXT}``. Whatever a run prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable


def resolve(work: str) -> Callable[[dict], bytes]:
    """Return the function that ``module:function`` names."""
    module, _, function = work.partition(":")
    return getattr(importlib.import_module(module), function)


def perform(work: str, scenario: dict) -> bytes:
    """Perform one run.

    :param work: ``module:function``; takes a scenario as plain data and returns its result
    :param scenario: the scenario as plain data
    :return: the result, packed
    """
    return resolve(work)(scenario)


def end_with_parent() -> None:
    """End this process, whatever it does, soon after its parent is gone."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Serve requests until standard input ends or the parent is gone."""
    end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            payload = perform(request["work"], request["scenario"])
        except Exception as error:
            text = str(error) or type(error).__name__
            answers.write(json.dumps({"ok": False, "error": text}).encode() + b"\n")
        else:
            answers.write(json.dumps({"ok": True, "size": len(payload)}).encode() + b"\n")
            answers.write(payload)
        answers.flush()


if __name__ == "__main__":
    main()

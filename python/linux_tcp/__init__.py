# SPDX-License-Identifier: GPL-2.0-only
"""Linux's congestion controls and its FQ packet scheduler in ns-3, driven from Python.

Three lines to a result::

    import linux_tcp as lt
    result = lt.dumbbell(rate="100Mbps", rtt="40ms", flows=[lt.flow("cubic")]).run()
    result.flows

Importing the package loads neither pandas nor the simulator; both come when first needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import Interrupted, LinuxTcpError, OptionError, RunError
    from .experiments.second_flow import second_flow
    from .result import Result
    from .scenario import (
        Bursts,
        Dumbbell,
        Flow,
        Host,
        Incast,
        PathChange,
        Policer,
        Queue,
        Rpc,
        Scenario,
        Star,
        dumbbell,
        flow,
        from_dict,
        from_json,
        from_toml,
        incast,
        load,
        star,
    )
    from .series import run, run_all, sweep

_HOME = {
    "errors": ("Interrupted", "LinuxTcpError", "OptionError", "RunError"),
    "experiments.second_flow": ("second_flow",),
    "result": ("Result",),
    "scenario": (
        "Bursts",
        "Dumbbell",
        "Flow",
        "Host",
        "Incast",
        "PathChange",
        "Policer",
        "Queue",
        "Rpc",
        "Scenario",
        "Star",
        "dumbbell",
        "flow",
        "from_dict",
        "from_json",
        "from_toml",
        "incast",
        "load",
        "star",
    ),
    "series": ("run", "run_all", "sweep"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = ["__version__", *sorted(_MODULE_OF)]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from .engine import version

        return version()
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)

# SPDX-License-Identifier: GPL-2.0-only
"""The experiments by name."""

from __future__ import annotations

import importlib

from ..errors import OptionError
from .base import Experiment

#: Name on the command line -> module and class, loaded when asked for.
REGISTRY: dict[str, tuple[str, str]] = {
    "hystart": ("linux_tcp.experiments.hystart", "Hystart"),
    "htcp": ("linux_tcp.experiments.htcp", "Htcp"),
    "fq": ("linux_tcp.experiments.fq", "Fq"),
    "nv": ("linux_tcp.experiments.nv", "Nv"),
}


def names() -> list[str]:
    """Return the names of all experiments, in the order to run them."""
    return list(REGISTRY)


def get(name: str) -> Experiment:
    """Return an experiment.

    :raises OptionError: if there is none of that name
    """
    if name not in REGISTRY:
        raise OptionError("experiment", name, f"give one of {', '.join(REGISTRY)}")
    module, kind = REGISTRY[name]
    return getattr(importlib.import_module(module), kind)()

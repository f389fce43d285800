# SPDX-License-Identifier: GPL-2.0-only
"""Results made by hand, for tests that need no simulator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from linux_tcp.experiments.base import Run
from linux_tcp.result import Result

VERSIONS = {"linux-tcp": "0.0.1", "ns-3": "3.0", "build": "none"}


def result(
    scenario: dict | None = None,
    *,
    mbps: float = 100.0,
    exits: Sequence[tuple[str, int]] = (),
    seconds: float = 10.0,
) -> Result:
    """Make the result of one flow that was established at 0.1 s and ran for ``seconds`` more.

    :param mbps: its throughput (Mbit/s)
    :param exits: detector and window (segments) of each end of slow start
    """
    counters = {"train": [0, 0], "delay": [0, 0]}
    for detector, window in exits:
        if detector in counters:
            counters[detector][0] += 1
            counters[detector][1] += window
    flows = {
        "name": numpy.array(["flow0"]),
        "congestion_control": numpy.array(["cubic"]),
        "established": numpy.array([0.1]),
        "bytes_acked": numpy.array([round(mbps * 1e6 * seconds / 8)], dtype=numpy.uint64),
        "goodput": numpy.array([mbps * 1e6]),
        "completion": numpy.array([numpy.nan]),
        "retransmits": numpy.array([3], dtype=numpy.uint64),
        "timeouts": numpy.array([0], dtype=numpy.uint64),
        "min_rtt": numpy.array([0.08]),
        "mean_rtt": numpy.array([0.081]),
        "max_cwnd": numpy.array([1900], dtype=numpy.uint32),
        "train_detect": numpy.array([counters["train"][0]], dtype=numpy.uint64),
        "train_cwnd": numpy.array([counters["train"][1]], dtype=numpy.uint64),
        "delay_detect": numpy.array([counters["delay"][0]], dtype=numpy.uint64),
        "delay_cwnd": numpy.array([counters["delay"][1]], dtype=numpy.uint64),
    }
    columns = {
        "flows": flows,
        "exits": {
            "detector": numpy.array([detector for detector, _ in exits], dtype=str),
            "cwnd": numpy.array([window for _, window in exits], dtype=numpy.uint32),
        },
        "samples": {
            "flow": numpy.zeros(3, dtype=numpy.uint32),
            "time": numpy.array([0.0, 0.5, 5.0]),
            "cwnd": numpy.array([10, 36, 1900], dtype=numpy.uint32),
        },
        "drops": {
            "place": numpy.array(["router qdisc"]),
            "name": numpy.array(["left-right"]),
            "reason": numpy.array(["queue full"]),
            "packets": numpy.array([3], dtype=numpy.uint64),
            "bytes": numpy.array([4542], dtype=numpy.uint64),
        },
    }
    facts = {"topology": "a --- b", "simulated_time": 0.1 + seconds, "warnings": []}
    return Result(scenario or {"kind": "dumbbell", "flows": ["cubic"]}, columns, facts, VERSIONS)


def run(labels: dict, **arguments) -> Run:
    """Make a run with its labels; arguments as of :func:`result`."""
    return Run(labels, result(**arguments))

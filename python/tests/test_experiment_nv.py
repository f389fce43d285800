# SPDX-License-Identifier: GPL-2.0-only
"""The experiment nv: its claims on figures made by hand, and its cases."""

from __future__ import annotations

import pandas
import pytest
from linux_tcp.experiments.base import Options
from linux_tcp.experiments.nv import (
    CHANGES,
    CONTROLS,
    FLOWS,
    LARGE,
    SMALL,
    Nv,
    jain,
    judge,
    judge_exception,
    judge_fairness,
    judge_losses,
    judge_requests,
    judge_throughput,
    request_rates,
    requests,
    start_us,
)


def means(changes=None):
    """Return figures that agree with the message; ``changes`` replaces some of them.

    :param changes: (set, control, flows, column) -> value
    """
    rows = []
    for flows in FLOWS:
        for control in CONTROLS:
            nv = control == "nv"
            losses = {"reno": 1000.0, "cubic": 2500.0, "nv": 1500.0, "cdg": 1000.0}[control]
            rows.append(
                {
                    "set": "bulk",
                    "variant": "",
                    "control": control,
                    "flows": flows,
                    "throughput": 9200.0 if nv and flows <= 2 else 9400.0,
                    "jain": 0.8 if nv and 2 <= flows <= 4 else 0.95,
                    "losses": losses if flows == 64 else (0.0 if nv else 10.0),
                }
            )
    for control in CONTROLS:
        small, large = (1000.0, 3700.0) if control == "nv" else (226.0, 4400.0)
        rows.append(
            {
                "set": "rpc",
                "variant": "",
                "control": control,
                "flows": 8,
                "small_rate": small,
                "large_rate": large,
                "utilisation": 2 * (small + large),
                "losses": 0.0,
            }
        )
    frame = pandas.DataFrame(rows)
    for (kind, control, flows, column), value in (changes or {}).items():
        place = (frame["set"] == kind) & (frame["control"] == control) & (frame["flows"] == flows)
        frame.loc[place, column] = value
    return frame


def test_the_message_itself_meets_its_claims():
    assert [(claim.id, claim.holds) for claim in judge(means())] == [
        ("NV-1", True),
        ("NV-2", True),
        ("NV-3a", True),
        ("NV-3b", True),
        ("NV-4", True),
    ]


@pytest.mark.parametrize(
    ("judged", "place", "value"),
    [
        # 5.3 % and 0.5 % below 9400 Mbit/s.
        (judge_throughput, ("bulk", "nv", 1, "throughput"), 8900.0),
        (judge_throughput, ("bulk", "nv", 2, "throughput"), 9350.0),
        (judge_fairness, ("bulk", "nv", 4, "jain"), 0.96),
        (judge_fairness, ("bulk", "nv", 32, "jain"), 0.94),
        (judge_losses, ("bulk", "nv", 8, "losses"), 11.0),
        (judge_losses, ("rpc", "nv", 8, "losses"), 1.0),
        (judge_exception, ("bulk", "nv", 64, "losses"), 2001.0),
        (judge_exception, ("bulk", "cubic", 64, "losses"), 1799.0),
        (judge_exception, ("bulk", "reno", 64, "losses"), 699.0),
        (judge_exception, ("bulk", "cdg", 64, "losses"), 0.0),
        (judge_requests, ("rpc", "nv", 8, "small_rate"), 699.0),
        (judge_requests, ("rpc", "cubic", 8, "small_rate"), 294.0),
        (judge_requests, ("rpc", "cdg", 8, "large_rate"), 5061.0),
        (judge_requests, ("rpc", "reno", 8, "utilisation"), 8700.0),
    ],
)
def test_a_figure_outside_its_interval_fails_its_claim(judged, place, value):
    assert judged(means()).holds
    assert not judged(means({place: value})).holds


def test_losses_must_be_none_in_half_of_the_cases():
    # Seven cases count, six numbers of flows and the requests; with losses in four of them fails.
    some = {("bulk", "nv", flows, "losses"): 1.0 for flows in (1, 2, 4)}
    assert judge_losses(means(some)).holds
    assert not judge_losses(means(some | {("bulk", "nv", 8, "losses"): 1.0})).holds


def test_without_any_loss_nothing_was_compared():
    none = {("bulk", c, n, "losses"): 0.0 for c in CONTROLS for n in FLOWS}
    assert not judge_losses(means(none)).holds


def test_jain():
    assert jain([5.0, 5.0]) == 1.0
    assert jain([1.0, 0.0, 0.0, 0.0]) == 0.25
    # (1 + 3)^2 / (2 (1 + 9)) = 0.8
    assert jain([1.0, 3.0]) == pytest.approx(0.8)


def test_rate_of_requests():
    class Answered:
        result = type(
            "Answers",
            (),
            {
                "requests": pandas.DataFrame(
                    {
                        # The first begins before requests count.
                        "start": [0.001, 0.010, 0.010, 0.010],
                        "completion": [0.002, 0.0101, 0.0102, 0.012],
                        "bytes": [SMALL, SMALL, SMALL, LARGE],
                    }
                )
            },
        )

    # 80000 bit in 100 us and in 200 us; 8 Mbit in 2 ms.
    assert request_rates(Answered) == {
        "small_rate": pytest.approx((800 + 400) / 2),
        "large_rate": pytest.approx(4000),
    }


def test_cases():
    cases = list(Nv().cases(Options()))
    bulk = [case for case in cases if case.labels["set"] == "bulk"]
    assert len(bulk) == 7 * 4 * 3
    assert sum(case.labels["set"] == "rpc" for case in cases) == 4 * 3
    assert sum(case.labels["set"] == "change rpc" for case in cases) == 2 * len(CHANGES)
    assert sum(case.labels["set"] == "route" for case in cases) == 1
    quick = list(Nv().cases(Options(quick=True)))
    assert len(quick) == 4 * 4 + 4
    profiles = {
        flow.congestion_attributes.get("Profile")
        for case in bulk
        for flow in case.scenario.flows
        if flow.congestion_control == "nv"
    }
    assert profiles == {"4.8"}


def test_each_link_carries_two_streams_of_each_size():
    flows = requests("nv", 1).flows
    for server in ("server0", "server1"):
        sizes = sorted(flow.rpc.request_bytes for flow in flows if flow.receiver == server)
        assert sizes == [SMALL, SMALL, LARGE, LARGE]


def test_starts_differ():
    assert len({start_us(flow, 1) for flow in range(64)}) == 64

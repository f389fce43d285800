# SPDX-License-Identifier: GPL-2.0-only
"""The experiment nv: its claims on figures made by hand, and its cases."""

from __future__ import annotations

import pandas
import pytest
from linux_tcp.experiments.base import Options
from linux_tcp.experiments.nv import (
    CHANGES,
    CONTROLS,
    CROWD_CHANGES,
    FLOWS,
    LARGE,
    SMALL,
    START_SPREAD_US,
    Nv,
    bulk,
    jain,
    judge,
    judge_exception,
    judge_fairness,
    judge_losses,
    judge_requests,
    judge_throughput,
    port_figures,
    request_rates,
    requests,
    start_us,
    steady_ms,
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
                    "steady_losses": losses / 4 if nv else losses / 2,
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
                "throughput": 2 * (small + large),
                "losses": 0.0,
                "steady_losses": 0.0,
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
        (judge_requests, ("rpc", "reno", 8, "throughput"), 8700.0),
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
                        # The first begins before requests count. Answers of 100 bytes count not.
                        "start": [0.001, 0.010, 0.011, 0.012, 0.010],
                        "completion": [0.002, 0.0101, 0.0112, 0.0124, 0.012],
                        "bytes": [SMALL + 100] * 4 + [LARGE + 100],
                        "flow": [0, 0, 0, 2, 1],
                    }
                )
            },
        )

    # One connection: 80000 bit in 100 us and in 200 us, 600 Mbit/s. Another: in 400 us. 8 Mbit in 2 ms.
    assert request_rates(Answered) == {
        "small_rate": pytest.approx((600 + 200) / 2),
        "large_rate": pytest.approx(4000),
    }


def test_losses_of_the_steady_window_are_shown_but_not_judged():
    claim = judge_exception(means())
    assert claim.ours["losses"] == {"reno": 1000, "cubic": 2500, "nv": 1500, "cdg": 1000}
    assert claim.ours["times those of CDG"] == {"reno": 1.0, "cubic": 2.5, "nv": 1.5}
    # Half of them, of NV's a quarter: 500, 1250 and 375 over 500.
    assert claim.ours["in the steady window"] == {"reno": 1.0, "cubic": 2.5, "nv": 0.75}


def test_figures_of_the_ports():
    # Two ports of servers and one of a client, which does not count. The steady window is 2 ms.
    queues = pandas.DataFrame(
        {"name": ["switch to server0", "switch to client0", "switch to server1"]}
    )
    samples = pandas.DataFrame(
        [
            # queue, time, bytes, sent_bytes, drops
            (0, 0.000, 0, 0, 0),
            (0, 0.001, 100, 5000, 3),
            (0, 0.002, 200, 5000 + 1490 * 500, 4),
            (0, 0.003, 300, 5000 + 1490 * 1000, 5),
            (1, 0.001, 9999, 0, 0),
            (1, 0.003, 9999, 9999, 99),
            (2, 0.001, 0, 0, 1),
            (2, 0.003, 0, 1490 * 500, 1),
        ],
        columns=["queue", "time", "bytes", "sent_bytes", "drops"],
    )
    port = port_figures(queues, samples, 0.001)
    # 1000 and 500 segments of 1448 bytes in 2 ms: 5792 and 2896 Mbit/s.
    assert port.throughput == pytest.approx((5792 + 2896) / 2)
    assert port.losses == 6
    assert port.steady_losses == 2
    # 200 bytes on average at one port, none at the other.
    assert port.mean_queue == pytest.approx(100)


def test_cases():
    cases = list(Nv().cases(Options()))
    bulk = [case for case in cases if case.labels["set"] == "bulk"]
    assert len(bulk) == 7 * 4 * 3
    assert sum(case.labels["set"] == "rpc" for case in cases) == 4 * 3
    assert sum(case.labels["set"] == "change rpc" for case in cases) == 2 * len(CHANGES)
    # All changes but that of the requests: two controls with one flow, all four with 64. Those of many
    # flows only: all four with 64.
    assert sum(case.labels["set"] == "change bulk" for case in cases) == 6 * (
        len(CHANGES) - 1
    ) + 4 * len(CROWD_CHANGES)
    assert sum(case.labels["set"] == "long" for case in cases) == 2
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


def test_all_congestion_controls_meet_the_same():
    runs = {}
    for case in Nv().cases(Options()):
        scenario = case.scenario.to_dict()
        for flow in scenario["flows"]:
            flow["congestion_control"] = flow["congestion_attributes"] = ""
            flow["name"] = ""
        place = tuple(case.labels[key] for key in ("set", "variant", "flows", "run"))
        assert runs.setdefault(place, scenario) == scenario


def test_two_runs_go_on_after_the_smallest_rtt_is_replaced():
    cases = [case for case in Nv().cases(Options()) if case.labels["set"] == "long"]
    assert [case.labels["flows"] for case in cases] == [16, 64]
    assert {case.scenario.warmup for case in cases} == {"2000ms"}
    assert {case.scenario.duration for case in cases} == {"2500ms"}


def test_the_steady_window_begins_after_the_last_start():
    for flows in FLOWS:
        for quick in (False, True):
            begin, end = steady_ms(flows, quick=quick)
            assert START_SPREAD_US / 1000 < begin < end


def test_each_link_carries_two_streams_of_each_size():
    flows = requests("nv", 1).flows
    for server in ("server0", "server1"):
        sizes = sorted(flow.rpc.request_bytes for flow in flows if flow.receiver == server)
        assert sizes == [SMALL, SMALL, LARGE, LARGE]


@pytest.mark.parametrize("spread_us", [20000, START_SPREAD_US])
def test_starts_lie_evenly(spread_us):
    for run in (1, 2, 3):
        starts = sorted(start_us(flow, run, spread_us) for flow in range(64))
        assert 0 <= starts[0] and starts[-1] < spread_us
        gaps = [b - a for a, b in zip(starts, starts[1:])]
        assert min(gaps) > 0
        # Evenly were 1/64 of the time.
        assert max(gaps) < spread_us / 20


def test_flows_share_clients_if_there_are_fewer():
    def senders(scenario):
        return [flow.sender for flow in scenario.flows]

    own = bulk("nv", 16, 1, window_ms=(150, 200))
    assert (own.clients, len(set(senders(own)))) == (16, 16)
    shared = bulk("nv", 16, 1, window_ms=(150, 200), clients=8)
    assert shared.clients == 8
    assert [senders(shared).count(f"client{i}") for i in range(8)] == [2] * 8

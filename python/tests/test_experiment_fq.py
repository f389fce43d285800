# SPDX-License-Identifier: GPL-2.0-only
"""The experiment fq on runs made by hand."""

from __future__ import annotations

import numpy
import pandas
import pytest
from conftest import needs_native

from linux_tcp.experiments.base import Options
from linux_tcp.experiments.fq import (
    KERNEL_SENSITIVITY,
    SENSITIVITY,
    STACK,
    Fq,
    burst_ms,
    burst_name,
    burst_scenario,
    judge,
    kernel_mbps,
    kernel_rows,
    kernel_scenario,
    leaving,
    longest_train,
    scenario,
    start_us,
    within,
)


#: Bursts by variant: time (ms), retransmits, longest train.
BURSTS = {
    ("pfifo_fast", False): (900.0, 480, 232),
    ("pfifo_fast", True): (610.0, 86, 11),
    ("fq", False): (260.0, 74, 13),
    ("fq", True): (560.0, 8, 13),
}


def frame(pfifo=85.25, fq=354.79, stack=300.0, kernel=(45.07, 171.71), bursts=()):
    """Make the rows of the runs, with the message's and the kernel's figures by default."""

    def row(group, variant, throughput, burst=None, retransmits=3, train=None):
        return {
            "set": group, "variant": variant, "run": 1, "throughput": throughput, "bursts": 20,
            "burst": burst, "exit": "", "exit_window": 0, "retransmits": retransmits,
            "timeouts": 0, "recoveries": 1, "max_window": 1900, "longest_train": train,
        }

    return pandas.DataFrame(
        [
            row("seed", "pfifo_fast", pfifo),
            row("seed", "fq", fq),
            row("seed", STACK, stack),
            row("kernel", "pfifo_fast", kernel[0]),
            row("kernel", "fq", kernel[1]),
            *(
                row("idle", burst_name(*variant), 6.0, *values)
                for variant, values in (BURSTS | dict(bursts)).items()
            ),
        ]
    )


def failing(**change):
    return {claim.id for claim in judge(frame(**change)) if not claim.holds}


def test_the_message_and_the_kernel_meet_their_claims():
    claims = {claim.id: claim for claim in judge(frame())}
    assert all(claim.holds for claim in claims.values())
    # 354.79 / 85.25 = 4.1618; 171.71 / 45.07 = 3.8098
    assert claims["FQ-3"].ours == pytest.approx(4.1618, abs=1e-4)
    assert claims["FQ-6.1"].ours["ratio"] == pytest.approx(3.8098, abs=1e-4)
    assert claims["FQ-6.1"].seed == {"pfifo_fast": 45.07, "fq": 171.71}


@pytest.mark.parametrize(
    ("change", "names"),
    [
        # 0.8 x 85.25 = 68.2; 1.2 x 85.25 = 102.3
        ({"pfifo": 68.1}, {"FQ-1", "FQ-3"}),
        ({"pfifo": 102.4}, {"FQ-1"}),
        # 0.8 x 354.79 = 283.83; 284 / 85.25 = 3.33
        ({"fq": 283.0}, {"FQ-2"}),
        ({"fq": 280.0}, {"FQ-2", "FQ-3"}),
        ({"stack": 170.0}, {"FQ-4"}),
        # 0.65 x 45.07 = 29.3; 1.35 x 171.71 = 231.8
        ({"kernel": (29.2, 120.0)}, {"FQ-6.1"}),
        ({"kernel": (60.0, 232.0)}, {"FQ-6.1"}),
        # Both near, but a ratio of 2.5 is too small.
        ({"kernel": (60.0, 150.0)}, {"FQ-6.1"}),
        # Slower than slow start after idle, with either disc.
        ({"bursts": {("fq", False): (570.0, 74, 13)}}, {"FQ-5"}),
        ({"bursts": {("pfifo_fast", True): (250.0, 86, 11)}}, {"FQ-5"}),
        # More than half of 480 retransmits; more than half of a train of 232.
        ({"bursts": {("fq", False): (260.0, 241, 13)}}, {"FQ-5"}),
        ({"bursts": {("fq", False): (260.0, 74, 117)}}, {"FQ-5"}),
    ],
)
def test_each_claim_can_fail(change, names):
    assert failing(**change) == names


def test_within_is_a_share_of_the_target():
    assert within(80, 100, 0.2) and within(120, 100, 0.2)
    assert not within(79.9, 100, 0.2)


def test_a_train_is_what_left_back_to_back():
    assert longest_train(numpy.array([])) == 0
    assert longest_train(numpy.array([1.0])) == 1
    # Gaps of 1.2, 1.2, 3 and 1.2 us: three packets, then two.
    assert longest_train(numpy.array([0, 1.2e-6, 2.4e-6, 5.4e-6, 6.6e-6])) == 3


def test_the_time_of_a_burst_is_that_after_idle_times():
    requests = pandas.DataFrame(
        {
            "index": [0, 1, 2, 3],
            "start": [0.0, 2.0, 4.0, 6.0],
            "completion": [1.5, 2.2, 4.3, 6.9],
        }
    )
    # The first one follows no idle time; of 200, 300 and 900 ms the median is 300.
    assert burst_ms(requests) == pytest.approx(300.0)


def test_how_runs_left_slow_start():
    runs = pandas.DataFrame({"exit": ["train", "", "train", "loss"], "exit_window": [66, 0, 98, 824]})
    assert leaving(runs) == "loss at 824; train at 66 to 98"
    assert leaving(runs[runs["exit"] == ""]) is None


def test_the_kernel_measured_the_stream_and_the_bursts():
    assert kernel_mbps() == {"pfifo_fast": 45.07, "fq": 171.71}
    assert [int(row["retrans"]) for row in kernel_rows("burst_shal")] == [306, 228, 201, 156]


def test_only_the_queue_disc_differs():
    default, paced = scenario("pfifo_fast", 1).to_dict(), scenario("fq", 1).to_dict()
    assert default.pop("sender_queue") != paced.pop("sender_queue")
    assert default == paced
    assert scenario(STACK, 1).flows[0].max_pacing_rate == "10Gbps"


def test_starts_are_spread_over_one_round_trip():
    starts = [start_us(run, 55) for run in range(1, 21)]
    assert len(set(starts)) == 20
    assert 0 <= min(starts) and max(starts) < 55000


def test_slow_start_after_idle_is_the_sockets():
    flow = burst_scenario("fq", False, 1).flows[0]
    assert flow.socket_attributes["SlowStartAfterIdle"] == "false"


def test_a_quick_look_leaves_out_the_sensitivity():
    quick = list(Fq().cases(Options(quick=True)))
    full = list(Fq().cases(Options()))
    assert {case.labels["set"] for case in quick} == {"seed", "kernel", "idle", "kernel idle"}
    assert sum(case.labels["set"] == "sensitivity" for case in full) == 2 * len(SENSITIVITY)
    changed = [case for case in full if case.labels["set"] == "kernel sensitivity"]
    assert len(changed) == 2 * len(KERNEL_SENSITIVITY)


def test_the_kernels_stream_has_its_stack_and_no_window_limit():
    flow = kernel_scenario("fq", 1).flows[0]
    assert flow.window_limit == 0
    assert flow.socket_attributes["LostRetransmissions"] == "AnyData"
    assert kernel_scenario("fq", 1).policer.to_dict()["rate"] == "400Mbps"
    bursts = [burst_scenario("fq", True, 1, kernel=kernel).flows[0].bursts for kernel in (True, False)]
    assert [burst.period for burst in bursts] == ["500ms", "2s"]


@needs_native
def test_all_scenarios_are_valid():
    for case in Fq().cases(Options(runs=1)):
        case.scenario.validate()

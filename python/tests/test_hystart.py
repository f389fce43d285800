# SPDX-License-Identifier: GPL-2.0-only
"""The experiment hystart on runs made by hand: the message's own figures, and others."""

from __future__ import annotations

import pytest
from conftest import needs_native
from fixtures import run

from linux_tcp.experiments.base import Options
from linux_tcp.experiments.hystart import (
    GROWTH_RULES,
    INGREDIENTS,
    SEED_MBPS,
    Hystart,
    judge,
    kernel_rows,
    kernel_table,
    phase_us,
    run_frame,
)



def seed_runs(narrow=SEED_MBPS[16], wide=SEED_MBPS[8], early=36, trains=((16, 1, 2378),)):
    """Make runs of the message's throughputs; those below 40 Mbit/s left by delay."""
    runs = []
    for divisor, rates in ((16, narrow), (8, wide)):
        for i, mbps in enumerate(rates):
            exits = [("delay", early)] if divisor == 16 and mbps < 40 else []
            exits += [("train", window) for d, at, window in trains if (d, at) == (divisor, i)]
            labels = {"set": "seed", "variant": f"1/{divisor}", "run": i + 1}
            runs.append(run(labels, mbps=mbps, exits=exits))
    return runs


def verdicts(runs):
    return {claim.id: claim.holds for claim in judge(run_frame(runs))}


def test_the_message_itself_meets_its_claims():
    runs = seed_runs(trains=((16, 1, 2100), (16, 2, 2656), (8, 7, 3175)))
    claims = {claim.id: claim for claim in judge(run_frame(runs))}
    assert all(claim.holds for claim in claims.values())
    assert claims["HS-8"].ours == {
        "runs": 10,
        "lowest (Mbit/s)": pytest.approx(247.46),
        "highest (Mbit/s)": pytest.approx(254.15),
        "delay exits": 0,
    }
    # (20.66 + 14.94 + 19.18 + 21.32 + 15.58) / 5 = 18.336
    assert claims["HS-16"].ours["slow"] == 5
    assert claims["HS-16"].ours["slow, mean (Mbit/s)"] == pytest.approx(18.336)
    assert claims["HS-16"].ours["others, lowest (Mbit/s)"] == pytest.approx(237.73)
    assert claims["HS-C"].ours == {
        "delay exits, 1/16": 5,
        "slow runs, 1/16": 5,
        "their mean window (segments)": 36.0,
        "delay exits, 1/8": 0,
        "train exits, 1/16": 2,
        "train exits, 1/8": 1,
        "lowest train exit (segments)": 2100.0,
    }


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        ({"wide": (*SEED_MBPS[8][:9], 239.9)}, {"HS-8"}),
        ({"wide": (*SEED_MBPS[8][:9], 260.1)}, {"HS-8"}),
        # Two slow runs of ten are too few, eight too many.
        ({"narrow": (20.0,) * 2 + (250.0,) * 8}, {"HS-16"}),
        ({"narrow": (20.0,) * 8 + (250.0,) * 2}, {"HS-16"}),
        # Neither slow nor fast.
        ({"narrow": (20.0,) * 5 + (250.0,) * 4 + (150.0,)}, {"HS-16"}),
        ({"early": 29}, {"HS-C"}),
        ({"early": 51}, {"HS-C"}),
        ({"trains": ((16, 1, 999),)}, {"HS-C"}),
        ({"trains": tuple((8, i, 2000) for i in range(4))}, {"HS-C"}),
        # No exit at all: nothing was reproduced.
        ({"narrow": (250.0,) * 10}, {"HS-16", "HS-C"}),
    ],
)
def test_each_claim_can_fail(change, failing):
    assert {name for name, holds in verdicts(seed_runs(**change)).items() if not holds} == failing


def test_a_delay_exit_with_the_wide_margin_fails_two_claims():
    runs = seed_runs()
    runs[-1] = run({"set": "seed", "variant": "1/8", "run": 10}, mbps=250.0, exits=[("delay", 40)])
    assert verdicts(runs) == {"HS-8": False, "HS-16": True, "HS-C": False}


def test_throughput_counts_from_the_handshake():
    # 250 Mbit/s over ten seconds, of which the handshake's 0.1 s is not one.
    frame = run_frame([run({"set": "seed", "variant": "1/8", "run": 1}, mbps=250.0)])
    assert frame["throughput"].tolist() == pytest.approx([250.0])


def test_cases_differ_in_start_and_random_streams():
    cases = list(Hystart().cases(Options(runs=3, seed=7)))
    seed = [case for case in cases if case.labels["set"] == "seed"]
    assert [case.labels["variant"] for case in seed] == ["1/16"] * 3 + ["1/8"] * 3
    assert [case.scenario.run_number for case in seed] == [7, 8, 9] * 2
    assert len({case.scenario.flows[0].start for case in seed[:3]}) == 3
    assert seed[0].scenario.flows[0].congestion_attributes["Profile"] == "3.18"
    assert seed[3].scenario.flows[0].congestion_attributes["Profile"] == "3.19"
    assert len({phase_us(run) for run in range(1, 101)}) == 100


def test_the_kernel_measurements_without_loss_are_repeated():
    rows = kernel_rows()
    assert {label: len(runs) for label, runs in rows.items()} == {
        "fq_c8_j0": 1,
        "fq_c8_j2": 5,
        "fq_c16_j2": 5,
        "pf_c8_j0": 1,
        "pf_c8_j2": 1,
    }
    assert {row["retrans"] for runs in rows.values() for row in runs} == {"0"}
    frame = run_frame(all_runs())
    table = kernel_table(frame[frame["set"] == "kernel"])
    assert table.rows[0] == ["fq", "1/8", 0.0, 1, "train at 4316", "delay at 5100"]
    assert table.rows[2] == ["fq", "1/16", 2.0, 5, "delay at 2604 to 5204", "delay at 5100"]


def all_runs():
    runs = seed_runs(trains=((16, 1, 2378),))
    for label in kernel_rows():
        labels = {"set": "kernel", "variant": label, "run": 1}
        runs.append(run(labels, mbps=238.0, exits=[("delay", 5100)]))
    for name in GROWTH_RULES:
        runs.append(run({"set": "growth", "variant": name, "run": 1}, mbps=18.0))
    for name in INGREDIENTS:
        runs.append(run({"set": "ingredients", "variant": name, "run": 1}, exits=[("delay", 37)]))
    return runs


def test_analysis_has_tables_counters_figures_and_data():
    analysis = Hystart().analyse(all_runs(), Options())
    assert analysis.counters["margin 1/16, 10 runs"] == {
        "TcpExtTCPHystartTrainDetect": 1,
        "TcpExtTCPHystartTrainCwnd": 2378,
        "TcpExtTCPHystartDelayDetect": 5,
        "TcpExtTCPHystartDelayCwnd": 180,
    }
    assert analysis.tables[0].rows[0] == [
        1, 20.66, pytest.approx(20.66), "delay at 36", 251.09, pytest.approx(251.09)
    ]
    for figure in analysis.figures:
        vector, pixels = figure.render()
        assert vector.startswith(b"<?xml") and pixels.startswith(b"\x89PNG")
        assert figure.render()[0] == vector
    assert [data.name for data in analysis.data] == ["runs", "windows"]


def test_many_runs_add_their_distribution():
    analysis = Hystart().analyse(
        seed_runs(narrow=SEED_MBPS[16] * 3, wide=SEED_MBPS[8] * 3) + all_runs()[20:], Options()
    )
    table = analysis.tables[1]
    assert table.title == "Distribution"
    assert table.rows[0][:3] == ["1/16", 30, pytest.approx(50.0)]
    assert table.rows[1][:3] == ["1/8", 30, 0.0]


@needs_native
def test_all_scenarios_are_valid():
    for case in Hystart().cases(Options(runs=1)):
        case.scenario.validate()

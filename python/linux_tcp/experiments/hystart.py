# SPDX-License-Identifier: GPL-2.0-only
"""The HyStart seed: does a delay margin of 1/16 of the RTT end slow start too early?"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from ..plots import COLORS, Figure, panels
from ..scenario import Dumbbell, dumbbell
from .base import (
    Analysis,
    Case,
    Claim,
    Column,
    Dataset,
    Experiment,
    Options,
    Origin,
    Parameter,
    Run,
    Table,
)

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure as Canvas

#: Throughput of the message's ten runs by divisor of the margin (Mbit/s).
SEED_MBPS = {
    16: (20.66, 249.38, 254.10, 14.94, 251.92, 237.73, 19.18, 252.89, 21.32, 15.58),
    8: (251.09, 247.46, 250.92, 248.91, 250.88, 249.84, 250.51, 254.15, 250.62, 250.89),
}

#: Counters of the message over its ten runs by divisor of the margin.
SEED_COUNTERS = {
    16: {"train_detect": 2, "train_cwnd": 4756, "delay_detect": 5, "delay_cwnd": 180},
    8: {"train_detect": 1, "train_cwnd": 3175, "delay_detect": 0, "delay_cwnd": 0},
}

#: Our counters by their names in nstat.
NSTAT = {
    "train_detect": "TcpExtTCPHystartTrainDetect",
    "train_cwnd": "TcpExtTCPHystartTrainCwnd",
    "delay_detect": "TcpExtTCPHystartDelayDetect",
    "delay_cwnd": "TcpExtTCPHystartDelayCwnd",
}

SLOW_MBPS = 40.0  #: a run below this is one of the slow ones
SECONDS = 10  #: length of a transfer
RTT = "80ms"
WINDOW_LIMIT = 1900  #: segments
ACK_JITTER = "3500us"
POLL = "40us"
QUICK_ACKS = 16

#: CUBIC by divisor of the margin: the kernels before and after the change.
PROFILES = {16: "3.18", 8: "3.19"}

#: What is taken as not in force in the kernel measured; see the parameters.
GROWTH = {"DelayedAckEstimator": "Off"}

#: A socket as of Linux 3.18.
SOCKET = {
    "EarliestDepartureTime": False,
    "SmallQueues": True,
    "SmallQueueMinimum": 131072,
    "PacingSlowStartRatioAlways": True,
    "InternalPacing": False,
}

#: FQ of the day. Its limit of 100 packets a flow counts bursts in Linux and segments here.
FQ = {"Model": "3.13", "LinkHeaderSize": 14, "FlowLimit": 4400}

#: One change each to the set-up with the margin 1/16, to see what the early exits need.
INGREDIENTS: dict[str, Mapping[str, Any]] = {
    "as above": {},
    "RTT counted from departure (EDT)": {
        "flows[0].socket_attributes.EarliestDepartureTime": "true",
        "sender_queue.attributes.Model": "6.1",
    },
    "no pacing (pfifo_fast)": {"sender_queue": "pfifo_fast"},
    "one packet below TCP": {
        "flows[0].socket_attributes.SmallQueueMinimum": "1",
        "flows[0].socket_attributes.SmallQueueShift": "30",
    },
    "no segmentation offload": {"sender_host.segmentation_offload": False},
    "receive polling every 5 us": {"receiver_host.receive_poll_interval": "5us"},
    "receive polling every 20 us": {"receiver_host.receive_poll_interval": "20us"},
    "receive polling every 100 us": {"receiver_host.receive_poll_interval": "100us"},
    "no ACK jitter": {"sender_host.ack_jitter": "0s"},
    "no quick ACKs": {"receiver_host.quick_acks": 0},
}

#: Rules of growth after an exit at 36 segments; the first is what the main runs have.
GROWTH_RULES: dict[str, Mapping[str, str]] = {
    "no ACK ratio estimator (calibration)": GROWTH,
    "as read in 3.18": {"DelayedAckEstimator": "On", "FirstEpochRule": "Cap"},
    "no first-epoch cap": {"DelayedAckEstimator": "On", "FirstEpochRule": "None"},
    "neither": {"DelayedAckEstimator": "Off", "FirstEpochRule": "None"},
}


def phase_us(run_number: int) -> int:
    """Return the start of a run against the clock's milliseconds (us), spread evenly over runs."""
    return run_number * 618 % 1000


def scenario(divisor: int, run_number: int) -> Dumbbell:
    """Return one transfer of the message.

    :param divisor: the margin of the delay detector is the smallest RTT divided by this
    :param run_number: number of the run; decides start phase and random streams
    """
    start = phase_us(run_number)
    return dumbbell(
        rtt=RTT,
        rate="10Gbps",
        access_rate="10Gbps",
        buffer="10000p",
        flows=[
            {
                "congestion_control": "cubic",
                "congestion_attributes": {"Profile": PROFILES[divisor]} | GROWTH,
                "socket_attributes": SOCKET,
                "window_limit": WINDOW_LIMIT,
                "start": f"{start}us",
            }
        ],
        sender_queue={"disc": "fq", "attributes": FQ},
        sender_host={"segmentation_offload": True, "ack_jitter": ACK_JITTER},
        receiver_host={
            "receive_poll_interval": POLL,
            "receive_max_segments": 45,
            "quick_acks": QUICK_ACKS,
        },
        # The transfer lasts ten seconds from the end of the handshake.
        duration=f"{SECONDS * 1000000 + 80000 + start}us",
        sample_interval="20ms",
        sample_queues=False,
        run_number=run_number,
    )


#: The measurements on Linux 6.1 that the experiment repeats: a clean path and one with jitter.
KERNEL_LABELS = ("fq_c8_j0", "fq_c8_j2", "fq_c16_j2", "pf_c8_j0", "pf_c8_j2")


def kernel_rows() -> dict[str, list[dict[str, str]]]:
    """Return the measurements on Linux 6.1 with a deep queue and packets of up to 8 segments.

    :return: label -> its runs
    """
    source = resources.files(__package__).joinpath("data", "hystart-linux-6.1.csv")
    rows: dict[str, list[dict[str, str]]] = {label: [] for label in KERNEL_LABELS}
    with source.open(encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            if row["set"] == "agg8_deep" and row["label"] in rows:
                rows[row["label"]].append(row)
    return rows


def kernel_scenario(row: Mapping[str, str], run_number: int) -> Dumbbell:
    """Return the beginning of a measurement on Linux 6.1.

    :param row: one of its runs
    :param run_number: decides the random streams
    """
    queue: Any = "pfifo_fast"
    if row["qdisc"] == "fq":
        queue = {"disc": "fq", "attributes": {"Model": "6.1", "LinkHeaderSize": 14}}
        queue["attributes"]["FlowLimit"] = FQ["FlowLimit"]
    return dumbbell(
        rtt=RTT,
        rate="265Mbps",
        access_rate="10Gbps",
        reverse_rate="10Gbps",
        buffer=f"{row['queue_skbs']}p",
        flows=[
            {
                "congestion_control": "cubic",
                "congestion_attributes": {
                    "Profile": "5.16",
                    "ClockTicksPerSecond": 250,
                    "HystartDelayDivisor": 16 if row["cc"] == "cubic16" else 8,
                },
            }
        ],
        sender_queue=queue,
        sender_host={
            "segmentation_offload": True,
            "segmentation_max_segments": 8,
            # Uniform with the standard deviation of the measurement's jitter: width 2 sqrt(3) sd.
            "ack_jitter": f"{round(int(row['noise']) * 2 * 3**0.5)}us",
        },
        # Eight segments take 366 us at the bottleneck.
        receiver_host={
            "receive_poll_interval": "400us",
            "receive_max_segments": 8,
            "quick_acks": QUICK_ACKS,
        },
        duration="1300ms",
        run_number=run_number,
    )


class Hystart(Experiment):
    """Ten bulk transfers with each margin."""

    name = "hystart"
    title = "HyStart: a delay margin of 1/16 against 1/8"
    question = (
        "Ten bulk CUBIC transfers of ten seconds over 80 ms, sent through FQ with pacing. With a "
        "margin of 1/16 of the RTT about half of them leave slow start at some 36 segments and "
        "get less than a tenth of the throughput; with 1/8 none does."
    )
    source = (
        "Seed: E. Dumazet, tcp_cubic: refine Hystart delay threshold, netdev, 4 December 2014. "
        "Kernel 6.1: measured in virtual time."
    )

    def parameters(self, options: Options) -> Sequence[Parameter]:
        seed, kernel = Origin.SEED, Origin.KERNEL
        assumption, calibration = Origin.ASSUMPTION, Origin.CALIBRATION
        return [
            Parameter("RTT", RTT, seed, "stated"),
            Parameter("transfers", f"{SECONDS}s bulk, CUBIC", seed, "stated"),
            Parameter("queue disc of the sender", "fq with pacing", seed, "stated"),
            Parameter("CUBIC", "Linux 3.18 (1/16), 3.19 (1/8)", kernel, "before and after the change"),
            Parameter("fq", "Linux 3.13, rate mode", kernel, "level of the day"),
            Parameter(
                "fq flow_limit", f"{FQ['FlowLimit']} segments", kernel,
                "100 packets; a packet is a burst of up to 44 segments there, a segment here",
            ),
            Parameter("bursts", "1 ms of the rate, 2 to 44 segments", kernel, "offload of the day"),
            Parameter(
                "RTT samples", "from the hand-over to the queue disc", kernel,
                "the rule before 4.20: waiting in FQ counts as RTT",
            ),
            Parameter("pacing rate", "2 cwnd mss / srtt", kernel, "the rule of 3.12 to 4.2"),
            Parameter(
                "small queues", "max(128 KB, 1 ms of the rate)", kernel, "the rule of 3.12 to 3.18"
            ),
            Parameter("initial window", "10 segments", kernel, "since 2.6.39"),
            Parameter("links", "10Gbps", assumption, "nothing but the window limits the transfer"),
            Parameter(
                "start against the clock", "spread evenly over 1 ms", assumption,
                "runs start at any time",
            ),
            Parameter(
                "window limit", f"{WINDOW_LIMIT} segments", calibration,
                "gives the plateau of 250 Mbit/s; the message does not tell what limits it",
            ),
            Parameter(
                "receive polling", f"{POLL}, at most 45 segments, random phase", calibration,
                "splits the first window's arrival; its phase decides which runs are slow",
            ),
            Parameter(
                "quick ACKs", QUICK_ACKS, calibration, "first segments acknowledged one by one"
            ),
            Parameter(
                "ACK jitter", f"uniform up to {ACK_JITTER}, order kept", calibration,
                "without it the train detector fires near 250 segments",
            ),
            Parameter(
                "ACK ratio estimator", "off", calibration,
                "as read, CUBIC 3.18 grows faster after an early exit than the message shows; "
                "see the table of growth rules",
            ),
        ]

    def cases(self, options: Options) -> Iterator[Case]:
        count = options.count(default=10, quick=4)
        for divisor in (16, 8):
            for run in range(count):
                yield Case(
                    {"set": "seed", "variant": f"1/{divisor}", "run": run + 1},
                    scenario(divisor, options.seed + run),
                )
        for label, measured in kernel_rows().items():
            yield Case(
                {"set": "kernel", "variant": label, "run": 1},
                kernel_scenario(measured[0], options.seed),
            )
        if options.quick:
            return
        for name, rules in GROWTH_RULES.items():
            attributes = {
                "Profile": PROFILES[16],
                "SlowStartVariant": "Standard",
                "InitialSlowStartThreshold": 36,
            } | dict(rules)
            base = scenario(16, options.seed)
            yield Case(
                {"set": "growth", "variant": name, "run": 1},
                base.replace({"flows[0].congestion_attributes": attributes}),
            )
        for name, change in INGREDIENTS.items():
            for run in range(10):
                base = scenario(16, options.seed + run)
                yield Case(
                    {"set": "ingredients", "variant": name, "run": run + 1},
                    base.replace({"duration": "800ms", "sample_interval": "0s", **change}),
                )

    def analyse(self, runs: Sequence[Run], options: Options) -> Analysis:
        frame = run_frame(runs)
        seed_runs = [run for run in runs if run["set"] == "seed"]
        seed = frame[frame["set"] == "seed"]
        tables = [comparison(seed), counter_table(seed)]
        if len(seed) > 20:
            tables.insert(1, distribution(seed))
        tables.append(kernel_table(frame[frame["set"] == "kernel"]))
        growth = frame[frame["set"] == "growth"]
        if len(growth):
            tables.append(growth_table(growth))
        ingredients = frame[frame["set"] == "ingredients"]
        if len(ingredients):
            tables.append(ingredient_table(ingredients))
        return Analysis(
            claims=judge(seed),
            tables=tables,
            counters={f"margin 1/{d}, {n} runs": c for d, (n, c) in counters(seed).items()},
            figures=figures(seed, seed_runs),
            data=[
                Dataset(
                    "runs",
                    frame,
                    {
                        "throughput": "Mbit/s",
                        "exit_window": "segments",
                        "train_cwnd": "segments",
                        "delay_cwnd": "segments",
                        "max_window": "segments",
                    },
                ),
                Dataset("windows", window_frame(seed_runs), {"time": "s", "cwnd": "segments"}),
            ],
            notes=notes(frame),
        )


def run_frame(runs: Iterable[Run]) -> pandas.DataFrame:
    """Put what the analysis needs of each run into one row."""
    import pandas

    rows = []
    for run in runs:
        flow = run.result.flows.iloc[0]
        exits = run.result.table("exits")
        first = exits.iloc[0] if len(exits) else None
        seconds = run.result.facts["simulated_time"] - flow["established"]
        rows.append(
            dict(run.labels)
            | {
                "throughput": flow["bytes_acked"] * 8e-6 / seconds,
                "exit": first["detector"] if first is not None else "",
                "exit_window": int(first["cwnd"]) if first is not None else 0,
                "train_detect": int(flow["train_detect"]),
                "train_cwnd": int(flow["train_cwnd"]),
                "delay_detect": int(flow["delay_detect"]),
                "delay_cwnd": int(flow["delay_cwnd"]),
                "retransmits": int(flow["retransmits"]),
                "max_window": int(flow["max_cwnd"]),
            }
        )
    return pandas.DataFrame(rows)


def window_frame(runs: Iterable[Run]) -> pandas.DataFrame:
    """Put the windows over time of all runs into one table."""
    import pandas

    frames = []
    for run in runs:
        samples = run.result.samples[["time", "cwnd"]].copy()
        samples.insert(0, "run", run["run"])
        samples.insert(0, "variant", run["variant"])
        frames.append(samples)
    return pandas.concat(frames, ignore_index=True)


def _margin(frame: pandas.DataFrame, divisor: int) -> pandas.DataFrame:
    """Return the runs with one margin."""
    return frame[frame["variant"] == f"1/{divisor}"]


def counters(frame: pandas.DataFrame) -> dict[int, tuple[int, dict[str, int]]]:
    """Sum the counters of all runs of each margin.

    :return: divisor -> number of runs, and counters by their names in nstat
    """
    sums = {}
    for divisor in (16, 8):
        chosen = _margin(frame, divisor)
        values = {name: int(chosen[column].sum()) for column, name in NSTAT.items()}
        sums[divisor] = (len(chosen), values)
    return sums


def judge(frame: pandas.DataFrame) -> list[Claim]:
    """Compare the runs with the claims of the message.

    :param frame: the runs of both margins, see :func:`run_frame`
    """
    wide, narrow = _margin(frame, 8), _margin(frame, 16)
    rates = wide["throughput"]
    inside = int(rates.between(240, 260).sum())
    delay = int(wide["delay_detect"].sum())
    claims = [
        Claim(
            "HS-8",
            "ten runs of 247.46 to 254.15 Mbit/s, no delay exit",
            {
                "runs": len(wide),
                "lowest (Mbit/s)": float(rates.min()),
                "highest (Mbit/s)": float(rates.max()),
                "delay exits": delay,
            },
            "all runs between 240 and 260 Mbit/s, no delay exit",
            inside == len(wide) and delay == 0,
        )
    ]
    rates = narrow["throughput"]
    slow = rates < SLOW_MBPS
    fast = rates > 230
    share = float(slow.mean())
    claims.append(
        Claim(
            "HS-16",
            "five of ten runs at 14.94 to 21.32 Mbit/s, the others at 237.73 to 254.10",
            {
                "runs": len(narrow),
                "slow": int(slow.sum()),
                "slow, mean (Mbit/s)": float(rates[slow].mean()),
                "others, lowest (Mbit/s)": float(rates[~slow].min()),
            },
            "30 to 70 % of the runs below 40 Mbit/s, the others above 230",
            0.3 <= share <= 0.7 and bool((slow | fast).all()),
        )
    )
    detected = int(narrow["delay_detect"].sum())
    window = float(narrow["delay_cwnd"].sum() / detected) if detected else float("nan")
    trains = {
        divisor: chosen[chosen["train_detect"] > 0]
        for divisor, chosen in ((16, narrow), (8, wide))
    }
    lowest = [
        float((chosen["train_cwnd"] / chosen["train_detect"]).min())
        for chosen in trains.values()
        if len(chosen)
    ]
    claims.append(
        Claim(
            "HS-C",
            "1/16: 5 delay exits at 36 segments, 2 train exits at 2378; "
            "1/8: no delay exit, 1 train exit at 3175",
            {
                "delay exits, 1/16": detected,
                "slow runs, 1/16": int(slow.sum()),
                "their mean window (segments)": window,
                "delay exits, 1/8": delay,
                "train exits, 1/16": int(narrow["train_detect"].sum()),
                "train exits, 1/8": int(wide["train_detect"].sum()),
                "lowest train exit (segments)": min(lowest, default=float("nan")),
            },
            "1/16: as many delay exits as slow runs, at 30 to 50 segments on average; 1/8: none; "
            "train exits in at most 3 of ten runs of either, all above 1000 segments",
            detected == int(slow.sum())
            and detected > 0
            and 30 <= window <= 50
            and delay == 0
            and int(narrow["train_detect"].sum()) <= 0.3 * len(narrow)
            and int(wide["train_detect"].sum()) <= 0.3 * len(wide)
            and min(lowest, default=1001) > 1000,
        )
    )
    return claims


def comparison(frame: pandas.DataFrame) -> Table:
    """Return the message's table with ours beside it."""
    rows = []
    columns = [_margin(frame, divisor)["throughput"].tolist() for divisor in (16, 8)]
    exits = _margin(frame, 16)["exit"].tolist(), _margin(frame, 16)["exit_window"].tolist()
    for i in range(min(10, len(columns[0]))):
        leave = f"{exits[0][i]} at {exits[1][i]}" if exits[0][i] else None
        rows.append(
            [i + 1, SEED_MBPS[16][i], columns[0][i], leave, SEED_MBPS[8][i], columns[1][i]]
        )
    return Table(
        "Throughput of ten transfers",
        [
            Column("run", digits=0),
            Column("1/16 seed", "Mbit/s", 2),
            Column("1/16 ours", "Mbit/s", 2),
            Column("1/16 ours, exit", "segments"),
            Column("1/8 seed", "Mbit/s", 2),
            Column("1/8 ours", "Mbit/s", 2),
        ],
        rows,
        "Runs are random: rows of seed and ours do not correspond, the columns do.",
    )


def distribution(frame: pandas.DataFrame) -> Table:
    """Return how the throughputs of many runs are distributed."""
    rows = []
    for divisor in (16, 8):
        chosen = _margin(frame, divisor)
        rates = chosen["throughput"]
        rows.append(
            [
                f"1/{divisor}",
                len(chosen),
                float((rates < SLOW_MBPS).mean() * 100),
                *(float(rates.quantile(q)) for q in (0.1, 0.25, 0.5, 0.75, 0.9)),
                float((chosen["delay_detect"] > 0).mean() * 100),
                float((chosen["train_detect"] > 0).mean() * 100),
            ]
        )
    return Table(
        "Distribution",
        [
            Column("margin"),
            Column("runs", digits=0),
            Column("below 40 Mbit/s", "%", 1),
            *(Column(f"{q} %", "Mbit/s", 1) for q in (10, 25, 50, 75, 90)),
            Column("delay exits", "% of runs", 1),
            Column("train exits", "% of runs", 1),
        ],
        rows,
    )


def counter_table(frame: pandas.DataFrame) -> Table:
    """Return the message's counters with ours beside them."""
    sums = counters(frame)
    rows = []
    for column, name in NSTAT.items():
        row: list[Any] = [name.removeprefix("TcpExt")]
        for divisor in (16, 8):
            row += [SEED_COUNTERS[divisor][column], sums[divisor][1][name]]
        rows.append(row)
    return Table(
        f"Counters (seed: 10 runs, ours: {sums[16][0]})",
        [
            Column("counter"),
            Column("1/16 seed", digits=0),
            Column("1/16 ours", digits=0),
            Column("1/8 seed", digits=0),
            Column("1/8 ours", digits=0),
        ],
        rows,
    )


def kernel_table(frame: pandas.DataFrame) -> Table:
    """Return the measurements on Linux 6.1 with ours beside them."""
    ours = {row["variant"]: row for _, row in frame.iterrows()}
    rows = []
    for label, measured in kernel_rows().items():
        first, mine = measured[0], ours[label]
        windows = sorted(int(row["TrainCwnd"]) + int(row["DelayCwnd"]) for row in measured)
        spread = f"{windows[0]}" if len(windows) == 1 else f"{windows[0]} to {windows[-1]}"
        rows.append(
            [
                first["qdisc"],
                "1/16" if first["cc"] == "cubic16" else "1/8",
                int(first["noise"]) / 1000,
                len(measured),
                f"{'train' if int(first['TrainDetect']) else 'delay'} at {spread}",
                f"{mine['exit']} at {mine['exit_window']}" if mine["exit"] else None,
            ]
        )
    return Table(
        "Linux 6.1: RTT counted from departure, no early exit with either margin, the first 1.3 s",
        [
            Column("queue disc"),
            Column("margin"),
            Column("ACK jitter", "ms, standard deviation", 0),
            Column("kernel, runs", digits=0),
            Column("kernel, exit", "segments"),
            Column("ours, exit", "segments"),
        ],
        rows,
        "265 Mbit/s, 80 ms, a queue of 50000 packets, packets of up to 8 segments; the window "
        "that fills the path is 1831 segments.",
    )


def growth_table(frame: pandas.DataFrame) -> Table:
    """Return the throughput after an exit at 36 segments by rule of growth."""
    return Table(
        "Throughput after leaving slow start at 36 segments, by rule of growth",
        [Column("rule"), Column("throughput", "Mbit/s", 2), Column("window reached", "segments", 0)],
        [
            [row["variant"], float(row["throughput"]), int(row["max_window"])]
            for _, row in frame.iterrows()
        ],
        "Seed: 14.94 to 21.32 Mbit/s. HyStart is off here and the threshold set, to look at growth "
        "alone.",
    )


def ingredient_table(frame: pandas.DataFrame) -> Table:
    """Return what becomes of the exits when one thing changes."""
    rows = []
    for name in INGREDIENTS:
        chosen = frame[frame["variant"] == name]
        early = chosen[chosen["delay_detect"] > 0]
        trains = chosen[chosen["train_detect"] > 0]
        rows.append(
            [
                name,
                len(chosen),
                len(early),
                float(early["exit_window"].mean()) if len(early) else None,
                len(trains),
                float(trains["exit_window"].mean()) if len(trains) else None,
            ]
        )
    return Table(
        "What the early exits need: margin 1/16, one thing changed, the first 0.8 s",
        [
            Column("change"),
            Column("runs", digits=0),
            Column("delay exits", digits=0),
            Column("at", "segments", 0),
            Column("train exits", digits=0),
            Column("at", "segments", 0),
        ],
        rows,
    )


def figures(frame: pandas.DataFrame, runs: Sequence[Run]) -> list[Figure]:
    """Return the plots: windows of each margin, their beginning, throughputs."""
    highest = 1.3 * max(WINDOW_LIMIT, float(frame["max_window"].max()))
    names = "other runs", "left slow start by delay"

    def windows(canvas: Canvas, until: float) -> None:
        axes = panels(canvas, ["margin 1/16", "margin 1/8"])
        for panel, divisor in zip(axes, (16, 8)):
            for run in runs:
                if run["variant"] != f"1/{divisor}":
                    continue
                samples = run.result.samples
                shown = samples[samples["time"] <= until]
                slow = int(run.result.flows["delay_detect"].iloc[0] > 0)
                panel.plot(
                    shown["time"],
                    shown["cwnd"],
                    color=COLORS[slow],
                    label=names[slow],
                    linewidth=0.9,
                    alpha=0.8,
                )
            panel.axhline(
                WINDOW_LIMIT, color="#888888", linestyle=":", linewidth=0.9, label="receiver's window"
            )
            panel.set_yscale("log")
            panel.set_ylim(8, highest)
            handles = dict(zip(*reversed(panel.get_legend_handles_labels())))
            panel.legend(handles.values(), handles.keys(), loc="lower right")
            panel.set_ylabel("window (segments)")
        axes[-1].set_xlabel("time (s)")

    def throughputs(canvas: Canvas) -> None:
        panel = canvas.subplots()
        for divisor, color in ((16, COLORS[1]), (8, COLORS[0])):
            for values, style, owner in (
                (_margin(frame, divisor)["throughput"], "-", "ours"),
                (SEED_MBPS[divisor], ":", "seed"),
            ):
                ordered = sorted(values)
                shares = [(i + 1) / len(ordered) for i in range(len(ordered))]
                panel.step(
                    ordered, shares, where="post", color=color, linestyle=style,
                    label=f"1/{divisor} {owner}",
                )
        panel.set_xlabel("throughput (Mbit/s)")
        panel.set_ylabel("share of runs")
        panel.legend(loc="center")

    return [
        Figure(
            "windows",
            "Windows",
            "Congestion window of every run; the dotted line is the receiver's window, which limits "
            "how much of it is used.",
            lambda canvas: windows(canvas, SECONDS + 1.0),
            (8.0, 6.0),
        ),
        Figure(
            "beginning",
            "The first second",
            "The same windows in slow start: the runs part at some 36 segments.",
            lambda canvas: windows(canvas, 1.0),
            (8.0, 6.0),
        ),
        Figure(
            "throughput",
            "Distribution of the throughput",
            "Share of the runs up to each throughput, ours and the message's ten.",
            throughputs,
        ),
    ]


def notes(frame: pandas.DataFrame) -> list[str]:
    """Return what a reader must know."""
    return [
        "How an early exit comes about: the first window leaves in one burst. Receive polling "
        "splits its arrival, so the first ACK covers only some of it, and FQ's first gap is one "
        "quantum at the rate of a window that has hardly grown: some 6 ms. Before Linux 4.20 that "
        "wait counts as RTT: the second round's smallest RTT is 86 ms, above 80 + 80/16 and below "
        "80 + 80/8. Nothing is scripted: the phase of the polling decides.",
        "What stays open: the growth after an early exit. As read in the kernels of the day it is "
        "faster than the message's 15 to 21 Mbit/s; the value used is a calibration.",
    ]

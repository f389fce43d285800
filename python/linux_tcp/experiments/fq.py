# SPDX-License-Identifier: GPL-2.0-only
"""The FQ seed: what does a root queue disc that paces change for one stream?"""

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
    import numpy
    import pandas
    from matplotlib.figure import Figure as Canvas

#: Throughput of the message by root queue disc (Mbit/s).
SEED_MBPS = {"pfifo_fast": 85.25, "fq": 354.79}

#: Who spaces the packets: nobody, the queue disc, the stack.
DISCS = ("pfifo_fast", "fq")
STACK = "pfifo_fast, pacing in the stack"

SECONDS = 10  #: length of a transfer
RTT_MS = 55
POLICER = {"rate": "1Gbps", "burst": "625KB"}
WINDOW_LIMIT = 1900  #: segments

#: Frames that may wait in a flow of FQ: its limit counts packets before segmentation in Linux.
FLOW_LIMIT = 10000

#: CUBIC, socket and FQ as of 2013. FQ of 3.12 waits for the last packet of a quantum only, which
#: is right for packets before segmentation; with frames it sends at almost twice the rate.
CUBIC_2013 = {"Profile": "2.6.39"}
SOCKET_2013 = {
    "EarliestDepartureTime": False,
    "SmallQueues": True,
    "SmallQueueMinimum": 131072,
    "PacingSlowStartRatioAlways": True,
    "LostRetransmissions": "NewData",
}
FQ_2013 = {
    "disc": "fq",
    "attributes": {"Model": "3.13", "LinkHeaderSize": 14, "FlowLimit": FLOW_LIMIT},
}

#: CUBIC, socket and FQ as of Linux 6.1.
CUBIC_6_1 = {"Profile": "5.16", "ClockTicksPerSecond": 250}
SOCKET_6_1 = {"LostRetransmissions": "AnyData"}
FQ_6_1 = {
    "disc": "fq",
    "attributes": {"Model": "6.1", "LinkHeaderSize": 14, "FlowLimit": FLOW_LIMIT},
}

KERNEL_RTT_MS = 50
KERNEL_SECONDS = 5
KERNEL_HOST_RATE = "800Mbps"  #: 15 us for a full frame

BURST_BYTES = 1500000
BOTTLENECK = {"rate": "100Mbps", "buffer": "50p"}  #: where a flow with idle times is slowest
DATA_BYTES = 200  #: packets of at least this size carry data, smaller ones are acknowledgements
LINE_GAP = 2e-6  #: packets closer than this left back to back at 10 Gbit/s (1.2 us a frame) (s)

#: Variants of the flow with idle times whose spacing is shown: disc, slow start after idle.
SPACINGS = (("pfifo_fast", False), ("fq", False), ("pfifo_fast", True))

#: One change each to the stream of the message.
SENSITIVITY: dict[str, Mapping[str, Any]] = {
    "bucket of 500 KB": {"policer.burst": "500KB"},
    "bucket of 750 KB": {"policer.burst": "750KB"},
    "policer of 500 Mbit/s": {"policer.rate": "500Mbps"},
    "RTT of 45 ms": {"rtt": "45ms"},
    "RTT of 65 ms": {"rtt": "65ms"},
    "sender at 1 Gbit/s": {"access_rate": "1Gbps"},
    "ACK jitter of 1 ms": {"sender_host.ack_jitter": "1ms"},
    "HyStart off": {"flows[0].congestion_attributes.SlowStartVariant": "Standard"},
    "window limit of 1700 segments": {"flows[0].window_limit": 1700},
    "first 16 segments acknowledged at once": {"receiver_host.quick_acks": 16},
}

#: One change each to the stream that was measured on Linux 6.1.
KERNEL_SENSITIVITY: dict[str, Mapping[str, Any]] = {
    "host of 600 Mbit/s": {"access_rate": "600Mbps"},
    "host of 1 Gbit/s": {"access_rate": "1Gbps"},
    "lost retransmissions found by timeout": {
        "flows[0].socket_attributes.LostRetransmissions": "Timeout"
    },
}


def start_us(run_number: int, rtt_ms: int) -> int:
    """Return the start of a run (us), spread evenly over one RTT."""
    return run_number * 618 % 1000 * rtt_ms


def scenario(variant: str, run_number: int) -> Dumbbell:
    """Return one stream of the message.

    :param variant: one of :data:`DISCS`, or :data:`STACK`
    :param run_number: number of the run; decides start phase and random streams
    """
    start = start_us(run_number, RTT_MS)
    flow: dict[str, Any] = {
        "congestion_control": "cubic",
        "congestion_attributes": CUBIC_2013,
        "socket_attributes": SOCKET_2013 | {"InternalPacing": variant == STACK},
        "window_limit": WINDOW_LIMIT,
        "start": f"{start}us",
    }
    if variant == STACK:
        # The socket paces when it has a limit; this one is never reached.
        flow["max_pacing_rate"] = "10Gbps"
    return dumbbell(
        rtt=f"{RTT_MS}ms",
        mss=1424,
        rate="10Gbps",
        access_rate="10Gbps",
        buffer="10000p",
        flows=[flow],
        sender_queue=FQ_2013 if variant == "fq" else "pfifo_fast",
        sender_host={"segmentation_offload": True},
        policer=POLICER,
        duration=f"{SECONDS * 1000000 + RTT_MS * 1000 + start}us",
        sample_interval="50ms",
        sample_queues=False,
        run_number=run_number,
    )


def kernel_rows(prefix: str) -> list[dict[str, str]]:
    """Return the measurements on Linux 6.1 whose label begins with a text."""
    source = resources.files(__package__).joinpath("data", "fq-linux-6.1.csv")
    with source.open(encoding="ascii", newline="") as file:
        return [row for row in csv.DictReader(file) if row["label"].startswith(prefix)]


def kernel_scenario(disc: str, run_number: int) -> Dumbbell:
    """Return the stream that was measured on Linux 6.1: policer of 400 Mbit/s, 100 KB."""
    start = start_us(run_number, KERNEL_RTT_MS)
    return dumbbell(
        rtt=f"{KERNEL_RTT_MS}ms",
        rate="10Gbps",
        access_rate=KERNEL_HOST_RATE,
        receiver_rate="10Gbps",
        buffer="10000p",
        timestamps=True,
        flows=[
            {
                "congestion_control": "cubic",
                "congestion_attributes": CUBIC_6_1,
                "socket_attributes": SOCKET_6_1,
                "start": f"{start}us",
            }
        ],
        sender_queue=FQ_6_1 if disc == "fq" else "pfifo_fast",
        sender_host={"segmentation_offload": True},
        policer={"rate": "400Mbps", "burst": "100KB"},
        duration=f"{KERNEL_SECONDS * 1000000 + KERNEL_RTT_MS * 1000 + start}us",
        run_number=run_number,
    )


def burst_scenario(disc: str, restart: bool, run_number: int, *, kernel: bool = False) -> Dumbbell:
    """Return a flow with idle times: bursts over 100 Mbit/s with a queue of 50 packets.

    :param restart: slow start after idle
    :param kernel: as measured on Linux 6.1, in which the idle times are about as long as the
        retransmission timeout; else with longer ones, and the stack of the message
    """
    sockets, congestion, fq = (
        (SOCKET_6_1, CUBIC_6_1, FQ_6_1) if kernel else (SOCKET_2013, CUBIC_2013, FQ_2013)
    )
    return dumbbell(
        rtt=f"{KERNEL_RTT_MS}ms",
        access_rate="10Gbps",
        reverse_rate="10Gbps",
        flows=[
            {
                "congestion_control": "cubic",
                "congestion_attributes": congestion,
                "socket_attributes": sockets | {"SlowStartAfterIdle": restart},
                "workload": "bursts",
                "bursts": {"bytes": BURST_BYTES, "period": "500ms" if kernel else "2s"},
            }
        ],
        sender_queue=fq if disc == "fq" else "pfifo_fast",
        sender_host={"segmentation_offload": True},
        duration="10s" if kernel else "22s",
        record_packets=["sender", "bottleneck"],
        run_number=run_number,
        **BOTTLENECK,
    )


def burst_name(disc: str, restart: bool) -> str:
    """Return the label of a flow with idle times."""
    return f"{disc}, slow start after idle {'on' if restart else 'off'}"


class Fq(Experiment):
    """One stream with either root queue disc, and a flow with idle times."""

    name = "fq"
    title = "FQ: a root queue disc that paces, against pfifo_fast"
    question = (
        "One TCP stream of ten seconds over a real-world path gets 85 Mbit/s with the default root "
        "queue disc and 355 Mbit/s with fq. And a flow that wakes from idle: can it keep its "
        "window if its packets are spaced?"
    )
    source = (
        "Seed: E. Dumazet, pkt_sched: fq: Fair Queue packet scheduler, netdev, 24 August 2013, with "
        "a tester's measurement. Kernel 6.1: measured in virtual time."
    )

    def parameters(self, options: Options) -> Sequence[Parameter]:
        seed, kernel = Origin.SEED, Origin.KERNEL
        assumption, calibration = Origin.ASSUMPTION, Origin.CALIBRATION
        return [
            Parameter("stream", f"{SECONDS}s bulk, MSS 1424", seed, "stated"),
            Parameter("root queue disc", "pfifo_fast or fq", seed, "the only difference"),
            Parameter("CUBIC", "Linux 2.6.39 to 3.18", kernel, "kernel of 2013"),
            Parameter(
                "fq", "Linux 3.13, rate mode", kernel,
                "3.12 paces the same packets before segmentation; frames, which the simulator "
                "counts, leave it at almost twice the rate",
            ),
            Parameter("pacing rate", "2 cwnd mss / srtt", kernel, "the rule of 3.12 to 4.2"),
            Parameter(
                "RTT samples", "from the hand-over to the queue disc", kernel, "before 4.20"
            ),
            Parameter("small queues", "max(128 KB, 1 ms of the rate)", kernel, "3.12 to 3.18"),
            Parameter(
                "lost retransmissions", "found by new data sent after them", kernel,
                "before RACK (4.18); with the kernel 6.1 stack by anything sent after them",
            ),
            Parameter("initial window", "10 segments", kernel, "since 2.6.39"),
            Parameter(
                "flow limit of fq", f"{FLOW_LIMIT} frames", assumption,
                "Linux counts 100 packets before segmentation, the simulator counts frames",
            ),
            Parameter("sender", "10 Gbit/s, segmentation offload", assumption, "as the message's example"),
            Parameter("start", "spread evenly over one RTT", assumption, "streams start at any time"),
            Parameter(
                "narrow place", f"policer {POLICER['rate']}, bucket {POLICER['burst']}", calibration,
                "the bucket holds what 5 ms bring at 1 Gbit/s, a common rule; the path is not known",
            ),
            Parameter(
                "RTT", f"{RTT_MS}ms", calibration,
                "bucket over RTT gives the throughput without pacing",
            ),
            Parameter(
                "window limit", f"{WINDOW_LIMIT} segments", calibration,
                "window over RTT bounds the throughput with pacing",
            ),
            Parameter(
                "kernel 6.1: sending host", KERNEL_HOST_RATE, calibration,
                "15 us a frame stand for the processing of the measured host, which had no line "
                "rate: estimated at 5 to 25 us, not measured",
            ),
            Parameter(
                "flow with idle times", "1.5 MB every 2 s", assumption,
                "idle for longer than the retransmission timeout, which slow start after idle needs",
            ),
            Parameter(
                "its path", "10 Gbit/s, then 100 Mbit/s", seed, "the message's example",
            ),
            Parameter(
                "its RTT and queue", f"{KERNEL_RTT_MS}ms, 50 packets", assumption,
                "a queue far smaller than the window, as large-BDP paths have",
            ),
        ]

    def cases(self, options: Options) -> Iterator[Case]:
        for variant in (*DISCS, STACK):
            for run in range(options.count(default=3, quick=1)):
                yield Case(
                    {"set": "seed", "variant": variant, "run": run + 1},
                    scenario(variant, options.seed + run),
                )
        for disc in DISCS:
            for run in range(options.count(default=20, quick=1)):
                yield Case(
                    {"set": "kernel", "variant": disc, "run": run + 1},
                    kernel_scenario(disc, options.seed + run),
                )
        for group in ("idle", "kernel idle"):
            for disc in DISCS:
                for restart in (False, True):
                    yield Case(
                        {"set": group, "variant": burst_name(disc, restart), "run": 1},
                        burst_scenario(
                            disc, restart, options.seed, kernel=group == "kernel idle"
                        ),
                    )
        if options.quick:
            return
        for name, change in KERNEL_SENSITIVITY.items():
            for disc in DISCS:
                yield Case(
                    {"set": "kernel sensitivity", "variant": f"{disc}: {name}", "run": 1},
                    kernel_scenario(disc, options.seed).replace(change),
                )
        for name, change in SENSITIVITY.items():
            for disc in DISCS:
                yield Case(
                    {"set": "sensitivity", "variant": f"{disc}: {name}", "run": 1},
                    scenario(disc, options.seed).replace({"sample_interval": "0s", **change}),
                )

    def analyse(self, runs: Sequence[Run], options: Options) -> Analysis:
        frame = run_frame(runs)
        gaps = gap_frame([run for run in runs if run["set"] == "idle"])
        seed = frame[frame["set"] == "seed"]
        tables = [
            comparison(seed), idle_table(frame), kernel_table(frame), kernel_idle_table(frame)
        ]
        if (frame["set"] == "sensitivity").any():
            tables += [sensitivity_table(frame), kernel_sensitivity_table(frame)]
        return Analysis(
            claims=judge(frame),
            tables=tables,
            figures=figures(frame, [run for run in runs if run["set"] == "seed"], gaps),
            data=[
                Dataset(
                    "runs",
                    frame,
                    {
                        "throughput": "Mbit/s",
                        "burst": "ms",
                        "exit_window": "segments",
                        "max_window": "segments",
                        "longest_train": "packets",
                    },
                ),
                Dataset("gaps", gaps, {"from": "s", "to": "s"}),
            ],
            notes=NOTES,
        )


def longest_train(times: numpy.ndarray) -> int:
    """Return the largest number of packets that left back to back.

    :param times: when packets left (s)
    """
    longest = current = min(len(times), 1)
    for earlier, later in zip(times, times[1:]):
        current = current + 1 if later - earlier < LINE_GAP else 1
        longest = max(longest, current)
    return longest


def run_frame(runs: Iterable[Run]) -> pandas.DataFrame:
    """Put what the analysis needs of each run into one row."""
    import pandas

    rows = []
    for run in runs:
        flow = run.result.flows.iloc[0]
        seconds = run.result.facts["simulated_time"] - flow["established"]
        train = burst = None
        if run["set"] in ("idle", "kernel idle"):
            train = longest_train(place_times(run, "sender"))
            burst = burst_ms(run.result.requests)
        exits = run.result.table("exits")
        rows.append(
            dict(run.labels)
            | {
                "throughput": flow["bytes_acked"] * 8e-6 / seconds,
                "bursts": int(flow["bytes_acked"]) // BURST_BYTES if train is not None else None,
                "burst": burst,
                "exit": exits["detector"].iloc[0] if len(exits) else "",
                "exit_window": int(exits["cwnd"].iloc[0]) if len(exits) else 0,
                "retransmits": int(flow["retransmits"]),
                "timeouts": int(flow["timeouts"]),
                "recoveries": int(flow["recoveries"]),
                "max_window": int(flow["max_cwnd"]),
                "longest_train": train,
            }
        )
    return pandas.DataFrame(rows)


def burst_ms(requests: pandas.DataFrame) -> float:
    """Return the median time of a burst after an idle time (ms).

    :param requests: the bursts that were completed, with start and completion (s)
    """
    later = requests[requests["index"] > requests["index"].min()]
    return float((later["completion"] - later["start"]).median() * 1e3)


def place_times(run: Run, place: str) -> numpy.ndarray:
    """Return when the packets with data of a run left a place (s)."""
    packets = run.result.table("packets")
    chosen = (packets["place"] == place) & (packets["size"] >= DATA_BYTES)
    return packets["time"][chosen].to_numpy()


def gap_frame(runs: Iterable[Run]) -> pandas.DataFrame:
    """Count the gaps between packets by length, in classes of a tenth of a decade."""
    import numpy
    import pandas

    edges = numpy.logspace(-7, 0, 71)
    frames = []
    for run in runs:
        for place in ("sender", "bottleneck"):
            gaps = numpy.diff(place_times(run, place))
            counts, _ = numpy.histogram(numpy.clip(gaps, edges[0], edges[-1]), edges)
            frames.append(
                pandas.DataFrame(
                    {
                        "variant": run["variant"],
                        "place": place,
                        "from": edges[:-1],
                        "to": edges[1:],
                        "gaps": counts,
                    }
                )
            )
    columns = ["variant", "place", "from", "to", "gaps"]
    return pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame(columns=columns)


def median(frame: pandas.DataFrame, group: str, variant: str) -> float:
    """Return the median throughput of the runs of one variant (Mbit/s)."""
    chosen = frame[(frame["set"] == group) & (frame["variant"] == variant)]
    return float(chosen["throughput"].median())


def within(value: float, target: float, share: float) -> bool:
    """Return whether a value differs from a target by at most a share of the target."""
    return abs(value - target) <= share * target


def kernel_mbps() -> dict[str, float]:
    """Return the throughput measured on Linux 6.1 by root queue disc (Mbit/s)."""
    return {row["qdisc"]: float(row["throughput_Mbps"]) for row in kernel_rows("bulk_pol400")}


def judge(frame: pandas.DataFrame) -> list[Claim]:
    """Compare the runs with the claims of the message and with the kernel's measurement.

    :param frame: the runs, see :func:`run_frame`
    """
    plain, paced, stack = (median(frame, "seed", name) for name in (*DISCS, STACK))
    claims = []
    for name, disc, value in (("FQ-1", "pfifo_fast", plain), ("FQ-2", "fq", paced)):
        claims.append(
            Claim(
                name,
                f"{SEED_MBPS[disc]} Mbit/s with {'the default' if disc != 'fq' else 'fq'}",
                value,
                "within 20 % (median)",
                within(value, SEED_MBPS[disc], 0.2),
            )
        )
    claims.append(
        Claim("FQ-3", "fq 4.16 times the default", paced / plain, "3.3 to 5.2", 3.3 <= paced / plain <= 5.2)
    )
    claims.append(
        Claim(
            "FQ-4",
            "a large gain from pacing inside the stack on the same path",
            stack / plain,
            "at least 2 times the default",
            stack / plain >= 2,
        )
    )
    measured = kernel_mbps()
    ours = {disc: median(frame, "kernel", disc) for disc in DISCS}
    ratio = ours["fq"] / ours["pfifo_fast"]
    claims.append(
        Claim(
            "FQ-6.1",
            measured,
            ours | {"ratio": ratio},
            "each median within 35 % of the kernel's, ratio 3 to 5",
            all(within(ours[disc], measured[disc], 0.35) for disc in DISCS) and 3 <= ratio <= 5,
        )
    )
    idle = frame[frame["set"] == "idle"].set_index("variant")
    keep, burst = idle.loc[burst_name("fq", False)], idle.loc[burst_name("pfifo_fast", False)]
    slow = [idle.loc[burst_name(disc, True)] for disc in DISCS]
    claims.append(
        Claim(
            "FQ-5",
            "paced, a flow that wakes with a large window needs no slow start after idle",
            {
                "fq, off: ms a burst": float(keep["burst"]),
                "fq, on": float(slow[1]["burst"]),
                "pfifo_fast, off": float(burst["burst"]),
                "pfifo_fast, on": float(slow[0]["burst"]),
                "fq, off: retransmits": int(keep["retransmits"]),
                "pfifo_fast, off: retransmits": int(burst["retransmits"]),
                "fq, off: longest train": int(keep["longest_train"]),
                "pfifo_fast, off: longest train": int(burst["longest_train"]),
            },
            "fq without slow start after idle sends a burst faster than any other, with at most "
            "half of the retransmits and half of the longest train of pfifo_fast without it",
            bool(
                all(keep["burst"] < other["burst"] for other in (burst, *slow))
                and 2 * keep["retransmits"] <= burst["retransmits"]
                and 2 * keep["longest_train"] <= burst["longest_train"]
            ),
        )
    )
    return claims


#: Columns that tell how a run lost.
_LOSS_COLUMNS = (
    Column("left slow start by", "segments"),
    Column("retransmits", digits=0),
    Column("timeouts", digits=0),
    Column("recoveries", digits=0),
    Column("largest window", "segments", 0),
)


def _losses(frame: pandas.DataFrame) -> list[Any]:
    """Return the values of :data:`_LOSS_COLUMNS`: medians, and how slow start ended."""
    names = ("retransmits", "timeouts", "recoveries", "max_window")
    return [leaving(frame), *(float(frame[name].median()) for name in names)]


def leaving(frame: pandas.DataFrame) -> str | None:
    """Return how runs left slow start, as ``train at 66``; None if they did not."""
    parts = []
    for detector, chosen in frame[frame["exit"] != ""].groupby("exit"):
        windows = sorted({int(chosen["exit_window"].min()), int(chosen["exit_window"].max())})
        parts.append(f"{detector} at {' to '.join(str(window) for window in windows)}")
    return "; ".join(parts) or None


def comparison(frame: pandas.DataFrame) -> Table:
    """Return the message's table with ours beside it."""
    rows = []
    for variant in (*DISCS, STACK):
        chosen = frame[frame["variant"] == variant]
        rates = chosen["throughput"]
        rows.append(
            [
                variant, SEED_MBPS.get(variant), float(rates.median()), float(rates.min()),
                float(rates.max()), len(chosen), *_losses(chosen),
            ]
        )
    return Table(
        "One stream of ten seconds",
        [
            Column("root queue disc"),
            Column("seed", "Mbit/s", 2),
            Column("ours, median", "Mbit/s", 2),
            Column("lowest", "Mbit/s", 1),
            Column("highest", "Mbit/s", 1),
            Column("runs", digits=0),
            *_LOSS_COLUMNS,
        ],
        rows,
        "Our columns on losses are medians.",
    )


def kernel_table(frame: pandas.DataFrame) -> Table:
    """Return the pair measured on Linux 6.1 with ours beside it."""
    rows = []
    for row in kernel_rows("bulk_pol400"):
        chosen = frame[(frame["set"] == "kernel") & (frame["variant"] == row["qdisc"])]
        rates = chosen["throughput"]
        rows.append(
            [
                row["qdisc"], float(row["throughput_Mbps"]), float(rates.median()),
                float(rates.min()), float(rates.max()), len(chosen), int(row["retrans"]),
                *_losses(chosen),
            ]
        )
    return Table(
        "Linux 6.1: policer of 400 Mbit/s with 100 KB, 50 ms, 5 s",
        [
            Column("root queue disc"),
            Column("kernel", "Mbit/s", 1),
            Column("ours, median", "Mbit/s", 1),
            Column("lowest", "Mbit/s", 1),
            Column("highest", "Mbit/s", 1),
            Column("runs", digits=0),
            Column("kernel, retransmits", digits=0),
            *_LOSS_COLUMNS,
        ],
        rows,
        "The kernel's figures are of one run.",
    )


def idle_table(frame: pandas.DataFrame) -> Table:
    """Return the flow with idle times, with the stack of the message."""
    idle = frame[frame["set"] == "idle"].set_index("variant")
    rows = []
    for disc in DISCS:
        for restart in (False, True):
            name = burst_name(disc, restart)
            ours = idle.loc[name]
            rows.append(
                [
                    name, float(ours["burst"]), BURST_BYTES * 8e-3 / float(ours["burst"]),
                    int(ours["retransmits"]), int(ours["timeouts"]), int(ours["longest_train"]),
                ]
            )
    return Table(
        "A flow with idle times: 1.5 MB every 2 s, 10 Gbit/s interface, 100 Mbit/s bottleneck",
        [
            Column("variant"),
            Column("a burst", "ms", 0),
            Column("throughput of a burst", "Mbit/s", 1),
            Column("retransmits", digits=0),
            Column("timeouts", digits=0),
            Column("longest train", "packets", 0),
        ],
        rows,
        "Eleven bursts; medians of those after an idle time. A train is what left the sender back "
        "to back, packets less than 2 us apart.",
    )


def kernel_idle_table(frame: pandas.DataFrame) -> Table:
    """Return the flow with idle times that was measured on Linux 6.1, the kernel's beside ours."""
    idle = frame[frame["set"] == "kernel idle"].set_index("variant")
    rows = []
    for row in kernel_rows("burst_shal"):
        name = burst_name(row["qdisc"], row["slow_start_after_idle"] == "1")
        ours = idle.loc[name]
        rows.append(
            [
                name, float(row["throughput_Mbps"]), float(ours["throughput"]), int(row["bursts"]),
                int(ours["bursts"]), int(row["retrans"]), int(ours["retransmits"]),
                int(row["timeouts"]), int(ours["timeouts"]), int(ours["longest_train"]),
            ]
        )
    return Table(
        "Linux 6.1: 1.5 MB every 0.5 s over 100 Mbit/s, 50 ms, queue of 50 packets",
        [
            Column("variant"),
            Column("kernel", "Mbit/s", 2),
            Column("ours", "Mbit/s", 2),
            Column("kernel, bursts", digits=0),
            Column("ours, bursts", digits=0),
            Column("kernel, retransmits", digits=0),
            Column("ours, retransmits", digits=0),
            Column("kernel, timeouts", digits=0),
            Column("ours, timeouts", digits=0),
            Column("ours, longest train", "packets", 0),
        ],
        rows,
        "The idle times are shorter than a retransmission timeout, so that slow start after idle "
        "hardly acts.",
    )


def sensitivity_table(frame: pandas.DataFrame) -> Table:
    """Return what becomes of the stream when one thing changes."""
    return _changes("Sensitivity: one thing changed", frame, "seed", "sensitivity", SENSITIVITY)


def kernel_sensitivity_table(frame: pandas.DataFrame) -> Table:
    """Return what becomes of the stream measured on Linux 6.1 when one thing changes."""
    return _changes(
        "Linux 6.1's stream: one thing changed",
        frame, "kernel", "kernel sensitivity", KERNEL_SENSITIVITY,
    )


def _changes(
    title: str, frame: pandas.DataFrame, base: str, group: str, changes: Iterable[str]
) -> Table:
    """Return a table of single changes.

    :param base: set of the runs that the changes are made to
    :param group: set of the changed runs
    """
    rows = [["as above", *(median(frame, base, disc) for disc in DISCS), None, None]]
    for name in changes:
        row: list[Any] = [name]
        ends = []
        for disc in DISCS:
            variant = f"{disc}: {name}"
            row.append(median(frame, group, variant))
            ends.append(leaving(frame[(frame["set"] == group) & (frame["variant"] == variant)]))
        rows.append(row + ends)
    for row, disc in ((rows[0], i) for i in range(2)):
        chosen = frame[(frame["set"] == base) & (frame["variant"] == DISCS[disc])]
        row[3 + disc] = leaving(chosen)
    return Table(
        title,
        [
            Column("change"),
            Column("pfifo_fast", "Mbit/s", 1),
            Column("fq", "Mbit/s", 1),
            Column("ratio", digits=2),
            Column("pfifo_fast left slow start by", "segments"),
            Column("fq left slow start by", "segments"),
        ],
        [[*row[:3], row[2] / row[1], *row[3:]] for row in rows],
        "One run each, except the first row.",
    )


def figures(
    frame: pandas.DataFrame, runs: Sequence[Run], gaps: pandas.DataFrame
) -> list[Figure]:
    """Return the plots: throughputs, windows, gaps between packets."""

    def bars(canvas: Canvas) -> None:
        panel = canvas.subplots()
        names = (*DISCS, STACK)
        ours = [median(frame, "seed", name) for name in names]
        panel.bar([-0.2, 0.8, 2], ours, 0.38, color=COLORS[0], label="ours")
        seed = list(SEED_MBPS.values())
        panel.bar([0.2, 1.2], seed, 0.38, color=COLORS[1], label="seed")
        panel.set_xticks(range(3), [name.replace(", ", ",\n") for name in names])
        panel.set_ylabel("throughput (Mbit/s)")
        panel.legend(loc="upper left")

    def windows(canvas: Canvas) -> None:
        panel = canvas.subplots()
        for color, variant in zip(COLORS, (*DISCS, STACK)):
            chosen = [run for run in runs if run["variant"] == variant]
            for i, run in enumerate(chosen):
                samples = run.result.samples
                panel.plot(
                    samples["time"], samples["cwnd"], color=color, linewidth=0.9,
                    label=variant if i == 0 else None,
                )
        panel.set_xlabel("time (s)")
        panel.set_ylabel("window (segments)")
        panel.legend()

    def spacing(canvas: Canvas) -> None:
        places = {"sender": "leaving the sender", "bottleneck": "leaving the bottleneck"}
        for panel, place in zip(panels(canvas, list(places.values())), places):
            for color, (disc, restart) in zip(COLORS, SPACINGS):
                name = burst_name(disc, restart)
                shown = gaps[(gaps["variant"] == name) & (gaps["place"] == place)]
                panel.step(shown["from"] * 1e6, shown["gaps"], where="post", color=color, label=name)
            panel.set_xscale("log")
            panel.set_yscale("symlog", linthresh=1)
            panel.set_ylabel("gaps")
            panel.legend()
        panel.set_xlabel("gap (us)")

    return [
        Figure("throughput", "Throughput", "Medians of our runs and the message's figures.", bars),
        Figure("windows", "Windows", "Congestion window of every run of the stream.", windows),
        Figure(
            "spacing",
            "Spacing of the packets of a flow with idle times",
            "Gaps between packets with data by length: 10 Gbit/s interface, 100 Mbit/s bottleneck. A "
            "full frame takes 1.2 us on the first and 119 us on the second.",
            spacing,
            (8.0, 6.0),
        ),
    ]


#: What a reader must know.
NOTES = (
    "Why pacing matters here: a policer has no queue, so nothing spaces the packets. Unpaced, each "
    "window of slow start stays one clump at the speed of the interface, and loses its tail when it "
    "is larger than the bucket; CUBIC takes seconds to come back. Paced, the window is spread over "
    "half of the RTT.",
    "The path of the message is not known. Bucket, RTT and window limit are calibration: they were "
    "chosen because the figures come out in a model of the mechanism. This shows what can explain "
    "the figures, not what was the cause.",
    "HyStart: the ACKs of a paced window come evenly, and its train detector ends slow start when "
    "they come for half of the RTT, which is just how long a window paced at twice its rate takes. "
    "Where it fires, at some 70 to 100 segments, CUBIC reaches the window limit after four seconds "
    "only: 260 to 280 Mbit/s. It does so with pacing in the stack, and with fq if the receiver "
    "acknowledges the first 16 segments at once. At other RTTs the delay detector may end slow start "
    "earlier still, because the wait in fq counts as RTT before 4.20. See the table of changes.",
    "Linux 6.1: the path is that of the measurement. The measured host had no line rate; what spaced "
    "its packets was its processing. Nothing in this path depends on when a stream starts, so the "
    "runs differ little, with fq hardly at all.",
    "The limit of a flow in fq counts packets of up to 64 KB before segmentation in Linux and frames "
    "in the simulator, so it is raised here.",
)

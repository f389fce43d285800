# SPDX-License-Identifier: GPL-2.0-only
"""The H-TCP seed: how long does a second flow take against an incumbent of the same algorithm?"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from .. import units
from ..plots import CONTROL_COLORS, Figure, panels
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
from .second_flow import MTU, fair_bps, spread, time_to_share

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure as Canvas

#: Sizes of the second flow (bytes).
SIZES = (100000, 300000, 500000, 1000000, 2000000, 3000000, 10000000)
QUICK_SIZES = (100000, 1000000, 10000000)
MIDDLE = (300000, 3000000)  #: smallest and largest of the middle sizes (bytes)

#: The algorithms compared, each with its attributes.
CONTROLS: dict[str, Mapping[str, str]] = {"cubic": {"Profile": "2.6.27"}, "htcp": {}}

SHARE = 0.8  #: part of the fair share to wait for
SHARE_WINDOW = 1.0  #: what it is averaged over (s)
WARMUP_US = 15000000  #: the incumbent alone (us)
GAP_US = 4000000  #: pause between two second flows (us)
OFFSET_US = 4000000  #: each second flow starts up to this much later (us)
PROBE_US = 12000000  #: length of the last second flow, which has no end (us)
PATIENCE = 4  #: a second flow may take this many times what it takes alone
PATIENCE_RTTS = 100  #: and so many RTTs
INITIAL_WINDOW = 3  #: segments
SAMPLE = "100ms"


@dataclass(frozen=True)
class Link:
    """A link of the experiment.

    :ivar name: name in the tables
    :ivar rate: towards the receivers
    :ivar reverse_rate: towards the senders
    :ivar rtt: base RTT
    :ivar buffer: packets
    """

    name: str
    rate: str
    reverse_rate: str
    rtt: str
    buffer: int

    @property
    def packet_time_ns(self) -> int:
        """Time that a full packet takes (ns)."""
        return MTU * 8 * 10**9 // units.rate_bps(self.rate)

    @property
    def buffer_bdp(self) -> float:
        """Buffer in bandwidth-delay products."""
        return self.buffer * self.packet_time_ns / units.time_ns(self.rtt)

    @property
    def text(self) -> str:
        """The link in one line."""
        return (
            f"{self.rate} down, {self.reverse_rate} up, RTT {self.rtt}, {self.buffer} packets "
            f"({self.buffer_bdp:.1f} BDP)"
        )


DSL = Link("DSL", "8Mbps", "640kbps", "30ms", 50)
INSTITUTE = Link("institute", "50Mbps", "50Mbps", "20ms", 100)
LINKS = (DSL, INSTITUTE)

#: Links around the DSL line, for the map.
MAP = tuple(
    Link("map", f"{rate}Mbps", f"{rate}Mbps", f"{rtt}ms", buffer)
    for rate, rtt, buffer in (
        (4, 30, 25),
        (16, 30, 100),
        (8, 30, 10),
        (8, 30, 120),
        (8, 60, 50),
        (8, 100, 100),
    )
)

#: Sizes of the map's second flows (bytes), each several times in a run.
MAP_SIZES = (300000, 1000000) * 3


@dataclass(frozen=True)
class Slot:
    """A second flow of a run.

    :ivar size: bytes, 0 for no limit
    :ivar start_us: when it starts (us)
    :ivar stop_us: when it gives up (us)
    """

    size: int
    start_us: int
    stop_us: int


def schedule(link: Link, sizes: Sequence[int], number: int, *, probe: bool) -> list[Slot]:
    """Return the second flows of a run: one after the other, with pauses for the incumbent.

    :param link: the link
    :param sizes: their sizes (bytes)
    :param number: number of the run; decides the start of each within its pause
    :param probe: whether a last one without an end follows
    """
    slots = []
    now = WARMUP_US
    for position, size in enumerate((*sizes, *((0,) if probe else ()))):
        start = now + spread(number + 7 * position, OFFSET_US)
        alone = size * 8 * 10**6 // units.rate_bps(link.rate)
        patience = PATIENCE * alone + PATIENCE_RTTS * units.time_ns(link.rtt) // 1000
        stop = start + (patience if size else PROBE_US)
        slots.append(Slot(size, start, stop))
        now = stop + GAP_US
    return slots


def scenario(
    link: Link, control: str, sizes: Sequence[int], number: int, *, probe: bool = True
) -> Dumbbell:
    """Return a run: an incumbent, and second flows one after the other.

    :param link: the link
    :param control: congestion control of all flows
    :param sizes: sizes of the second flows (bytes)
    :param number: number of the run
    :param probe: whether a last second flow without an end follows, for the share
    """
    flow = {
        "congestion_control": control,
        "congestion_attributes": CONTROLS[control],
        "initial_window": INITIAL_WINDOW,
    }
    slots = schedule(link, sizes, number, probe=probe)
    seconds = [
        flow
        | {
            "name": f"second{position}",
            "start": f"{slot.start_us}us",
            "stop": f"{slot.stop_us}us",
            "bytes": slot.size,
        }
        for position, slot in enumerate(slots)
    ]
    return dumbbell(
        flows=[flow | {"name": "incumbent"}, *seconds],
        rate=link.rate,
        reverse_rate=link.reverse_rate,
        rtt=link.rtt,
        buffer=f"{link.buffer}p",
        access_rate="1Gbps",
        sender_host={"ack_jitter": f"{link.packet_time_ns}ns"},
        duration=f"{slots[-1].stop_us}us",
        sample_interval=SAMPLE if probe else "0s",
        sample_queues=False,
        run_number=number,
    )


def kernel_ratios() -> dict[tuple[str, int], float]:
    """Return the ratios measured on Linux 6.1: link and size (bytes) -> CUBIC / H-TCP."""
    source = resources.files(__package__).joinpath("data", "htcp-linux-6.1.csv")
    with source.open(encoding="ascii", newline="") as file:
        return {
            (row["link"], int(row["size_B"])): float(row["ratio_median"])
            for row in csv.DictReader(file)
        }


def size_text(size: int) -> str:
    """Write a size for a reader."""
    return f"{size // 10**6} MB" if size >= 10**6 else f"{size // 1000} KB"


class Htcp(Experiment):
    """Completion time of a second flow, CUBIC against H-TCP."""

    name = "htcp"
    title = "H-TCP: completion time of a second flow"
    question = (
        "A bulk flow runs and a second one starts, both with CUBIC or both with H-TCP. Does the "
        "second take twice as long with CUBIC, most so with 1 MB on a DSL line?"
    )
    source = (
        "Seed: D. Leith, Re: [RFC] tcp: make H-TCP the default congestion control, netdev, "
        "28 November 2008. Kernel 6.1: measured in virtual time."
    )

    def parameters(self, options: Options) -> Sequence[Parameter]:
        seed, kernel = Origin.SEED, Origin.KERNEL
        assumption, calibration = Origin.ASSUMPTION, Origin.CALIBRATION
        return [
            Parameter("flows", "an incumbent and a second flow", seed, "stated"),
            Parameter(
                "congestion control", "the same for both flows", assumption,
                "our reading of the message",
            ),
            Parameter("CUBIC", "Linux 2.6.27", kernel, "of the day; partly inferred"),
            Parameter("H-TCP", "Linux", kernel, "fixed point, bandwidth switch, adaptive back-off"),
            Parameter(
                "initial window", f"{INITIAL_WINDOW} segments", kernel, "before 2.6.39"
            ),
            Parameter("slow start threshold", "infinite at the start", kernel, "no cached metrics"),
            Parameter("delayed ACKs", "every 2 segments, 40 ms", kernel, "the usual"),
            Parameter("queue disc of the sender", "none, no pacing", kernel, "before 3.12"),
            Parameter(
                DSL.name, DSL.text, calibration,
                "rate, RTT and buffer of 2008 are not known; these are where a simpler model had "
                "shown the effect",
            ),
            Parameter(INSTITUTE.name, INSTITUTE.text, calibration, "likewise"),
            Parameter(
                "ACK jitter", "uniform up to one packet time, order kept", assumption,
                "breaks the lock-step of drop-tail simulations; more of it lowers the ratio",
            ),
            Parameter(
                "incumbent alone", f"{WARMUP_US // 10**6} s, {GAP_US // 10**6} to "
                f"{(GAP_US + OFFSET_US) // 10**6} s and more between second flows", assumption,
                "second flows come one after the other, so that one incumbent serves all sizes",
            ),
            Parameter(
                "start of each second flow", f"spread evenly over {OFFSET_US // 10**6} s",
                assumption, "an epoch of the incumbent lasts about as long",
            ),
        ]

    def cases(self, options: Options) -> Iterator[Case]:
        count = options.count(default=10, quick=3)
        sizes = QUICK_SIZES if options.quick else SIZES
        for link in (DSL,) if options.quick else LINKS:
            for run in range(count):
                for control in CONTROLS:
                    yield Case(
                        {"set": link.name, "link": link.text, "control": control, "run": run + 1},
                        scenario(link, control, sizes, options.seed + run),
                    )
        if options.quick:
            return
        for link in MAP:
            for run in range(2):
                for control in CONTROLS:
                    yield Case(
                        {"set": "map", "link": link.text, "control": control, "run": run + 1},
                        scenario(link, control, MAP_SIZES, options.seed + run, probe=False),
                    )

    def analyse(self, runs: Sequence[Run], options: Options) -> Analysis:
        transfers, shares = transfer_frame(runs), share_frame(runs)
        main = transfers[transfers["set"] != "map"]
        summary = summarise(main)
        tables = [completion_table(summary), share_table(shares)]
        around = transfers[transfers["set"] == "map"]
        if len(around):
            tables.append(map_table(summarise(around)))
        return Analysis(
            claims=judge(summary, shares),
            tables=tables,
            figures=figures(summary, runs),
            data=[
                Dataset(
                    "transfers",
                    transfers,
                    {"size": "bytes", "start": "s", "completion": "s"},
                ),
                Dataset("shares", shares, {"time_to_share": "s"}),
            ],
            notes=notes(runs, transfers),
        )


def _slots(run: Run) -> list[Slot]:
    """Return the second flows of a run as they were asked for."""
    return [
        Slot(
            flow["bytes"],
            units.time_ns(flow["start"]) // 1000,
            units.time_ns(flow["stop"]) // 1000,
        )
        for flow in run.result.settings["flows"][1:]
    ]


def transfer_frame(runs: Sequence[Run]) -> pandas.DataFrame:
    """Put every transfer into one row; the completion of one that gave up is infinite."""
    import pandas

    rows = []
    for run in runs:
        flows = run.result.flows
        for position, slot in enumerate(_slots(run)):
            if slot.size == 0:
                continue
            flow = flows.iloc[1 + position]
            start = slot.start_us * 1e-6
            completion = float(flow["completion"]) - start
            rows.append(
                dict(run.labels)
                | {
                    "size": slot.size,
                    "start": start,
                    "completion": completion if completion == completion else float("inf"),
                    "retransmits": int(flow["retransmits"]),
                    "timeouts": int(flow["timeouts"]),
                }
            )
    return pandas.DataFrame(rows)


def share_frame(runs: Sequence[Run]) -> pandas.DataFrame:
    """Put the time to the share of every run that measured it into one row."""
    import pandas

    rows = []
    for run in runs:
        for position, slot in enumerate(_slots(run)):
            if slot.size:
                continue
            samples = run.result.samples
            start = slot.start_us * 1e-6
            chosen = samples[(samples["flow"] == 1 + position) & (samples["time"] >= start)]
            wanted = SHARE * fair_bps(run.result.settings["bottleneck_rate"])
            taken = time_to_share(
                chosen["time"], chosen["bytes_acked"], start, wanted, SHARE_WINDOW
            )
            rows.append(dict(run.labels) | {"time_to_share": taken})
    return pandas.DataFrame(rows)


def quantile(values: Any, q: float) -> float:
    """Return a quantile that is one of the values or between two finite ones.

    :param values: numbers, possibly infinite
    :param q: 0 to 1
    """
    import numpy

    ordered = sorted(float(value) for value in values)
    if not ordered:
        return float("nan")
    if numpy.isinf(ordered[-1]):
        return float(numpy.quantile(ordered, q, method="higher"))
    return float(numpy.quantile(ordered, q))


def summarise(transfers: pandas.DataFrame) -> pandas.DataFrame:
    """Return medians, quartiles and ratio: one row for each set, link and size."""
    import pandas

    rows = []
    for (group, link, size), chosen in transfers.groupby(["set", "link", "size"], sort=False):
        row: dict[str, Any] = {"set": group, "link": link, "size": size}
        for control in CONTROLS:
            times = chosen[chosen["control"] == control]["completion"]
            row[f"{control}_runs"] = len(times)
            for name, q in (("low", 0.25), ("median", 0.5), ("high", 0.75)):
                row[f"{control}_{name}"] = quantile(times, q)
        row["ratio"] = row["cubic_median"] / row["htcp_median"]
        rows.append(row)
    return pandas.DataFrame(rows)


def _ratios(summary: pandas.DataFrame, link: Link) -> dict[int, float]:
    """Return the ratios of a link by size (bytes)."""
    chosen = summary[summary["set"] == link.name]
    return {int(row["size"]): float(row["ratio"]) for _, row in chosen.iterrows()}


def _named(ratios: Mapping[int, float]) -> dict[str, float]:
    """Return ratios with their sizes written for a reader."""
    return {size_text(size): round(ratio, 2) for size, ratio in ratios.items()}


def judge(summary: pandas.DataFrame, shares: pandas.DataFrame) -> list[Claim]:
    """Compare the runs with the claims of the message.

    :param summary: see :func:`summarise`
    :param shares: see :func:`share_frame`
    """
    links = [link for link in LINKS if (summary["set"] == link.name).any()]
    slower = {}
    for link in links:
        medians = {
            control: quantile(
                shares[(shares["set"] == link.name) & (shares["control"] == control)][
                    "time_to_share"
                ],
                0.5,
            )
            for control in CONTROLS
        }
        slower[link.name] = medians["cubic"] / medians["htcp"]
    middle = {
        link.name: {
            size: ratio
            for size, ratio in _ratios(summary, link).items()
            if MIDDLE[0] <= size <= MIDDLE[1]
        }
        for link in links
    }
    dsl = _ratios(summary, DSL)
    largest = max(dsl, key=dsl.__getitem__)
    longest = max(dsl)
    every = [ratio for ratios in middle.values() for ratio in ratios.values()]
    return [
        Claim(
            "HT-0",
            "CUBIC converges slowly to fairness when a new flow starts",
            {f"{name}: time to share, CUBIC / H-TCP": value for name, value in slower.items()},
            "the second flow takes at least 1.5 times as long to 80 % of its fair share",
            all(value >= 1.5 for value in slower.values()),
        ),
        Claim(
            "HT-1",
            "completion times are about 2x longer with CUBIC, on both links",
            {name: _named(ratios) for name, ratios in middle.items()},
            "ratio of the medians 1.5 to 2.5 for 300 KB to 3 MB on both links",
            len(links) == len(LINKS) and all(1.5 <= ratio <= 2.5 for ratio in every),
        ),
        Claim(
            "HT-2",
            "on the DSL line the difference is largest for 1 MB",
            {"largest at": size_text(largest), "ratio": round(dsl[largest], 2)},
            "largest ratio on DSL between 300 KB and 2 MB, and above 1",
            300000 <= largest <= 2000000 and dsl[largest] > 1,
        ),
        Claim(
            "HT-3",
            "it washes out for long transfers (10 MB)",
            {"largest": round(dsl[largest], 2), size_text(longest): round(dsl[longest], 2)},
            "ratio at 10 MB on DSL at most 1.35, and below the largest",
            longest >= 10**7 and dsl[longest] <= 1.35 and dsl[longest] < dsl[largest],
        ),
    ]


def completion_table(summary: pandas.DataFrame) -> Table:
    """Return completion times and ratios, with those of Linux 6.1 beside them."""
    kernel = kernel_ratios()
    rows = []
    for _, row in summary.iterrows():
        size = int(row["size"])
        rows.append(
            [
                row["set"],
                size_text(size),
                *(
                    row[f"{control}_{name}"]
                    for control in CONTROLS
                    for name in ("median", "low", "high")
                ),
                row["ratio"],
                {("DSL", 10**6): "about 2, largest", ("DSL", 10**7): "washes out"}.get(
                    (row["set"], size), "about 2"
                ),
                kernel.get(("dsl4_100", size)),
                kernel.get(("dsl10_50", size)),
            ]
        )
    return Table(
        "Completion time of the second flow",
        [
            Column("link"),
            Column("size"),
            *(
                Column(f"{name} {what}", "s", 2)
                for name in ("CUBIC", "H-TCP")
                for what in ("median", "quartile 1", "quartile 3")
            ),
            Column("ratio ours", digits=2),
            Column("seed"),
            Column("kernel 6.1, 4 Mbit/s 100 ms", digits=2),
            Column("kernel 6.1, 10 Mbit/s 50 ms", digits=2),
        ],
        rows,
        "From the connect to the acknowledgement of the last byte. The ratio is that of the "
        "medians. The kernel's columns are CUBIC and H-TCP of Linux 6.1 on other links, "
        "with buffers of two bandwidth-delay products and an initial window of 10.",
    )


def share_table(shares: pandas.DataFrame) -> Table:
    """Return how long the second flow takes to its share."""
    rows = []
    for (link, control), chosen in shares.groupby(["set", "control"], sort=False):
        times = chosen["time_to_share"]
        rows.append([link, control, len(times), *(quantile(times, q) for q in (0.5, 0.25, 0.75))])
    return Table(
        f"Time of the second flow to {SHARE:.0%} of its fair share",
        [
            Column("link"),
            Column("congestion control"),
            Column("runs", digits=0),
            Column("median", "s", 2),
            Column("quartile 1", "s", 2),
            Column("quartile 3", "s", 2),
        ],
        rows,
        f"To the end of the first {SHARE_WINDOW:g} s in which it had that rate. A dash: not within "
        f"{PROBE_US // 10**6} s.",
    )


def map_table(summary: pandas.DataFrame) -> Table:
    """Return the ratios around the DSL line."""
    sizes = list(dict.fromkeys(summary["size"]))
    rows = []
    for link, chosen in summary.groupby("link", sort=False):
        ratios = dict(zip(chosen["size"], chosen["ratio"]))
        values = [float(ratios[size]) for size in sizes]
        rows.append([link, *values, all(1.5 <= value <= 2.5 for value in values)])
    count = int(summary["cubic_runs"].min())
    return Table(
        "Around the DSL line: ratio by rate, RTT and buffer",
        [
            Column("link"),
            *(Column(size_text(int(size)), digits=2) for size in sizes),
            Column("HT-1 holds"),
        ],
        rows,
        f"Medians of {count} transfers; expect a scatter of 0.2 to 0.4.",
    )


def figures(summary: pandas.DataFrame, runs: Sequence[Run]) -> list[Figure]:
    """Return the plots: completion time against size, windows beside a transfer of 1 MB."""
    names = list(dict.fromkeys(summary["set"]))
    labels = {"cubic": "CUBIC", "htcp": "H-TCP"}

    def completion(canvas: Canvas) -> None:
        for panel, name in zip(panels(canvas, names, columns=2), names):
            chosen = summary[summary["set"] == name].sort_values("size")
            megabytes = chosen["size"] * 1e-6
            for control in CONTROLS:
                color = CONTROL_COLORS[control]
                panel.plot(
                    megabytes, chosen[f"{control}_median"], "o-", color=color, markersize=4,
                    label=labels[control],
                )
                panel.fill_between(
                    megabytes, chosen[f"{control}_low"], chosen[f"{control}_high"], color=color,
                    alpha=0.2, linewidth=0,
                )
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xlabel("size (MB)")
            panel.set_ylabel("completion time (s)")
            panel.legend()

    def windows(canvas: Canvas) -> None:
        shown = [
            run
            for run in runs
            if run["set"] != "map" and run["run"] == 1
        ]
        titles = [f"{run['set']}, {labels[run['control']]}" for run in shown]
        grid = canvas.subplots(-(-len(shown) // 2), 2, squeeze=False)
        for panel, run, title in zip((cell for row in grid for cell in row), shown, titles):
            slots = _slots(run)
            position = next(i for i, slot in enumerate(slots) if slot.size == 10**6)
            start = slots[position].start_us * 1e-6
            samples = run.result.samples
            inside = samples["time"].between(start - 3, slots[position].stop_us * 1e-6)
            for flow, style, label in ((0, "-", "incumbent"), (1 + position, "--", "second")):
                chosen = samples[inside & (samples["flow"] == flow)]
                if flow:
                    done = float(run.result.flows["completion"].iloc[flow])
                    chosen = chosen[chosen["time"].between(start, done)]
                panel.plot(
                    chosen["time"] - start, chosen["cwnd"], style,
                    color=CONTROL_COLORS[run["control"]], linewidth=1, label=label,
                )
            panel.set_title(title, loc="left")
            panel.set_xlabel("time since the second flow's start (s)")
            panel.set_ylabel("window (segments)")
            panel.legend()

    return [
        Figure(
            "completion",
            "Completion time against size",
            "Medians, with the range between the quartiles.",
            completion,
        ),
        Figure(
            "windows",
            "Windows beside a transfer of 1 MB",
            "Congestion windows of both flows in the first run of each kind.",
            windows,
            (8.0, 6.0),
        ),
    ]


def notes(runs: Sequence[Run], transfers: pandas.DataFrame) -> list[str]:
    """Return what a reader must know."""
    gave_up = int((transfers["completion"] == float("inf")).sum())
    timeouts = int((transfers["timeouts"] > 0).sum())
    repeated = {
        control: sum(
            int(run.result.flows["recoveries"].iloc[0])
            for run in runs
            if run["control"] == control
        )
        for control in CONTROLS
    }
    return [
        "The links were chosen because a simpler model had shown the effect there. Rates, RTTs "
        "and buffers of 2008 are not known.",
        "Loss recovery is ns-3's, and it distorts the result. In traces its proportional rate "
        "reduction raises the data in flight in the first part of a recovery and sends nothing "
        "later. The queue is full then; losses of that surplus would lie beyond the recovery point "
        "and explain the second recovery that follows. On the DSL line a CUBIC incumbent alone enters recovery at 73 "
        "segments and goes to 51, and again 0.14 s later, to 36: it keeps half at every loss, as "
        "H-TCP does (73 to 37, once), instead of 0.7. Its epoch is then 7 s. With ns-3's classic "
        "recovery it reduces once (to 50, every 2.6 s) and H-TCP's incumbent is the same as "
        "before. That CUBIC gives away too little and returns too soon is what the message's "
        "claims rest on. To compare: set NS_ATTRIBUTE_DEFAULT to "
        "ns3::TcpL4Protocol::RecoveryType=ns3::TcpClassicRecovery, with --fresh and a --store of "
        "its own. "
        f"Recoveries of all incumbents: CUBIC {repeated['cubic']}, H-TCP {repeated['htcp']}.",
        f"{timeouts} of {len(transfers)} second flows had a retransmission timeout, {gave_up} did "
        "not finish in their time. ns-3 has no way but a timeout to notice that a retransmission "
        "was lost.",
    ]

# SPDX-License-Identifier: GPL-2.0-only
"""The NV seed: what does NV cost in throughput and gain in losses and short requests?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..plots import CONTROL_COLORS, Figure
from ..scenario import Dumbbell, Star, dumbbell, star
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

#: The congestion controls compared, in the order of the tables.
CONTROLS = ("reno", "cubic", "nv", "cdg")

#: Those that NV is compared with.
OTHERS = ("reno", "cubic", "cdg")

#: Numbers of flows into one server.
FLOWS = (1, 2, 4, 8, 16, 32, 64)

LARGE = 1000000  #: bytes of a large request
SMALL = 10000  #: bytes of a small request

#: Mean rate of the requests in the message (Mbit/s): control -> small, large.
SEED_RPC = {"nv": (1000.0, 3700.0)} | {control: (226.0, 4400.0) for control in OTHERS}

RTT = "30us"
BUFFER = "1MB"
POLL = "10us"
WINDOW_LIMIT = 170  #: segments
START_SPREAD_US = 1000  #: flows start within this time (us)
RPC_START_MS = 5  #: requests that begin before are not counted (ms)

#: One change each to the set-up, to see how much the result depends on it.
CHANGES: dict[str, Mapping[str, Any]] = {
    "as above": {},
    "buffer 512 KB": {"buffer": "512KB"},
    "buffer 4 MB": {"buffer": "4MB"},
    "RTT 20 us": {"rtt": "20us"},
    "RTT 50 us": {"rtt": "50us"},
    "two connections per pair": {"flows[*].rpc.connections": 2},
    "receive polling every 20 us": {"receiver_host.receive_poll_interval": "20us"},
    "receive polling every 30 us": {"receiver_host.receive_poll_interval": "30us"},
    "no segmentation offload": {"sender_host.segmentation_offload": False},
    "ideal hosts": {
        "sender_host.segmentation_offload": False,
        "receiver_host.receive_poll_interval": "0s",
    },
    "no limit of the window": {"flows[*].window_limit": 0},
}


def start_us(flow: int, run_number: int) -> int:
    """Return when a flow starts (us): spread over the first millisecond, otherwise in each run."""
    return (flow * 381 + run_number * 618) % START_SPREAD_US


def _transport(control: str) -> dict[str, Any]:
    """Return what the flows of all cases have in common."""
    return {
        "congestion_control": control,
        "congestion_attributes": {"Profile": "4.8"} if control == "nv" else {},
        "window_limit": WINDOW_LIMIT,
        "delayed_ack_timeout": "40ms",
        "min_rto": "5ms",
    }


def _hosts() -> dict[str, Any]:
    """Return the network and the hosts of all cases in the rack."""
    return {
        "rtt": RTT,
        "client_rate": "10Gbps",
        "server_rate": "10Gbps",
        "buffer": BUFFER,
        "sender_host": {"segmentation_offload": True},
        "receiver_host": {"receive_poll_interval": POLL},
    }


def bulk(control: str, flows: int, run_number: int, *, duration_ms: int = 40) -> Star:
    """Return bulk transfers from as many clients into one server.

    :param control: the congestion control of all flows
    :param flows: number of flows, each from a client of its own
    :param run_number: number of the run; decides start phases and random streams
    :param duration_ms: length of the run (ms); the steady window is its second half
    """
    return star(
        clients=flows,
        servers=1,
        flows=[
            _transport(control)
            | {
                "sender": f"client{i}",
                "receiver": "server0",
                "start": f"{start_us(i, run_number)}us",
            }
            for i in range(flows)
        ],
        duration=f"{duration_ms}ms",
        warmup=f"{duration_ms // 2}ms",
        run_number=run_number,
        **_hosts(),
    )


def requests(control: str, run_number: int, *, duration_ms: int = 25) -> Star:
    """Return the mixed case: two clients send large and small requests to two servers.

    :param control: the congestion control of all connections
    :param run_number: number of the run; decides the random streams
    :param duration_ms: length of the run (ms)
    """
    flows = [
        _transport(control)
        | {
            "name": f"{name}-{client}-{server}",
            "sender": f"client{client}",
            "receiver": f"server{server}",
            "workload": "rpc",
            "rpc": {"request_bytes": size, "response_bytes": 100, "start_jitter": "1ms"},
        }
        for client in range(2)
        for server in range(2)
        for name, size in (("large", LARGE), ("small", SMALL))
    ]
    return star(
        clients=2,
        servers=2,
        flows=flows,
        duration=f"{duration_ms}ms",
        warmup=f"{RPC_START_MS}ms",
        run_number=run_number,
        **_hosts(),
    )


def route_change() -> Dumbbell:
    """Return one NV flow whose RTT grows for good, long enough for two periods of its minimum."""
    return dumbbell(
        rate="100Mbps",
        access_rate="10Gbps",
        rtt="2ms",
        buffer="500p",
        flows=[{"congestion_control": "nv", "congestion_attributes": {"Profile": "4.8"}}],
        changes=[{"at": "1s", "rtt": "6ms"}],
        duration="9s",
        sample_interval="20ms",
        sample_queues=False,
    )


class Nv(Experiment):
    """Bulk flows into one server, and mixed requests."""

    name = "nv"
    title = "NV against Reno, CUBIC and CDG in a rack"
    question = (
        "One to 64 bulk flows into one server, and 1 MB and 10 KB requests of two clients to two "
        "servers. NV gives up some throughput with few flows, loses less, and keeps the queue "
        "short, so that small requests are answered faster."
    )
    source = "Seed: L. Brakmo, tcp: add NV congestion control, netdev, 25 August 2015."

    def parameters(self, options: Options) -> Sequence[Parameter]:
        seed, kernel = Origin.SEED, Origin.KERNEL
        assumption, calibration = Origin.ASSUMPTION, Origin.CALIBRATION
        return [
            Parameter("congestion controls", ", ".join(CONTROLS), seed, "stated"),
            Parameter("most flows into one server", 64, seed, "stated"),
            Parameter("requests", "1 MB and 10 KB, 2 clients, 2 servers", seed, "stated"),
            Parameter("NV", "Linux 4.8", kernel, "as merged after the message"),
            Parameter("initial window", "10 segments", kernel, "since 2.6.39"),
            Parameter(
                "smallest RTO", "5ms", assumption,
                "a setting for racks; with the default of 200 ms a flow that loses its last segments "
                "is silent for the rest of a short run",
            ),
            Parameter("longest wait of an ACK", "40ms", kernel, "default"),
            Parameter(
                "links", "10Gbps", assumption,
                "2 x 3.7 + 2 x 1.0 = 9.4 and 2 x 4.4 + 2 x 0.226 = 9.3 Gbit/s fill one such link",
            ),
            Parameter("RTT", RTT, assumption, "a rack; varied from 20 to 50 us"),
            Parameter("buffer of a switch port", BUFFER, assumption, "varied from 512 KB to 4 MB"),
            Parameter(
                "connections", "one per size, client and server", assumption,
                "each server's link carries two large and two small streams",
            ),
            Parameter(
                "segmentation offload", "up to 44 segments", assumption, "default of every host"
            ),
            Parameter(
                "steady window", "second half of a bulk run", assumption,
                "throughput and fairness are taken there; losses over the whole run",
            ),
            Parameter(
                "receive polling", f"{POLL}, random phase", calibration,
                "ACKs for many segments; NV's loss of throughput with one flow depends on it",
            ),
            Parameter(
                "window limit", f"{WINDOW_LIMIT} segments, all controls", calibration,
                "receive buffer of some 250 KB per connection; it, not loss, sets the queue that "
                "small requests wait in",
            ),
        ]

    def cases(self, options: Options) -> Iterator[Case]:
        count = options.count(default=3, quick=1)
        for flows in (1, 2, 16, 64) if options.quick else FLOWS:
            for control in CONTROLS:
                for run in range(count):
                    duration = 20 if options.quick else 40
                    yield Case(
                        {"set": "bulk", "variant": "", "control": control, "flows": flows, "run": run + 1},
                        bulk(control, flows, options.seed + run, duration_ms=duration),
                    )
        for control in CONTROLS:
            for run in range(count):
                yield Case(
                    {"set": "rpc", "variant": "", "control": control, "flows": 8, "run": run + 1},
                    requests(control, options.seed + run, duration_ms=15 if options.quick else 25),
                )
        if options.quick:
            return
        for name, change in CHANGES.items():
            for control in ("cubic", "nv"):
                request = {key: value for key, value in change.items() if ".rpc." in key}
                if not request:
                    yield Case(
                        {"set": "change bulk", "variant": name, "control": control, "flows": 1, "run": 1},
                        bulk(control, 1, options.seed, duration_ms=30).replace(change),
                    )
                yield Case(
                    {"set": "change rpc", "variant": name, "control": control, "flows": 8, "run": 1},
                    requests(control, options.seed, duration_ms=15).replace(change),
                )
        yield Case(
            {"set": "route", "variant": "", "control": "nv", "flows": 1, "run": 1}, route_change()
        )

    def analyse(self, runs: Sequence[Run], options: Options) -> Analysis:
        frame = run_frame(runs)
        means = mean_frame(frame)
        tables = [bulk_table(means), request_table(means)]
        if (means["set"] == "change rpc").any():
            tables.append(change_table(means))
        routes = [run for run in runs if run["set"] == "route"]
        tables += [route_table(run) for run in routes]
        return Analysis(
            claims=judge(means),
            tables=tables,
            figures=figures(means),
            data=[
                Dataset(
                    "runs",
                    frame,
                    {
                        "throughput": "Mbit/s",
                        "mean_rtt": "us",
                        "small_rate": "Mbit/s",
                        "large_rate": "Mbit/s",
                        "utilisation": "Mbit/s",
                        "max_queue": "bytes",
                    },
                )
            ],
            notes=notes(means),
        )


def jain(rates: Sequence[float]) -> float:
    """Return Jain's index of fairness: 1 if all rates are equal, 1/n if one has everything."""
    squares = sum(rate * rate for rate in rates)
    if not squares:
        return float("nan")
    return sum(rates) ** 2 / (len(rates) * squares)


def run_frame(runs: Iterable[Run]) -> pandas.DataFrame:
    """Put what the analysis needs of each run into one row."""
    import pandas

    rows = []
    for run in runs:
        flows = run.result.flows
        rates = [float(rate) / 1e6 for rate in flows["steady_goodput"]]
        row = dict(run.labels) | {
            "throughput": sum(rates),
            "jain": jain(rates),
            "losses": int(run.result.queues["dropped_packets"].sum()),
            "sent": int(flows["segments_sent"].sum()),
            "retransmits": int(flows["retransmits"].sum()),
            "timeouts": int(flows["timeouts"].sum()),
            "mean_rtt": float(flows["mean_rtt"].mean() * 1e6),
            "max_queue": int(run.result.queues["max_backlog_bytes"].max()),
            "small_rate": float("nan"),
            "large_rate": float("nan"),
            "utilisation": float("nan"),
        }
        if run["set"].endswith("rpc"):
            row |= request_rates(run)
            # Two servers, so two links.
            row["utilisation"] = row["throughput"] / 2
        rows.append(row)
    return pandas.DataFrame(rows)


def request_rates(run: Run) -> dict[str, float]:
    """Return the mean over requests of size over completion time, for each size (Mbit/s)."""
    done = run.result.requests
    done = done[done["start"] >= RPC_START_MS / 1e3]
    rates = done["bytes"] * 8e-6 / (done["completion"] - done["start"])
    small = done["bytes"] < LARGE
    return {"small_rate": float(rates[small].mean()), "large_rate": float(rates[~small].mean())}


def mean_frame(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Average over the runs of each case."""
    keys = ["set", "variant", "control", "flows"]
    return frame.drop(columns="run").groupby(keys, sort=False).mean().reset_index()


def _value(means: pandas.DataFrame, column: str, *, kind: str, control: str, **labels: Any) -> float:
    """Return one mean; not-a-number if there is no such case."""
    chosen = means[(means["set"] == kind) & (means["control"] == control)]
    for label, value in labels.items():
        chosen = chosen[chosen[label] == value]
    return float(chosen[column].iloc[0]) if len(chosen) else float("nan")


def _by_flows(means: pandas.DataFrame, column: str, control: str) -> dict[int, float]:
    """Return one column of the bulk cases of a congestion control: flows -> mean."""
    chosen = means[(means["set"] == "bulk") & (means["control"] == control)]
    return {int(n): float(v) for n, v in zip(chosen["flows"], chosen[column])}


def judge(means: pandas.DataFrame) -> list[Claim]:
    """Compare the means over runs with the claims of the message.

    :param means: see :func:`mean_frame`
    """
    return [
        judge_throughput(means),
        judge_fairness(means),
        judge_losses(means),
        judge_exception(means),
        judge_requests(means),
    ]


def judge_throughput(means: pandas.DataFrame) -> Claim:
    """NV-1: NV's throughput with one and two flows against the mean of the others."""
    deficits = {}
    for flows in (1, 2):
        ours = _value(means, "throughput", kind="bulk", control="nv", flows=flows)
        others = [
            _value(means, "throughput", kind="bulk", control=control, flows=flows)
            for control in OTHERS
        ]
        for control, rate in zip(OTHERS, others):
            deficits[f"{flows} flows, below {control} (%)"] = 100 * (1 - ours / rate)
    return Claim(
        "NV-1",
        "2 to 3 % less throughput than Reno, CUBIC and CDG with few flows",
        deficits,
        "1 to 5 % below each of the others with one and with two flows",
        all(1 <= value <= 5 for value in deficits.values()),
    )


def judge_fairness(means: pandas.DataFrame) -> Claim:
    """NV-2: NV's fairness is the lowest with few flows and at least as good from 16 on."""
    index = {control: _by_flows(means, "jain", control) for control in CONTROLS}
    few = [n for n in index["nv"] if 2 <= n <= 4]
    many = [n for n in index["nv"] if n >= 16]
    lowest = bool(few) and all(
        index["nv"][n] < min(index[control][n] for control in OTHERS) for n in few
    )
    equal = bool(many) and all(
        index["nv"][n] >= max(index[control][n] for control in OTHERS) - 0.005 for n in many
    )
    return Claim(
        "NV-2",
        "less fair with few flows, more fair with more",
        {f"{n} flows": {c: round(index[c][n], 3) for c in CONTROLS} for n in few + many},
        "Jain's index the lowest of all with two and four flows, and at least that of the others "
        "(within 0.005) from 16 flows on",
        lowest and equal,
    )


def judge_losses(means: pandas.DataFrame) -> Claim:
    """NV-3a: NV loses less than all others, with up to 32 flows and with requests."""
    losses = {control: _by_flows(means, "losses", control) for control in CONTROLS}
    table = {f"{n} flows": {c: losses[c][n] for c in CONTROLS} for n in losses["nv"] if n < 64}
    table["requests"] = {c: _value(means, "losses", kind="rpc", control=c) for c in CONTROLS}
    ours = [row["nv"] for row in table.values()]
    others = [min(row[c] for c in OTHERS) for row in table.values()]
    some = any(row[c] > 0 for row in table.values() for c in OTHERS)
    return Claim(
        "NV-3a",
        "fewer losses than all others, in many cases none",
        table,
        "never more than any other except with 64 flows, none in at least half of the cases, and "
        "the others lose packets in some",
        all(mine <= least for mine, least in zip(ours, others))
        and 2 * sum(mine == 0 for mine in ours) >= len(ours)
        and some,
    )


def judge_exception(means: pandas.DataFrame) -> Claim:
    """NV-3b: losses with 64 flows against those of CDG."""
    losses = {c: _value(means, "losses", kind="bulk", control=c, flows=64) for c in CONTROLS}
    ratios = {
        c: losses[c] / losses["cdg"] if losses["cdg"] > 0 else float("nan")
        for c in ("reno", "cubic", "nv")
    }
    return Claim(
        "NV-3b",
        "64 flows: NV 1.5, CUBIC 1.8 to 10, Reno about 1 times the losses of CDG",
        {"losses": losses, "times those of CDG": {c: round(r, 2) for c, r in ratios.items()}},
        "NV 1.2 to 2.0, CUBIC 1.8 to 10, Reno 0.7 to 1.4 times",
        1.2 <= ratios["nv"] <= 2.0
        and 1.8 <= ratios["cubic"] <= 10
        and 0.7 <= ratios["reno"] <= 1.4,
    )


def judge_requests(means: pandas.DataFrame) -> Claim:
    """NV-4: rates of the small and the large requests, and the use of the links."""
    ours = {}
    holds = True
    for control in CONTROLS:
        small, large, used = (
            _value(means, column, kind="rpc", control=control)
            for column in ("small_rate", "large_rate", "utilisation")
        )
        ours[control] = {
            "10 KB (Mbit/s)": small,
            "1 MB (Mbit/s)": large,
            "link (Mbit/s)": used,
        }
        expected = SEED_RPC[control]
        holds &= abs(small / expected[0] - 1) <= 0.3 and abs(large / expected[1] - 1) <= 0.15
    used = [row["link (Mbit/s)"] for row in ours.values()]
    return Claim(
        "NV-4",
        "10 KB at 1 Gbit/s and 1 MB at 3.7 Gbit/s with NV, 226 Mbit/s and 4.4 Gbit/s with the "
        "others; links used alike",
        ours,
        "10 KB within 30 %, 1 MB within 15 % of the seed for each, use of the links within 5 %",
        bool(holds and min(used) >= 0.95 * max(used)),
    )


def bulk_table(means: pandas.DataFrame) -> Table:
    """Return throughput, fairness and losses by control and number of flows."""
    chosen = means[means["set"] == "bulk"]
    return Table(
        "Bulk flows into one server",
        [
            Column("flows", digits=0),
            Column("control"),
            Column("throughput", "Mbit/s", 0),
            Column("Jain's index", digits=3),
            Column("losses", "packets", 1),
            Column("losses", "% of packets", 3),
            Column("timeouts", digits=1),
            Column("mean RTT", "us", 0),
            Column("longest queue", "KB", 0),
        ],
        [
            [
                int(row["flows"]),
                row["control"],
                float(row["throughput"]),
                float(row["jain"]),
                float(row["losses"]),
                float(100 * row["losses"] / row["sent"]),
                float(row["timeouts"]),
                float(row["mean_rtt"]),
                float(row["max_queue"] / 1e3),
            ]
            for _, row in chosen.iterrows()
        ],
        "Means over the runs of each case. Throughput and fairness in the second half of a run, "
        "losses and timeouts over all of it.",
    )


def request_table(means: pandas.DataFrame) -> Table:
    """Return the rates of the requests, seed's beside ours."""
    rows = []
    for control in CONTROLS:
        seed = SEED_RPC[control]
        small, large, used, losses, rtt = (
            _value(means, column, kind="rpc", control=control)
            for column in ("small_rate", "large_rate", "utilisation", "losses", "mean_rtt")
        )
        rows.append([control, seed[0], small, seed[1], large, used, losses, rtt])
    return Table(
        "Requests of 10 KB and 1 MB, two clients, two servers",
        [
            Column("control"),
            Column("10 KB seed", "Mbit/s", 0),
            Column("10 KB ours", "Mbit/s", 0),
            Column("1 MB seed", "Mbit/s", 0),
            Column("1 MB ours", "Mbit/s", 0),
            Column("use of a link", "Mbit/s", 0),
            Column("losses", "packets", 1),
            Column("mean RTT", "us", 0),
        ],
        rows,
        "Rate of a request: its size over the time from its first byte to its answer; the mean over "
        f"all requests that begin after {RPC_START_MS} ms.",
    )


def change_table(means: pandas.DataFrame) -> Table:
    """Return how the results depend on what the message leaves open."""
    rows = []
    for name in CHANGES:
        cubic, nv = (
            _value(means, "throughput", kind="change bulk", control=control, variant=name)
            for control in ("cubic", "nv")
        )
        row: list[Any] = [name, 100 * (1 - nv / cubic)]
        for control in ("cubic", "nv"):
            row += [
                _value(means, column, kind="change rpc", control=control, variant=name)
                for column in ("small_rate", "large_rate", "losses")
            ]
        rows.append(row)
    return Table(
        "What the results depend on: one thing changed, one run each",
        [
            Column("change"),
            Column("1 flow: NV below CUBIC", "%", 1),
            Column("CUBIC 10 KB", "Mbit/s", 0),
            Column("CUBIC 1 MB", "Mbit/s", 0),
            Column("CUBIC losses", "packets", 0),
            Column("NV 10 KB", "Mbit/s", 0),
            Column("NV 1 MB", "Mbit/s", 0),
            Column("NV losses", "packets", 0),
        ],
        rows,
        "The seed: 2 to 3 % below; 226 and 4400 Mbit/s with CUBIC, 1000 and 3700 Mbit/s with NV.",
    )


def route_table(run: Run) -> Table:
    """Return NV's throughput before and after its RTT grew for good."""
    samples = run.result.samples
    rows = []
    for begin, end in ((0.5, 1.0), (1.5, 2.0), (2.0, 3.0), (3.0, 5.0), (5.0, 7.0), (7.0, 9.0)):
        part = samples[(samples["time"] >= begin) & (samples["time"] <= end)]
        first, last = part.iloc[0], part.iloc[-1]
        acked = float(last["bytes_acked"]) - float(first["bytes_acked"])
        rows.append(
            [
                f"{begin:g} to {end:g}",
                acked * 8e-6 / float(last["time"] - first["time"]),
                float(part["cwnd"].mean()),
            ]
        )
    return Table(
        "NV when its RTT grows from 2 to 6 ms after 1 s (100 Mbit/s, one flow)",
        [Column("time", "s"), Column("throughput", "Mbit/s", 1), Column("window", "segments", 1)],
        rows,
        "NV takes the longer RTT for a queue until it replaces its smallest RTT: the first time "
        "2 s after the start by the minimum collected since then, which still has the old RTT in "
        "it, and again after 3.75 to 6.24 s.",
    )


def figures(means: pandas.DataFrame) -> list[Figure]:
    """Return the plots: throughput, fairness and losses by flows, and the requests."""

    def by_flows(column: str, label: str, *, logarithmic: bool = False) -> Any:
        def draw(canvas: Canvas) -> None:
            panel = canvas.subplots()
            for control in CONTROLS:
                values = _by_flows(means, column, control)
                panel.plot(
                    list(values), list(values.values()), marker="o", markersize=4,
                    color=CONTROL_COLORS[control], label=control,
                )
            panel.set_xscale("log", base=2)
            panel.set_xticks(list(values), [str(n) for n in values])
            if logarithmic:
                panel.set_yscale("symlog", linthresh=1)
                panel.set_ylim(bottom=0)
            panel.set_xlabel("flows")
            panel.set_ylabel(label)
            panel.legend()

        return draw

    def rpc(canvas: Canvas) -> None:
        axes = canvas.subplots(1, 2)
        for panel, column, title, seed in (
            (axes[0], "small_rate", "10 KB requests", 0),
            (axes[1], "large_rate", "1 MB requests", 1),
        ):
            for place, control in enumerate(CONTROLS):
                value = _value(means, column, kind="rpc", control=control)
                panel.bar(place, value, 0.6, color=CONTROL_COLORS[control])
                panel.plot(
                    [place - 0.4, place + 0.4], [SEED_RPC[control][seed]] * 2, color="#D55E00"
                )
            panel.set_xticks(range(len(CONTROLS)), CONTROLS)
            panel.set_title(title, loc="left")
            panel.set_ylabel("mean rate (Mbit/s)")

    return [
        Figure(
            "throughput", "Throughput", "Sum over the flows, mean over runs.",
            by_flows("throughput", "throughput (Mbit/s)"),
        ),
        Figure(
            "fairness", "Fairness", "Jain's index of the flows' throughputs, mean over runs.",
            by_flows("jain", "Jain's index"),
        ),
        Figure(
            "losses", "Losses", "Packets dropped in a run, mean over runs.",
            by_flows("losses", "packets lost", logarithmic=True),
        ),
        Figure(
            "requests", "Requests", "Mean rate of the requests; the lines are the seed's figures.",
            rpc,
        ),
    ]


def notes(means: pandas.DataFrame) -> list[str]:
    """Return what a reader must know."""
    return [
        "Runs are short, tens of milliseconds or some hundred round trips, because 10 Gbit/s is "
        "costly to simulate. They show the start and the time after it; NV replaces its smallest RTT "
        "only after seconds, which the run with one flow at 100 Mbit/s shows.",
        "Two things carry NV-4. With Reno, CUBIC and CDG the limit of the window fills the port "
        "with what two connections may have in flight; NV keeps ten segments a connection. The "
        "table of changes shows what becomes of it without the limit.",
    ]

# SPDX-License-Identifier: GPL-2.0-only
"""The NV seed: what does NV cost in throughput and gain in losses and short requests?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from ..plots import CONTROL_COLORS, Figure
from ..scenario import Dumbbell, Star, dumbbell, star
from ..units import time_ns
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
    show,
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

RTT = "20us"
BUFFER = "2MB"
POLL = "10us"
PAUSE = "1ms"
PAUSE_INTERVAL = "12ms"
WINDOW_LIMIT = 195  #: segments
MSS = 1448  #: payload of a full segment (bytes)
WIRE = MSS + 42  #: the same with the headers of TCP, IP and PPP (bytes)
START_SPREAD_US = 100000  #: bulk flows start within this time (us)
RPC_START_MS = 5  #: requests that begin before are not counted (ms)
RESET_MS = 2000  #: NV replaces its smallest RTT for the first time (ms)
LONG_FLOWS = (16, 64)  #: numbers of flows that go on beyond it

#: One change each to the set-up, to see how much the results depend on it.
CHANGES: dict[str, Mapping[str, Any]] = {
    "as above": {},
    "buffer 512 KB": {"buffer": "512KB"},
    "buffer 1 MB": {"buffer": "1MB"},
    "buffer 4 MB": {"buffer": "4MB"},
    "RTT 30 us": {"rtt": "30us"},
    "RTT 50 us": {"rtt": "50us"},
    "two connections per pair": {"flows[*].rpc.connections": 2},
    "pauses of 100 us every 3 ms": {
        "receiver_host.pause_length": "100us",
        "receiver_host.pause_interval": "3ms",
    },
    "pauses of 0.5 ms": {"receiver_host.pause_length": "500us"},
    "no pauses": {"receiver_host.pause_length": "0s"},
    "receive polling every 20 us": {"receiver_host.receive_poll_interval": "20us"},
    "no receive polling": {"receiver_host.receive_poll_interval": "0s"},
    "no segmentation offload": {"sender_host.segmentation_offload": False},
    "ideal hosts": {
        "sender_host.segmentation_offload": False,
        "receiver_host.receive_poll_interval": "0s",
        "receiver_host.pause_length": "0s",
    },
    "delayed ACKs": {"flows[*].delayed_ack_count": 2},
    "no limit of the window": {"flows[*].window_limit": 0},
}

#: Changes that only many bulk flows can show: arguments of :func:`bulk`.
CROWD_CHANGES: dict[str, Mapping[str, int]] = {
    "starts within 20 ms": {"start_spread_us": 20000},
    "eight clients": {"clients": 8},
}

#: Numbers of flows for which the changes are made besides the requests.
CHANGE_FLOWS = (1, 64)

CHANGE_WINDOW_MS = (150, 200)  #: steady window of the bulk runs with a change (ms)


def start_us(flow: int, run_number: int, spread_us: int = START_SPREAD_US) -> int:
    """Return when a flow starts (us): spread evenly, otherwise in each run.

    The fractional parts of multiples of 0.382, the golden section, lie evenly for any number of flows.

    :param flow: number of the flow, from 0
    :param run_number: number of the run
    :param spread_us: all flows start within this time (us)
    """
    return (flow * spread_us * 38195 // 100000 + run_number * 12361) % spread_us


def steady_ms(flows: int, *, quick: bool = False) -> tuple[int, int]:
    """Return where the steady window of a bulk run begins and where the run ends (ms).

    Few flows meet few pauses of the receiver in a short window, and need a longer one.
    """
    if quick:
        return 110, 150
    return (200, 300) if flows >= 16 else (200, 400)


def _transport(control: str) -> dict[str, Any]:
    """Return what the flows of all cases have in common."""
    return {
        "congestion_control": control,
        "congestion_attributes": {"Profile": "4.8"} if control == "nv" else {},
        "window_limit": WINDOW_LIMIT,
        "delayed_ack_count": 1,
        "min_rto": "5ms",
        "socket_attributes": {"LostRetransmissions": "NewData"},
    }


def _hosts() -> dict[str, Any]:
    """Return the network and the hosts of all cases in the rack."""
    return {
        "rtt": RTT,
        "client_rate": "10Gbps",
        "server_rate": "10Gbps",
        "buffer": BUFFER,
        "mss": MSS,
        "sender_host": {"segmentation_offload": True},
        "receiver_host": {
            "receive_poll_interval": POLL,
            "pause_length": PAUSE,
            "pause_interval": PAUSE_INTERVAL,
        },
        "sample_interval": "1ms",
        "sample_flows": False,
    }


def bulk(
    control: str,
    flows: int,
    run_number: int,
    *,
    window_ms: tuple[int, int],
    clients: int = max(FLOWS),
    start_spread_us: int = START_SPREAD_US,
) -> Star:
    """Return bulk transfers into one server.

    :param control: the congestion control of all flows
    :param flows: number of flows
    :param run_number: number of the run; decides start phases and random streams, alike for all
        congestion controls
    :param window_ms: start and end of the steady window; the end is that of the run (ms)
    :param clients: hosts that the flows come from, at most; each flow has its own if they suffice
    :param start_spread_us: all flows start within this time (us)
    """
    clients = min(clients, flows)
    return star(
        clients=clients,
        servers=1,
        flows=[
            _transport(control)
            | {
                "sender": f"client{i % clients}",
                "receiver": "server0",
                "start": f"{start_us(i, run_number, start_spread_us)}us",
            }
            for i in range(flows)
        ],
        warmup=f"{window_ms[0]}ms",
        duration=f"{window_ms[1]}ms",
        run_number=run_number,
        **_hosts(),
    )


def long_bulk(flows: int, run_number: int) -> Star:
    """Return bulk transfers with NV that go on after it has replaced its smallest RTT.

    :param flows: number of flows
    :param run_number: number of the run
    """
    return bulk("nv", flows, run_number, window_ms=(RESET_MS, RESET_MS + 500)).replace(
        {"sample_flows": True, "sample_interval": "10ms"}
    )


def requests(control: str, run_number: int, *, duration_ms: int = 40) -> Star:
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
            Parameter(
                "lost retransmissions", "found by new data sent after them", kernel, "until Linux 4.17"
            ),
            Parameter("initial window", "10 segments", kernel, "since 2.6.39"),
            Parameter(
                "smallest RTO", "5ms", assumption,
                "set for the rack (ip route ... rto_min); with the default of 200 ms a flow that "
                "loses its last segments is silent for the rest of a short run",
            ),
            Parameter(
                "ACKs", "no delay", assumption,
                "set for the rack (ip route ... quickack 1), as a delay of up to 40 ms would outlast "
                "the smallest RTO",
            ),
            Parameter(
                "links", "10Gbps", assumption,
                "2 x 3.7 + 2 x 1.0 = 9.4 and 2 x 4.4 + 2 x 0.226 = 9.3 Gbit/s fill one such link",
            ),
            Parameter("RTT", RTT, assumption, "a rack; varied from 20 to 50 us"),
            Parameter(
                "buffer of a switch port", BUFFER, calibration,
                "twice NV's ten segments of each of 64 flows, so that they lose nothing once they know "
                "their smallest RTTs (NV-2); varied from 512 KB to 4 MB",
            ),
            Parameter(
                "connections", "one per size, client and server", assumption,
                "each server's link carries two large and two small streams",
            ),
            Parameter(
                "segmentation offload", "up to 44 segments", assumption, "default of every host"
            ),
            Parameter(
                "receive polling", f"{POLL}, random phase", assumption, "interrupt moderation and GRO"
            ),
            Parameter(
                "starts", f"spread over {START_SPREAD_US // 1000} ms", assumption,
                "programs that a script starts; alike for all congestion controls; varied, 20 ms",
            ),
            Parameter(
                "steady window", "200 to 400 ms; 200 to 300 ms from 16 flows on", assumption,
                "throughput and fairness are taken there; losses over the whole run, as a test counts "
                "them, and those of the steady window beside",
            ),
            Parameter(
                "pauses of the receiver", f"{PAUSE}, {PAUSE_INTERVAL} apart (mean, exponential)",
                calibration,
                "a processor that does something else for a tick now and then; longer than what NV keeps "
                "in the queue, so that the link idles (NV-1), and long enough for the port to drain, so "
                "that NV flows find much the same smallest RTT (NV-2, NV-3a)",
            ),
            Parameter(
                "window limit", f"{WINDOW_LIMIT} segments, all controls", calibration,
                "receive buffer of some 280 KB per connection; it, not loss, sets the queue that "
                "small requests wait in (NV-4)",
            ),
        ]

    def cases(self, options: Options) -> Iterator[Case]:
        count = options.count(default=3, quick=1)

        def case(kind: str, control: str, flows: int, run: int, scenario: Any, variant: str = "") -> Case:
            labels = {"set": kind, "variant": variant, "control": control, "flows": flows, "run": run}
            return Case(labels, scenario)

        for flows in (1, 2, 16, 64) if options.quick else FLOWS:
            window = steady_ms(flows, quick=options.quick)
            for control in CONTROLS:
                for run in range(count):
                    scenario = bulk(control, flows, options.seed + run, window_ms=window)
                    yield case("bulk", control, flows, run + 1, scenario)
        for control in CONTROLS:
            for run in range(count):
                scenario = requests(
                    control, options.seed + run, duration_ms=20 if options.quick else 40
                )
                yield case("rpc", control, 8, run + 1, scenario)
        if options.quick:
            return
        for flows in LONG_FLOWS:
            yield case("long", "nv", flows, 1, long_bulk(flows, options.seed))
        for name, change in CHANGES.items():
            of_requests = any(".rpc." in key for key in change)
            for flows in () if of_requests else CHANGE_FLOWS:
                for control in ("cubic", "nv") if flows == 1 else CONTROLS:
                    scenario = bulk(control, flows, options.seed, window_ms=CHANGE_WINDOW_MS).replace(change)
                    yield case("change bulk", control, flows, 1, scenario, name)
            for control in ("cubic", "nv"):
                scenario = requests(control, options.seed, duration_ms=20).replace(change)
                yield case("change rpc", control, 8, 1, scenario, name)
        flows = max(CHANGE_FLOWS)
        for name, arguments in CROWD_CHANGES.items():
            for control in CONTROLS:
                scenario = bulk(
                    control, flows, options.seed, window_ms=CHANGE_WINDOW_MS, **arguments
                )
                yield case("change bulk", control, flows, 1, scenario, name)
        yield case("route", "nv", 1, 1, route_change())

    def analyse(self, runs: Sequence[Run], options: Options) -> Analysis:
        frame = run_frame(runs)
        means = mean_frame(frame)
        tables = [claim_table(judge(means)), bulk_table(means), request_table(means)]
        if (means["set"] == "change rpc").any():
            tables += [change_table(means), crowd_table(means)]
        tables += [reset_table(run) for run in runs if run["set"] == "long"]
        tables += [route_table(run) for run in runs if run["set"] == "route"]
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
                        "losses": "packets",
                        "steady_losses": "packets",
                        "mean_rtt": "us",
                        "mean_queue": "bytes",
                        "max_queue": "bytes",
                        "small_rate": "Mbit/s",
                        "large_rate": "Mbit/s",
                    },
                )
            ],
            notes=notes(),
        )


def jain(rates: Sequence[float]) -> float:
    """Return Jain's index of fairness: 1 if all rates are equal, 1/n if one has everything."""
    squares = sum(rate * rate for rate in rates)
    if not squares:
        return nan
    return sum(rates) ** 2 / (len(rates) * squares)


@dataclass(frozen=True)
class Port:
    """What the ports to the servers did, in the steady window unless stated.

    :ivar throughput: payload per second, the mean over the ports (Mbit/s)
    :ivar losses: packets dropped in the whole run, all ports
    :ivar steady_losses: packets dropped in the steady window, all ports
    :ivar mean_queue: mean of what waited at a port (bytes)
    """

    throughput: float
    losses: int
    steady_losses: int
    mean_queue: float


def port_figures(queues: pandas.DataFrame, samples: pandas.DataFrame, begin: float) -> Port:
    """Take the figures of the servers' ports from their time series.

    Acknowledged bytes are no measure of a short window: an acknowledgement that fills a hole counts
    what has come long before.

    :param queues: the queues of a run
    :param samples: their time series
    :param begin: start of the steady window (s)
    """
    places = [i for i, name in enumerate(queues["name"]) if " to server" in name]
    rates, losses, steady_losses, backlogs = [], 0, 0, []
    for place in places:
        port = samples[(samples["queue"] == place) & (samples["time"] >= begin - 1e-9)]
        first, last = port.iloc[0], port.iloc[-1]
        sent = float(last["sent_bytes"] - first["sent_bytes"]) * MSS / WIRE
        rates.append(sent * 8e-6 / float(last["time"] - first["time"]))
        losses += int(last["drops"])
        steady_losses += int(last["drops"] - first["drops"])
        backlogs.append(float(port["bytes"].mean()))
    count = len(places)
    return Port(sum(rates) / count, losses, steady_losses, sum(backlogs) / count)


def run_frame(runs: Iterable[Run]) -> pandas.DataFrame:
    """Put what the analysis needs of each run in the rack into one row."""
    import pandas

    rows = []
    for run in runs:
        if run["set"] == "route":
            continue
        result = run.result
        flows = result.flows
        begin = time_ns(result.settings["warmup"], "warmup") / 1e9
        port = port_figures(result.queues, result.table("queue_samples"), begin)
        row = dict(run.labels) | {
            "throughput": port.throughput,
            "jain": jain([float(rate) for rate in flows["steady_goodput"]]),
            "losses": port.losses,
            "steady_losses": port.steady_losses,
            "timeouts": int(flows["timeouts"].sum()),
            "mean_rtt": float(flows["mean_rtt"].mean() * 1e6),
            "mean_queue": port.mean_queue,
            "max_queue": int(result.queues["max_backlog_bytes"].max()),
            "small_rate": nan,
            "large_rate": nan,
        }
        if run["set"].endswith("rpc"):
            row |= request_rates(run)
        rows.append(row)
    return pandas.DataFrame(rows)


def request_rates(run: Run) -> dict[str, float]:
    """Return what the connections of each size average (Mbit/s).

    The rate of a request is its size over the time it takes; a connection's is the mean over its
    requests, and that of a size the mean over its connections, so that one which is faster than the
    others, and so has more requests, counts once.
    """
    done = run.result.requests
    done = done[done["start"] >= RPC_START_MS / 1e3]
    # The bytes of a request are those of its answer too.
    size = (done["bytes"] >= LARGE).map({True: LARGE, False: SMALL}).astype("int64")
    rates = size * 8e-6 / (done["completion"] - done["start"])
    means = rates.groupby([size, done["flow"]]).mean().groupby(level=0).mean()
    return {"small_rate": float(means.get(SMALL, nan)), "large_rate": float(means.get(LARGE, nan))}


def mean_frame(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Average over the runs of each case."""
    keys = ["set", "variant", "control", "flows"]
    return frame.drop(columns="run").groupby(keys, sort=False).mean().reset_index()


def _value(means: pandas.DataFrame, column: str, *, kind: str, control: str, **labels: Any) -> float:
    """Return one mean; not-a-number if there is no such case."""
    chosen = means[(means["set"] == kind) & (means["control"] == control)]
    for label, value in labels.items():
        chosen = chosen[chosen[label] == value]
    return float(chosen[column].iloc[0]) if len(chosen) else nan


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
    losses, steady = (
        {c: _value(means, column, kind="bulk", control=c, flows=64) for c in CONTROLS}
        for column in ("losses", "steady_losses")
    )
    ratios = _over_cdg(losses)
    return Claim(
        "NV-3b",
        "64 flows: NV 1.5, CUBIC 1.8 to 10, Reno about 1 times the losses of CDG",
        {
            "losses": losses,
            "times those of CDG": _rounded(ratios),
            "in the steady window": _rounded(_over_cdg(steady)),
        },
        "NV 1.2 to 2.0, CUBIC 1.8 to 10, Reno 0.7 to 1.4 times",
        1.2 <= ratios["nv"] <= 2.0
        and 1.8 <= ratios["cubic"] <= 10
        and 0.7 <= ratios["reno"] <= 1.4,
    )


def _over_cdg(losses: Mapping[str, float]) -> dict[str, float]:
    """Return losses over those of CDG; not-a-number if CDG has none."""
    return {
        control: losses[control] / losses["cdg"] if losses["cdg"] > 0 else nan
        for control in ("reno", "cubic", "nv")
    }


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    """Round to two digits for a reader."""
    return {name: round(value, 2) for name, value in values.items()}


def judge_requests(means: pandas.DataFrame) -> Claim:
    """NV-4: rates of the small and the large requests, and the use of the links."""
    ours = {}
    holds = True
    for control in CONTROLS:
        small, large, used = (
            _value(means, column, kind="rpc", control=control)
            for column in ("small_rate", "large_rate", "throughput")
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


def claim_table(claims: Sequence[Claim]) -> Table:
    """Return the message's claims beside ours."""
    return Table(
        "The claims of the message",
        [Column("claim"), Column("seed"), Column("ours"), Column("holds")],
        [[claim.id, claim.seed, show(claim.ours), claim.holds] for claim in claims],
        "See the claims for what is expected of each.",
        terminal=False,
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
            Column("in the steady window", "packets", 1),
            Column("timeouts", digits=1),
            Column("mean RTT", "us", 0),
            Column("mean queue", "KB", 0),
            Column("longest queue", "KB", 0),
        ],
        [
            [
                int(row["flows"]),
                row["control"],
                float(row["throughput"]),
                float(row["jain"]),
                float(row["losses"]),
                float(row["steady_losses"]),
                float(row["timeouts"]),
                float(row["mean_rtt"]),
                float(row["mean_queue"] / 1e3),
                float(row["max_queue"] / 1e3),
            ]
            for _, row in chosen.iterrows()
        ],
        "Means over the runs of each case. Throughput (payload that left the port), fairness and mean "
        "queue in the steady window; losses, timeouts, RTT and longest queue over the whole run.",
    )


def request_table(means: pandas.DataFrame) -> Table:
    """Return the rates of the requests, seed's beside ours."""
    rows = []
    for control in CONTROLS:
        seed = SEED_RPC[control]
        small, large, used, losses, rtt = (
            _value(means, column, kind="rpc", control=control)
            for column in ("small_rate", "large_rate", "throughput", "losses", "mean_rtt")
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
        f"the requests of a connection that begin after {RPC_START_MS} ms, and then over the connections.",
    )


def change_table(means: pandas.DataFrame) -> Table:
    """Return how one flow and the requests depend on what the message leaves open."""
    rows = []
    for name in CHANGES:
        cubic, nv = (
            _value(means, "throughput", kind="change bulk", control=control, variant=name, flows=1)
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
        "What NV-1 and NV-4 depend on: one thing changed, one run each",
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


def crowd_table(means: pandas.DataFrame) -> Table:
    """Return how fairness and losses of 64 flows depend on what the message leaves open."""
    most = max(CHANGE_FLOWS)

    def row(name: str) -> list[Any]:
        def values(column: str) -> dict[str, float]:
            return {
                control: _value(
                    means, column, kind="change bulk", control=control, variant=name, flows=most
                )
                for control in CONTROLS
            }

        fairness, losses, steady = values("jain"), values("losses"), values("steady_losses")
        return [
            name,
            *fairness.values(),
            losses["cdg"],
            *_over_cdg(losses).values(),
            steady["cdg"],
            *_over_cdg(steady).values(),
        ]

    return Table(
        f"What NV-2 and NV-3b depend on: {most} flows, one thing changed, one run each",
        [
            Column("change"),
            *(Column(f"Jain {control}", digits=3) for control in CONTROLS),
            Column("CDG losses", "packets", 0),
            *(Column(f"{control}", "times CDG", 2) for control in ("reno", "cubic", "nv")),
            Column("CDG steady losses", "packets", 0),
            *(Column(f"{control} steady", "times CDG", 2) for control in ("reno", "cubic", "nv")),
        ],
        [
            row(name)
            for name, change in (CHANGES | CROWD_CHANGES).items()
            if not any(".rpc." in key for key in change)
        ],
        f"Runs of {CHANGE_WINDOW_MS[1]} ms; the steady window begins at {CHANGE_WINDOW_MS[0]} ms, "
        "soon after the last start. The seed: NV 1.5, CUBIC 1.8 to 10, Reno about 1 times the losses of "
        "CDG; NV's index rises with the number of flows.",
    )


def reset_table(run: Run) -> Table:
    """Return what many NV flows do before and after they replace their smallest RTT."""
    flows, ports = run.result.samples, run.result.table("queue_samples")
    rows = []
    for begin, end in ((0.2, 0.5), (0.5, 1.0), (1.0, 1.5), (1.5, 2.0), (2.0, 2.1), (2.1, 2.5)):
        port = ports[(ports["time"] >= begin - 1e-9) & (ports["time"] <= end + 1e-9)]
        part = flows[(flows["time"] >= begin - 1e-9) & (flows["time"] <= end + 1e-9)]
        acked = part.groupby("flow")["bytes_acked"].agg(lambda column: column.iloc[-1] - column.iloc[0])
        rows.append(
            [
                f"{begin:g} to {end:g}",
                jain([float(value) for value in acked]),
                float(port["bytes"].mean() / 1e3),
                int(port["drops"].iloc[-1] - port["drops"].iloc[0]),
            ]
        )
    return Table(
        f"{run['flows']} NV flows until after their smallest RTTs are replaced for the first time, at 2 s",
        [
            Column("time", "s"),
            Column("Jain's index", digits=3),
            Column("mean queue", "KB", 0),
            Column("losses", "packets", 0),
        ],
        rows,
        "After a loss NV takes the next RTT, with the queue in it, for the smallest. 2 s after its start "
        "each flow goes back to the smallest since then.",
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


def notes() -> list[str]:
    """Return what a reader must know."""
    return [
        "Runs are short, some hundred milliseconds or thousands of round trips, because 10 Gbit/s is "
        "costly to simulate. Two runs are longer, as NV replaces its smallest RTT only after seconds.",
        "NV-1: a flow that has lost nothing keeps some ten segments in the port's queue, 12 us. When "
        "the receiver pauses for longer, NV's sender runs out of window and the link idles; the others "
        "have a window of 195 segments a flow and bridge more of the pause, 0.23 ms with each flow. "
        "Without pauses two NV flows fill the link.",
        "NV-4: with Reno, CUBIC and CDG the limit of the window fills the port with what two large "
        "connections may have in flight; NV keeps ten segments a connection. The table of changes "
        "shows what becomes of it without the limit.",
        "Many NV flows lose packets when they start, as with merged segments an acknowledgement each "
        "10 us is one sample only and 30 are needed to leave slow start. The RTT after the loss, queue "
        "included, becomes the smallest one, as does that of a flow which starts into a queue. Long "
        "pauses undo this: the port drains, all flows find a smaller RTT, much the same for each, and "
        "from then on NV keeps its ten segments of each flow in the queue and loses nothing where the "
        "buffer holds them. With short pauses NV fills the buffer as Reno does (table of changes), until "
        "the smallest RTT is replaced.",
    ]

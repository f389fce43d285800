# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios as typed records, the same as those of the C++ side, readable from TOML and JSON.

Three lines to a result::

    import linux_tcp as lt
    result = lt.dumbbell(rate="100Mbps", rtt="40ms", flows=[lt.flow("cubic")]).run()
    result.flows

Quantities with a unit are texts that carry it ("80ms", "10Gbps", "64KB"; buffers also "100p" and
"1.5bdp"). Counts, bytes of a transfer, windows in segments and probabilities are numbers; bytes
may also be given as a size ("1MB").
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from . import units
from .errors import OptionError

if TYPE_CHECKING:
    from typing_extensions import Self

    from .result import Result

UINT32_MAX = 2**32 - 1
UINT64_MAX = 2**64 - 1


class _Kind:
    """What a field may hold."""

    def read(self, name: str, value: Any) -> Any:
        """Check a value and bring it into its one form."""
        raise NotImplementedError


class _Text(_Kind):
    """Any text."""

    def read(self, name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise OptionError(name, value, "give a text")
        return value


class _Choice(_Text):
    """One of some texts."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def read(self, name: str, value: Any) -> str:
        if value not in self.choices:
            raise OptionError(name, value, f"give one of {', '.join(self.choices)}")
        return value


class _Time(_Kind):
    """A time with its unit; empty if that has a meaning of its own."""

    def __init__(self, empty: bool = False) -> None:
        self.empty = empty

    def read(self, name: str, value: Any) -> str:
        if not (self.empty and value == ""):
            units.time_ns(value, name)
        return value


class _Rate(_Kind):
    """A rate with its unit; empty if that has a meaning of its own."""

    def __init__(self, empty: bool = False) -> None:
        self.empty = empty

    def read(self, name: str, value: Any) -> str:
        if not (self.empty and value == ""):
            units.rate_bps(value, name)
        return value


class _Size(_Kind):
    """A size with its unit."""

    def read(self, name: str, value: Any) -> str:
        units.size_bytes(value, name, minimum=1)
        return value


class _Buffer(_Kind):
    """A buffer: packets, bytes, time or bandwidth-delay products."""

    _OWN = re.compile(r"^(\d+\.?\d*|\.\d+)(p|bdp)$")

    def read(self, name: str, value: Any) -> str:
        if isinstance(value, str):
            own = self._OWN.match(value)
            if own:
                if float(own.group(1)) > 0:
                    return value
            else:
                for parse in (units.size_bytes, units.time_ns):
                    try:
                        if parse(value, name) > 0:
                            return value
                    except OptionError:
                        continue
        raise OptionError(
            name, value, 'give a buffer above 0, such as "100p", "64KB", "50ms" or "1bdp"'
        )


class _Flag(_Kind):
    """Yes or no."""

    def read(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise OptionError(name, value, "give true or false")
        return value


class _Count(_Kind):
    """A whole number."""

    def __init__(self, minimum: int = 0, maximum: int = UINT32_MAX) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def read(self, name: str, value: Any) -> int:
        if hasattr(value, "item"):
            value = value.item()
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or not self.minimum <= value <= self.maximum
        ):
            upper = "" if self.maximum >= UINT32_MAX else f" and at most {self.maximum}"
            raise OptionError(
                name, value, f"give a whole number, at least {self.minimum}{upper}"
            )
        return value


class _Bytes(_Count):
    """A number of bytes, or a size that is one."""

    def __init__(self, minimum: int = 0) -> None:
        super().__init__(minimum, UINT64_MAX)

    def read(self, name: str, value: Any) -> int:
        if isinstance(value, str):
            value = units.size_bytes(value, name)
        return super().read(name, value)


class _Number(_Kind):
    """A number in a range that excludes its upper end."""

    def __init__(self, minimum: float, below: float) -> None:
        self.minimum = minimum
        self.below = below

    def read(self, name: str, value: Any) -> float:
        if hasattr(value, "item"):
            value = value.item()
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not self.minimum <= value < self.below
        ):
            upper = f" and below {self.below:g}" if self.below != float("inf") else ""
            raise OptionError(name, value, f"give a number, at least {self.minimum:g}{upper}")
        return float(value)


class _Attributes(_Kind):
    """Attribute values by name, in ns-3's textual form."""

    def read(self, name: str, value: Any) -> dict[str, str]:
        if not isinstance(value, Mapping):
            raise OptionError(name, value, "give attribute names with their values")
        attributes = {}
        for key, item in value.items():
            if isinstance(item, bool):
                item = "true" if item else "false"
            elif isinstance(item, (int, float)):
                item = repr(item)
            if not isinstance(item, str):
                raise OptionError(f"{name}.{key}", item, "give a text, a number, true or false")
            attributes[str(key)] = item
        return attributes


class _Texts(_Kind):
    """A list of texts, each of one kind."""

    def __init__(self, item: _Kind) -> None:
        self.item = item

    def read(self, name: str, value: Any) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise OptionError(name, value, "give a list of texts")
        return tuple(self.item.read(f"{name}[{i}]", item) for i, item in enumerate(value))


class _Part(_Kind):
    """A record within a record."""

    def __init__(self, record: type[Record]) -> None:
        self.record = record

    def read(self, name: str, value: Any) -> Record:
        if isinstance(value, self.record):
            return value
        if isinstance(value, str) and self.record.SHORT:
            value = {self.record.SHORT: value}
        if not isinstance(value, Mapping):
            raise OptionError(name, value, f"give a table of {self.record.known()}")
        try:
            return self.record.from_dict(value)
        except OptionError as error:
            raise error.within(name) from None


class _Parts(_Kind):
    """A list of records."""

    def __init__(self, record: type[Record], minimum: int = 0) -> None:
        self.part = _Part(record)
        self.minimum = minimum

    def read(self, name: str, value: Any) -> tuple[Record, ...]:
        if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence):
            raise OptionError(name, value, "give a list")
        if len(value) < self.minimum:
            raise OptionError(name, "[]", f"give at least {self.minimum}")
        return tuple(self.part.read(f"{name}[{i}]", item) for i, item in enumerate(value))


def _field(default: Any, kind: _Kind, help_text: str) -> Any:
    """Describe a field: its default, what it may hold, what it is."""
    metadata = {"kind": kind, "help": help_text}
    if isinstance(default, (str, int, float, bool, tuple)):
        return field(default=default, metadata=metadata)
    return field(default_factory=default, metadata=metadata)


_PATH = re.compile(r"([A-Za-z_]\w*)(?:\[(\d+|\*)\])?")


@dataclass(frozen=True, kw_only=True)
class Record:
    """Base of all records: checked when made, compared by value, never changed."""

    #: The field that a bare text stands for, empty if none.
    SHORT: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            value = item.metadata["kind"].read(item.name, getattr(self, item.name))
            object.__setattr__(self, item.name, value)

    @classmethod
    def known(cls) -> str:
        """Return the names of the fields in one line."""
        return ", ".join(item.name for item in dataclasses.fields(cls))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make a record of plain data.

        :raises OptionError: for a key that is not known or a value that is not allowed
        """
        names = {item.name for item in dataclasses.fields(cls)}
        for key in data:
            if key not in names:
                close = difflib.get_close_matches(str(key), names, n=1)
                hint = f"did you mean {close[0]}? " if close else ""
                raise OptionError(
                    str(key), str(data[key]), f"{hint}known are {cls.known()}", "is under an unknown key"
                )
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain data, with every field."""

        def convert(value: Any) -> Any:
            if isinstance(value, Record):
                return value.to_dict()
            if isinstance(value, tuple):
                return [convert(item) for item in value]
            if isinstance(value, dict):
                return dict(value)
            return value

        return {item.name: convert(getattr(self, item.name)) for item in dataclasses.fields(self)}

    def replace(self, settings: Mapping[str, Any]) -> Self:
        """Return a copy with other values.

        :param settings: field -> value; ``flows[0].rtt``, ``flows[*].rtt`` and
            ``sender_queue.disc`` name fields further in
        """
        record = self
        for path, value in settings.items():
            try:
                record = record._replace(path, value)
            except OptionError as error:
                if error.option.startswith(path):
                    raise
                raise error.renamed(path) from None
        return record

    def _replace(self, path: str, value: Any) -> Self:
        head, _, rest = path.partition(".")
        match = _PATH.fullmatch(head)
        name = match.group(1) if match else head
        if name not in {item.name for item in dataclasses.fields(self)}:
            raise OptionError(
                path, str(value), f"known are {self.known()}", "is for an unknown field"
            )
        index = match.group(2) if match else None
        if index is None and not rest:
            return dataclasses.replace(self, **{name: value})
        current = getattr(self, name)
        if index is None:
            if isinstance(current, dict):
                return dataclasses.replace(self, **{name: current | {rest: value}})
            if not isinstance(current, Record):
                raise OptionError(path, str(value), f"{name} has no fields")
            return dataclasses.replace(self, **{name: current._replace(rest, value)})
        if not isinstance(current, tuple):
            raise OptionError(path, str(value), f"{name} is not a list")
        chosen = range(len(current)) if index == "*" else [int(index)]
        items = list(current)
        for i in chosen:
            if i >= len(items):
                raise OptionError(path, str(value), f"{name} has {len(items)} items")
            items[i] = items[i]._replace(rest, value) if rest else value
        return dataclasses.replace(self, **{name: items})


@dataclass(frozen=True, kw_only=True)
class Rpc(Record):
    """A closed loop of requests and responses over persistent connections."""

    request_bytes: int = _field(1000000, _Bytes(1), "size of a request (bytes)")
    response_bytes: int = _field(100, _Bytes(1), "size of a response (bytes)")
    connections: int = _field(1, _Count(1), "connections, each with its own loop")
    requests: int = _field(0, _Count(0, UINT64_MAX), "requests per connection, 0 for no limit")
    think_time: str = _field("0s", _Time(), "pause between a response and the next request")
    start_jitter: str = _field("0s", _Time(), "connections start up to this much later (uniform)")


@dataclass(frozen=True, kw_only=True)
class Bursts(Record):
    """A sender that alternates between bursts of data and silence."""

    bytes: int = _field(1500000, _Bytes(1), "data written at the start of each period (bytes)")
    period: str = _field("500ms", _Time(), "time between two bursts")
    count: int = _field(0, _Count(0, UINT64_MAX), "number of bursts, 0 for no limit")


@dataclass(frozen=True, kw_only=True)
class Flow(Record):
    """One flow: its workload, its transport and its place."""

    SHORT = "congestion_control"

    name: str = _field("", _Text(), 'name in the results; "flow0", "flow1", ... if empty')
    congestion_control: str = _field(
        "cubic", _Text(), "reno, cubic, htcp, nv, cdg, or the TypeId of any TcpCongestionOps"
    )
    congestion_attributes: dict[str, str] = _field(
        dict, _Attributes(), "attributes of the congestion control"
    )
    socket: str = _field(
        "linux",
        _Choice("linux", "stock"),
        "linux: pacing and small queues as Linux has them; stock: ns-3's own",
    )
    socket_attributes: dict[str, str] = _field(
        dict, _Attributes(), "attributes of the sender's socket"
    )
    receiver_socket_attributes: dict[str, str] = _field(
        dict, _Attributes(), "attributes of the receiver's socket"
    )
    start: str = _field("0s", _Time(), "when the connection is opened")
    stop: str = _field("", _Time(empty=True), "when the sender gives up; the end if empty")
    workload: str = _field("bulk", _Choice("bulk", "rpc", "bursts"), "what is sent")
    bytes: int = _field(0, _Bytes(), "bytes of a bulk transfer, 0 for no limit")
    rpc: Rpc = _field(Rpc, _Part(Rpc), "parameters of the workload rpc")
    bursts: Bursts = _field(Bursts, _Part(Bursts), "parameters of the workload bursts")
    rtt: str = _field("", _Time(empty=True), "base RTT of this flow; the scenario's if empty")
    window_limit: int = _field(
        0, _Count(), "limit of the window by the receiver (segments), 0 for none"
    )
    initial_window: int = _field(10, _Count(1), "initial window (segments)")
    delayed_ack_count: int = _field(2, _Count(1), "segments per acknowledgement")
    delayed_ack_timeout: str = _field("40ms", _Time(), "longest wait of an acknowledgement")
    min_rto: str = _field("200ms", _Time(), "smallest retransmission timeout")
    max_pacing_rate: str = _field(
        "", _Rate(empty=True), "limit of the pacing rate (linux sockets); none if empty"
    )
    reverse: bool = _field(False, _Flag(), "data goes from right to left (dumbbell)")
    sender: str = _field("", _Text(), "name of the sending host; one of its own if empty")
    receiver: str = _field("", _Text(), "name of the receiving host; one of its own if empty")


@dataclass(frozen=True, kw_only=True)
class Host(Record):
    """What a host adds to the network: offloads and processing times, all off by default."""

    segmentation_offload: bool = _field(
        False, _Flag(), "the sender hands down bursts as segmentation offload does"
    )
    segmentation_min_segments: int = _field(2, _Count(1), "smallest burst aimed at (segments)")
    segmentation_max_segments: int = _field(44, _Count(1), "largest burst (segments)")
    receive_poll_interval: str = _field(
        "0s", _Time(), 'received packets are handed up once per interval, merged; "0s" for off'
    )
    receive_max_segments: int = _field(45, _Count(1), "most segments merged into one")
    receive_max_bytes: int = _field(
        65535, _Count(1500, 65535), "largest merged packet (bytes of IP)"
    )
    receive_random_phase: bool = _field(True, _Flag(), "the polls' phase is drawn at random")
    ack_jitter: str = _field(
        "0s", _Time(), "acknowledgements wait up to this long at the sender (uniform)"
    )
    data_jitter: str = _field("0s", _Time(), "data waits up to this long at the receiver (uniform)")
    pause_length: str = _field("0s", _Time(), 'length of pauses of what is received; "0s" for none')
    pause_interval: str = _field(
        "5ms", _Time(), "mean time from one pause to the next (exponential), at least 1us"
    )
    quick_acks: int = _field(0, _Count(), "first segments acknowledged at once")


@dataclass(frozen=True, kw_only=True)
class Queue(Record):
    """A queue discipline."""

    SHORT = "disc"

    disc: str = _field(
        "fifo",
        _Text(),
        "fifo, none, pfifo_fast, fq, fq_codel, codel, pie, red, cobalt, tbf, a line as given to "
        "tc, or the TypeId of any QueueDisc",
    )
    attributes: dict[str, str] = _field(
        dict, _Attributes(), "attributes of the queue disc, applied after the line"
    )


@dataclass(frozen=True, kw_only=True)
class Policer(Record):
    """A token bucket without a queue: what exceeds it is dropped."""

    rate: str = _field("", _Rate(empty=True), "rate of the tokens; no policer if empty")
    burst: str = _field("100KB", _Size(), "depth of the bucket")
    place: str = _field(
        "ingress",
        _Choice("ingress", "egress"),
        "ingress: before the bottleneck's queue; egress: after its link",
    )
    overhead: int = _field(
        14, _Count(0, 1000), "bytes charged per packet besides IP (an Ethernet header)"
    )


@dataclass(frozen=True, kw_only=True)
class PathChange(Record):
    """A change of the path during the run."""

    at: str = _field("", _Time(), "time of the change")
    rtt: str = _field("", _Time(empty=True), "new base RTT; unchanged if empty")
    rate: str = _field("", _Rate(empty=True), "new rate of the bottleneck; unchanged if empty")


@dataclass(frozen=True, kw_only=True)
class Scenario(Record):
    """What all scenarios have in common."""

    #: Name of the topology in files.
    KIND: ClassVar[str] = ""

    rtt: str = _field("40ms", _Time(), "base RTT: propagation there and back")
    sender_queue: Queue = _field(
        lambda: Queue(disc="none"), _Part(Queue), "queue disc of the hosts that send data"
    )
    sender_host: Host = _field(Host, _Part(Host), "hosts that send data")
    receiver_host: Host = _field(Host, _Part(Host), "hosts that receive data")
    mtu: int = _field(1500, _Count(576, 65535), "MTU of every link (bytes of IP)")
    mss: int = _field(1448, _Count(1), "payload of a full segment (bytes)")
    ipv6: bool = _field(False, _Flag(), "IPv6 instead of IPv4")
    timestamps: bool = _field(
        False, _Flag(), "Timestamp option (RTT samples are then rounded to 1 ms)"
    )
    ecn: bool = _field(False, _Flag(), "Explicit Congestion Notification")
    loss_rate: float = _field(
        0.0, _Number(0.0, 1.0), "random loss of data packets at the bottleneck"
    )
    device_queue: int = _field(1, _Count(1), "device queue under a queue disc (packets)")
    start_time: str = _field("0s", _Time(), "simulated time at which the scenario's time 0 lies")
    duration: str = _field("10s", _Time(), "length of the run")
    warmup: str = _field("0s", _Time(), "start of the steady window")
    stop_when_complete: bool = _field(
        False, _Flag(), "end as soon as all limited flows are complete, if there are any"
    )
    sample_interval: str = _field("0s", _Time(), 'period of the time series, "0s" for none')
    sample_flows: bool = _field(True, _Flag(), "time series of flows, if there is a period")
    sample_queues: bool = _field(True, _Flag(), "time series of queues, if there is a period")
    record_acks: bool = _field(False, _Flag(), "one sample per acknowledgement besides")
    record_packets: tuple[str, ...] = _field(
        (),
        _Texts(_Choice("sender", "bottleneck", "receiver")),
        "places whose packets are recorded: sender, bottleneck, receiver",
    )
    record_packets_limit: int = _field(
        1000000, _Count(0, UINT64_MAX), "most packets recorded per place"
    )
    pcap_prefix: str = _field("", _Text(), "prefix of pcap files, none if empty")
    seed: int = _field(1, _Count(1), "seed of the random numbers")
    run_number: int = _field(1, _Count(0, UINT64_MAX), "substream of the random numbers")

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as plain data, with its kind and every field."""
        return {"kind": self.KIND} | super().to_dict()

    def to_json(self) -> str:
        """Return the scenario as JSON."""
        return json.dumps(self.to_dict(), indent=2) + "\n"

    def to_toml(self) -> str:
        """Return the scenario as TOML, fields that have their default left out."""
        lines = [f"kind = {json.dumps(self.KIND)}"]
        lines += _toml(self, "")
        return "\n".join(lines) + "\n"

    def validate(self) -> Self:
        """Check everything that can be checked before a run.

        :return: the scenario itself
        :raises OptionError: with the field, its value and what is allowed
        """
        from .engine import validate

        validate(self)
        return self

    def run(self) -> Result:
        """Run the scenario in this process.

        :raises OptionError: if a value is not allowed
        :raises RunError: if the run fails
        """
        from .engine import simulate

        return simulate(self)


@dataclass(frozen=True, kw_only=True)
class Dumbbell(Scenario):
    """Senders on the left, receivers on the right, two routers between them."""

    KIND = "dumbbell"

    flows: tuple[Flow, ...] = _field((), _Parts(Flow, 1), "the flows, at least one")
    left: int = _field(
        0, _Count(), "hosts on the left, which unnamed senders go round; 0 for one per flow"
    )
    right: int = _field(
        0, _Count(), "hosts on the right, which unnamed receivers go round; 0 for one per flow"
    )
    bottleneck_rate: str = _field("100Mbps", _Rate(), "rate of the link between the routers")
    access_rate: str = _field("10Gbps", _Rate(), "rate of the links of the hosts on the left")
    receiver_rate: str = _field(
        "", _Rate(empty=True), "rate of the links on the right; access_rate if empty"
    )
    reverse_rate: str = _field(
        "", _Rate(empty=True), "rate from right to left; bottleneck_rate if empty"
    )
    bottleneck_queue: Queue = _field(Queue, _Part(Queue), "queue disc before the bottleneck")
    buffer: str = _field("1bdp", _Buffer(), "buffer before the bottleneck")
    reverse_buffer: str = _field("1000p", _Buffer(), "buffer before the link from right to left")
    policer: Policer = _field(Policer, _Part(Policer), "policer in the path of the data")
    changes: tuple[PathChange, ...] = _field((), _Parts(PathChange), "changes of the path")


@dataclass(frozen=True, kw_only=True)
class Star(Scenario):
    """Clients and servers around one switch; flows name client0, server0 and so on."""

    KIND = "star"

    rtt: str = _field("40us", _Time(), "base RTT: propagation there and back")
    clients: int = _field(2, _Count(1), "number of clients")
    servers: int = _field(1, _Count(1), "number of servers")
    flows: tuple[Flow, ...] = _field((), _Parts(Flow, 1), "the flows, at least one")
    client_rate: str = _field("10Gbps", _Rate(), "rate of the clients' links")
    server_rate: str = _field("10Gbps", _Rate(), "rate of the servers' links")
    port_queue: Queue = _field(Queue, _Part(Queue), "queue disc of every switch port")
    buffer: str = _field("1MB", _Buffer(), "buffer of a port, or of all ports together")
    shared_buffer: bool = _field(False, _Flag(), "whether the ports share the buffer")
    shared_buffer_alpha: float = _field(
        1.0, _Number(0.0, float("inf")), "a port may hold this many times the free part of it"
    )
    policer: Policer = _field(Policer, _Part(Policer), "policer before the ports to the servers")


@dataclass(frozen=True, kw_only=True)
class Incast(Scenario):
    """One receiver asks many senders at once and waits for all, round after round."""

    KIND = "incast"

    rtt: str = _field("100us", _Time(), "base RTT: propagation there and back")
    duration: str = _field("60s", _Time(), "longest time of the run")
    senders: int = _field(16, _Count(1, 10000), "number of senders")
    total_bytes: int = _field(
        0, _Bytes(), "bytes of a round, split evenly; 0 if bytes_per_sender counts"
    )
    bytes_per_sender: int = _field(64000, _Bytes(), "bytes from each sender in a round")
    request_bytes: int = _field(64, _Bytes(1), "size of a request (bytes)")
    rounds: int = _field(10, _Count(1), "number of rounds")
    round_gap: str = _field("0s", _Time(), "pause between two rounds")
    request_jitter: str = _field("0s", _Time(), "requests are spread over this time (uniform)")
    flow: Flow = _field(Flow, _Part(Flow), "transport of every sender")
    congestion_controls: tuple[str, ...] = _field(
        (), _Texts(_Text()), "congestion control of sender i: entry i modulo the size"
    )
    sender_rate: str = _field("10Gbps", _Rate(), "rate of the senders' links")
    receiver_rate: str = _field("10Gbps", _Rate(), "rate of the receiver's link")
    port_queue: Queue = _field(Queue, _Part(Queue), "queue disc of every switch port")
    buffer: str = _field("256KB", _Buffer(), "buffer of a port, or of all ports together")
    shared_buffer: bool = _field(False, _Flag(), "whether the ports share the buffer")
    shared_buffer_alpha: float = _field(
        1.0, _Number(0.0, float("inf")), "a port may hold this many times the free part of it"
    )


#: The kinds of scenario by their name in files.
KINDS: dict[str, type[Scenario]] = {kind.KIND: kind for kind in (Dumbbell, Star, Incast)}


def _key(name: str) -> str:
    """Write a key of TOML, quoted if it needs to be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _toml(record: Record, prefix: str) -> Iterator[str]:
    """Write the fields of a record that differ from their default as TOML."""
    tables: list[tuple[str, Any]] = []
    for item in dataclasses.fields(record):
        value = getattr(record, item.name)
        default = (
            item.default if item.default is not dataclasses.MISSING else item.default_factory()
        )
        if value == default:
            continue
        nested = isinstance(value, tuple) and value and isinstance(value[0], Record)
        if nested or isinstance(value, (dict, Record)):
            tables.append((item.name, value))
        else:
            shown = list(value) if isinstance(value, tuple) else value
            yield f"{item.name} = {json.dumps(shown, ensure_ascii=False)}"
    for name, value in tables:
        path = f"{prefix}{name}"
        for part in value if isinstance(value, tuple) else (value,):
            yield ""
            yield f"[[{path}]]" if isinstance(value, tuple) else f"[{path}]"
            if isinstance(part, Record):
                yield from _toml(part, f"{path}.")
            else:
                for key, text in part.items():
                    yield f"{_key(key)} = {json.dumps(text, ensure_ascii=False)}"


def from_dict(data: Mapping[str, Any]) -> Scenario:
    """Make a scenario of plain data; its key ``kind`` names the topology.

    :raises OptionError: for a key that is not known or a value that is not allowed
    """
    fields = dict(data)
    kind = fields.pop("kind", Dumbbell.KIND)
    if kind not in KINDS:
        raise OptionError("kind", kind, f"give one of {', '.join(KINDS)}")
    return KINDS[kind].from_dict(fields)


def from_json(text: str) -> Scenario:
    """Make a scenario of JSON.

    :raises OptionError: if the text is no JSON or no scenario
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise OptionError("scenario", f"line {error.lineno}", f"no JSON: {error.msg}") from None
    if not isinstance(data, Mapping):
        raise OptionError("scenario", type(data).__name__, "give a table of fields")
    return from_dict(data)


def from_toml(text: str) -> Scenario:
    """Make a scenario of TOML.

    :raises OptionError: if the text is no TOML or no scenario
    """
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError("scenario", "TOML", f"not readable: {error}") from None
    return from_dict(data)


def load(file: str | Path) -> Scenario:
    """Read a scenario from a file ending in .toml or .json.

    :raises OptionError: if the file cannot be read or is no scenario
    """
    path = Path(file)
    readers = {".toml": from_toml, ".json": from_json}
    if path.suffix not in readers:
        raise OptionError("scenario", str(path), "give a file ending in .toml or .json")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise OptionError("scenario", str(path), f"give a readable file ({reason})") from None
    return readers[path.suffix](text)


def flow(congestion_control: str = "cubic", **fields: Any) -> Flow:
    """Make a flow.

    :param congestion_control: reno, cubic, htcp, nv, cdg or the TypeId of any TcpCongestionOps
    :param fields: other fields of :class:`Flow`
    """
    return Flow.from_dict({"congestion_control": congestion_control} | fields)


def dumbbell(
    *, flows: Sequence[Flow | str | Mapping], rate: str | None = None, **fields: Any
) -> Dumbbell:
    """Make a dumbbell.

    :param flows: the flows; a bare text is the congestion control of one
    :param rate: rate of the bottleneck, short for ``bottleneck_rate``
    :param fields: other fields of :class:`Dumbbell`
    """
    if rate is not None:
        if "bottleneck_rate" in fields:
            raise OptionError("rate", rate, "give either rate or bottleneck_rate")
        try:
            return Dumbbell.from_dict({"flows": flows, "bottleneck_rate": rate} | fields)
        except OptionError as error:
            if error.option == "bottleneck_rate":
                raise error.renamed("rate") from None
            raise
    return Dumbbell.from_dict({"flows": flows} | fields)


def star(*, flows: Sequence[Flow | str | Mapping], **fields: Any) -> Star:
    """Make a star of clients and servers around a switch.

    :param flows: the flows; each names its hosts
    :param fields: other fields of :class:`Star`
    """
    return Star.from_dict({"flows": flows} | fields)


def incast(congestion_control: str | None = None, **fields: Any) -> Incast:
    """Make an incast.

    :param congestion_control: congestion control of all senders
    :param fields: other fields of :class:`Incast`
    """
    if congestion_control is not None:
        fields["flow"] = Incast().flow.replace({"congestion_control": congestion_control})
    return Incast.from_dict(fields)

# SPDX-License-Identifier: GPL-2.0-only
"""How soon does a new flow get its share? Any congestion controls, any link.

Three lines to a table::

    import linux_tcp as lt
    outcome = lt.second_flow(["cubic", "htcp"], size="1MB", rate="8Mbps", rtt="30ms", buffer="50p")
    outcome.table

An incumbent runs alone for a while; then a second flow of the same congestion control starts. Each
repetition is two runs: one with a transfer of the given size, for its completion time (from the
connect to the acknowledgement of the last byte), and one with a second flow without an end, for the
time until it gets a given part of its fair share, half of the link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .. import units
from ..errors import OptionError
from ..scenario import Dumbbell, dumbbell

if TYPE_CHECKING:
    from pathlib import Path

    import numpy
    import pandas

#: Golden ratio less one: multiples of it fill an interval evenly, however many are taken.
_GOLDEN = Fraction(618034, 1000000)

MSS = 1448  #: payload of a full segment (bytes)
MTU = 1500  #: IP packet of a full segment (bytes)


def spread(number: int, length_us: int) -> int:
    """Return a time in an interval; those of successive numbers fill it evenly (us).

    :param number: number of the repetition
    :param length_us: length of the interval (us)
    """
    return int(number * _GOLDEN % 1 * length_us)


def fair_bps(rate: str) -> float:
    """Return half of what a link carries in full segments, counted in payload (bit/s)."""
    return units.rate_bps(rate) / 2 * MSS / MTU


def time_to_share(
    times: numpy.ndarray,
    acked: numpy.ndarray,
    start: float,
    wanted_bps: float,
    window: float,
) -> float:
    """Return how long a flow takes until it first had a rate, averaged over a window (s).

    :param times: times of the samples (s), ascending
    :param acked: payload acknowledged so far at each (bytes)
    :param start: when the flow was started (s)
    :param wanted_bps: the rate (bit/s)
    :param window: what the rate is averaged over (s), a multiple of the samples' period
    :return: from the start to the end of the first such window; infinite if there is none
    """
    import numpy

    times = numpy.asarray(times, dtype=float)
    acked = numpy.asarray(acked, dtype=float)
    if len(times) == 0:
        return float("inf")
    # A window that begins at a sample before the start counts from the start on.
    before = numpy.interp(times - window, times, acked, left=0.0)
    inside = times >= start + window - 1e-9
    enough = inside & ((acked - before) * 8 >= wanted_bps * window)
    hits = times[enough]
    return float(hits[0] - start) if len(hits) else float("inf")


def pair_scenario(
    flow: Mapping[str, Any],
    *,
    size: int,
    start_us: int,
    length_us: int,
    **fields: Any,
) -> Dumbbell:
    """Return an incumbent and a second flow on one link.

    :param flow: what both flows have in common
    :param size: bytes of the second flow, 0 for no limit
    :param start_us: when the second flow starts (us)
    :param length_us: how long it is watched (us)
    :param fields: the link and all else, as of :func:`linux_tcp.dumbbell`
    """
    return dumbbell(
        flows=[
            dict(flow) | {"name": "incumbent"},
            dict(flow) | {"name": "second", "start": f"{start_us}us", "bytes": size},
        ],
        duration=f"{start_us + length_us}us",
        **{"sample_queues": False} | fields,
    )


@dataclass(frozen=True)
class Convergence:
    """What :func:`second_flow` found.

    :ivar runs: one row a repetition: ``control``, ``run``, ``start``, ``completion``,
        ``time_to_share``, ``retransmits`` and ``timeouts`` of the second flow's transfer; times in
        s, infinite if not reached
    """

    runs: pandas.DataFrame

    @property
    def table(self) -> pandas.DataFrame:
        """One row a congestion control: medians and quartiles of both times (s)."""
        import numpy
        import pandas

        rows = []
        for control, chosen in self.runs.groupby("control", sort=False):
            row: dict[str, Any] = {"control": control, "runs": len(chosen)}
            for column in ("completion", "time_to_share"):
                for name, q in (("", 0.5), ("_quartile1", 0.25), ("_quartile3", 0.75)):
                    # Of infinite values, too, a quantile is one of the values.
                    row[column + name] = float(
                        numpy.quantile(chosen[column], q, method="inverted_cdf")
                    )
            rows.append(row)
        return pandas.DataFrame(rows)


def second_flow(
    controls: Sequence[str],
    *,
    size: str | int = "1MB",
    rate: str = "8Mbps",
    rtt: str = "30ms",
    buffer: str = "50p",
    reverse_rate: str = "",
    runs: int = 10,
    seed: int = 1,
    warmup: str = "20s",
    offsets: str = "10s",
    watch: str = "30s",
    share: float = 0.8,
    window: str = "1s",
    ack_jitter: str | None = None,
    attributes: Mapping[str, Mapping[str, Any]] | None = None,
    flow: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    store: str | Path | None = None,
    fresh: bool = False,
    progress: bool = False,
) -> Convergence:
    """Measure how a second flow fares against an incumbent of the same congestion control.

    :param controls: congestion controls to compare
    :param size: size of the second flow's transfer (bytes, or a text with its unit)
    :param rate: rate of the link
    :param rtt: base RTT
    :param buffer: buffer before the link
    :param reverse_rate: rate of the way back; that of the link if empty
    :param runs: repetitions, which differ in the second flow's start and in random numbers
    :param seed: number of the first repetition
    :param warmup: how long the incumbent is alone at least
    :param offsets: the second flow starts up to this much later
    :param watch: how long the second flow is watched at most
    :param share: part of the fair share to wait for, above 0 and at most 2
    :param window: what the share is averaged over, a multiple of 100 ms
    :param ack_jitter: jitter of acknowledgements (uniform, order kept); one packet time if None
    :param attributes: congestion control -> its attributes
    :param flow: other fields of both flows, see :class:`linux_tcp.Flow`
    :param jobs: number of processes; the number of cores if None
    :param store: folder that keeps finished runs; none if None
    :param fresh: compute again what is in the store
    :param progress: show the progress on standard error
    :raises OptionError: if a value is not allowed
    :raises RunError: if a run failed
    """
    import pandas

    from ..series import run_all

    if not controls:
        raise OptionError("cc", "", "give at least one congestion control")
    if runs < 1:
        raise OptionError("runs", runs, "give a number of repetitions, at least 1")
    if seed < 1:
        raise OptionError("seed", seed, "give a whole number, at least 1")
    if not 0 < share <= 2:
        raise OptionError("share", share, "give a part of the fair share, above 0 and at most 2")
    size_bytes = units.size_bytes(size, "size", minimum=1) if isinstance(size, str) else size
    if size_bytes < 1:
        raise OptionError("size", size, "give a number of bytes, at least 1")
    window_ns = units.time_ns(window, "window", minimum=1)
    if window_ns % 100000000:
        raise OptionError("window", window, "give a multiple of 100ms")
    watch_us = units.time_ns(watch, "watch") // 1000
    if watch_us * 1000 < window_ns:
        raise OptionError("watch", watch, f"give a time not below the window, {window}")
    warmup_us = units.time_ns(warmup, "warmup") // 1000
    offsets_us = units.time_ns(offsets, "offsets") // 1000
    if ack_jitter is None:
        ack_jitter = f"{MTU * 8 * 10**9 // units.rate_bps(rate, 'rate')}ns"
    scenarios, rows = [], []
    for control in controls:
        common = {"congestion_control": control} | dict(flow or {})
        common["congestion_attributes"] = dict((attributes or {}).get(control, {}))
        for run in range(runs):
            number = seed + run
            start_us = warmup_us + spread(number, offsets_us)
            for wanted, interval in ((size_bytes, "0s"), (0, "100ms")):
                scenarios.append(
                    pair_scenario(
                        common,
                        size=wanted,
                        start_us=start_us,
                        length_us=watch_us,
                        rate=rate,
                        rtt=rtt,
                        buffer=buffer,
                        reverse_rate=reverse_rate,
                        access_rate="10Gbps",
                        sender_host={"ack_jitter": ack_jitter},
                        sample_interval=interval,
                        stop_when_complete=wanted > 0,
                        run_number=number,
                    )
                )
            rows.append({"control": control, "run": run + 1, "start": start_us * 1e-6})
    for scenario in scenarios[:: 2 * runs]:
        scenario.validate()
    results = run_all(scenarios, jobs=jobs, store=store, fresh=fresh, progress=progress)
    wanted_bps = share * fair_bps(rate)
    for row, transfer, endless in zip(rows, results[::2], results[1::2]):
        second = transfer.flows.iloc[1]
        completion = float(second["completion"]) - row["start"]
        row["completion"] = completion if completion == completion else float("inf")
        samples = endless.samples
        samples = samples[(samples["flow"] == 1) & (samples["time"] >= row["start"])]
        row["time_to_share"] = time_to_share(
            samples["time"], samples["bytes_acked"], row["start"], wanted_bps, window_ns * 1e-9
        )
        row["retransmits"] = int(second["retransmits"])
        row["timeouts"] = int(second["timeouts"])
    return Convergence(pandas.DataFrame(rows))

# SPDX-License-Identifier: GPL-2.0-only
"""Series of scenarios: vary one, run them all, take their flows as one table."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import OptionError
from .result import Result
from .runs import RichObserver, Store, run_packed

if TYPE_CHECKING:
    from .scenario import Scenario


def run(scenario: Scenario | Mapping[str, Any]) -> Result:
    """Run one scenario in this process.

    :param scenario: a scenario, or one as plain data
    :raises LinuxTcpError: if a value is not allowed or the run fails
    """
    from .scenario import from_dict

    return (from_dict(scenario) if isinstance(scenario, Mapping) else scenario).run()


def run_all(
    scenarios: Sequence[Scenario],
    *,
    jobs: int | None = None,
    store: str | Path | None = None,
    fresh: bool = False,
    dask: str | None = None,
    progress: bool = False,
) -> list[Result]:
    """Run scenarios in parallel.

    :param scenarios: what to run
    :param jobs: number of processes; the number of cores if None
    :param store: folder that keeps finished runs, so that none is computed twice; none if None
    :param fresh: compute again what is in the store
    :param dask: address of a Dask scheduler to use instead of processes here
    :param progress: show the progress on standard error
    :return: results in the order of the scenarios
    :raises RunError: if a run failed; the others are finished first
    :raises Interrupted: on Ctrl-C; the finished runs are in the store
    """
    arguments: dict[str, Any] = {
        "jobs": jobs,
        "store": Store(store) if store is not None else None,
        "fresh": fresh,
        "dask": dask,
    }
    packed = [scenario.to_dict() for scenario in scenarios]
    if progress:
        with RichObserver("runs") as observer:
            outcome = run_packed(packed, observe=observer, **arguments)
    else:
        outcome = run_packed(packed, **arguments)
    return [Result.unpack(payload) for payload in outcome.payloads]


def sweep(
    base: Scenario,
    product: Mapping[str, Sequence] | None = None,
    zipped: Mapping[str, Sequence] | None = None,
    repeat: int = 1,
) -> list[Scenario]:
    """Vary a scenario.

    :param base: the scenario to start from
    :param product: field -> values, every combination; ``"flows[0].congestion_control"`` and
        ``"flows[*].size"`` name fields further in
    :param zipped: field -> values, taken together one by one; all of one length
    :param repeat: number of repetitions of each, differing in ``run_number``
    :return: the scenarios: repetitions vary fastest, then the last field of ``product``
    """
    product = dict(product or {})
    zipped = dict(zipped or {})
    lengths = {name: len(values) for name, values in zipped.items()}
    if len(set(lengths.values())) > 1:
        raise OptionError("zipped", str(lengths), "all fields need the same number of values")
    if repeat < 1:
        raise OptionError("repeat", repeat, "give a number of repetitions, at least 1")
    rows = [dict(zip(zipped, row)) for row in zip(*zipped.values())] if zipped else [{}]
    scenarios = []
    for row in rows:
        for values in itertools.product(*product.values()):
            settings = row | dict(zip(product, values))
            for repetition in range(repeat):
                extra = {"run_number": base.run_number + repetition} if repeat > 1 else {}
                scenarios.append(base.replace(settings | extra))
    return scenarios

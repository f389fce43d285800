# SPDX-License-Identifier: GPL-2.0-only
"""What all experiments share.

An experiment is a class with four parts and no more:

* the text at its head (``name``, ``title``, ``question``, ``source``);
* :meth:`Experiment.parameters`: every value it rests on, each with where it comes from;
* :meth:`Experiment.cases`: the scenarios to run, each with labels;
* :meth:`Experiment.analyse`: from the runs to claims, tables, figures and data.

Running, resuming, progress, files, the terminal and the page are done here for all of them::

    class Aggregation(Experiment):
        name = "aggregation"
        title = "One ACK for many segments"
        question = "How does CUBIC grow when the receiver coalesces?"
        source = "where the figures to compare with come from"

        def parameters(self, options):
            return [Parameter("rtt", "80ms", Origin.SEED, "stated in the message")]

        def cases(self, options):
            for run in range(options.count(default=10, quick=3)):
                scenario = dumbbell(rate="1Gbps", rtt="80ms", flows=[flow("cubic")])
                yield Case({"run": run + 1}, scenario.replace({"run": options.seed + run}))

        def analyse(self, runs, options):
            rates = [float(run.result.flows.throughput_mbps[0]) for run in runs]
            mean = sum(rates) / len(rates)
            return Analysis(claims=[Claim("AG-1", "250 Mbit/s", mean, "240 to 260", 240 <= mean <= 260)])
"""

from __future__ import annotations

import math
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import OptionError
from ..runs import DEFAULT_STORE, RichObserver, Store, run_packed

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from ..plots import Figure
    from ..result import Result
    from ..scenario import Scenario


class Origin(str, Enum):
    """Where the value of a parameter comes from."""

    SEED = "seed"  #: stated in the message that the experiment reproduces
    KERNEL = "kernel"  #: what the kernel of the day did
    ASSUMPTION = "assumption"  #: plausible, open in the message; results hardly depend on it
    CALIBRATION = "calibration"  #: chosen because the figures come out; results depend on it


@dataclass(frozen=True)
class Parameter:
    """A value that the experiment rests on.

    :ivar name: what it is, in words
    :ivar value: the value, with its unit if it has one
    :ivar origin: where it comes from
    :ivar reason: why this value
    """

    name: str
    value: Any
    origin: Origin
    reason: str


@dataclass(frozen=True)
class Claim:
    """A claim of the message and whether our runs agree.

    :ivar id: its name, such as ``HS-8``
    :ivar seed: what the message says
    :ivar ours: what our runs say: a number, a text, a list or a mapping
    :ivar expected: what ours must be for the claim to hold
    :ivar holds: whether it does
    """

    id: str
    seed: Any
    ours: Any
    expected: str
    holds: bool

    def as_data(self) -> dict[str, Any]:
        """Return the claim as plain data."""
        return {
            "id": self.id,
            "seed": plain(self.seed),
            "ours": plain(self.ours),
            "expected": self.expected,
            "holds": bool(self.holds),
        }


@dataclass(frozen=True)
class Column:
    """A column of a table.

    :ivar name: what it is
    :ivar unit: its unit, empty if it has none
    :ivar digits: digits after the point for numbers, None to leave them as they are
    """

    name: str
    unit: str = ""
    digits: int | None = None

    @property
    def header(self) -> str:
        """Name and unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def show(self, value: Any) -> str:
        """Write a cell; a missing value is a dash."""
        return show(value, self.digits)


@dataclass(frozen=True)
class Table:
    """A table of a report.

    :ivar title: heading
    :ivar columns: what each column is
    :ivar rows: cells, row by row
    :ivar caption: how to read it
    :ivar terminal: whether the terminal shows it too
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    terminal: bool = True


@dataclass(frozen=True)
class Dataset:
    """Data to keep as CSV and parquet.

    :ivar name: file name without its suffix
    :ivar frame: the data
    :ivar units: column -> unit; columns without a unit may be left out
    """

    name: str
    frame: pandas.DataFrame
    units: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Analysis:
    """What an experiment makes of its runs.

    :ivar claims: the claims
    :ivar tables: tables, the main comparison first
    :ivar counters: set of runs -> counter -> value, shown as ``nstat`` does
    :ivar figures: plots
    :ivar data: data sets to keep
    :ivar notes: what a reader must know to judge the result, one paragraph each
    """

    claims: Sequence[Claim]
    tables: Sequence[Table] = ()
    counters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    figures: Sequence[Figure] = ()
    data: Sequence[Dataset] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Case:
    """A run to be made.

    :ivar labels: what tells it from the others; columns of the tables
    :ivar scenario: what to run
    """

    labels: Mapping[str, Any]
    scenario: Scenario

    @property
    def name(self) -> str:
        """The labels in one line."""
        return ", ".join(f"{key} {value}" for key, value in self.labels.items())


@dataclass(frozen=True)
class Run:
    """A run that was made.

    :ivar labels: those of its case
    :ivar result: what came out
    """

    labels: Mapping[str, Any]
    result: Result

    def __getitem__(self, label: str) -> Any:
        return self.labels[label]


@dataclass(frozen=True)
class Options:
    """What the user may choose for any experiment.

    :ivar runs: repetitions of each case, None for the experiment's own number
    :ivar quick: a short version, for a first look
    :ivar seed: number of the first repetition; the random streams depend on it
    :ivar jobs: processes, None for the number of cores
    :ivar out: folder of the output, None for ``results/NAME``
    :ivar json: file for the claims, None for none besides the folder's own
    :ivar fresh: compute again what is in the store
    :ivar store: folder of finished runs
    :ivar dask: address of a Dask scheduler, None for processes here
    """

    runs: int | None = None
    quick: bool = False
    seed: int = 1
    jobs: int | None = None
    out: Path | None = None
    json: Path | None = None
    fresh: bool = False
    store: Path = DEFAULT_STORE
    dask: str | None = None

    def __post_init__(self) -> None:
        if self.runs is not None and self.runs < 1:
            raise OptionError("--runs", self.runs, "give a number of repetitions, at least 1")
        if self.seed < 1:
            raise OptionError("--seed", self.seed, "give a whole number, at least 1")
        if self.jobs is not None and self.jobs < 1:
            raise OptionError("--jobs", self.jobs, "give a number of processes, at least 1")

    def count(self, default: int, quick: int) -> int:
        """Return the number of repetitions.

        :param default: the experiment's own number
        :param quick: its number for a quick look
        """
        return self.runs or (quick if self.quick else default)


@dataclass(frozen=True)
class Report:
    """A finished experiment.

    :ivar experiment: the experiment
    :ivar options: what the user chose
    :ivar parameters: the values it rested on
    :ivar versions: versions of what took part
    :ivar runs: the runs
    :ivar analysis: what was made of them
    :ivar seconds: how long it took (s)
    :ivar cached: how many runs had been made before
    """

    experiment: Experiment
    options: Options
    parameters: Sequence[Parameter]
    versions: Mapping[str, str]
    runs: Sequence[Run]
    analysis: Analysis
    seconds: float
    cached: int

    def as_data(self) -> dict[str, Any]:
        """Return what ``--json`` writes."""
        return {
            "experiment": self.experiment.name,
            "versions": dict(self.versions),
            "parameters": {
                "runs": self.options.runs,
                "quick": self.options.quick,
                "seed": self.options.seed,
                "values": [
                    asdict(parameter) | {"origin": parameter.origin.value}
                    for parameter in self.parameters
                ],
            },
            "claims": [claim.as_data() for claim in self.analysis.claims],
        }


class Experiment(ABC):
    """Base class of all experiments; see the head of this module."""

    name: ClassVar[str]  #: name on the command line
    title: ClassVar[str]  #: heading
    question: ClassVar[str]  #: what it answers, one or two sentences
    source: ClassVar[str]  #: where the figures to compare with come from

    @abstractmethod
    def parameters(self, options: Options) -> Sequence[Parameter]:
        """Return every value that the experiment rests on."""

    @abstractmethod
    def cases(self, options: Options) -> Iterable[Case]:
        """Return the scenarios to run."""

    @abstractmethod
    def analyse(self, runs: Sequence[Run], options: Options) -> Analysis:
        """Make claims, tables, figures and data of the runs, in the order of the cases."""

    def reproduce(self, options: Options, console: Console | None = None) -> Report:
        """Run the experiment and write its output.

        :param options: what the user chose
        :param console: terminal to report to; none if None
        :return: the finished experiment
        """
        from .. import report
        from ..engine import shown_versions
        from ..result import Result

        out = options.out or Path("results") / self.name
        check_folder("--out", out)
        check_folder("--store", options.store)
        if options.json is not None:
            check_file("--json", options.json)
        cases = list(self.cases(options))
        parameters = list(self.parameters(options))
        arguments: dict[str, Any] = {
            "jobs": options.jobs,
            "store": Store(options.store),
            "fresh": options.fresh,
            "dask": options.dask,
            "labels": [case.name for case in cases],
        }
        scenarios = [case.scenario.to_dict() for case in cases]
        if console is None:
            outcome = run_packed(scenarios, **arguments)
        else:
            with RichObserver(self.name, console) as observer:
                outcome = run_packed(scenarios, observe=observer, **arguments)
        runs = [
            Run(case.labels, Result.unpack(payload))
            for case, payload in zip(cases, outcome.payloads)
        ]
        finished = Report(
            experiment=self,
            options=options,
            parameters=parameters,
            versions=shown_versions(),
            runs=runs,
            analysis=self.analyse(runs, options),
            seconds=outcome.seconds,
            cached=outcome.cached,
        )
        files = report.write(finished, out, options.json)
        if console is not None:
            report.show(finished, files, console)
        return finished


def check_folder(option: str, folder: Path) -> None:
    """Make a folder and make sure that files can be written there.

    :raises OptionError: if not
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OptionError(
            option, str(folder), f"give a folder that can be written ({_reason(error)})"
        ) from None


def check_file(option: str, file: Path) -> None:
    """Make sure that a file can be written, without changing one that is there.

    :raises OptionError: if not
    """
    try:
        if file.is_dir():
            raise IsADirectoryError("it is a folder")
        if not file.parent.is_dir():
            raise FileNotFoundError(f"there is no folder {file.parent}")
        if file.exists():
            with file.open("ab"):
                pass
        else:
            with tempfile.TemporaryFile(dir=file.parent):
                pass
    except OSError as error:
        raise OptionError(
            option, str(file), f"give a file that can be written ({_reason(error)})"
        ) from None


def _reason(error: OSError) -> str:
    """Return why a file operation failed, in words."""
    return os.strerror(error.errno) if error.errno else str(error)


def plain(value: Any) -> Any:
    """Turn numpy values, tuples and paths into what JSON knows; not-a-number becomes None."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, str)) or value is None:
        return value
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):
        return value
    return str(value)


def show(value: Any, digits: int | None = None) -> str:
    """Write a value for a reader: lists with commas, mappings as ``name value``, nothing as a dash."""
    value = plain(value)
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {show(item, digits)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(show(item, digits) for item in value)
    if isinstance(value, float):
        return f"{value:.{digits}f}" if digits is not None else f"{value:.4g}"
    return str(value)


def flow_frame(runs: Sequence[Run]) -> pandas.DataFrame:
    """Put the flows of all runs into one table, with the runs' labels as first columns."""
    import pandas

    frames = []
    for run in runs:
        frame = run.result.flows.copy()
        for position, (label, value) in enumerate(run.labels.items()):
            frame.insert(position, label, value)
        frames.append(frame)
    return pandas.concat(frames, ignore_index=True)

# SPDX-License-Identifier: GPL-2.0-only
"""The command line.

Exit codes: 0 done (for ``reproduce``: whatever the claims say, unless ``--strict``), 1 a run or a
program failed or, with ``--strict``, a claim does not hold, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from .errors import Interrupted, LinuxTcpError, OptionError
from .runs import DEFAULT_STORE

try:
    # Newer versions of Typer carry a Click of their own.
    from typer._click.exceptions import ClickException
except ImportError:
    from click.exceptions import ClickException

app = typer.Typer(
    name="linux-tcp",
    help="Linux's congestion controls and its FQ packet scheduler in ns-3.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
experiment_app = typer.Typer(help="General experiments, with parameters of your own.")
app.add_typer(experiment_app, name="experiment")

_PASS_THROUGH = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def _console() -> Console:
    """Return the terminal; wide enough for tables when it is none."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console = Console(width=140)
    return console


def _take_over(program: str, words: list[str]) -> NoReturn:
    """Go on as a program of the build.

    :raises LinuxTcpError: if it is not built
    """
    build = os.environ.get("LINUX_TCP_BUILD")
    candidates = [Path(build) / program, Path(build).parent / "algorithm" / program] if build else []
    found = next((str(path) for path in candidates if os.access(path, os.X_OK)), None)
    found = found or shutil.which(program)
    if found is None:
        raise LinuxTcpError(
            f"the program {program} is not installed and LINUX_TCP_BUILD names no build that has "
            "it; in the repository, ./run builds and starts it"
        )
    sys.stdout.flush()
    os.execv(found, [found, *words])


def _whole(option: str, text: str | None) -> int | None:
    """Read a whole number of the command line; Typer's own error would not name the value."""
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise OptionError(option, text, "give a whole number") from None


RunsOption = Annotated[
    str | None, typer.Option("--runs", metavar="N", help="Repetitions of each case.")
]
QuickOption = Annotated[bool, typer.Option("--quick", help="A short version, for a first look.")]
SeedOption = Annotated[
    str, typer.Option("--seed", metavar="N", help="Number of the first repetition.")
]
JobsOption = Annotated[
    str | None,
    typer.Option("--jobs", "-j", metavar="N", help="Processes; the number of cores by default."),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Folder of the output; results/NAME by default.")
]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="Compute again what an earlier call has finished.")
]
StoreOption = Annotated[Path, typer.Option("--store", help="Folder of finished runs.")]
DaskOption = Annotated[
    str | None,
    typer.Option("--dask", help="Address of a Dask scheduler to use, such as tcp://HOST:8786."),
]


@app.command()
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME ...]", help="Experiments; all without.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", help="Write the claims to this file.")
    ] = None,
    runs: RunsOption = None,
    quick: QuickOption = False,
    seed: SeedOption = "1",
    jobs: JobsOption = None,
    out: OutOption = None,
    fresh: FreshOption = False,
    store: StoreOption = DEFAULT_STORE,
    dask: DaskOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 1 if a claim does not hold.")
    ] = False,
) -> None:
    """Run experiments and compare them with what was measured."""
    from .experiments import get, names as known
    from .experiments.base import Options

    chosen = [get(name) for name in names or known()]
    if len(chosen) > 1:
        for option, value in (("--json", json), ("--out", out)):
            if value is not None:
                raise OptionError(option, str(value), "give it with one experiment only")
    options = Options(
        runs=_whole("--runs", runs),
        quick=quick,
        seed=_whole("--seed", seed),
        jobs=_whole("--jobs", jobs),
        out=out,
        json=json,
        fresh=fresh,
        store=store,
        dask=dask,
    )
    console = _console()
    holds = True
    for experiment in chosen:
        report = experiment.reproduce(options, console)
        holds &= all(claim.holds for claim in report.analysis.claims)
    if strict and not holds:
        raise typer.Exit(1)


@experiment_app.command("list")
def list_experiments() -> None:
    """List the experiments that ``reproduce`` knows."""
    from .experiments import get, names

    for name in names():
        print(f"{name:<12}{get(name).title}")


@experiment_app.command("second-flow")
def run_second_flow(
    cc: Annotated[
        str, typer.Option("--cc", metavar="NAME[,NAME ...]", help="Congestion controls to compare.")
    ] = "cubic,htcp",
    size: Annotated[str, typer.Option("--size", help="Size of the second flow.")] = "1MB",
    rate: Annotated[str, typer.Option("--rate", help="Rate of the link.")] = "8Mbps",
    rtt: Annotated[str, typer.Option("--rtt", help="Base RTT.")] = "30ms",
    buffer: Annotated[
        str, typer.Option("--buffer", help="Buffer before the link: 50p, 64KB, 50ms or 1bdp.")
    ] = "50p",
    reverse_rate: Annotated[
        str, typer.Option("--reverse-rate", help="Rate of the way back; --rate by default.")
    ] = "",
    attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute",
            metavar="NAME.ATTRIBUTE=VALUE",
            help="Attribute of a congestion control: cubic.Profile=2.6.27.",
        ),
    ] = None,
    warmup: Annotated[
        str, typer.Option("--warmup", help="How long the incumbent is alone at least.")
    ] = "20s",
    watch: Annotated[
        str, typer.Option("--watch", help="How long the second flow is watched at most.")
    ] = "30s",
    share: Annotated[
        str, typer.Option("--share", metavar="PART", help="Part of the fair share to wait for.")
    ] = "0.8",
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write one row a repetition to this file.")
    ] = None,
    runs: RunsOption = None,
    seed: SeedOption = "1",
    jobs: JobsOption = None,
    fresh: FreshOption = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Start a second flow beside an incumbent: its completion time, its time to the fair share."""
    from .experiments.base import Column, check_file
    from .experiments.second_flow import second_flow
    from rich.table import Table

    by_control: dict[str, dict[str, str]] = {}
    controls = [name.strip() for name in cc.split(",") if name.strip()]
    for setting in attributes or []:
        field, equals, value = setting.partition("=")
        control, dot, attribute = field.rpartition(".")
        if not equals or not dot or control not in controls:
            raise OptionError(
                "--attribute", setting,
                f"give NAME.ATTRIBUTE=VALUE with one of {', '.join(controls)} as NAME",
            )
        by_control.setdefault(control, {})[attribute] = value
    try:
        part = float(share)
    except ValueError:
        raise OptionError("--share", share, "give a number") from None
    if csv is not None:
        check_file("--csv", csv)
    outcome = second_flow(
        controls,
        size=size,
        rate=rate,
        rtt=rtt,
        buffer=buffer,
        reverse_rate=reverse_rate,
        warmup=warmup,
        watch=watch,
        share=part,
        attributes=by_control,
        runs=_whole("--runs", runs) if runs is not None else 10,
        seed=_whole("--seed", seed),
        jobs=_whole("--jobs", jobs),
        store=store,
        fresh=fresh,
        progress=True,
    )
    if csv is not None:
        outcome.runs.to_csv(csv, index=False)
    shown = Table(
        title=f"Second flow of {size} on {rate}, {rtt}, {buffer}; median (quartiles), "
        f"a dash: not within {watch}"
    )
    times = (("completion", "completion (s)"), ("time_to_share", f"{part:.0%} of the fair share (s)"))
    for heading in ("congestion control", "runs", *(text for _, text in times)):
        shown.add_column(heading)
    cell = Column("time", "s", 2)
    for row in outcome.table.to_dict("records"):
        shown.add_row(
            row["control"],
            str(row["runs"]),
            *(
                f"{cell.show(row[name])} ({cell.show(row[name + '_quartile1'])} to "
                f"{cell.show(row[name + '_quartile3'])})"
                for name, _ in times
            ),
        )
    _console().print(shown)


@app.command("list")
def list_names() -> None:
    """List the experiments, congestion controls and queue discs by name."""
    from .engine import native

    list_experiments()
    module = native()
    print(f"congestion controls: {', '.join(module.congestion_controls())}")
    print(f"queue discs: {', '.join(module.queue_discs())}")


@app.command("version")
def show_version() -> None:
    """Print the versions of everything that takes part."""
    from .engine import shown_versions

    for name, value in shown_versions().items():
        print(f"{name} {value}")


@app.command("run")
def run_scenario(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="A .toml or .json file.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Replace a field: flows[0].rtt=10ms."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write every table as CSV to this folder.")
    ] = None,
) -> None:
    """Run a scenario from a file and show what came out."""
    from .engine import tables_as_csv
    from .experiments.base import check_folder
    from .scenario import load

    record = load(scenario)
    for setting in settings or []:
        field, equals, value = setting.partition("=")
        if not equals:
            raise OptionError("--set", setting, "give FIELD=VALUE, such as flows[0].rtt=10ms")
        record = record.replace({field: _value(value)})
    if csv is not None:
        check_folder("--csv", csv)
        record.validate()
        for table, text in tables_as_csv(record).items():
            (csv / f"{table}.csv").write_text(text, encoding="utf-8")
        print(f"tables written to {csv}")
        return
    _show_result(record.validate().run(), _console())


def _value(text: str) -> Any:
    """Read a value of the command line: true, false, a number or a text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _show_result(result: Any, console: Console) -> None:
    """Show what a run gave."""
    from .experiments.base import Column, show
    from rich.table import Table

    columns = (
        ("name", Column("flow"), 1),
        ("congestion_control", Column("congestion control"), 1),
        ("goodput", Column("goodput", "Mbit/s", 2), 1e-6),
        ("completion", Column("completion", "s", 3), 1),
        ("retransmits", Column("retransmits", "", 0), 1),
        ("timeouts", Column("timeouts", "", 0), 1),
        ("min_rtt", Column("min RTT", "ms", 2), 1e3),
        ("mean_rtt", Column("mean RTT", "ms", 2), 1e3),
        ("max_cwnd", Column("max window", "segments", 0), 1),
    )
    console.print(result.facts["topology"], highlight=False, markup=False, soft_wrap=True)
    flows = Table()
    for _, column, _ in columns:
        flows.add_column(column.header, justify="right" if column.digits is not None else "left")
    for _, row in result.flows.iterrows():
        flows.add_row(
            *(
                column.show(float(row[key]) * scale if column.digits is not None else row[key])
                for key, column, scale in columns
            )
        )
    console.print(flows)
    drops = result.table("drops")
    for _, row in drops.iterrows():
        console.print(
            f"{show(int(row['packets']))} packets dropped: {row['place']} {row['name']}, "
            f"{row['reason']}",
            highlight=False,
            markup=False,
        )
    for warning in result.facts["warnings"]:
        console.print(f"warning: {warning}", highlight=False, markup=False)


@app.command(context_settings=_PASS_THROUGH)
def replay(context: typer.Context) -> None:
    """Replay recorded calls through an algorithm and compare every result."""
    _take_over("linux-tcp-replay", context.args)


@app.command(context_settings=_PASS_THROUGH)
def bench(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="[fq|algorithm]")] = "algorithm",
) -> None:
    """Run benchmarks: of the FQ packet scheduler or of the congestion controls."""
    programs = {"fq": "linux-tcp-fq-bench", "algorithm": "linux-tcp-algorithm-benchmark"}
    if what.startswith("-"):
        context.args.insert(0, what)
        what = "algorithm"
    if what not in programs:
        raise OptionError("bench", what, f"give one of {', '.join(programs)}")
    _take_over(programs[what], context.args)


@app.command("test")
def run_tests() -> None:
    """Run the tests of the Python package, from the repository."""
    tests = Path(__file__).resolve().parents[1] / "tests"
    if not tests.is_dir():
        raise LinuxTcpError("the tests are in the repository only; ./run test runs all of them")
    status = subprocess.run([sys.executable, "-m", "pytest", "-q", str(tests)], check=False)
    raise typer.Exit(status.returncode)


def _fail(text: str, status: int) -> int:
    """Print an error as one line.

    :return: the exit status
    """
    print(f"linux-tcp: {' '.join(text.split())}", file=sys.stderr)
    return status


def _end_as_ctrl_c(*_: object) -> NoReturn:
    """Take a request to end as Ctrl-C: what is finished is kept."""
    raise KeyboardInterrupt


def main(words: list[str] | None = None) -> int:
    """Run the command line.

    :param words: arguments; those of the process if None
    :return: exit status
    """
    words = sys.argv[1:] if words is None else words
    before = signal.signal(signal.SIGTERM, _end_as_ctrl_c)
    try:
        status = app(args=words or ["--help"], prog_name="linux-tcp", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except Interrupted as error:
        return _fail(f"{error}; the same command goes on from there", 130)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", 130)
    except OptionError as error:
        return _fail(str(error), 2)
    except LinuxTcpError as error:
        return _fail(str(error), 1)
    except ClickException as error:
        command = error.ctx.command_path if getattr(error, "ctx", None) else "linux-tcp"
        return _fail(f"{error.format_message()} See {command} --help.", 2)
    finally:
        signal.signal(signal.SIGTERM, before)

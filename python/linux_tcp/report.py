# SPDX-License-Identifier: GPL-2.0-only
"""The output of an experiment: terminal, files, and one page with everything."""

from __future__ import annotations

import html
import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from .experiments.base import Column, Dataset, Origin, Report, Table, plain, show as show_value

if TYPE_CHECKING:
    from rich.console import Console


def nstat(counters: Mapping[str, int]) -> str:
    """Write counters as ``nstat`` prints them.

    :param counters: counter -> value
    """
    lines = ["#kernel"]
    lines += [f"{name:<32}{value:<16}{0.0:6.1f}" for name, value in counters.items()]
    return "\n".join(lines)


def write_text(path: Path, text: str) -> None:
    """Write a file: in full or not at all."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write(report: Report, folder: Path, claims_file: Path | None) -> list[Path]:
    """Write all files of an experiment.

    :param report: the finished experiment
    :param folder: existing folder
    :param claims_file: a further place for the claims, None for none
    :return: the files written, the page first
    """
    name = report.experiment.name
    files: list[Path] = []
    document = json.dumps(report.as_data(), indent=2) + "\n"
    claims = folder / f"{name}.json"
    write_text(claims, document)
    files.append(claims)
    if claims_file is not None:
        write_text(claims_file, document)
    scenarios = folder / "scenarios.json"
    write_text(
        scenarios,
        json.dumps(
            [
                {"labels": plain(run.labels), "scenario": run.result.settings}
                for run in report.runs
            ],
            indent=1,
        )
        + "\n",
    )
    files.append(scenarios)
    for data in report.analysis.data:
        files += _write_data(data, folder)
    drawings: dict[str, str] = {}
    for figure in report.analysis.figures:
        vector, pixels = figure.save(folder)
        drawings[figure.name] = vector.read_text(encoding="utf-8")
        files += [vector, pixels]
    page = folder / "report.html"
    write_text(page, _page(report, drawings, files))
    return [page, *files]


def _write_data(data: Dataset, folder: Path) -> list[Path]:
    """Write a data set as CSV, units in its header, and as parquet, units with its columns."""
    import pyarrow
    import pyarrow.parquet

    headers = [
        f"{name} ({data.units[name]})" if name in data.units else str(name)
        for name in data.frame.columns
    ]
    text = folder / f"{data.name}.csv"
    write_text(text, data.frame.set_axis(headers, axis=1).to_csv(index=False))
    columns = folder / f"{data.name}.parquet"
    table = pyarrow.Table.from_pandas(data.frame, preserve_index=False)
    schema = pyarrow.schema(
        [
            item.with_metadata({"unit": data.units[item.name]})
            if item.name in data.units
            else item
            for item in table.schema
        ]
    )
    pyarrow.parquet.write_table(table.cast(schema), columns)
    return [text, columns]


_CLAIM_COLUMNS = (
    Column("claim"),
    Column("seed", digits=2),
    Column("ours", digits=2),
    Column("expected"),
    Column("holds"),
)


def show(report: Report, files: Sequence[Path], console: Console) -> None:
    """Show a finished experiment on the terminal."""
    from rich.table import Table as Grid

    def grid(columns: Sequence[Column], title: str, caption: str = "") -> Grid:
        made = Grid(title=title, caption=caption or None, title_justify="left")
        for column in columns:
            made.add_column(column.header, justify="right" if column.digits is not None else "left")
        return made

    analysis = report.analysis
    for table in analysis.tables:
        if table.terminal:
            shown = grid(table.columns, table.title, table.caption)
            for row in table.rows:
                shown.add_row(*(c.show(cell) for c, cell in zip(table.columns, row)))
            console.print(shown)
    for title, counters in analysis.counters.items():
        console.print(f"[bold]{title}[/bold]")
        console.print(nstat(counters), highlight=False, markup=False)
    claims = Grid(title="Claims", title_justify="left")
    for column in _CLAIM_COLUMNS:
        claims.add_column(column.name, overflow="fold")
    for claim in analysis.claims:
        verdict = "[green]holds[/green]" if claim.holds else "[red]does not hold[/red]"
        claims.add_row(
            claim.id, show_value(claim.seed, 2), show_value(claim.ours, 2), claim.expected, verdict
        )
    console.print(claims)
    for note in analysis.notes:
        console.print(note, highlight=False, markup=False)
    again = f", {report.cached} of them from an earlier call" if report.cached else ""
    console.print(
        f"{len(report.runs)} runs in {report.seconds:.0f} s{again}. Page: {files[0]}",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )


def _html_table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], caption: str = "", raw: int = -1
) -> str:
    """Write a table as HTML; the column ``raw`` holds HTML already."""
    numbers = [' class="number"' if column.digits is not None else "" for column in columns]
    head = "".join(
        f"<th{kind}>{html.escape(column.header)}</th>" for kind, column in zip(numbers, columns)
    )
    lines = []
    for row in rows:
        cells = (
            f"<td{kind}>{cell if i == raw else html.escape(cell)}</td>"
            for i, (kind, cell) in enumerate(zip(numbers, row))
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    below = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{below}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _table_section(table: Table) -> str:
    rows = [[c.show(cell) for c, cell in zip(table.columns, row)] for row in table.rows]
    body = _html_table(table.columns, rows, table.caption)
    return f'<h2>{html.escape(table.title)}</h2><div class="wide">{body}</div>'


def _drawing(source: str, name: str) -> str:
    """Prepare an SVG file for a page: no prologue, names of its own."""
    body = source[source.index("<svg") :]
    names = set(re.findall(r'\bid="([^"]+)"', body))
    for old in names:
        new = f"{name}-{old}"
        body = body.replace(f'id="{old}"', f'id="{new}"')
        body = body.replace(f'"#{old}"', f'"#{new}"').replace(f"url(#{old})", f"url(#{new})")
    return body


def _command(report: Report) -> str:
    """Return the command that gives the same page."""
    options = report.options
    words = ["./run reproduce", report.experiment.name]
    if options.runs is not None:
        words.append(f"--runs {options.runs}")
    if options.quick:
        words.append("--quick")
    if options.seed != 1:
        words.append(f"--seed {options.seed}")
    return " ".join(words)


def _page(report: Report, drawings: Mapping[str, str], files: Sequence[Path]) -> str:
    """Write the page."""
    experiment, analysis = report.experiment, report.analysis
    claims = _html_table(
        _CLAIM_COLUMNS[:1] + tuple(Column(c.name) for c in _CLAIM_COLUMNS[1:]),
        [
            [
                claim.id,
                show_value(claim.seed, 2),
                show_value(claim.ours, 2),
                claim.expected,
                '<span class="holds">holds</span>'
                if claim.holds
                else '<span class="fails">does not hold</span>',
            ]
            for claim in analysis.claims
        ],
        raw=4,
    )
    origins = {
        origin: f'<span class="tag{" calibration" if origin is Origin.CALIBRATION else ""}">'
        f"{origin.value}</span>"
        for origin in Origin
    }
    parameters = _html_table(
        (Column("parameter"), Column("value"), Column("from"), Column("why")),
        [
            [item.name, show_value(item.value), origins[item.origin], item.reason]
            for item in report.parameters
        ],
        raw=2,
    )
    counters = "".join(
        f"<h3>{html.escape(title)}</h3><pre>{html.escape(nstat(values))}</pre>"
        for title, values in analysis.counters.items()
    )
    figures = "".join(
        f"<h2>{html.escape(figure.title)}</h2><figure>{_drawing(drawings[figure.name], figure.name)}"
        f"<figcaption>{html.escape(figure.caption)}</figcaption></figure>"
        for figure in analysis.figures
    )
    template = resources.files(__package__).joinpath("report.html").read_text(encoding="utf-8")
    values: dict[str, Any] = {
        "name": html.escape(experiment.name),
        "title": html.escape(experiment.title),
        "question": html.escape(experiment.question),
        "source": html.escape(experiment.source),
        "claims": claims,
        "notes": "".join(f"<p>{html.escape(note)}</p>" for note in analysis.notes),
        "tables": "".join(_table_section(table) for table in analysis.tables),
        "counters": f"<h2>Counters</h2>{counters}" if counters else "",
        "figures": figures,
        "parameters": parameters,
        "topology": html.escape(str(report.runs[0].result.facts.get("topology", "")))
        if report.runs
        else "",
        "command": html.escape(_command(report)),
        "versions": html.escape(
            ", ".join(f"{name} {value}" for name, value in report.versions.items())
        ),
        "files": ", ".join(html.escape(file.name) for file in files),
    }
    return Template(template).substitute(values)

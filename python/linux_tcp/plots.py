# SPDX-License-Identifier: GPL-2.0-only
"""Plots: one look for all, drawn without a display, the same bytes for the same data."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Colours that people with any colour vision can tell apart (Okabe and Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")

#: One colour for each congestion control, the same in every plot.
CONTROL_COLORS = {
    "reno": "#000000",
    "cubic": "#0072B2",
    "htcp": "#D55E00",
    "nv": "#009E73",
    "cdg": "#CC79A7",
}

_STYLE = {
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "axes.grid": True,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": None,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "linux-tcp",
}


@dataclass(frozen=True)
class Figure:
    """A figure of a report.

    :ivar name: file name without its suffix
    :ivar title: heading in the report
    :ivar caption: what the figure shows and how to read it
    :ivar draw: draws on an empty matplotlib figure
    :ivar size: width and height (inches)
    """

    name: str
    title: str
    caption: str
    draw: Callable[[Canvas], None]
    size: tuple[float, float] = (8.0, 4.5)

    def render(self) -> tuple[bytes, bytes]:
        """Draw the figure.

        :return: the figure as SVG and as PNG
        """
        import matplotlib
        from cycler import cycler
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Canvas

        style = _STYLE | {"axes.prop_cycle": cycler(color=COLORS)}
        with matplotlib.rc_context(style):
            canvas = Canvas(figsize=self.size)
            FigureCanvasAgg(canvas)
            self.draw(canvas)
            vector, pixels = io.BytesIO(), io.BytesIO()
            canvas.savefig(vector, format="svg", metadata={"Date": None, "Creator": "linux-tcp"})
            canvas.savefig(pixels, format="png", dpi=140, metadata={"Software": "linux-tcp"})
        return vector.getvalue(), pixels.getvalue()

    def save(self, folder: Path) -> list[Path]:
        """Write the figure as SVG and PNG.

        :param folder: existing folder
        :return: the files written
        """
        files = []
        for suffix, data in zip(("svg", "png"), self.render()):
            path = folder / f"{self.name}.{suffix}"
            path.write_bytes(data)
            files.append(path)
        return files


def panels(canvas: Canvas, titles: Sequence[str], *, columns: int = 1) -> list[Axes]:
    """Lay out panels that share both axes.

    :param canvas: empty figure
    :param titles: one a panel
    :param columns: panels side by side
    :return: the panels, row by row
    """
    rows = -(-len(titles) // columns)
    grid = canvas.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    axes = [panel for row in grid for panel in row]
    for panel, title in zip(axes, titles):
        panel.set_title(title, loc="left")
    for spare in axes[len(titles) :]:
        spare.set_visible(False)
    return axes[: len(titles)]

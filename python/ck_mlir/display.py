# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What terminals and notebooks show: tables, and IR with colours."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

if TYPE_CHECKING:
    from .kernel import Kernel

_COLOURS = {
    "comment": "#6a737d",
    "string": "#22863a",
    "value": "#005cc5",
    "symbol": "#e36209",
    "attribute": "#6f42c1",
    "type": "#b08800",
    "operation": "#d73a49",
}

_TOKENS = re.compile(
    r"(?P<comment>//[^\n]*|;[^\n]*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<value>%[\w#.$-]+)"
    r"|(?P<symbol>@[\w.$-]+)"
    r"|(?P<attribute>#[A-Za-z_][\w.]*)"
    r"|(?P<type>![\w.]+|\b(?:memref|vector|tensor|index|[su]?i\d+|b?f\d+\w*)\b)"
    r"|(?P<operation>\b[a-z_]+\.[a-z_][\w.]*|^\s+[a-z]\w*_\w+)",
    re.M,
)


def highlight(text: str) -> str:
    """IR or assembly as HTML with colours.

    >>> highlight("%0 = arith.addf %a, %b : f32").count("<span")
    5
    """
    parts, end = [], 0
    for token in _TOKENS.finditer(text):
        colour = _COLOURS[token.lastgroup or "comment"]
        parts.append(html.escape(text[end : token.start()]))
        parts.append(f'<span style="color:{colour}">{html.escape(token.group())}</span>')
        end = token.end()
    parts.append(html.escape(text[end:]))
    return f'<pre style="line-height:1.2">{"".join(parts)}</pre>'


class Table:
    """Rows of cells below a head."""

    def __init__(self, head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> None:
        self.head = [str(cell) for cell in head]
        self.rows = [[_format_cell(cell) for cell in row] for row in rows]

    def format_text(self) -> str:
        """Lines of columns; numbers end below each other."""
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines)]
        numeric = [all(map(_is_number, column)) for column in zip(*self.rows)]

        def align(line: Sequence[str]) -> str:
            cells = zip(line, widths, numeric or [False] * len(widths))
            return "  ".join(c.rjust(w) if n else c.ljust(w) for c, w, n in cells).rstrip()

        return "\n".join(map(align, lines))

    def format_html(self) -> str:
        """An HTML table."""

        def row(cells: Iterable[str], tag: str) -> str:
            return "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)

        lines = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in self.rows)
        head = row(self.head, "th")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _format_cell(cell: Any) -> str:
    """Sizes as 4x2x1, shares with three decimals."""
    if isinstance(cell, (list, tuple)):
        return "x".join(map(str, cell))
    if isinstance(cell, float):
        return f"{cell:.3f}".rstrip("0").rstrip(".")
    return "" if cell is None else str(cell)


def _is_number(cell: str) -> bool:
    return not cell or cell.replace(".", "", 1).isdigit()


class TableDict(dict[str, Any]):
    """A dictionary that terminals and notebooks show as tables."""

    def get_tables(self) -> list[Table]:
        """The tables, in their order."""
        return [Table(("name", "value"), flatten(self))]

    def __repr__(self) -> str:
        return "\n\n".join(table.format_text() for table in self.get_tables())

    def _repr_html_(self) -> str:
        return "".join(table.format_html() for table in self.get_tables())


def flatten(values: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The numbers and texts of nested dictionaries, by names such as instructions.valu.

    >>> flatten({"a": 1, "b": {"c": 2, "d": [3]}})
    [('a', 1), ('b.c', 2)]
    """
    rows: list[tuple[str, Any]] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            rows += flatten(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            rows.append((prefix + key, value))
    return rows


LAUNCH_KEYS = ("name", "grid", "block", "vgprs", "agprs", "sgprs", "lds_bytes", "code_bytes")


def make_launch_table(launches: Iterable[Mapping[str, Any]]) -> Table:
    """The launches of a manifest."""
    return Table(LAUNCH_KEYS, [[launch[key] for key in LAUNCH_KEYS] for launch in launches])


def format_kernel(kernel: Kernel) -> str:
    """A kernel as HTML: what it computes, and its launches."""
    facts = Table(
        ("problem", "chip", "schedule", "workspace"),
        [(kernel.problem, kernel.chip, kernel.schedule, f"{kernel.workspace_bytes} B")],
    )
    tensors = Table(
        ("tensor", "type", "layout", "shape"),
        [(tensor.name, tensor.type, tensor.layout, tensor.shape) for tensor in kernel.tensors],
    )
    tables = (facts, tensors, make_launch_table(kernel.manifest["kernels"]))
    return "".join(table.format_html() for table in tables)


def _make_role_table(profile: Mapping[str, Any]) -> Table:
    """The instructions of a kernel by class and wave role."""
    roles: Sequence[Mapping[str, Any]] = profile["roles"]
    classes = sorted({name for role in roles for name in role["instructions"]})
    rows = [[name, *(role["instructions"].get(name, 0) for role in roles)] for name in classes]
    rows.append(["all", *(role["wave_instructions"] for role in roles)])
    for key in ("lds_bank_conflicts", "bytes_loaded", "bytes_stored", "cache_lines"):
        rows.append([key.replace("_", " "), *(role[key] for role in roles)])
    return Table([profile["name"], *(f"{role['name']} waves" for role in roles)], rows)


def _format_shares(shares: Mapping[str, float]) -> str:
    """The largest shares, as percentages; the report has them in that order."""
    listed = [f"{name} {share:.0%}" for name, share in shares.items() if share >= 0.005]
    return ", ".join(listed[:5]) or "nothing"


def _make_modelled_tables(report: Mapping[str, Any]) -> list[Table]:
    """What the model of time says, by kernel and role."""
    low, high = report["modelled_error"]
    rows = [
        [
            kernel["name"],
            f"{kernel['modelled_us']:.1f}",
            kernel["bound"],
            role["name"],
            _format_shares(role["utilisation"]),
            _format_shares(role["stalls"]),
        ]
        for kernel in report["modelled_kernels"]
        for role in kernel["roles"]
    ]
    total = f"{report['modelled_us']:.1f} us by the model, not measured ({low:.1f} to {high:.1f})"
    keys = ("kernel", "modelled us", "bound by", "waves", "units", "stalls")
    return [Table(("time",), [(total,)]), Table(keys, rows)]


def make_report_tables(report: Mapping[str, Any]) -> list[Table]:
    """A report on a run: the verdict, times, and instructions by class and role."""
    keys = ("problem", "chip", "device", "schedule", "status", "reason", "max_abs_error")
    known = [(key, report[key]) for key in keys if report.get(key) not in (None, "")]
    tables = [Table(("name", "value"), known)]
    if "modelled_us" in report:
        tables += _make_modelled_tables(report)
    if "profile" in report:
        return tables + [_make_role_table(kernel) for kernel in report["profile"]]
    counts = [(kernel["name"], kernel.get("instructions", {})) for kernel in report["kernels"]]
    classes = sorted({name for _, instructions in counts for name in instructions})
    rows = [[name, *(i.get(c, 0) for c in classes)] for name, i in counts]
    return [*tables, Table(["kernel", *classes], rows)]


def make_explanation_tables(explanation: Mapping[str, Any]) -> list[Table]:
    """An explanation: what it is of, and a line for each schedule, the chosen one first."""
    keys = ("problem", "chip", "considered")
    schedules = explanation["schedules"]
    times = [
        key
        for key in ("estimated_us", "from_memory_us", "modelled_us")
        if any(key in entry for entry in schedules)
    ]
    parts = list(schedules[0]["parts_us"])
    rows = [
        [entry["schedule"], *(f"{entry[key]:.1f}" if key in entry else "" for key in times)]
        + [entry["bound"]]
        + [f"{entry['parts_us'][part]:.1f}" for part in parts]
        for entry in schedules
    ]
    head = ("schedule", *(key.replace("_", " ") for key in times), "bound by", *parts)
    return [Table(("name", "value"), [(key, explanation[key]) for key in keys]), Table(head, rows)]


def make_partition_table(report: Mapping[str, Any]) -> Table:
    """A report on partitions: a line for each."""
    keys = ("partition", "workgroups", "rounds", "span", "efficiency", "workspace_bytes")
    return Table(keys, [[partition[key] for key in keys] for partition in report["partitions"]])

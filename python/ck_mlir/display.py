# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What notebooks show: IR with colours, and tables."""

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


def _make_table(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> str:
    def row(cells: Iterable[Any], tag: str) -> str:
        return "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)

    lines = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in rows)
    return f"<table><thead><tr>{row(head, 'th')}</tr></thead><tbody>{lines}</tbody></table>"


def format_kernel(kernel: Kernel) -> str:
    """A kernel as HTML: what it computes, and its launches."""
    facts = _make_table(
        ("problem", "chip", "schedule", "workspace"),
        [(kernel.problem, kernel.chip, kernel.schedule, f"{kernel.workspace_bytes} B")],
    )
    tensors = _make_table(
        ("tensor", "type", "layout", "shape"),
        [(t.name, t.type, t.layout, "x".join(map(str, t.shape))) for t in kernel.tensors],
    )
    keys = ("name", "grid", "block", "vgprs", "agprs", "sgprs", "lds_bytes", "code_bytes")
    launches = [[launch[key] for key in keys] for launch in kernel.manifest["kernels"]]
    return facts + tensors + _make_table(keys, launches)


def _format_roles(profile: Mapping[str, Any]) -> str:
    """The instructions of a kernel by class and wave role."""
    roles: Sequence[Mapping[str, Any]] = profile["roles"]
    classes = sorted({name for role in roles for name in role["instructions"]})
    rows = [[name, *(role["instructions"].get(name, 0) for role in roles)] for name in classes]
    rows.append(["all", *(role["wave_instructions"] for role in roles)])
    for key in ("lds_bank_conflicts", "bytes_loaded", "bytes_stored", "cache_lines"):
        rows.append([key.replace("_", " "), *(role[key] for role in roles)])
    return _make_table([profile["name"], *(f"{role['name']} waves" for role in roles)], rows)


def _format_modelled(report: Mapping[str, Any]) -> str:
    """What the model of time says, by kernel and role."""
    low, high = report["modelled_error"]
    rows = [
        [
            kernel["name"],
            f"{kernel['modelled_us']:.1f}",
            kernel["bound"],
            role["name"],
            ", ".join(f"{unit} {share:.0%}" for unit, share in role["utilisation"].items()),
            ", ".join(f"{reason} {share:.0%}" for reason, share in role["stalls"].items()),
        ]
        for kernel in report["modelled_kernels"]
        for role in kernel["roles"]
    ]
    total = f"{report['modelled_us']:.1f} us by the model, not measured ({low:.1f} to {high:.1f})"
    keys = ("kernel", "modelled us", "bound by", "waves", "units", "stalls")
    return _make_table(("time",), [(total,)]) + _make_table(keys, rows)


def format_report(report: Mapping[str, Any]) -> str:
    """A report on a run as HTML: the verdict, and instructions by class and role."""
    keys = ("problem", "chip", "device", "schedule", "status", "reason", "max_abs_error")
    verdict = _make_table(keys, [[report.get(key, "") for key in keys]])
    if "modelled_us" in report:
        verdict += _format_modelled(report)
    if "profile" in report:
        return verdict + "".join(_format_roles(kernel) for kernel in report["profile"])
    counts = [(kernel["name"], kernel.get("instructions", {})) for kernel in report["kernels"]]
    classes = sorted({name for _, instructions in counts for name in instructions})
    rows = [[name, *(i.get(c, 0) for c in classes)] for name, i in counts]
    return verdict + _make_table(["kernel", *classes], rows)


def format_partitions(report: Mapping[str, Any]) -> str:
    """A report on partitions as HTML: a line for each."""
    keys = ("partition", "slices", "workgroups", "rounds", "span", "efficiency", "workspace_bytes")
    rows = [[partition.get(key, "") for key in keys] for partition in report["partitions"]]
    return _make_table(keys, rows)

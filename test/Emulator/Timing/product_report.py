# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The judgement by matrix products as figures and as printed tables.

AITER's times are those of a profiler, from the start of a kernel to its end: nothing is fitted and
nothing is added. rocBLAS' are shares of a speed that is not recorded: one factor for each chip is
fitted."""

import csv
import dataclasses

import metrics
from modelling import AiterTask, TensileTask

TOP = 3  # in which the tuned kernel is to be


def predicted_us(timing):
    """Of all kernels of a call; None when the model refused it."""
    us = timing.get("modelled_us")
    return us and us + sum(timing["others_us"])


def task_of(row):
    if hasattr(row, "percent"):
        return TensileTask(row.number, row.chip)
    return AiterTask(row.number, row.chip, row.kernel, row.split)


def groups_of(rows):
    """Names and the rows that each stands for, with and without splits."""
    for family in sorted({row.family for row in rows}):
        for title, splits in ((family, None), ("whole K", False), ("split", True)):
            part = [r for r in rows if r.family == family and splits in (None, r.split > 1)]
            if len(part) >= 3:
                yield title if splits is None else f"{family} {title}", part


def scale_of(rows, store):
    """The factor for measured times that makes the bias 1."""
    ratios = [predicted_us(store.get(task_of(row))) / row.us for row in rows]
    return metrics.quantile(ratios, 0.5)


def print_fits(rows, store, title="AITER's products", scales=False):
    """A line for each group; returns their figures. With `scales`, each family has a factor, which
    each half of its rows gets from the other half."""
    for row in rows:
        timing = store.get(task_of(row))
        if not predicted_us(timing):
            print(f"row {row.number + 1} refused: {timing.get('error')}")
    rows = [row for row in rows if predicted_us(store.get(task_of(row)))]
    print(f"{title}\n{'':14}rows  median    p90   bias  correlation  nine of ten")
    measured_us = scaled(rows, store) if scales else {row.number: row.us for row in rows}
    figures = {}
    for name, part in groups_of(rows):
        predicted = [predicted_us(store.get(task_of(row))) for row in part]
        measured = [measured_us[row.number] for row in part]
        roofline = [row.roofline_us for row in part]
        fit = metrics.judge(predicted, measured, roofline)
        figures[name] = dataclasses.asdict(fit)
        print(f"{name:14}{fit.count:4}  {fit.median_error:6.1%} {fit.high_error:6.1%}"
              f"  {fit.bias:5.2f}  {fit.correlation:6.3f}"
              f"       {fit.lowest:.2f}-{fit.highest:.2f}")  # fmt: skip
    return figures


def scaled(rows, store):
    """By number, the measured times with the factor of the other half of the family's rows."""
    result = {}
    for family in sorted({row.family for row in rows}):
        part = sorted((row for row in rows if row.family == family), key=lambda row: row.us)
        halves = part[::2], part[1::2]
        print(f"{family}: measured times times {scale_of(part, store):.3f}")
        for own, other in (halves, halves[::-1]):
            scale = scale_of(other or own, store)
            result.update((row.number, row.us * scale) for row in own)
    return result


def place_of(row, tried, store):
    """How many other kernels would be faster than the tuned one, each with its best split, and of
    how many; None when the model refused that one."""
    best = {}
    for name, split in tried:
        us = predicted_us(store.get(AiterTask(row.number, row.chip, name, split)))
        if us:
            best[name] = min(us, best.get(name, us))
    if row.kernel not in best:
        return None
    return metrics.place(list(best.values()), best[row.kernel])[1], len(best)


def print_choices(shapes, tried, store):
    print(f"the choice among all tiles\n{'':14}rows  kernels  first {TOP}")
    figures = {}
    for family in sorted({row.family for row in shapes}):
        part = [row for row in shapes if row.family == family]
        places = [place_of(row, tried[row.number], store) for row in part]
        places = [place for place in places if place]
        if not places:
            continue
        share = sum(faster < TOP for faster, _ in places) / len(places)
        count = metrics.quantile([count for _, count in places], 0.5)
        figures[family] = {"shapes": len(places), "kernels": count, "first_three": share}
        print(f"{family:14}{len(places):4}  {count:7.0f}  {share:7.0%}")
    return figures


def judgement(judged, shapes, tried, store):
    """Prints all tables and returns their figures."""
    figures = {"fits": print_fits(judged, store)}
    if shapes:
        figures["choice"] = print_choices(shapes, tried, store)
    return figures


def write_rows(path, rows, store):
    """A line for each row with what the model says about it."""
    names = ["row", "family", "chip", "M", "N", "K", "kernel", "split", "measured_us"]
    names += ["predicted_us", "others_us", "roofline_us", "bound", "timing"]
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for row in rows:
            timing = store.get(task_of(row))
            us = predicted_us(timing)
            if not us:
                continue
            line = [row.number + 1, row.family, row.chip, row.m, row.n, row.k, row.kernel]
            line += [row.split, row.us, round(us, 3), timing["others_us"]]
            writer.writerow([*line, round(row.roofline_us, 3), timing.get("bound"), timing])

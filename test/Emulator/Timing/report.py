# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The judgement as figures and as printed tables."""

import csv
import dataclasses
import math

import choices
import metrics
import miopen_calls
import other_kernels
import sample
from modelling import MiopenTask

TARGETS = {"median": 0.20, "p90": 0.50, "correlation": 0.7, "percentile": 0.10, "top five": 0.70}


def timing_of(store, row):
    """What the model says about the whole call."""
    return store.get(MiopenTask(row.number, row.config, True))


def cases_of(rows, store):
    return [(timing_of(store, row), row.us) for row in rows]


def fit_costs(rows, store, change=lambda row, timing: timing):
    """Those in NHWC, of which the shortest is 30 us longer than others, were measured with another
    cost of a launch; they are judged, but nothing is fitted to them."""
    usual = [row for row in rows if row.nchw] or rows
    cases = [(change(row, timing_of(store, row)), row.us) for row in usual]
    return other_kernels.fit(cases)


def predict(rows, store, costs, change=lambda row, timing: timing):
    return [costs.call_us(change(row, timing_of(store, row))) for row in rows]


def fit_of(rows, predicted):
    roofline = [choices.roofline_us(row) for row in rows]
    return metrics.judge(predicted, [row.us for row in rows], roofline)


def groups_of(rows):
    """Names and the rows that each stands for."""
    yield "all", lambda row: True
    for direction in ("fwd", "bwd", "wrw"):
        for dtype in ("fp16", "fp32"):
            yield (
                f"{direction} {dtype}",
                lambda r, d=direction, t=dtype: (r.direction, r.dtype) == (d, t),
            )
    for dtype in ("fp16", "fp32"):  # as Judgement.cpp has them
        for title, split in (("whole", False), ("split", True)):
            yield (
                f"{dtype} {title}",
                lambda r, t=dtype, s=split: (r.dtype, bool(r.splits)) == (t, s),
            )
    yield "NHWC", lambda row: not row.nchw
    yield "split", lambda row: row.splits


def print_fits(title, rows, predicted):
    """A line for each group; returns their figures."""
    print(f"{title}\n{'':12}rows  median    p90   bias  correlation  nine of ten")
    figures = {}
    for name, belongs in groups_of(rows):
        part = [(row, us) for row, us in zip(rows, predicted) if belongs(row)]
        if len(part) < 3:
            continue
        fit = fit_of(*map(list, zip(*part)))
        figures[name] = dataclasses.asdict(fit)
        print(f"{name:12}{fit.count:4}  {fit.median_error:6.1%} {fit.high_error:6.1%}"
              f"  {fit.bias:5.2f}  {fit.correlation:6.3f}"
              f"       {fit.lowest:.2f}-{fit.highest:.2f}")  # fmt: skip
    return figures


def cross_validate(rows, store, change=lambda row, timing: timing):
    """Predictions for each half of the rows with what was fitted on the other."""
    first, second = sample.halves(rows)
    result = {}
    for part, other in ((first, second), (second, first)):
        costs = fit_costs(other, store, change)
        predicted = predict(part, store, costs, change)
        result.update((row.number, us) for row, us in zip(part, predicted))
    return [result[row.number] for row in rows]


def judge_choice(row, configs, us_of):
    """Where the kernel that tuning found fastest stands among all kernels, each with its best
    split: the share that is faster, their number, and the number of all."""
    best = {}
    for config in configs:
        us = us_of(row, config)
        if us is not None:
            best[config.name] = min(us, best.get(config.name, math.inf))
    if row.config.name not in best:
        return None
    share, faster = metrics.place(list(best.values()), best[row.config.name])
    return share, faster, len(best)


def print_choices(shapes, tried, us_of, title):
    """A line for each group; returns their figures."""
    places = [(row, judge_choice(row, tried[row.number], us_of)) for row in shapes]
    places = [(row, place) for row, place in places if place]
    print(f"{title}\n{'':12}shapes kernels  percentile  top five")
    figures = {}
    for name, belongs in groups_of(shapes):
        part = [place for row, place in places if belongs(row)]
        if len(part) < 3:
            continue
        percentile = metrics.quantile([place[0] for place in part], 0.5)
        top = sum(place[1] < 5 for place in part) / len(part)
        count = metrics.quantile([place[2] for place in part], 0.5)
        figures[name] = {"shapes": len(part), "percentile": percentile, "top_five": top}
        print(f"{name:12}{len(part):6} {count:7.0f}  {percentile:10.3f}  {top:8.0%}")
    return figures


def judgement(judged, shapes, tried, store, models):
    """Prints all tables and returns their figures; `models` by name are others to compare with, of
    a row and a configuration."""
    refused = [row for row in judged if "modelled_us" not in timing_of(store, row)]
    for row in refused:
        print(f"row {row.number + 1} refused: {timing_of(store, row).get('error')}")
    rows = [row for row in judged if row not in refused]
    figures = {"targets": TARGETS, "refused": len(refused)}
    if rows:
        costs = fit_costs(rows, store)
        figures["costs"] = dataclasses.asdict(costs)
        print(f"beside the modelled times: {costs.start_us:.2f} us for each kernel of a call")
        title = "(a) (b) all rows, that cost fitted on them"
        figures["fitted"] = print_fits(title, rows, predict(rows, store, costs))
        title = "(a) (b) each half with the cost of the other half"
        figures["validated"] = print_fits(title, rows, cross_validate(rows, store))
        title = "(a) (b) with the cost as it stands in other_kernels.py"
        standing = predict(rows, store, other_kernels.Costs())
        figures["standing"] = print_fits(title, rows, standing)
        for name, model in models.items():
            title = f"for comparison: {name} in place of the GEMM kernel's model"
            predicted = cross_validate(rows, store, in_place_of_model(model))
            figures[name] = print_fits(title, rows, predicted)
    if shapes:
        print_all_choices(shapes, tried, store, models, figures)
    seconds = [timing["seconds"] for timing in store.timings.values()]
    if seconds:
        print(f"{len(seconds)} launches, {sum(seconds) / len(seconds):.2f} s each")
    return figures


def in_place_of_model(model):
    return lambda row, timing: {**timing, "modelled_us": model(row, row.config)}


def print_all_choices(shapes, tried, store, models, figures):
    costs = other_kernels.Costs()

    def modelled(row, config):
        us = store.get(MiopenTask(row.number, config)).get("modelled_us")
        return us and costs.choice_us(us, miopen_calls.others(row, config))

    title = "(c) choice, by the model"
    figures["choice"] = print_choices(shapes, tried, modelled, title)
    for name, model in models.items():

        def other(row, config, model=model):
            return costs.choice_us(model(row, config), miopen_calls.others(row, config))

        title = f"(c) choice, by {name}"
        figures[f"{name}, choice"] = print_choices(shapes, tried, other, title)


def write_rows(path, rows, store, figures):
    """A line for each row with what the model says about it."""
    costs = other_kernels.Costs(**figures["costs"])
    names = ["row", "direction", "dtype", "layout", "problem", "kernel", "split", "measured_us"]
    names += ["predicted_us", "gemm_us", "others_us", "roofline_us", "bound", "timing"]
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for row in rows:
            timing = timing_of(store, row)
            if "modelled_us" not in timing:
                continue
            line = [row.number + 1, row.direction, row.dtype, "NCHW" if row.nchw else "NHWC"]
            line += [row.problem, row.config.name, row.config.split, row.us]
            line += [round(costs.call_us(timing), 3), timing["modelled_us"], timing["others_us"]]
            line += [round(choices.roofline_us(row), 3), timing.get("bound"), timing]
            writer.writerow(line)

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cross-validation of the model's own parameters: would each half of the rows choose the values
that stand in the table, and how good are they on the other half?"""

import argparse
import dataclasses

import report
import sample
from modelling import MiopenTask, Store, model

STANDING = "as they stand"


def model_all(options, rows):
    """The store of each alternative, by its name: the parameters as they stand, and each of
    `options.alternatives`, which are separated by semicolons."""
    stores = {}
    for text in ["", *filter(None, options.alternatives.split(";"))]:
        changed = ",".join(filter(None, (options.parameters, text)))
        changed = argparse.Namespace(**{**vars(options), "parameters": changed})
        store = stores[text or STANDING] = Store(changed)
        model([MiopenTask(row.number, row.config, True) for row in rows], store, changed)
    return stores


def miss_of(rows, store):
    """The median error of `rows`, with the cost of a launch that suits them best."""
    predicted = report.predict(rows, store, report.fit_costs(rows, store))
    return report.fit_of(rows, predicted).median_error


def cross_validate(rows, stores):
    """For each half what it would choose, and what all rows give when each half is predicted with
    the choice and the cost of the other: the names, and the figures."""
    chosen, result = [], {}
    first, second = sample.halves(rows)
    for part, other in ((first, second), (second, first)):
        name = min(stores, key=lambda name, other=other: miss_of(other, stores[name]))
        chosen.append(name)
        costs = report.fit_costs(other, stores[name])
        predicted = report.predict(part, stores[name], costs)
        result.update((row.number, us) for row, us in zip(part, predicted))
    return chosen, report.fit_of(rows, [result[row.number] for row in rows])


def judge(rows, stores):
    """Prints a line for each alternative and for the cross-validation; returns the figures."""
    rows = [
        row
        for row in rows
        if all("modelled_us" in report.timing_of(store, row) for store in stores.values())
    ]
    width = max(map(len, stores))
    print(f"parameters of the model, {len(rows)} rows\n{'':{width}}  median    p90  correlation")
    figures = {}
    for name, store in stores.items():
        fit = report.fit_of(rows, report.cross_validate(rows, store))
        figures[name] = dataclasses.asdict(fit)
        print(
            f"{name:{width}}  {fit.median_error:6.1%} {fit.high_error:6.1%}  {fit.correlation:.3f}"
        )
    chosen, fit = cross_validate(rows, stores)
    figures["chosen"] = chosen
    figures["validated"] = dataclasses.asdict(fit)
    print(f"the halves choose: {'; '.join(chosen)}")
    print("each half with the parameters and the cost of the other half: ", end="")
    print(f"{fit.median_error:.1%} {fit.high_error:.1%} {fit.correlation:.3f}")
    return figures

#!/usr/bin/env python3
# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, emulates and verifies problems that cover the axes of axes.py.

usage: sweep.py [--strength=N] [--covers=N] [--seed=N] [--limit=N] [--jobs=N] [--chip=C] [--list]
                [--ck-run=PATH]

The full product of the axes would take years. Instead every two values of two axes (with
--strength=3: every three of three) meet in some case, as far as a legal case has them; the same
seed gives the same cases. --covers=N makes N such covers with consecutive seeds. --limit=N takes
the first N cases of each, which cover as many pairs as N can. Each case must be verified, or its
schedule be refused for a reason that refusals.py expects; its problem runs again then with a chosen
one. Waves and workgroups run in shuffled orders.
"""

import argparse
import dataclasses
import itertools
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from axes import FAMILIES, is_runnable, make_setting  # noqa: E402
from cases import Summary, make_batches, run_batches  # noqa: E402

# Cases of which the one is taken that covers most.
TRIES = 12


def draw(r, axes, make, group, combination):
    """Indices of all axes: random around those of an open combination; nothing if no such case is
    legal and small enough."""
    for _ in range(TRIES):
        indices = {name: r.randrange(len(values)) for name, values in axes.items()}
        indices.update(zip(group, combination))
        values = {name: axes[name][index] for name, index in indices.items()}
        if is_runnable(make(values), make_setting(values)):
            return indices
    return None


def get_covered(indices, groups):
    """The combinations that meet in a case."""
    for group in groups:
        yield group, tuple(indices[name] for name in group)


def cover(axes, make, strength, seed):
    """Cases such that every `strength` values of as many axes meet in one. Greedy: each case is the
    best of some random ones around an open combination."""
    r = random.Random(seed)
    groups = list(itertools.combinations(axes, strength))
    order = [
        (group, combination)
        for group in groups
        for combination in itertools.product(*(range(len(axes[name])) for name in group))
    ]
    open_sets = set(order)
    r.shuffle(order)
    for group, combination in order:
        if (group, combination) not in open_sets:
            continue
        open_sets.discard((group, combination))
        best, best_covered = None, set()
        for _ in range(TRIES):
            indices = draw(r, axes, make, group, combination)
            if indices is None:
                break
            covered = open_sets.intersection(get_covered(indices, groups))
            if best is None or len(covered) > len(best_covered):
                best, best_covered = indices, covered
        if best is not None:
            open_sets -= best_covered
            yield {name: axes[name][index] for name, index in best.items()}


def make_cases(arguments):
    """[(setting, problem)] of all families and covers, each once."""
    cases = {}
    for number, family in itertools.product(range(arguments.covers), FAMILIES):
        axes, make = FAMILIES[family]
        if arguments.chip:
            axes = {**axes, "chip": [arguments.chip]}
        found = cover(axes, make, arguments.strength, arguments.seed + number)
        for values in itertools.islice(found, arguments.limit):
            cases[make_setting(values), make(values)] = None
    return list(cases)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strength", type=int, default=2, help="axes whose values all meet")
    parser.add_argument("--covers", type=int, default=1, help="covers, with consecutive seeds")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other cases")
    parser.add_argument("--limit", type=int, help="cases of each cover and family")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--chip", help="this chip alone")
    parser.add_argument("--list", action="store_true", help="print the cases and run nothing")
    parser.add_argument("--ck-run", default="ck-run", help="the tool under test")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    cases = make_cases(arguments)
    batches = make_batches(cases, arguments.seed)
    if arguments.list:
        for setting, problems in batches:
            print("\n".join(setting.get_command(problem) for problem in problems))
        return 0
    summary = Summary()
    run_batches(arguments.ck_run, batches, arguments.jobs, summary)
    # The problems of refused schedules have other values to show: again with a chosen schedule.
    again = {
        (dataclasses.replace(setting, schedule="", order="", seed=0), problem): None
        for setting, problem in summary.refused
    }
    batches = make_batches(list(again), arguments.seed)
    run_batches(arguments.ck_run, batches, arguments.jobs, summary)
    print(f"{len(cases) + len(again)} cases: {summary}")
    return 1 if summary.failed else 0


if __name__ == "__main__":
    sys.exit(main())

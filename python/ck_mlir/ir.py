# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IR as text: the rungs of the lowering, and pass pipelines."""

from __future__ import annotations

from typing import Iterator, Mapping, Optional, Union

from . import _native
from .display import highlight
from .errors import InvalidArgumentError

FORMS: tuple[str, ...] = tuple(_native.forms())


class IR(str):
    """A text that notebooks show with colours."""

    def _repr_html_(self) -> str:
        return highlight(self)


class Rungs(Mapping[str, IR]):
    """The IR of a problem on every rung, made when it is asked for."""

    def __init__(self, source: str, chip: str, schedule: str, residents: int) -> None:
        self._source = source
        self._arguments = (chip, schedule, residents)
        self._made: dict[str, IR] = {}

    def __getitem__(self, form: str) -> IR:
        if form not in FORMS:
            raise KeyError(f"expected a form ({', '.join(FORMS)}), got '{form}'")
        if form not in self._made:
            chip, schedule, residents = self._arguments
            self._made[form] = lower(
                self._source, form, chip=chip, schedule=schedule, residents=residents
            )
        return self._made[form]

    def __iter__(self) -> Iterator[str]:
        return iter(FORMS)

    def __len__(self) -> int:
        return len(FORMS)


def problem_ir(problem: str, chip: Optional[str] = None) -> IR:
    """The module of a problem string, as `ck-gen` prints it; the chip has a say in the type of
    8-bit floats.

    >>> "ck.batched_gemm" in problem_ir("gemm:f16:M=16,N=16,K=16")
    True
    """
    return IR(_native.problem_ir(problem, chip or "gfx942"))


def lower(
    source: str,
    to: str,
    *,
    chip: str = "gfx942",
    schedule: str = "",
    residents: int = 0,
    form: str = "problem",
    verify_forms: bool = False,
) -> IR:
    """The text of a module, or a problem string, lowered to the form `to`: one of FORMS.

    `form` is the form that the module has. With `verify_forms` the form is checked after every
    rung.

    >>> lower("gemm:f16:M=64,N=64,K=64", to="scheduled").count("#ck.schedule")
    1
    """
    if not ("\n" in source or "{" in source):
        source = _native.problem_ir(source, chip)
    return IR(_native.lower(source, form, to, chip, schedule, residents, verify_forms))


def run_passes(source: Union[str, IR], pipeline: str) -> IR:
    """The text of a module behind a pass pipeline, in the syntax of `mlir-opt`. The passes are
    those of `ck-opt`.

    >>> ir = problem_ir("gemm:f16:M=16,N=16,K=16")
    >>> "ck.gemm" in run_passes(ir, "builtin.module(ck-attach-target{chip=gfx942},ck-conv-to-gemm)")
    True
    """
    if not pipeline.startswith("builtin.module("):
        raise InvalidArgumentError(f"expected a pipeline 'builtin.module(...)', got '{pipeline}'")
    return IR(_native.run_passes(source, pipeline))

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many kernels at once, by any executor of concurrent.futures."""

from __future__ import annotations

import concurrent.futures
import os
import sys
from typing import Any, Callable, Iterable, Optional, Union

from .errors import Error, InvalidArgumentError
from .kernel import Kernel, compile, default_chip

Request = Union[str, tuple[str, str], tuple[str, str, str]]


def _compile_request(problem: str, chip: str, schedule: str) -> Union[Kernel, Error]:
    """What runs in the executor; what the compiler refused comes back as it is."""
    try:
        return compile(problem, chip, schedule)
    except Error as error:
        return error


def _show(done: int, total: int) -> None:
    """A progress bar on standard error."""
    filled = 40 * done // max(total, 1)
    end = "\n" if done == total else ""
    print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{total}", end=end, file=sys.stderr)


def gather(futures: list[Any], show: Callable[[int, int], None]) -> list[Any]:
    """The results of all. Where one is an exception, or Ctrl-C comes, the others are cancelled."""
    results = []
    try:
        for future in futures:
            results.append(future.result())
            show(len(results), len(futures))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return results


def _check_result(request: tuple[str, str, str], result: Any) -> None:
    """Refuses what is neither a kernel for the chip nor what the compiler said."""
    problem, chip, _ = request
    if not isinstance(result, (Kernel, Error)):
        raise InvalidArgumentError(
            "executor: expected the Kernel or the Error that the submitted function returns for "
            f"'{problem}', got {type(result).__name__}"
        )
    if isinstance(result, Kernel) and result.chip != chip:
        raise InvalidArgumentError(
            f"executor: expected a kernel for '{problem}' on {chip}, got one for "
            f"'{result.problem}' on {result.chip}"
        )


def build(
    requests: Iterable[Request],
    executor: Any = None,
    *,
    chip: Optional[str] = None,
    progress: Union[bool, Callable[[int, int], None]] = False,
    errors: str = "raise",
) -> list[Any]:
    """Compiles problems: problem strings, or tuples with the chip and the schedule of each.

    `executor` is anything that has the `submit` of concurrent.futures: threads, which are taken
    where there is none, processes, Dask's `client.get_executor()`, Ray's. Kernels are returned in
    the order of the requests. With `errors="return"` the list has an exception where the compiler
    refused; otherwise the first one is raised once all have ended. `progress` shows a bar, or is
    called with the numbers of kernels that are done and of all. Ctrl-C cancels what has not begun.
    An executor that returns anything else than what it was given to run returns is an
    InvalidArgumentError.

    >>> kernels = build([f"gemm:f16:M=32,N=32,K={k}" for k in (32, 64)], chip="gfx942")
    >>> [kernel.tensors[0].shape for kernel in kernels]
    [(1, 32, 32), (1, 32, 64)]
    """
    if errors not in ("raise", "return"):
        raise ValueError(f"errors: expected 'raise' or 'return', got '{errors}'")
    complete = []
    for request in requests:
        parts = (request,) if isinstance(request, str) else tuple(request)
        problem, own_chip, schedule = (*parts, "", "")[:3]
        complete.append((problem, own_chip or chip or default_chip(), schedule))
    if executor is not None:
        return _collect(executor, complete, progress, errors)
    threads = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        return _collect(threads, complete, progress, errors)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)  # Ctrl-C leaves some


def _collect(
    executor: Any,
    requests: list[tuple[str, str, str]],
    progress: Union[bool, Callable[[int, int], None]],
    errors: str,
) -> list[Any]:
    show = _show if progress is True else progress or (lambda done, total: None)
    futures = [executor.submit(_compile_request, *request) for request in requests]
    results = gather(futures, show)
    for request, result in zip(requests, results):
        _check_result(request, result)
    refused = [result for result in results if isinstance(result, Error)]
    if refused and errors == "raise":
        raise refused[0]
    return results

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels of this project and launches them on the model of time."""

import dataclasses
import json
import os
import subprocess
import tempfile

from device import HipError


@dataclasses.dataclass
class Compiled:
    code: bytes
    manifest: dict


def compile_kernel(compiler, cache, problem, schedule, setting):
    """The code object of a schedule with its manifest; both are kept in the cache."""

    def make():
        with tempfile.TemporaryDirectory() as folder:
            command = [compiler, problem, f"--chip={setting[0]}", f"--schedule={schedule}"]
            done = subprocess.run(
                [*command, "-o", folder], capture_output=True, text=True, check=False
            )
            if done.returncode:
                lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
                return json.dumps({"error": lines[-1]}).encode()
            with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
                manifest = json.load(file)
            with open(os.path.join(folder, manifest["code_object"]), "rb") as file:
                code = file.read()
            return json.dumps(manifest).encode() + b"\0" + code

    with open(compiler, "rb") as file:
        version = f"{os.path.getsize(compiler)} {os.fstat(file.fileno()).st_mtime_ns}"
    text = cache.get(f"{version} {problem} {schedule} {setting[0]}", make)
    manifest, _, code = text.partition(b"\0")
    manifest = json.loads(manifest)
    if "error" in manifest:
        raise HipError(manifest["error"])
    return Compiled(code, manifest)


def time_kernels(device, compiled):
    """What the model says about the kernels of one problem, one after the other."""
    manifest = compiled.manifest
    sizes = {tensor["name"]: tensor["bytes"] for tensor in manifest["tensors"]}
    # What a kernel needs zeroed in its workspace it leaves so: that costs no launch each time.
    zeroed = sum(sizes[name] for name in manifest["zero_fill"])
    sizes["workspace"] = manifest["workspace_bytes"]
    result = {"modelled_us": 0.0, "kernels": [], "zeroed_bytes": zeroed}
    result["schedule"] = manifest["schedule"]
    try:
        pointers = {name: device.allocate(size) for name, size in sizes.items()}
        for kernel in manifest["kernels"]:
            arguments = [pointers[name] for name in kernel["arguments"]]
            timing = device.time(
                compiled.code, kernel["name"], kernel["grid"], kernel["block"], arguments
            )
            result["kernels"].append(timing)
            result["modelled_us"] += timing["modelled_us"]
        return result
    finally:
        device.free_all()


def count_launches(timing):
    """Of kernels, and of a fill in front of them."""
    return len(timing["kernels"]) + bool(timing["zeroed_bytes"])


def launched_us(timing, fills=0):
    """Of all kernels, with a launch for each after the first and for each fill before them; None
    if there is no time. `fills` are those that the timing does not know of."""
    if "modelled_us" not in timing:
        return None
    first = timing["kernels"][0] if "kernels" in timing else timing
    launches = count_launches(timing) if "kernels" in timing else 1
    return timing["modelled_us"] + (launches - 1 + fills) * first.get("launch_us", 0)


def total_us(timing, costs):
    """Of the kernels and of what is zeroed before them."""
    us = timing["modelled_us"] + count_launches(timing) * costs.start_us
    return us + timing["zeroed_bytes"] / costs.fill_tb_s / 1e6

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's own driver for AMD GPUs, on a machine without one.

Triton's driver asks PyTorch for the device and the stream; PyTorch for the CPU has neither. This
driver gives the answers that hold for the emulator: there is device 0, and its null stream.
Tensors lie in host memory.
"""

import os

from triton.backends.amd import driver as amd

from ck_emulator.triton.hip import Event, Hip
from ck_emulator.triton.memory import HostMemory


class EmulatedInterface:
    """What Triton's benchmarks use of `torch.cuda`."""

    def __init__(self, hip):
        self.hip = hip

    def Event(self, enable_timing=True):  # the name in PyTorch
        return Event(self.hip)

    def synchronize(self, device=None):
        self.hip.synchronize()

    def current_device(self):
        return 0


class NoCache:
    """In place of the buffer that a benchmark writes before each launch to empty the caches."""

    def zero_(self):
        return self


class EmulatedLauncher(amd.HIPLauncher):
    """Triton's launcher, with host memory that the device can access during the launch."""

    memory = None

    def __call__(self, *arguments):
        with self.memory.registered(arguments):
            return super().__call__(*arguments)


class EmulatedDriver(amd.HIPDriver):
    """Triton's driver, whose constructor and answers of PyTorch this class replaces."""

    def __init__(self):
        self.utils = amd.HIPUtils()
        self.hip = Hip(amd._get_path_to_hip_runtime_dylib())
        self.launcher_cls = type(
            "EmulatedLauncher", (EmulatedLauncher,), {"memory": HostMemory(self.hip)}
        )
        self.get_current_device = lambda: 0
        self.set_current_device = lambda device: None
        self.get_current_stream = lambda device: 0
        self.get_device_capability = lambda device=0: (0, 0)

    @staticmethod
    def is_active():
        """ck-emulate sets the variable. PyTorch for ROCm uses the emulator by itself."""
        return bool(os.environ.get("CK_EMULATOR_LIBRARY")) and not amd.HIPDriver.is_active()

    def get_active_torch_device(self):
        import torch

        return torch.device("cpu")

    def get_device_interface(self):
        return EmulatedInterface(self.hip)

    def get_empty_cache_for_benchmark(self):
        return NoCache()

    def get_benchmarker(self):
        return self.benchmark

    def benchmark(self, kernel_call, *, quantiles=None, **options):
        """The milliseconds of one launch, as many times as there are quantiles: modelled times do
        not scatter, and an emulated launch is slow."""
        start, end = Event(self.hip), Event(self.hip)
        start.record()
        kernel_call()
        end.record()
        milliseconds = start.elapsed_time(end)
        return [milliseconds] * len(quantiles) if quantiles else milliseconds

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's own launcher for arrays in host memory, on a machine without a GPU.

Triton asks PyTorch for the device and the stream. `EmulatedDriver` is Triton's driver for AMD GPUs
with the answers that hold for the emulator: there is device 0, and its null stream. The HIP library
is found as Triton finds it, by TRITON_LIBHIP_PATH for example.

    triton.runtime.driver.set_active(EmulatedDriver())
    kernel[grid](Tensor(array), n, BLOCK=256)
"""

import ctypes

from triton.backends.amd import driver


class EmulatedDriver(driver.HIPDriver):
    """The driver without PyTorch, whose constructor is all that this class replaces."""

    def __init__(self):
        self.utils = driver.HIPUtils()
        self.launcher_cls = driver.HIPLauncher
        self.get_current_device = lambda: 0
        self.set_current_device = lambda device: None
        self.get_current_stream = lambda device: 0


class Tensor:
    """What Triton wants of a tensor: `data_ptr()` and `dtype`. Its memory is that of a NumPy array,
    which is registered with HIP until `free()`."""

    def __init__(self, array, dtype=None):
        self.hip = ctypes.CDLL(driver._get_path_to_hip_runtime_dylib())
        self.array, self.dtype = array, dtype or array.dtype
        self.address = ctypes.c_void_p(array.ctypes.data)
        size = ctypes.c_size_t(array.nbytes)
        status = self.hip.hipHostRegister(self.address, size, ctypes.c_uint(0))
        if status != 0:
            raise RuntimeError(f"hipHostRegister of {array.nbytes} bytes returned {status}")

    def data_ptr(self):
        return self.address.value

    def free(self):
        self.hip.hipHostUnregister(self.address)

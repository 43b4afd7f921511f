# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of HIP that the driver calls beside those that Triton's own code calls."""

import ctypes


class HipError(RuntimeError):
    """A call of HIP that failed; the emulator has said why on standard error."""


class Hip:
    """The HIP library at a path."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise HipError(f"{name} returned the error {status}")

    def register(self, address, size):
        self.call(
            "hipHostRegister", ctypes.c_void_p(address), ctypes.c_size_t(size), ctypes.c_uint(0)
        )

    def unregister(self, address):
        self.call("hipHostUnregister", ctypes.c_void_p(address))

    def synchronize(self):
        self.call("hipDeviceSynchronize")


class Event:
    """An event of the null stream. With a model of time, events tell modelled times."""

    def __init__(self, hip):
        self.hip, self.handle = hip, ctypes.c_void_p()
        hip.call("hipEventCreate", ctypes.byref(self.handle))

    def record(self, stream=None):
        self.hip.call("hipEventRecord", self.handle, ctypes.c_void_p(stream))

    def synchronize(self):
        self.hip.call("hipEventSynchronize", self.handle)

    def elapsed_time(self, end):
        """The milliseconds from this event to `end`."""
        result = ctypes.c_float()
        self.hip.call("hipEventElapsedTime", ctypes.byref(result), self.handle, end.handle)
        return result.value

    def __del__(self):
        if self.handle:
            self.hip.library.hipEventDestroy(self.handle)

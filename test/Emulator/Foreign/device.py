# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A HIP device for NumPy arrays, through the driver-style functions of a HIP library.

Nothing of ck-mlir is used but the library under test: what runs here is what any other host program
would do with a code object.
"""

import ctypes

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
# HIP_LAUNCH_PARAM_* of the `extra` argument of hipModuleLaunchKernel.
LAUNCH_BUFFER_POINTER, LAUNCH_BUFFER_SIZE, LAUNCH_END = 1, 2, 3


class HipError(Exception):
    """A HIP call that failed, with the emulator's message if the library has one."""


class Device:
    """The device of `library`, the path of a HIP library. The chip of the emulator is that of the
    environment, read once per process."""

    def __init__(self, library):
        self.hip = ctypes.CDLL(library)
        self.allocated = []

    def _call(self, function, *arguments):
        status = getattr(self.hip, function)(*arguments)
        if status == 0:
            return
        message = ""
        if hasattr(self.hip, "ckEmulatorGetLastMessage"):
            get_message = self.hip.ckEmulatorGetLastMessage
            get_message.restype = ctypes.c_char_p
            message = ": " + get_message().decode()
        raise HipError(f"{function} returned {status}{message}")

    def upload(self, array):
        """The device address of a copy of `array`."""
        address = ctypes.c_void_p()
        size = ctypes.c_size_t(array.nbytes)
        self._call("hipMalloc", ctypes.byref(address), size)
        self.allocated.append(address)
        host = ctypes.c_void_p(array.ctypes.data)
        self._call("hipMemcpy", address, host, size, HOST_TO_DEVICE)
        return address

    def download(self, address, array):
        """`array`, filled from the device."""
        host = ctypes.c_void_p(array.ctypes.data)
        size = ctypes.c_size_t(array.nbytes)
        self._call("hipMemcpy", host, address, size, DEVICE_TO_HOST)
        return array

    def launch(self, code, name, grid, block, lds_bytes, arguments):
        """Loads `code`, runs its kernel `name` and waits for its end. `arguments` are ctypes
        values, `grid` counts workgroups, `block` work-items."""
        pointers = [ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in arguments]
        parameters = (ctypes.c_void_p * len(pointers))(*pointers)
        self._launch(code, name, (*grid, *block, lds_bytes), parameters, None)

    def launch_packed(self, code, name, grid, block, lds_bytes, arguments):
        """The same with the bytes of the arguments as the kernel reads them."""
        size = ctypes.c_size_t(len(arguments))
        data = ctypes.create_string_buffer(arguments, len(arguments))
        extra = (ctypes.c_void_p * 5)(
            LAUNCH_BUFFER_POINTER, ctypes.cast(data, ctypes.c_void_p),
            LAUNCH_BUFFER_SIZE, ctypes.cast(ctypes.byref(size), ctypes.c_void_p),
            LAUNCH_END,
        )  # fmt: skip
        self._launch(code, name, (*grid, *block, lds_bytes), None, extra)

    def _launch(self, code, name, shape, parameters, extra):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("hipModuleLoadData", ctypes.byref(module), code)
        try:
            self._call("hipModuleGetFunction", ctypes.byref(function), module, name.encode())
            self._call("hipModuleLaunchKernel", function, *shape, None, parameters, extra)
            self._call("hipDeviceSynchronize")
        finally:
            self._call("hipModuleUnload", module)

    def free_all(self):
        for address in self.allocated:
            self._call("hipFree", address)
        self.allocated.clear()

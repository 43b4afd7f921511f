# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments in host memory, which the device can access while it is registered with HIP."""

import contextlib
import threading


class Tensor:
    """What Triton asks of a tensor, for a NumPy array."""

    def __init__(self, array, dtype=None):
        self.array, self.dtype = array, dtype or array.dtype

    def data_ptr(self):
        return self.array.ctypes.data

    def ptr_range(self):
        """The bytes that pointers may differ by; below 2 GiB Triton uses buffer instructions."""
        return self.array.nbytes


def find_host_memory(argument):
    """The address and the size in bytes of the host memory that holds `argument` and what shares it
    with `argument`: of a Tensor or of a tensor of PyTorch. None for other arguments."""
    if isinstance(argument, Tensor):
        array = argument.array
        while isinstance(array.base, type(array)):
            array = array.base
        return array.ctypes.data, array.nbytes
    if hasattr(argument, "untyped_storage") and argument.device.type == "cpu":
        storage = argument.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    return None


def find_all_host_memory(arguments):
    """The set of what find_host_memory finds in `arguments`, in tuples of them, and in descriptors
    of tensors."""
    found = set()
    for argument in arguments:
        if isinstance(argument, (tuple, list)):
            found |= find_all_host_memory(argument)
        else:
            found.add(find_host_memory(getattr(argument, "base", argument)))
    return {memory for memory in found if memory and memory[1] > 0}


class HostMemory:
    """Registers memory while launches need it; those of several threads may share it."""

    def __init__(self, hip):
        self.hip, self.users, self.lock = hip, {}, threading.Lock()

    @contextlib.contextmanager
    def registered(self, arguments):
        held = []
        try:
            for memory in find_all_host_memory(arguments):
                self.acquire(memory)
                held.append(memory)
            yield
        finally:
            for memory in held:
                self.release(memory)

    def acquire(self, memory):
        with self.lock:
            if self.users.get(memory, 0) == 0:
                self.hip.register(*memory)
            self.users[memory] = self.users.get(memory, 0) + 1

    def release(self, memory):
        with self.lock:
            self.users[memory] -= 1
            if self.users[memory] == 0:
                del self.users[memory]
                self.hip.unregister(memory[0])

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which host memory the launcher of ck_emulator.triton registers, and for how long.

The arguments have the attributes of NumPy's arrays and PyTorch's tensors that the launcher uses.
"""

import os
import sys
import threading
import types
import unittest

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(FOLDER, "..", "..", "..", "lib", "Emulator", "Python"))

from ck_emulator.triton.memory import HostMemory, Tensor, find_all_host_memory  # noqa: E402


class Array:
    """An array of NumPy at an address; of `base` if it is a view."""

    def __init__(self, address, nbytes, base=None):
        self.ctypes = types.SimpleNamespace(data=address)
        self.nbytes, self.base, self.dtype = nbytes, base, "float32"


class TorchTensor:
    def __init__(self, address, nbytes, device="cpu"):
        self.device = types.SimpleNamespace(type=device)
        self.storage = types.SimpleNamespace(data_ptr=lambda: address, nbytes=lambda: nbytes)

    def untyped_storage(self):
        return self.storage


class RecordingHip:
    def __init__(self):
        self.calls = []

    def register(self, address, size):
        if size == 13:
            raise RuntimeError("refused")
        self.calls.append(("register", address, size))

    def unregister(self, address):
        self.calls.append(("unregister", address))


class HostMemoryTest(unittest.TestCase):
    def test_finds_what_holds_arguments(self):
        whole = Array(100, 40)
        view = Tensor(Array(120, 4, base=Array(110, 8, base=whole)))
        self.assertEqual(find_all_host_memory([view]), {(100, 40)})
        self.assertEqual(find_all_host_memory([TorchTensor(200, 8)]), {(200, 8)})

    def test_ignores_other_arguments(self):
        others = [1, 2.5, None, "text", TorchTensor(200, 8, device="cuda"), TorchTensor(0, 0)]
        self.assertEqual(find_all_host_memory(others), set())

    def test_looks_into_tuples_and_descriptors(self):
        descriptor = types.SimpleNamespace(base=TorchTensor(300, 16))
        self.assertEqual(
            find_all_host_memory([(1, (TorchTensor(200, 8),)), descriptor]), {(200, 8), (300, 16)}
        )

    def test_registers_shared_memory_once(self):
        hip = RecordingHip()
        with HostMemory(hip).registered([TorchTensor(200, 8), TorchTensor(200, 8)]):
            self.assertEqual(hip.calls, [("register", 200, 8)])
        self.assertEqual(hip.calls[1:], [("unregister", 200)])

    def test_stays_registered_until_the_last_launch_ends(self):
        hip = RecordingHip()
        memory, tensor = HostMemory(hip), TorchTensor(200, 8)
        inside, leave = threading.Event(), threading.Event()

        def launch():
            with memory.registered([tensor]):
                inside.set()
                leave.wait()

        thread = threading.Thread(target=launch)
        thread.start()
        inside.wait()
        with memory.registered([tensor]):
            pass
        self.assertEqual(hip.calls, [("register", 200, 8)])
        leave.set()
        thread.join()
        self.assertEqual(hip.calls[1:], [("unregister", 200)])

    def test_releases_after_a_failure(self):
        hip = RecordingHip()
        memory = HostMemory(hip)
        with self.assertRaisesRegex(RuntimeError, "refused"):
            with memory.registered([(TorchTensor(200, 8)), TorchTensor(300, 13)]):
                self.fail("launched")
        with self.assertRaisesRegex(ValueError, "in the launch"):
            with memory.registered([TorchTensor(200, 8)]):
                raise ValueError("in the launch")
        registered = [call for call in hip.calls if call[0] == "register"]
        self.assertEqual(len(hip.calls), 2 * len(registered))
        self.assertEqual(memory.users, {})


if __name__ == "__main__":
    unittest.main()

"""Calls the emulator through the name of one of AMD's libraries, with that version's types.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: check_abi.py LIBRARY CODE_OBJECT [HIP_VERSION]

HIP_VERSION is given to the emulator by ckEmulatorSetVariable.
"""

import ctypes
import struct
import sys

DIM3 = ctypes.c_uint * 3


def int_at(data, offset):
    return struct.unpack_from("<i", data, offset)[0]


class Hip:
    """Functions of the library that must succeed."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def call(*arguments):
            code = function(*arguments)
            assert code == 0, f"{name} returned {code}"

        return call


def check_properties(hip):
    """The layouts of hipDeviceProp_t: 792 bytes in HIP 5, 1472 in HIP 6."""
    new, old = ctypes.create_string_buffer(1480), ctypes.create_string_buffer(800)
    new[1472:] = old[792:] = b"\xa5" * 8
    hip.hipGetDevicePropertiesR0600(new, 0)
    hip.hipGetDeviceProperties(old, 0)
    assert new[1472:] == old[792:] == b"\xa5" * 8, "written beyond the structure"
    for offset, old_offset in ((388, 336), (308, 276)):  # multiProcessorCount, warpSize
        assert int_at(new, offset) == int_at(old, old_offset) > 0
    name = ctypes.string_at(ctypes.addressof(new) + 1160)
    assert name == ctypes.string_at(ctypes.addressof(old) + 396)
    print("arch", name.decode(), "units", int_at(new, 388), "warp", int_at(new, 308))


def check_versions(hip):
    version = ctypes.c_int()
    hip.hipDriverGetVersion(ctypes.byref(version))
    print("HIP", version.value // 10000000)


def check_pointers(hip):
    """hipMemoryType of device, managed and pinned memory, and of memory that HIP does not know."""
    attributes = ctypes.create_string_buffer(64)
    types = []
    for allocate in (hip.hipMalloc, hip.hipMallocManaged, hip.hipHostMalloc):
        pointer = ctypes.c_void_p()
        allocate(ctypes.byref(pointer), ctypes.c_size_t(64), 0)
        hip.hipPointerGetAttributes(attributes, pointer)
        types.append(int_at(attributes, 0))
        hip.hipFree(pointer)
    code = hip.library.hipPointerGetAttributes(attributes, attributes)
    print("memory types", types, "unknown", code, int_at(attributes, 0))


def check_functions(hip):
    """Functions by name, with those that the program's version means."""
    found = {}
    for name in (b"hipGetDeviceProperties", b"hipGetDevicePropertiesR0600", b"hipMalloc"):
        for version in (500, 600):
            address, status = ctypes.c_void_p(), ctypes.c_int(9)
            hip.hipGetProcAddress(
                name, ctypes.byref(address), version, ctypes.c_uint64(0), ctypes.byref(status)
            )
            assert status.value == 0
            found[name, version] = address.value
    assert found[b"hipGetDeviceProperties", 600] == found[b"hipGetDevicePropertiesR0600", 600]
    assert found[b"hipGetDeviceProperties", 500] != found[b"hipGetDeviceProperties", 600]
    assert found[b"hipMalloc", 500] == found[b"hipMalloc", 600]
    address, status = ctypes.c_void_p(), ctypes.c_int(9)
    code = hip.library.hipGetProcAddress(
        b"hipNoSuchThing", ctypes.byref(address), 600, ctypes.c_uint64(0), ctypes.byref(status)
    )
    print("unknown function", code, status.value)


def check_graphs(hip):
    """hipGraphNodeType of an empty node, and of one that records an event."""
    graph, event, types = ctypes.c_void_p(), ctypes.c_void_p(), []
    hip.hipGraphCreate(ctypes.byref(graph), 0)
    hip.hipEventCreate(ctypes.byref(event))
    for add, more in ((hip.hipGraphAddEmptyNode, ()), (hip.hipGraphAddEventRecordNode, (event,))):
        node, kind = ctypes.c_void_p(), ctypes.c_int()
        add(ctypes.byref(node), graph, None, ctypes.c_size_t(0), *more)
        hip.hipGraphNodeGetType(node, ctypes.byref(kind))
        types.append(kind.value)
    hip.hipGraphDestroy(graph)
    hip.hipEventDestroy(event)
    print("node types", types)


class Launches:
    """Every function that launches adds 1 to each of 64 numbers, doubled: 2 * x + 1."""

    def __init__(self, hip, path):
        self.hip = hip
        with open(path, "rb") as file:
            self.image = file.read()
        self.library, self.kernel = ctypes.c_void_p(), ctypes.c_void_p()
        hip.hipLibraryLoadData(ctypes.byref(self.library), self.image, None, None, 0, None, None, 0)
        hip.hipLibraryGetKernel(ctypes.byref(self.kernel), self.library, b"twice_plus_one")
        self.values = ctypes.c_void_p()
        hip.hipMalloc(ctypes.byref(self.values), ctypes.c_size_t(256))
        hip.hipMemset(self.values, 0, ctypes.c_size_t(256))
        self.params = (ctypes.c_void_p * 1)(ctypes.addressof(self.values))

    def config(self, groups, cooperative, driver):
        attribute = struct.pack("<IIi60x", 2, 0, int(cooperative))
        self.attribute = ctypes.create_string_buffer(attribute, 72)
        shape = struct.pack("<6I", groups, 1, 1, 64, 1, 1)
        lds = struct.pack("<II", 0, 0) if driver else struct.pack("<Q", 0)
        return shape + lds + struct.pack("<QQII", 0, ctypes.addressof(self.attribute), 1, 0)

    def run(self):
        hip, kernel, params = self.hip, self.kernel, self.params
        hip.hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, params, None)
        hip.hipModuleLaunchCooperativeKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, params)
        hip.hipExtModuleLaunchKernel(
            kernel, 64, 1, 1, 64, 1, 1, ctypes.c_size_t(0), None, params, None, None, None, 0
        )
        hip.hipLaunchKernelExC(self.config(1, True, False), kernel, params)
        hip.hipDrvLaunchKernelEx(self.config(1, False, True), kernel, params, None)
        numbers = (ctypes.c_uint * 64)()
        hip.hipMemcpy(numbers, self.values, ctypes.c_size_t(256), 2)
        print("5 launches", min(numbers), max(numbers))

    def refuse(self):
        """A cooperative launch of more workgroups than the device holds."""
        many = self.config(1 << 20, True, True)
        code = self.hip.library.hipDrvLaunchKernelEx(many, self.kernel, self.params, None)
        self.hip.library.hipGetErrorName.restype = ctypes.c_char_p
        print("too many", self.hip.library.hipGetErrorName(code).decode())

    def ask(self):
        count, name = ctypes.c_uint(), ctypes.c_char_p()
        self.hip.hipLibraryGetKernelCount(ctypes.byref(count), self.library)
        self.hip.hipKernelGetName(ctypes.byref(name), self.kernel)
        owner = ctypes.c_void_p()
        self.hip.hipKernelGetLibrary(ctypes.byref(owner), self.kernel)
        assert owner.value == self.library.value
        kernels = (ctypes.c_void_p * count.value)()
        self.hip.hipLibraryEnumerateKernels(kernels, count, self.library)
        assert self.kernel.value in list(kernels)
        offset, size = ctypes.c_size_t(9), ctypes.c_size_t()
        self.hip.hipKernelGetParamInfo(
            self.kernel, ctypes.c_size_t(0), ctypes.byref(offset), ctypes.byref(size)
        )
        print(count.value, "kernels", name.value.decode(), offset.value, size.value)
        self.hip.hipFree(self.values)
        self.hip.hipLibraryUnload(self.library)


def main(library, code_object, version=None):
    hip = Hip(library)
    if version:
        known = hip.library.ckEmulatorSetVariable(b"CK_EMULATOR_HIP_VERSION", version.encode())
        assert known == 1, "the emulator has no such variable"
    check_versions(hip)
    check_properties(hip)
    check_pointers(hip)
    check_functions(hip)
    check_graphs(hip)
    launches = Launches(hip, code_object)
    launches.run()
    launches.refuse()
    launches.ask()


main(*sys.argv[1:])

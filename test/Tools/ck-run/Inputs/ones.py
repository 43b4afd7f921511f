"""Writes an array of ones, or checks the weight gradient of ones.

Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

  ones.py write FILE SIZE...   an f16 array of that shape
  ones.py check FILE           dw of N=2, K=5, C=3, 4x4, 3x3, pad 1: each value counts the products
"""

import struct
import sys


def write(path, shape):
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {tuple(shape)}, }}\n".encode()
    count = 1
    for size in shape:
        count *= size
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        file.write(struct.pack("<e", 1.0) * count)


def check(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = data[10 : 10 + length].decode()
    assert "'<f4'" in header and "(1, 5, 3, 3, 3)" in header, header
    values = struct.unpack("<135f", data[10 + length :])
    # A tap at the border of the filter misses one row (or column) of the four.
    hits = [3, 4, 3]
    channels = range(3)
    filter_2d = [2 * y * x for y in hits for x in hits for _ in channels]
    expected = filter_2d * 5
    assert list(values) == expected, values


if sys.argv[1] == "write":
    write(sys.argv[2], [int(size) for size in sys.argv[3:]])
else:
    check(sys.argv[2])

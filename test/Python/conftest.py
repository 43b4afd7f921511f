# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device of the tests: the emulator, which is the chip that CK_EMULATOR_CHIP names."""

import os

import ck_mlir
import pytest

CHIP = os.environ.get("CK_EMULATOR_CHIP", "gfx942")


@pytest.fixture(scope="session")
def chip():
    """The chip that the emulator is."""
    return CHIP


@pytest.fixture(scope="session")
def device():
    """The emulator."""
    return ck_mlir.open_device("emulator", CHIP)

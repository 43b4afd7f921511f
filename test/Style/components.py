# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the components of the project, and the folders of the emulator, are built on."""

# Direct dependencies; a component may use what these use.
DEPENDENCIES = {
    "Support": [],
    "Problem": ["Support"],
    "Chip": ["Problem"],
    "Schedule": ["Chip"],
    "IR": ["Schedule"],
    "Transforms": ["IR"],
    "Conversion": ["IR"],
    "Serialize": ["IR"],
    "Compiler": ["Transforms", "Conversion", "Serialize"],
    "Reference": ["Problem"],
    "Runtime": ["Support"],
    "Emulator": ["Support"],
    "Kernel": ["Schedule", "Runtime"],
    "Library": ["Compiler", "Kernel"],
    "Run": ["Library", "Reference"],
    "Tune": ["Run"],
    "CAPI": ["Tune"],
    "Tools": ["Tune"],
}
# The judge shares no code with the judged: the emulator takes nothing but these from LLVM.
EMULATOR_LLVM = {"ADT", "BinaryFormat", "DebugInfo", "MC", "Object", "Support", "TargetParser"}

# Folders of the emulator, from below; a folder may include what these include, and itself.
EMULATOR_LAYERS = {
    "Chip": [],
    "Decode": ["Chip"],
    "Timing": ["Chip"],
    "Trace": ["Decode", "Timing"],
    "Load": ["Decode"],
    "Machine": ["Load", "Trace"],
    "Check": ["Machine"],
    "Memory": ["Check"],
    "Isa/Number": [],
    "Isa/Vector": ["Isa/Number", "Machine"],
    "Isa/Matrix": ["Isa/Vector"],
    "Isa/Memory": ["Isa/Vector", "Memory"],
    "Isa/Scalar": ["Isa/Memory"],
    "Isa": ["Isa/Matrix", "Isa/Scalar"],
    "Launch": ["Check", "Timing"],
    "Hip": ["Isa", "Launch"],
    "Hsa": ["Machine"],
    "Command": [],
}

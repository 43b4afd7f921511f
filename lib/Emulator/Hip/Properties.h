//===- Properties.h - What the device has -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of the emulated chip in the two layouts of hipDeviceProp_t, and as attributes.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_HIP_PROPERTIES_H
#define CK_MLIR_LIB_EMULATOR_HIP_PROPERTIES_H

#include "Emulator/Hip/NewerTypes.h"
#include "Emulator/Hip/Version.h"

namespace ckemu::hip {

void fillProperties(const Options &options, hipDeviceProp_t &prop);
void fillProperties(const Options &options, DevicePropR0600 &prop);
void fillUuid(const ChipModel &chip, hipUUID &uuid);

/// True when `attribute` is known.
bool findAttribute(const Options &options, hipDeviceAttribute_t attribute, int &value);

/// "gfx942": major 9, minor 4; "gfx1100": major 11, minor 0.
std::pair<int, int> getChipVersion(const ChipModel &chip);

/// Copies `text`, cut to `size` - 1 characters, with a final zero.
void copyText(char *destination, size_t size, const std::string &text);

} // namespace ckemu::hip

#endif // CK_MLIR_LIB_EMULATOR_HIP_PROPERTIES_H

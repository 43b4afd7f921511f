//===- LdsAddressesTest.cpp - Addresses beyond the offsets of LDS -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses to LDS that differ by constants share a register for each 65536 bytes. Read from the
// assembly, as the addresses are made on the way there.
//
//===----------------------------------------------------------------------===//

#include "TestModules.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::ck;

/// The names of the address registers of the writes to LDS of a kernel for gfx950 that writes the
/// lane id to `offsets`, bytes beyond 16 * lane, and their offsets.
static std::pair<std::set<std::string>, std::vector<std::string>>
writeToLds(llvm::ArrayRef<int64_t> offsets) {
  std::string body = "%lds = llvm.mlir.addressof @lds : !llvm.ptr<3>\n"
                     "%four = llvm.mlir.constant(4 : i32) : i32\n"
                     "%bytes = llvm.shl %lane, %four : i32\n";
  for (auto [index, offset] : llvm::enumerate(offsets)) {
    const std::string i = std::to_string(index);
    body += "%c" + i + " = llvm.mlir.constant(" + std::to_string(offset) + " : i32) : i32\n";
    body += "%sum" + i + " = llvm.add %bytes, %c" + i + " : i32\n";
    body += "%p" + i + " = llvm.getelementptr %lds[%sum" + i +
            "] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8\n";
    body += "llvm.store volatile %lane, %p" + i + " {alignment = 4 : i64} : i32, !llvm.ptr<3>\n";
  }
  SerializeOptions options;
  options.emitAssembly = true;
  llvm::Expected<SerializedModule> serialized = serializeText(
      makeKernel(body, "gfx950",
                 "llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} : "
                 "!llvm.array<163840 x i8>"),
      options);
  EXPECT_TRUE(static_cast<bool>(serialized)) << llvm::toString(serialized.takeError());
  std::set<std::string> registers;
  std::vector<std::string> found;
  for (llvm::StringRef line : llvm::split(serialized->assembly, '\n')) {
    line = line.trim();
    if (!line.consume_front("ds_write_b32 "))
      continue;
    registers.insert(line.split(',').first.str());
    found.push_back(line.contains("offset:") ? line.split("offset:").second.str() : "0");
  }
  return {registers, found};
}

TEST(LdsAddresses, OffsetsOfInstructionsReachThem) {
  auto [registers, offsets] = writeToLds({0, 4096, 65532});
  EXPECT_EQ(registers.size(), 1u);
  EXPECT_EQ(offsets, (std::vector<std::string>{"0", "4096", "65532"}));
}

TEST(LdsAddresses, OneRegisterFromTheFirst) {
  auto [registers, offsets] = writeToLds({98304, 65536, 131068, 69632});
  EXPECT_EQ(registers.size(), 1u);
  EXPECT_EQ(offsets, (std::vector<std::string>{"32768", "0", "65532", "4096"}));
}

TEST(LdsAddresses, ARegisterForEachReach) {
  auto [registers, offsets] = writeToLds({0, 32768, 65536, 131072, 147456});
  EXPECT_EQ(registers.size(), 3u);
  EXPECT_EQ(offsets, (std::vector<std::string>{"0", "32768", "0", "0", "16384"}));
}

TEST(LdsAddresses, NegativeConstants) {
  auto [registers, offsets] = writeToLds({-16, 65520, 65536});
  EXPECT_EQ(registers.size(), 2u);
  EXPECT_EQ(offsets, (std::vector<std::string>{"0", "0", "16"}));
}

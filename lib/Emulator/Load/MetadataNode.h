//===- MetadataNode.h - The metadata note as a tree -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::msgpack::Document crashes on some malformed documents (keys that are maps or arrays), so
// the tree is built here, on LLVM's reader of single objects.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_EMULATOR_LOAD_METADATANODE_H
#define CK_MLIR_LIB_EMULATOR_LOAD_METADATANODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace ckemu {

/// A number, text, list or map; the members that do not apply are empty.
struct MetadataNode {
  uint64_t number = 0; ///< also booleans
  std::string text;
  std::vector<MetadataNode> elements;
  std::vector<std::pair<std::string, MetadataNode>> members;

  /// The member called `key`, or null.
  const MetadataNode *find(llvm::StringRef key) const;
  /// Reads a member when there is one.
  void read(llvm::StringRef key, uint32_t &value) const;
  void read(llvm::StringRef key, bool &value) const;
  void read(llvm::StringRef key, std::string &value) const;
};

/// Parses a msgpack document.
llvm::Expected<MetadataNode> parseMetadata(llvm::StringRef document);

} // namespace ckemu

#endif // CK_MLIR_LIB_EMULATOR_LOAD_METADATANODE_H

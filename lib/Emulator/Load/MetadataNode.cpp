//===- MetadataNode.cpp - The metadata note as a tree -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MetadataNode.h.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Load/MetadataNode.h"
#include "llvm/BinaryFormat/MsgPackReader.h"

using namespace ckemu;
namespace msgpack = llvm::msgpack;

/// Lists within lists; real metadata has five.
static constexpr unsigned kDeepest = 16;

const MetadataNode *MetadataNode::find(llvm::StringRef key) const {
  for (const auto &member : members)
    if (member.first == key)
      return &member.second;
  return nullptr;
}

void MetadataNode::read(llvm::StringRef key, uint32_t &value) const {
  if (const MetadataNode *member = find(key))
    value = uint32_t(std::min<uint64_t>(member->number, UINT32_MAX));
}

void MetadataNode::read(llvm::StringRef key, bool &value) const {
  if (const MetadataNode *member = find(key))
    value = member->number != 0;
}

void MetadataNode::read(llvm::StringRef key, std::string &value) const {
  if (const MetadataNode *member = find(key))
    value = member->text;
}

static llvm::Error malformed() { return llvm::createStringError("malformed AMDGPU metadata note"); }

/// Reads one object with all that is in it.
static llvm::Error readNode(msgpack::Reader &reader, unsigned depth, MetadataNode &node) {
  msgpack::Object object;
  llvm::Expected<bool> more = reader.read(object);
  if (!more)
    return more.takeError();
  if (!*more || depth > kDeepest)
    return malformed();
  switch (object.Kind) {
  case msgpack::Type::Int:
    node.number = uint64_t(object.Int);
    break;
  case msgpack::Type::UInt:
    node.number = object.UInt;
    break;
  case msgpack::Type::Boolean:
    node.number = object.Bool;
    break;
  case msgpack::Type::String:
    node.text = object.Raw.str();
    break;
  case msgpack::Type::Array:
    for (size_t i = 0; i < object.Length; ++i)
      if (llvm::Error error = readNode(reader, depth + 1, node.elements.emplace_back()))
        return error;
    break;
  case msgpack::Type::Map:
    for (size_t i = 0; i < object.Length; ++i) {
      MetadataNode key;
      if (llvm::Error error = readNode(reader, depth + 1, key))
        return error;
      auto &member = node.members.emplace_back(key.text, MetadataNode());
      if (llvm::Error error = readNode(reader, depth + 1, member.second))
        return error;
    }
    break;
  default: // nil, floats, binary and extensions do not occur in the members that are read
    break;
  }
  return llvm::Error::success();
}

llvm::Expected<MetadataNode> ckemu::parseMetadata(llvm::StringRef document) {
  msgpack::Reader reader(document);
  MetadataNode root;
  if (llvm::Error error = readNode(reader, 0, root))
    return std::move(error);
  if (root.members.empty())
    return malformed();
  return root;
}

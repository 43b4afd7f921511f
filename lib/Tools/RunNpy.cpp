//===- RunNpy.cpp - Tensors in .npy files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header that is a Python dictionary, then the bytes.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Tools/RunNpy.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlir::ck;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

StringRef mlir::ck::getNpyType(DataType type) {
  switch (type) {
  case DataType::F16:
    return "<f2";
  case DataType::BF16:
    return "<u2";
  case DataType::F32:
    return "<f4";
  case DataType::I8:
    return "|i1";
  case DataType::FP8:
  case DataType::BF8:
    return "|u1";
  case DataType::I32:
    return "<i4";
  }
  return "";
}

namespace {
/// What a .npy file says about its array.
struct NpyHeader {
  std::string type;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
  size_t dataOffset = 0;
};
} // namespace

static Error fail(StringRef path, const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "'" + path + "': " + message);
}

static std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  return "(" +
         llvm::join(llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
                    ", ") +
         ")";
}

/// The text after 'key': in the dictionary, or an empty one.
static StringRef findValue(StringRef dictionary, StringRef key) {
  size_t position = dictionary.find(("'" + key + "'").str());
  if (position == StringRef::npos)
    return "";
  StringRef rest = dictionary.substr(position + key.size() + 2).ltrim();
  return rest.consume_front(":") ? rest.ltrim() : "";
}

/// Parses the dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
static bool parseDictionary(StringRef dictionary, NpyHeader &header) {
  StringRef type = findValue(dictionary, "descr"), order = findValue(dictionary, "fortran_order"),
            shape = findValue(dictionary, "shape");
  if (!type.consume_front("'") || !shape.consume_front("(") || !shape.contains(')') ||
      !(order.starts_with("True") || order.starts_with("False")))
    return false;
  header.type = type.take_until([](char c) { return c == '\''; }).str();
  header.fortranOrder = order.starts_with("True");
  llvm::SmallVector<StringRef> sizes;
  shape.take_until([](char c) { return c == ')'; }).split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef size : sizes) {
    if (size.trim().empty())
      continue;
    if (size.trim().getAsInteger(10, header.shape.emplace_back()))
      return false;
  }
  return true;
}

static Expected<NpyHeader> parseHeader(StringRef path, StringRef file) {
  if (!file.starts_with("\x93NUMPY") || file.size() < 12)
    return fail(path, "not a .npy file");
  unsigned version = static_cast<unsigned char>(file[6]);
  if (version < 1 || version > 3)
    return fail(path, "expected .npy version 1, 2 or 3, got " + Twine(version));
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t length = version == 1 ? llvm::support::endian::read16le(file.data() + 8)
                               : llvm::support::endian::read32le(file.data() + 8);
  NpyHeader header;
  header.dataOffset = 8 + lengthBytes + length;
  if (header.dataOffset > file.size())
    return fail(path, "truncated .npy header");
  if (!parseDictionary(file.substr(8 + lengthBytes, length), header))
    return fail(path, "malformed .npy header");
  return header;
}

Error mlir::ck::readNpy(StringRef path, TensorData &tensor) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  StringRef file = (*buffer)->getBuffer();
  Expected<NpyHeader> header = parseHeader(path, file);
  if (!header)
    return header.takeError();
  const TensorDesc &desc = tensor.getDesc();
  if (header->type != getNpyType(desc.type))
    return fail(path, "expected type '" + getNpyType(desc.type) + "' for tensor '" + desc.name +
                          "' of " + getName(desc.type) + ", got '" + header->type + "'");
  if (header->fortranOrder)
    return fail(path, "expected an array in C order, got Fortran order");
  if (llvm::ArrayRef<int64_t>(header->shape) != llvm::ArrayRef<int64_t>(desc.shape))
    return fail(path, "expected shape " + formatShape(desc.shape) + " for tensor '" + desc.name +
                          "' of layout " + desc.layout + ", got " + formatShape(header->shape));
  StringRef data = file.substr(header->dataOffset);
  if (data.size() != tensor.getBytes().size())
    return fail(path, "expected " + Twine(tensor.getBytes().size()) + " bytes of data, got " +
                          Twine(data.size()));
  llvm::copy(data.bytes(), tensor.getBytes().begin());
  return Error::success();
}

Error mlir::ck::writeNpy(StringRef path, const TensorData &tensor) {
  const TensorDesc &desc = tensor.getDesc();
  std::string dictionary =
      ("{'descr': '" + getNpyType(desc.type) +
       "', 'fortran_order': False, 'shape': " + formatShape(desc.shape) + ", }")
          .str();
  // The data begins at a multiple of 64 bytes; a newline ends the header.
  size_t prefix = 10, total = (prefix + dictionary.size() + 1 + 63) / 64 * 64;
  dictionary.resize(total - prefix - 1, ' ');
  dictionary += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size() & 0xff);
  file += static_cast<char>(dictionary.size() >> 8);
  file += dictionary;
  file.append(tensor.getBytes().begin(), tensor.getBytes().end());
  return writeFile(path, file);
}

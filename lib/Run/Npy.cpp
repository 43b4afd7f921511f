//===- Npy.cpp - Tensors in .npy files -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header that is a Python dictionary, then the bytes.
//
//===----------------------------------------------------------------------===//

#include "Run/Npy.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace cksupport;
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
         (shape.size() == 1 ? ",)" : ")");
}

namespace {
/// Reads the one form of dictionary that the format allows: the keys 'descr', 'fortran_order' and
/// 'shape', each once, with a string, True or False, and a tuple of sizes. Every method consumes
/// what it reads and returns false if something else stands there.
class DictionaryReader {
public:
  explicit DictionaryReader(StringRef text) : text(text) {}

  bool read(NpyHeader &header) {
    unsigned seen = 0;
    if (!consume('{'))
      return false;
    while (!consume('}')) {
      std::string key;
      if (!readString(key) || !consume(':') || !readValue(key, header, seen))
        return false;
      if (!consume(',') && !atEnd('}'))
        return false;
    }
    return seen == 7 && text.trim(" \n").empty();
  }

private:
  bool consume(char letter) {
    text = text.ltrim();
    return text.consume_front(StringRef(&letter, 1));
  }
  bool atEnd(char letter) {
    text = text.ltrim();
    return text.starts_with(StringRef(&letter, 1));
  }

  /// A string in either kind of quotes; no value of the format needs an escape.
  bool readString(std::string &value) {
    char quote = consume('\'') ? '\'' : consume('"') ? '"' : 0;
    size_t end = text.find(quote);
    if (!quote || end == StringRef::npos)
      return false;
    value = text.take_front(end).str();
    text = text.drop_front(end + 1);
    return !StringRef(value).contains('\\');
  }

  bool readBool(bool &value) {
    text = text.ltrim();
    value = text.consume_front("True");
    return value || text.consume_front("False");
  }

  /// `()`, `(3,)`, `(2, 3)` or `(2, 3,)`.
  bool readShape(llvm::SmallVectorImpl<int64_t> &shape) {
    bool comma = true;
    if (!consume('('))
      return false;
    while (!consume(')')) {
      text = text.ltrim();
      StringRef digits = text.take_while(llvm::isDigit);
      if (!comma || digits.empty() || digits.getAsInteger(10, shape.emplace_back()))
        return false;
      text = text.drop_front(digits.size());
      comma = consume(',');
    }
    return shape.size() != 1 || comma;
  }

  /// Reads the value of `key`, and notes in `seen` that it has been there.
  bool readValue(StringRef key, NpyHeader &header, unsigned &seen) {
    unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
    if (bit == 0 || (seen & bit))
      return false;
    seen |= bit;
    return bit == 1   ? readString(header.type)
           : bit == 2 ? readBool(header.fortranOrder)
                      : readShape(header.shape);
  }

  StringRef text;
};
} // namespace

static Expected<NpyHeader> parseHeader(StringRef path, StringRef file) {
  if (!file.starts_with("\x93NUMPY") || file.size() < 12)
    return fail(path, "not a .npy file");
  unsigned version = static_cast<unsigned char>(file[6]);
  unsigned minor = static_cast<unsigned char>(file[7]);
  if (version < 1 || version > 3 || minor != 0)
    return fail(path, "expected .npy version 1.0, 2.0 or 3.0, got " + Twine(version) + "." +
                          Twine(minor));
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t length = version == 1 ? llvm::support::endian::read16le(file.data() + 8)
                               : llvm::support::endian::read32le(file.data() + 8);
  NpyHeader header;
  header.dataOffset = 8 + lengthBytes + length;
  if (header.dataOffset > file.size())
    return fail(path, "truncated .npy header");
  if (!DictionaryReader(file.substr(8 + lengthBytes, length)).read(header))
    return fail(path, "malformed .npy header: expected {'descr': '<f4', 'fortran_order': False, "
                      "'shape': (2, 3), }, with other values");
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

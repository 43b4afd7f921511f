//===- KernelImage.cpp - A kernel without its compiler -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Manifests come from files that others may have written: every field is checked before it is used.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Kernel/KernelImage.h"
#include "ck-mlir/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace cksupport;
using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {
/// Reads the fields of an object; the first error is kept, and what follows it has no meaning.
class FieldReader {
public:
  FieldReader(const Object &object, StringRef what) : object(object), what(what) {}

  std::string getString(StringRef key) {
    std::optional<StringRef> text = object.getString(key);
    if (!text)
      fail(key, "a string");
    return text.value_or("").str();
  }

  int64_t getInteger(StringRef key, int64_t min, int64_t max = INT64_MAX) {
    std::optional<int64_t> number = object.getInteger(key);
    if (!number || *number < min || *number > max)
      fail(key, max == INT64_MAX ? llvm::formatv("an integer of at least {0}", min).str()
                                 : llvm::formatv("an integer in [{0}, {1}]", min, max).str());
    return number.value_or(min);
  }

  const Array &getArray(StringRef key) {
    static const Array kNone;
    const Array *array = object.getArray(key);
    if (!array)
      fail(key, "an array");
    return array ? *array : kNone;
  }

  /// Three sizes of at least 1 and at most those of `max`.
  std::array<uint32_t, 3> getSizes(StringRef key, const std::array<uint32_t, 3> &max) {
    const Array &array = getArray(key);
    std::array<uint32_t, 3> sizes = {1, 1, 1};
    if (array.size() != sizes.size())
      fail(key, "three sizes");
    for (auto [size, value, limit] : llvm::zip(sizes, array, max)) {
      std::optional<int64_t> number = value.getAsInteger();
      if (!number || *number < 1 || *number > limit)
        fail(key, llvm::formatv("three sizes of at least 1 and at most {0}, {1} and {2}", max[0],
                                max[1], max[2])
                      .str());
      else
        size = *number;
    }
    return sizes;
  }

  void fail(StringRef key, const Twine &expected) {
    if (!message.empty())
      return;
    const Value *value = object.get(key);
    message = (Twine(what) + ": expected '" + key + "' to be " + expected + ", got " +
               (value ? llvm::formatv("{0}", *value).str() : "nothing"))
                  .str();
  }

  Error takeError() const {
    return message.empty() ? Error::success() : createStringError(message);
  }

private:
  const Object &object;
  StringRef what;
  std::string message;
};
} // namespace

/// An entry of an array that must be an object.
static Expected<const Object *> getObject(const Value &value, StringRef what) {
  if (const Object *object = value.getAsObject())
    return object;
  return createStringError(what + ": expected an object, got " + llvm::formatv("{0}", value).str());
}

/// Whether the bytes of a tensor are below 2^63.
static bool hasSize(const TensorDesc &tensor) {
  int64_t bytes = getSizeInBytes(tensor.type);
  return llvm::none_of(tensor.shape,
                       [&](int64_t size) { return llvm::MulOverflow(bytes, size, bytes); });
}

static Expected<TensorDesc> parseTensor(const Value &value, bool &isWritten) {
  Expected<const Object *> object = getObject(value, "a tensor of the manifest");
  if (!object)
    return object.takeError();
  FieldReader reader(**object, "a tensor of the manifest");
  TensorDesc tensor;
  tensor.name = reader.getString("name");
  tensor.layout = reader.getString("layout");
  std::string type = reader.getString("type"), access = reader.getString("access");
  std::optional<DataType> parsed = parseDataType(type);
  if (!parsed)
    reader.fail("type", "a data type");
  if (access != "read" && access != "write")
    reader.fail("access", "'read' or 'write'");
  for (const Value &size : reader.getArray("shape")) {
    std::optional<int64_t> number = size.getAsInteger();
    if (!number || *number < 1)
      reader.fail("shape", "positive sizes");
    tensor.shape.push_back(number.value_or(1));
  }
  if (tensor.shape.size() != tensor.layout.size())
    reader.fail("shape", "a size for each letter of the layout");
  if (Error error = reader.takeError())
    return std::move(error);
  tensor.type = *parsed;
  isWritten = access == "write";
  if (!hasSize(tensor))
    reader.fail("shape", "one of at most 9223372036854775807 bytes");
  if (Error error = reader.takeError())
    return std::move(error);
  if (reader.getInteger("bytes", 1) != tensor.getSizeInBytes())
    reader.fail("bytes", Twine(tensor.getSizeInBytes()) + " for its shape and type");
  if (Error error = reader.takeError())
    return std::move(error);
  return tensor;
}

static Expected<std::vector<TensorDesc>> parseTensors(const Array &values) {
  std::vector<TensorDesc> tensors;
  for (const Value &value : values) {
    bool isWritten = false;
    Expected<TensorDesc> tensor = parseTensor(value, isWritten);
    if (!tensor)
      return tensor.takeError();
    bool isLast = &value == &values.back();
    if (isWritten != isLast)
      return createStringError("the manifest: expected tensors that are read, then one that is "
                               "written, got '" +
                               tensor->name + "' out of this order");
    tensors.push_back(std::move(*tensor));
  }
  if (tensors.empty())
    return createStringError("the manifest: expected tensors, got none");
  return tensors;
}

/// The number of the tensor `name`; that of the workspace follows those of the tensors.
static std::optional<unsigned> getNumber(StringRef name, const std::vector<TensorDesc> &tensors) {
  for (auto [number, tensor] : llvm::enumerate(tensors))
    if (tensor.name == name)
      return number;
  return name == "workspace" ? std::optional<unsigned>(tensors.size()) : std::nullopt;
}

/// What HIP can launch.
static constexpr std::array<uint32_t, 3> kMaxGrid = {INT32_MAX, 65535, 65535};
static constexpr std::array<uint32_t, 3> kMaxBlock = {1024, 1024, 1024};

static Expected<ImageLaunch> parseLaunch(const Value &value,
                                         const std::vector<TensorDesc> &tensors) {
  Expected<const Object *> object = getObject(value, "a kernel of the manifest");
  if (!object)
    return object.takeError();
  FieldReader reader(**object, "a kernel of the manifest");
  ImageLaunch launch;
  launch.kernel = reader.getString("name");
  launch.grid = reader.getSizes("grid", kMaxGrid);
  launch.block = reader.getSizes("block", kMaxBlock);
  for (auto [groups, threads] : llvm::zip_equal(launch.grid, launch.block))
    if (uint64_t(groups) * threads > UINT32_MAX)
      reader.fail("grid",
                  "one with at most 4294967295 work-items in each dimension, of blocks of " +
                      Twine(threads));
  for (const Value &argument : reader.getArray("arguments")) {
    StringRef name = argument.getAsString().value_or("");
    std::optional<unsigned> number = getNumber(name, tensors);
    if (!number)
      reader.fail("arguments", "names of tensors, or 'workspace'");
    launch.argumentNames.push_back(name.str());
    launch.arguments.push_back(number.value_or(0));
  }
  launch.vgprs = reader.getInteger("vgprs", 0);
  launch.agprs = reader.getInteger("agprs", 0);
  launch.sgprs = reader.getInteger("sgprs", 0);
  launch.ldsBytes = reader.getInteger("lds_bytes", 0);
  launch.scratchBytes = reader.getInteger("scratch_bytes", 0);
  launch.codeBytes = reader.getInteger("code_bytes", 0);
  if (Error error = reader.takeError())
    return std::move(error);
  return launch;
}

/// Reads what concerns memory that the caller provides or zeroes.
static Error parseMemory(FieldReader &reader, KernelImage &image) {
  image.workspaceBytes = reader.getInteger("workspace_bytes", 0);
  image.workspaceAlignment = reader.getInteger("workspace_alignment", 1);
  if (!llvm::isPowerOf2_64(image.workspaceAlignment))
    reader.fail("workspace_alignment", "a power of two");
  image.workspaceZeroBytes = reader.getInteger("workspace_zero_bytes", 0, image.workspaceBytes);
  if (image.workspaceZeroBytes % 4 != 0)
    reader.fail("workspace_zero_bytes", "a multiple of 4");
  for (const Value &name : reader.getArray("zero_fill")) {
    if (name.getAsString().value_or("") != image.getWritten().name)
      reader.fail("zero_fill", "the tensor that is written");
    image.zeroFill = true;
  }
  if (image.zeroFill && image.getWritten().getSizeInBytes() % 2 != 0)
    reader.fail("zero_fill", "a tensor of an even number of bytes");
  return reader.takeError();
}

Expected<KernelImage> KernelImage::parse(StringRef manifest, std::string codeObject) {
  Expected<Value> value = parseJson(manifest, "the manifest");
  if (!value)
    return value.takeError();
  Expected<const Object *> object = getObject(*value, "the manifest");
  if (!object)
    return object.takeError();
  FieldReader reader(**object, "the manifest");
  KernelImage image;
  image.problem = reader.getString("problem");
  image.chip = reader.getString("chip");
  image.schedule = reader.getString("schedule");
  const Array &tensorList = reader.getArray("tensors"), &kernels = reader.getArray("kernels");
  if (Error error = reader.takeError())
    return std::move(error);
  Expected<std::vector<TensorDesc>> tensors = parseTensors(tensorList);
  if (!tensors)
    return tensors.takeError();
  image.tensors = std::move(*tensors);
  for (const Value &kernel : kernels) {
    Expected<ImageLaunch> launch = parseLaunch(kernel, image.tensors);
    if (!launch)
      return launch.takeError();
    image.launches.push_back(std::move(*launch));
  }
  if (image.launches.empty())
    reader.fail("kernels", "at least one kernel");
  if (Error error = parseMemory(reader, image))
    return std::move(error);
  image.manifest = manifest.str();
  image.codeObject = std::move(codeObject);
  return image;
}

/// "[1, 2, 3]".
static std::string printSizes(llvm::ArrayRef<int64_t> sizes) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(sizes, os);
  return text + "]";
}

Error KernelImage::checkArray(size_t number, const ArrayDesc &array) const {
  const TensorDesc &tensor = tensors[number];
  std::string what = "expected tensor " + tensor.name + " to ";
  if (array.type != tensor.type)
    return createStringError(what + "have the type " + getName(tensor.type) + ", got " +
                             getName(array.type));
  if (array.shape != llvm::ArrayRef<int64_t>(tensor.shape))
    return createStringError(what + "have the shape " + printSizes(tensor.shape) + " of " +
                             tensor.layout + ", got " + printSizes(array.shape));
  llvm::SmallVector<int64_t> strides;
  for (char letter : tensor.layout)
    strides.push_back(tensor.getStride(letter));
  bool isPacked = strides.size() == array.strides.size();
  for (size_t i = 0; isPacked && i < strides.size(); ++i)
    isPacked = strides[i] == array.strides[i] || tensor.shape[i] == 1;
  if (isPacked)
    return Error::success();
  return createStringError(what + "be packed, with the strides " + printSizes(strides) +
                           " in elements, got " + printSizes(array.strides));
}

Error KernelImage::checkWorkspace(const void *pointer, size_t bytes) const {
  if (bytes < size_t(workspaceBytes))
    return createStringError("the workspace must have at least " + Twine(workspaceBytes) +
                             " bytes, got " + Twine(bytes));
  auto address = reinterpret_cast<uintptr_t>(pointer);
  if (workspaceBytes > 0 && (!pointer || address % workspaceAlignment != 0))
    return createStringError("the workspace must be aligned to " + Twine(workspaceAlignment) +
                             " bytes, got address 0x" + llvm::utohexstr(address));
  return Error::success();
}

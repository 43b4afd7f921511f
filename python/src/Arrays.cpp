//===- Arrays.cpp - Arrays of other packages in Python -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays come and go by DLPack, without copies.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include <nanobind/ndarray.h>

using namespace ckpy;

/// (address, shape, strides in elements, type code, bits, device type, device number) of an array
/// of DLPack.
template <typename Array>
static nb::tuple describe(const Array &array) {
  nb::list shape, strides;
  for (size_t dim = 0; dim < array.ndim(); ++dim) {
    shape.append(array.shape(dim));
    strides.append(array.stride(dim));
  }
  nb::dlpack::dtype type = array.dtype();
  return nb::make_tuple(reinterpret_cast<uintptr_t>(array.data()), nb::tuple(shape),
                        nb::tuple(strides), int(type.code), int(type.bits) * int(type.lanes),
                        int(array.device_type()), int(array.device_id()));
}

namespace {
/// An array that somebody else made, which lives as long as this does.
template <typename Array>
struct Imported {
  explicit Imported(Array array) : array(std::move(array)) {}

  Array array;
};
} // namespace

/// Binds arrays that are read, or that are written to.
template <typename Array>
static void bindImported(nb::module_ &module, const char *name) {
  nb::class_<Imported<Array>>(module, name)
      .def(nb::init<Array>())
      .def("describe", [](const Imported<Array> &held) { return describe(held.array); });
}

/// A DLPack capsule of memory on a device, which keeps `owner` alive.
static nb::object exportArray(nb::handle owner, uintptr_t pointer, const std::vector<size_t> &shape,
                              int code, int bits, int device) {
  nb::dlpack::dtype type;
  type.code = uint8_t(code);
  type.bits = uint8_t(bits);
  type.lanes = 1;
  nb::ndarray<> array(reinterpret_cast<void *>(pointer), shape.size(), shape.data(), owner, nullptr,
                      type, device, /*device_id=*/0);
  return nb::cast(array, nb::rv_policy::reference);
}

void ckpy::bindArrays(nb::module_ &module) {
  bindImported<nb::ndarray<nb::ro>>(module, "ReadArray");
  bindImported<nb::ndarray<>>(module, "WrittenArray");
  module.def("export_array", exportArray);
}

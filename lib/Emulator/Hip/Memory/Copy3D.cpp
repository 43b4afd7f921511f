//===- Copy3D.cpp - HIP: boxes of memory -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies and fills of 2D and 3D parts of pitched memory, described by structs. Arrays (textures)
// are refused.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Graph/Graph.h"
#include "Emulator/Hip/Memory/MemoryType.h"
#include "Emulator/Hip/Memory/TransferCheck.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

/// Rows of a box: row y of slice z begins at base + (z * height + y) * pitch.
namespace {
struct Rows {
  char *base;
  size_t pitch, height;
  char *at(size_t y, size_t z) const { return base + (z * height + y) * pitch; }
};
} // namespace

/// One side of a hip_Memcpy2D.
static Result getSide(MemoryType type, const void *host, hipDeviceptr_t device, size_t x, size_t y,
                      size_t pitch, Rows &rows) {
  if (type == MemoryType::Array)
    return Result(hipErrorNotSupported, "copies of arrays are not implemented");
  const bool onHost = type == MemoryType::Host || type == MemoryType::Unregistered;
  const void *base = onHost ? host : device;
  rows = {static_cast<char *>(const_cast<void *>(base)) + y * pitch + x, pitch, 0};
  return base ? Result() : invalidValue("a pointer of the copy is null");
}

static Result copyParam2D(State &state, const hip_Memcpy2D *params, hipStream_t stream) {
  if (!params)
    return invalidValue("pCopy is null");
  const hip_Memcpy2D &p = *params;
  if (p.WidthInBytes == 0 || p.Height == 0)
    return checkStream(state, stream);
  Rows src, dst;
  const MemoryType from = decode(p.srcMemoryType), to = decode(p.dstMemoryType);
  Result result = getSide(from, p.srcHost, p.srcDevice, p.srcXInBytes, p.srcY, p.srcPitch, src);
  if (result.code == hipSuccess)
    result = getSide(to, p.dstHost, p.dstDevice, p.dstXInBytes, p.dstY, p.dstPitch, dst);
  if (result.code != hipSuccess)
    return result;
  const bool unified = from == MemoryType::Unified || to == MemoryType::Unified;
  const bool fromHost = from == MemoryType::Host, toHost = to == MemoryType::Host;
  hipMemcpyKind kind = unified    ? hipMemcpyDefault
                       : fromHost ? (toHost ? hipMemcpyHostToHost : hipMemcpyHostToDevice)
                                  : (toHost ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice);
  return copy2D(state, dst.base, dst.pitch, src.base, src.pitch, p.WidthInBytes, p.Height, kind,
                stream);
}

static Rows getRows(const hipPitchedPtr &pointer, const hipPos &position) {
  char *begin = static_cast<char *>(pointer.ptr);
  Rows rows = {begin, pointer.pitch, pointer.ysize};
  rows.base = rows.at(position.y, position.z) + position.x;
  return rows;
}

Result hip::copy3D(State &state, const hipMemcpy3DParms *params, hipStream_t stream) {
  if (!params)
    return invalidValue("p is null");
  const hipMemcpy3DParms &p = *params;
  if (p.srcArray || p.dstArray)
    return Result(hipErrorNotSupported, "copies of arrays are not implemented");
  Result result = checkStream(state, stream);
  if (result.code != hipSuccess || p.extent.width == 0 || p.extent.height == 0)
    return result;
  if (Result captured; captureWork(state, stream, p, captured))
    return captured;
  if (!p.srcPtr.ptr || !p.dstPtr.ptr)
    return invalidValue(p.srcPtr.ptr ? "the destination is null" : "the source is null");
  Rows src = getRows(p.srcPtr, p.srcPos), dst = getRows(p.dstPtr, p.dstPos);
  for (size_t z = 0; z < p.extent.depth && result.code == hipSuccess; ++z)
    result = copy2D(state, dst.at(0, z), dst.pitch, src.at(0, z), src.pitch, p.extent.width,
                    p.extent.height, p.kind, stream);
  return result;
}

static Result fill3D(State &state, const hipPitchedPtr &pointer, int value, const hipExtent &extent,
                     hipStream_t stream) {
  Result result = checkStream(state, stream);
  if (extent.width > pointer.pitch)
    return Result(hipErrorInvalidPitchValue,
                  "width must be at most the pitch, got " + std::to_string(extent.width));
  const OtherWork work{
      NodeType::Fill, [=](State &later) { return fill3D(later, pointer, value, extent, nullptr); }};
  if (Result captured; captureWork(state, stream, work, captured))
    return captured;
  ActiveWork::Scope scope(state.active, stream);
  Rows rows = getRows(pointer, hipPos{0, 0, 0});
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y) {
      if (result.code == hipSuccess)
        result = checkRange(state, rows.at(y, z), extent.width, "destination");
      if (result.code != hipSuccess)
        return result;
      std::memset(rows.at(y, z), value, extent.width);
      state.memory.markInitialized(reinterpret_cast<uint64_t>(rows.at(y, z)), extent.width);
    }
  return result;
}

CK_HIP_EXPORT hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy) {
  return call("hipMemcpyParam2D", [&](State &state) { return copyParam2D(state, pCopy, nullptr); });
}

CK_HIP_EXPORT hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy, hipStream_t stream) {
  return call("hipMemcpyParam2DAsync",
              [&](State &state) { return copyParam2D(state, pCopy, stream); });
}

CK_HIP_EXPORT hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *pCopy) {
  return call("hipDrvMemcpy2DUnaligned",
              [&](State &state) { return copyParam2D(state, pCopy, nullptr); });
}

CK_HIP_EXPORT hipError_t hipMemcpy3D(const hipMemcpy3DParms *p) {
  return call("hipMemcpy3D", [&](State &state) { return copy3D(state, p, nullptr); });
}

CK_HIP_EXPORT hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream) {
  return call("hipMemcpy3DAsync", [&](State &state) { return copy3D(state, p, stream); });
}

CK_HIP_EXPORT hipError_t hipMemset3D(hipPitchedPtr pointer, int value, hipExtent extent) {
  return call("hipMemset3D",
              [&](State &state) { return fill3D(state, pointer, value, extent, nullptr); });
}

CK_HIP_EXPORT hipError_t hipMemset3DAsync(hipPitchedPtr pointer, int value, hipExtent extent,
                                          hipStream_t stream) {
  return call("hipMemset3DAsync",
              [&](State &state) { return fill3D(state, pointer, value, extent, stream); });
}

//===- Driver3D.cpp - HIP: copies of boxes of the driver API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both layouts of HIP_MEMCPY3D become the parameters of hipMemcpy3D.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/Driver3D.h"
#include "Emulator/Hip/Memory/TransferCheck.h"
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

static Result toSide(const DriverBox3D &box, hipPitchedPtr &pointer, hipPos &position) {
  const MemoryType type = decode(box.type);
  if (type == MemoryType::Array || box.array)
    return Result(hipErrorNotSupported, "copies of arrays are not implemented");
  const bool onHost = type == MemoryType::Host || type == MemoryType::Unregistered;
  pointer.ptr = onHost ? box.host : box.device;
  pointer.pitch = box.pitch;
  pointer.ysize = box.height;
  position = hipPos{box.x, box.y, box.z};
  return pointer.ptr ? Result() : invalidValue("a pointer of the copy is null");
}

Result hip::toParams(const DriverCopy3D *copy, hipMemcpy3DParms &params) {
  if (!copy)
    return invalidValue("the parameters of the copy are null");
  std::memset(&params, 0, sizeof(params));
  Result result = toSide(copy->src, params.srcPtr, params.srcPos);
  if (result.code == hipSuccess)
    result = toSide(copy->dst, params.dstPtr, params.dstPos);
  params.srcPtr.xsize = params.dstPtr.xsize = copy->width;
  params.extent = hipExtent{copy->width, copy->height, copy->depth};
  params.kind = hipMemcpyDefault;
  return result;
}

/// The layout of HIP 5 in that of HIP 6.
static DriverCopy3D widen(const HIP_MEMCPY3D &old) {
  DriverCopy3D copy = {};
  copy.src = {old.srcXInBytes, old.srcY,          old.srcZ,
              old.srcLOD,      old.srcMemoryType, const_cast<void *>(old.srcHost),
              old.srcDevice,   old.srcArray,      old.srcPitch,
              old.srcHeight};
  copy.dst = {old.dstXInBytes, old.dstY,      old.dstZ,     old.dstLOD,   old.dstMemoryType,
              old.dstHost,     old.dstDevice, old.dstArray, old.dstPitch, old.dstHeight};
  copy.width = old.WidthInBytes;
  copy.height = old.Height;
  copy.depth = old.Depth;
  return copy;
}

static hipError_t copyBox(const char *name, const void *copy, hipStream_t stream) {
  return call(name, [&](State &state) {
    if (!copy)
      return invalidValue("pCopy is null");
    const DriverCopy3D box = getHipVersion() >= 6 ? *static_cast<const DriverCopy3D *>(copy)
                                                  : widen(*static_cast<const HIP_MEMCPY3D *>(copy));
    hipMemcpy3DParms params;
    Result result = toParams(&box, params);
    return result.code == hipSuccess ? copy3D(state, &params, stream) : result;
  });
}

CK_HIP_EXPORT hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *copy) {
  return copyBox("hipDrvMemcpy3D", copy, nullptr);
}

CK_HIP_EXPORT hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *copy, hipStream_t stream) {
  return copyBox("hipDrvMemcpy3DAsync", copy, stream);
}

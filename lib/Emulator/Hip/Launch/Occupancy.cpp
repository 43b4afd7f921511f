//===- Occupancy.cpp - HIP: occupancy -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many workgroups a compute unit holds.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/State.h"
#include "Emulator/Launch/Dispatcher.h"

using namespace ckemu;
using namespace ckemu::hip;

/// Workgroups of `blockSize` work-items that one compute unit holds.
static unsigned getOccupancy(const ihipModuleSymbol_t &function, int blockSize, size_t dynamicLds) {
  return getGroupsPerUnit(
      function.object->getChip(),
      getGroupResources(*function.kernel, unsigned(blockSize), unsigned(dynamicLds)));
}

Result hip::getActiveBlocks(State &state, int *numBlocks, hipFunction_t f, int blockSize,
                            size_t dynamicLds) {
  if (!numBlocks || blockSize <= 0)
    return invalidValue("numBlocks is null or blockSize is not positive");
  return withFunction(state, f, [&] {
    *numBlocks = int(getOccupancy(*f, blockSize, dynamicLds));
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks,
                                                                            hipFunction_t f,
                                                                            int blockSize,
                                                                            size_t dynamicLds) {
  return call("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", [&](State &state) {
    return getActiveBlocks(state, numBlocks, f, blockSize, dynamicLds);
  });
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, hipFunction_t f, int blockSize, size_t dynamicLds, unsigned int) {
  return call("hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&](State &state) {
    return getActiveBlocks(state, numBlocks, f, blockSize, dynamicLds);
  });
}

/// The largest workgroup of those that keep the most work-items resident.
Result hip::getPotentialBlockSize(State &state, int *gridSize, int *blockSize, hipFunction_t f,
                                  size_t dynamicLds, int blockSizeLimit) {
  if (!gridSize || !blockSize)
    return invalidValue("gridSize or blockSize is null");
  return withFunction(state, f, [&] {
    int waveSize = int(f->kernel->descriptor.waveSize);
    int limit = int(f->kernel->metadata.maxGroupSize);
    if (blockSizeLimit > 0)
      limit = std::min(limit, blockSizeLimit);
    int best = 0, bestItems = -1;
    for (int size = waveSize; size <= limit; size += waveSize) {
      int items = size * int(getOccupancy(*f, size, dynamicLds));
      if (items >= bestItems) {
        best = size;
        bestItems = items;
      }
    }
    *blockSize = best;
    unsigned groupsPerUnit = best ? getOccupancy(*f, best, dynamicLds) : 0;
    *gridSize = int(groupsPerUnit * state.getOptions().computeUnits);
    return Result();
  });
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize,
                                                                 hipFunction_t f, size_t dynamicLds,
                                                                 int blockSizeLimit) {
  return call("hipModuleOccupancyMaxPotentialBlockSize", [&](State &state) {
    return getPotentialBlockSize(state, gridSize, blockSize, f, dynamicLds, blockSizeLimit);
  });
}

CK_HIP_EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
    int *gridSize, int *blockSize, hipFunction_t f, size_t dynamicLds, int blockSizeLimit,
    unsigned int) {
  return call("hipModuleOccupancyMaxPotentialBlockSizeWithFlags", [&](State &state) {
    return getPotentialBlockSize(state, gridSize, blockSize, f, dynamicLds, blockSizeLimit);
  });
}

CK_HIP_EXPORT hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *f,
                                                                      int blockSize,
                                                                      size_t dynamicLds) {
  return call("hipOccupancyMaxActiveBlocksPerMultiprocessor", [&](State &state) {
    hipFunction_t kernel = nullptr;
    Result result = resolveFunction(state, f, kernel);
    return result.code == hipSuccess
               ? getActiveBlocks(state, numBlocks, kernel, blockSize, dynamicLds)
               : result;
  });
}

CK_HIP_EXPORT hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *f, int blockSize, size_t dynamicLds, unsigned int) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynamicLds);
}

CK_HIP_EXPORT hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize,
                                                           const void *f, size_t dynamicLds,
                                                           int blockSizeLimit) {
  return call("hipOccupancyMaxPotentialBlockSize", [&](State &state) {
    hipFunction_t kernel = nullptr;
    Result result = resolveFunction(state, f, kernel);
    return result.code == hipSuccess ? getPotentialBlockSize(state, gridSize, blockSize, kernel,
                                                             dynamicLds, blockSizeLimit)
                                     : result;
  });
}

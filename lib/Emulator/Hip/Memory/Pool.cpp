//===- Pool.cpp - HIP: memory pools -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Pool.h. A pool has attributes and counts what is in use.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Hip/Memory/Pool.h"
#include "Emulator/Hip/Graph/Graph.h"
#include <algorithm>
#include <cstring>

using namespace ckemu;
using namespace ckemu::hip;

struct ihipMemPoolHandle_t {
  int reuse[3] = {1, 1, 1}; ///< the attributes hipMemPoolReuse*, in their order
  uint64_t releaseThreshold = 0;
  uint64_t used = 0, usedHigh = 0;
  hipMemAccessFlags access = hipMemAccessFlagsProtReadWrite;
};

namespace {
struct PoolTables {
  std::mutex mutex;
  HandleTable<ihipMemPoolHandle_t> pools{"memory pool", "destroyed"};
  hipMemPool_t standard = pools.add(std::make_unique<ihipMemPoolHandle_t>());
  hipMemPool_t current = standard;
  struct Block {
    hipMemPool_t pool;
    uint64_t size;
  };
  std::map<const void *, Block> blocks; ///< live allocations
};
} // namespace

static PoolTables &getTables() {
  // Never destroyed, as State.
  static PoolTables *tables = new PoolTables();
  return *tables;
}

/// Runs `body(PoolTables &)` with the lock when `pool` exists.
template <class Body>
static Result withPool(hipMemPool_t pool, Body body) {
  PoolTables &tables = getTables();
  std::lock_guard<std::mutex> lock(tables.mutex);
  return tables.pools.contains(pool) ? body(tables) : invalidValue(tables.pools.explain(pool));
}

Result hip::checkPool(hipMemPool_t pool) {
  return withPool(pool, [](PoolTables &) { return Result(); });
}

Result hip::noteInPool(hipMemPool_t pool, const void *ptr, size_t size) {
  PoolTables &tables = getTables();
  return withPool(pool ? pool : tables.current, [&](PoolTables &) {
    hipMemPool_t owner = pool ? pool : tables.current;
    tables.blocks[ptr] = {owner, size};
    owner->used += size;
    owner->usedHigh = std::max(owner->usedHigh, owner->used);
    return Result();
  });
}

void hip::noteFreeInPool(const void *ptr) {
  PoolTables &tables = getTables();
  std::lock_guard<std::mutex> lock(tables.mutex);
  auto it = tables.blocks.find(ptr);
  if (it == tables.blocks.end())
    return;
  it->second.pool->used -= it->second.size;
  tables.blocks.erase(it);
}

CK_HIP_EXPORT hipError_t hipMallocFromPoolAsync(void **ptr, size_t size, hipMemPool_t pool,
                                                hipStream_t stream) {
  return call("hipMallocFromPoolAsync", [&](State &state) {
    Result result = checkStream(state, stream);
    if (result.code == hipSuccess && refuseInCapture(state, stream, "allocation", result))
      return result;
    if (result.code == hipSuccess)
      result = checkPool(pool);
    if (result.code == hipSuccess)
      result = allocate(state, ptr, size, "device allocation", /*host=*/false);
    return result.code == hipSuccess && *ptr ? noteInPool(pool, *ptr, size) : result;
  });
}

CK_HIP_EXPORT hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *props) {
  return call("hipMemPoolCreate", [&](State &) {
    if (!pool || !props)
      return invalidValue(pool ? "pool_props is null" : "mem_pool is null");
    if (props->allocType != hipMemAllocationTypePinned)
      return invalidValue("expected pinned allocations (1), got type " +
                          std::to_string(int(props->allocType)));
    if (props->handleTypes != hipMemHandleTypeNone)
      return Result(hipErrorNotSupported, "pools whose memory is shared are not implemented");
    if (props->location.type != hipMemLocationTypeDevice)
      return invalidValue("expected a pool on a device (1), got location type " +
                          std::to_string(int(props->location.type)));
    PoolTables &tables = getTables();
    std::lock_guard<std::mutex> lock(tables.mutex);
    *pool = tables.pools.add(std::make_unique<ihipMemPoolHandle_t>());
    return checkDevice(props->location.id);
  });
}

CK_HIP_EXPORT hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return call("hipMemPoolDestroy", [&](State &) {
    return withPool(pool, [&](PoolTables &tables) {
      if (pool == tables.standard)
        return invalidValue("the default pool cannot be destroyed");
      if (pool == tables.current)
        tables.current = tables.standard;
      // What is in use stays, and is of the default pool from now on.
      for (auto &entry : tables.blocks)
        if (entry.second.pool == pool) {
          entry.second.pool = tables.standard;
          tables.standard->used += entry.second.size;
        }
      tables.standard->usedHigh = std::max(tables.standard->usedHigh, tables.standard->used);
      tables.pools.destroy(pool);
      return Result();
    });
  });
}

/// The number of an attribute, or null.
static uint64_t *findNumber(hipMemPool_t pool, hipMemPoolAttr attribute) {
  switch (attribute) {
  case hipMemPoolAttrReleaseThreshold:
    return &pool->releaseThreshold;
  case hipMemPoolAttrReservedMemCurrent:
  case hipMemPoolAttrUsedMemCurrent:
    return &pool->used;
  case hipMemPoolAttrReservedMemHigh:
  case hipMemPoolAttrUsedMemHigh:
    return &pool->usedHigh;
  default:
    return nullptr;
  }
}

/// True for the attributes that are switches.
static bool isReuse(hipMemPoolAttr attribute) {
  return attribute >= hipMemPoolReuseFollowEventDependencies &&
         attribute <= hipMemPoolReuseAllowInternalDependencies;
}

CK_HIP_EXPORT hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute,
                                                void *value) {
  return call("hipMemPoolGetAttribute", [&](State &) {
    if (!value)
      return invalidValue("value is null");
    return withPool(pool, [&](PoolTables &) {
      if (isReuse(attribute))
        std::memcpy(value, &pool->reuse[attribute - hipMemPoolReuseFollowEventDependencies],
                    sizeof(int));
      else if (const uint64_t *number = findNumber(pool, attribute))
        std::memcpy(value, number, sizeof(*number));
      else
        return invalidValue("attribute " + std::to_string(int(attribute)) + " is not known");
      return Result();
    });
  });
}

CK_HIP_EXPORT hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute,
                                                void *value) {
  return call("hipMemPoolSetAttribute", [&](State &) {
    if (!value)
      return invalidValue("value is null");
    return withPool(pool, [&](PoolTables &) {
      uint64_t number = 0;
      if (isReuse(attribute)) {
        std::memcpy(&pool->reuse[attribute - hipMemPoolReuseFollowEventDependencies], value,
                    sizeof(int));
        return Result();
      }
      std::memcpy(&number, value, sizeof(number));
      if (attribute == hipMemPoolAttrReleaseThreshold) {
        pool->releaseThreshold = number;
        return Result();
      }
      if (attribute != hipMemPoolAttrReservedMemHigh && attribute != hipMemPoolAttrUsedMemHigh)
        return invalidValue("attribute " + std::to_string(int(attribute)) + " cannot be set");
      if (number != 0)
        return invalidValue("a high-water mark can only be set to 0, got " +
                            std::to_string(number));
      pool->usedHigh = pool->used;
      return Result();
    });
  });
}

CK_HIP_EXPORT hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t) {
  return call("hipMemPoolTrimTo", [&](State &) { return checkPool(pool); });
}

CK_HIP_EXPORT hipError_t hipMemPoolSetAccess(hipMemPool_t pool,
                                             const hipMemAccessDesc *descriptions, size_t count) {
  return call("hipMemPoolSetAccess", [&](State &) {
    if (!descriptions && count != 0)
      return invalidValue("desc_list is null");
    return withPool(pool, [&](PoolTables &) {
      for (size_t i = 0; i < count; ++i) {
        if (Result result = checkDevice(descriptions[i].location.id); result.code != hipSuccess)
          return result;
        if (descriptions[i].flags != hipMemAccessFlagsProtReadWrite)
          return invalidValue("the device of a pool reads and writes it");
      }
      return Result();
    });
  });
}

CK_HIP_EXPORT hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t pool,
                                             hipMemLocation *location) {
  return call("hipMemPoolGetAccess", [&](State &) {
    if (!flags || !location)
      return invalidValue(flags ? "location is null" : "flags is null");
    return withPool(pool, [&](PoolTables &) {
      *flags = pool->access;
      return checkDevice(location->id);
    });
  });
}

static hipError_t getPool(const char *name, hipMemPool_t *pool, int device, bool current) {
  return call(name, [&](State &) {
    if (!pool)
      return invalidValue("mem_pool is null");
    PoolTables &tables = getTables();
    std::lock_guard<std::mutex> lock(tables.mutex);
    *pool = current ? tables.current : tables.standard;
    return checkDevice(device);
  });
}

CK_HIP_EXPORT hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device) {
  return getPool("hipDeviceGetDefaultMemPool", pool, device, /*current=*/false);
}

CK_HIP_EXPORT hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device) {
  return getPool("hipDeviceGetMemPool", pool, device, /*current=*/true);
}

CK_HIP_EXPORT hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  return call("hipDeviceSetMemPool", [&](State &) {
    if (Result result = checkDevice(device); result.code != hipSuccess)
      return result;
    return withPool(pool, [&](PoolTables &tables) {
      tables.current = pool;
      return Result();
    });
  });
}

//===- Stream.cl - A kernel that executes random instructions -*- OpenCL -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets registers so that random operands often make sense, and leaves room, 64 times s_nop 9, that
// FuzzInstructions.cpp fills. s[4:7] is a buffer, s[8:9], v[2:3] and v[4:5] are addresses of device
// memory, v0 and v1 offsets in LDS and in the buffer.
//
//===----------------------------------------------------------------------===//

// With all registers, so that the allocation refuses no operand.
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define LAST_REGISTERS "s95", "v255", "a31"
#else
#define LAST_REGISTERS "s95", "v255"
#endif

kernel __attribute__((reqd_work_group_size(128, 1, 1))) void stream(global uint *memory,
                                                                    uint flags) {
  local uint words[1024];
  volatile uint slots[8];
  uint i = __builtin_amdgcn_workitem_id_x();
  for (uint k = i; k < 1024; k += 128)
    words[k] = k * 0x01010101u;
  slots[i % 8] = i;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  global uint *mine = memory + 16 * i;
  ulong base = (ulong)memory, address = (ulong)mine;
  __asm__ volatile("v_readfirstlane_b32 s8, %0\n"
                   "v_readfirstlane_b32 s9, %1\n"
                   "s_mov_b64 s[4:5], s[8:9]\n"
                   "s_movk_i32 s6, 0x2000\n"
                   "v_readfirstlane_b32 s7, %2\n"
                   "s_mov_b32 m0, -1\n"
                   "s_mov_b64 vcc, exec\n"
                   "s_mov_b64 s[10:11], exec\n"
                   "s_mov_b32 s12, 0\n"
                   "s_mov_b32 s13, 1\n"
                   "s_mov_b32 s14, 0x3f800000\n"
                   "s_mov_b32 s15, 64\n"
                   "v_mov_b32 v0, %3\n"
                   "v_mov_b32 v1, %3\n"
                   "v_mov_b32 v2, %4\n"
                   "v_mov_b32 v3, %5\n"
                   "v_mov_b32 v4, %4\n"
                   "v_mov_b32 v5, %5\n"
                   "v_mov_b32 v6, 1.0\n"
                   "v_mov_b32 v7, -2.0\n"
                   "v_mov_b32 v8, 0x3c003c00\n"
                   "v_mov_b32 v9, 0\n"
                   "v_mov_b32 v10, 64\n"
                   "v_mov_b32 v11, 0\n"
                   "v_mov_b32 v12, 0x80000000\n"
                   "v_mov_b32 v13, 0x7f800000\n"
                   "v_mov_b32 v14, %3\n"
                   "v_mov_b32 v15, 0\n"
                   ".fill 64, 4, 0xbf800009\n"
                   "s_endpgm\n"
                   :
                   : "v"((uint)base), "v"((uint)(base >> 32)), "v"(flags), "v"(4 * i),
                     "v"((uint)address), "v"((uint)(address >> 32))
                   : "memory", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13",
                     "s14", "s15", "vcc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
                     "v9", "v10", "v11", "v12", "v13", "v14", "v15", LAST_REGISTERS);
  memory[i] = words[i] + slots[i % 8];
}

//===- Hostcalls.cl - The device side of hostcalls -*- OpenCL -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the device library of HIP does for printf and assert, in its layout and with its atomic
// operations; see HostcallTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef struct {
  ulong next, active;
  uint service, control;
} Packet;

typedef struct {
  global Packet *packets;
  global ulong (*slots)[64][8];
  global ulong *doorbell;
  ulong free_stack, ready_stack, index_mask;
} Buffer;

#define LOAD(place, order) __scoped_atomic_load_n(place, order, __MEMORY_SCOPE_SYSTEM)
#define EXCHANGE(place, old, new, order)                                                           \
  __scoped_atomic_compare_exchange_n(place, old, new, false, order, __ATOMIC_RELAXED,              \
                                     __MEMORY_SCOPE_SYSTEM)

static ulong pop(global Buffer *buffer) {
  ulong top = LOAD(&buffer->free_stack, __ATOMIC_ACQUIRE), next;
  do
    next = LOAD(&buffer->packets[top & buffer->index_mask].next, __ATOMIC_RELAXED);
  while (!EXCHANGE(&buffer->free_stack, &top, next, __ATOMIC_ACQUIRE));
  return top;
}

static void push(global Buffer *buffer, global ulong *stack, ulong packet) {
  ulong top = LOAD(stack, __ATOMIC_RELAXED);
  do
    buffer->packets[packet & buffer->index_mask].next = top;
  while (!EXCHANGE(stack, &top, packet, __ATOMIC_RELEASE));
}

static ulong broadcast(ulong value) {
  return (ulong)__builtin_amdgcn_readfirstlane((uint)(value >> 32)) << 32 |
         (uint)__builtin_amdgcn_readfirstlane((uint)value);
}

// Asks the host for `service` with eight words; returns the first word of the answer.
static ulong hostcall(uint service, ulong w0, ulong w1, ulong w2, ulong w3, ulong w4) {
  global Buffer *buffer =
      *(global Buffer * constant *)((constant char *)__builtin_amdgcn_implicitarg_ptr() + 80);
  uint lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  bool leads = lane == __builtin_amdgcn_readfirstlane(lane);
  ulong packet = 0;
  if (leads)
    packet = pop(buffer);
  packet = broadcast(packet);
  global Packet *header = &buffer->packets[packet & buffer->index_mask];
  global ulong *slot = buffer->slots[packet & buffer->index_mask][lane];
  ulong active = __builtin_amdgcn_read_exec();
  if (leads) {
    header->service = service;
    header->active = active;
    header->control = 1;
  }
  slot[0] = w0;
  slot[1] = w1;
  slot[2] = w2;
  slot[3] = w3;
  slot[4] = w4;
  if (leads) {
    push(buffer, &buffer->ready_stack, packet);
    __scoped_atomic_fetch_add(buffer->doorbell + 1, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  }
  uint waits = 1;
  while (waits) {
    if (leads)
      waits = LOAD(&header->control, __ATOMIC_ACQUIRE) & 1;
    waits = __builtin_amdgcn_readfirstlane(waits);
    __builtin_amdgcn_s_sleep(1);
  }
  ulong answer = slot[0];
  if (leads)
    push(buffer, &buffer->free_stack, packet + buffer->index_mask + 1);
  return answer;
}

// printf("%d of %s\n", item, "<text>") by items that are multiples of 50; each remembers the
// answer, the length of what was printed.
kernel void print_some(ulong text, global ulong *answers) {
  uint item = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
              __builtin_amdgcn_workitem_id_x();
  if (item % 50 != 0)
    return;
  // Begins, with one word: where to print.
  ulong message = hostcall(2, 1 | 1 << 5, 0, 0, 0, 0);
  // Goes on with the format, "%d of %s\n", and the number.
  message = (message & ~(ulong)0xff) | 3 << 5;
  hostcall(2, message, 0x732520666f206425ul, 0xaul, item, 0);
  answers[item] = hostcall(2, (message & ~(ulong)0xff) | 2 | 1 << 5, text, 0, 0, 0);
}

kernel void ask_for_memory(global ulong *answer) { answer[0] = hostcall(3, 0, 100, 0, 0, 0); }
kernel void ask_for_unknown(global ulong *answer) { answer[0] = hostcall(77, 0, 0, 0, 0, 0); }
kernel void continue_nothing(global ulong *answer) {
  answer[0] = hostcall(2, 12345 << 8 | 1 << 5, 0, 0, 0, 0);
}

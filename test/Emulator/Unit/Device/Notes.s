//===- Notes.s - Code object version 4 with a note for each kernel -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As Tensile, the generator of rocBLAS' kernels, links it. The kernels jump and call to addresses
// that they compute; functions have no size.
//
//===----------------------------------------------------------------------===//

.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 4

.macro begin_function name
.text
.p2align 8
.type \name,@function
\name:
.endm

.macro end_kernel name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_kernarg_size 64
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 40
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.endm

// Over an instruction that does not exist, to 1 plus the hidden offset.
.globl jumps
begin_function jumps
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[6:7], s[0:1], 0x8
  s_getpc_b64 s[8:9]
  s_add_i32 s10, behind_junk, 4
  s_add_u32 s8, s8, s10
  s_addc_u32 s9, s9, 0
  s_setpc_b64 s[8:9]
  .long 0xffffffff
behind_junk:
  s_waitcnt lgkmcnt(0)
  s_add_i32 s6, s6, 1
  v_mov_b32 v0, 0
  v_mov_b32 v1, s6
  global_store_dword v0, v1, s[4:5]
  s_endpgm
end_kernel jumps

// Registers that no kernel here has: no kernel can reach it.
begin_function unreachable
  v_mov_b32 v200, 1
  s_endpgm

.globl calls
begin_function calls
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_getpc_b64 s[8:9]
  s_add_u32 s8, s8, seven@rel32@lo+4
  s_addc_u32 s9, s9, seven@rel32@hi+12
  s_swappc_b64 s[30:31], s[8:9]
  v_mov_b32 v0, 0
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[4:5]
  s_endpgm
end_kernel calls

begin_function seven
  v_mov_b32 v1, 7
  s_setpc_b64 s[30:31]

// More code than is decoded as a whole.
begin_function filler
.rept 20000
  v_mov_b32 v200, 1
.endr
  s_endpgm

.amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: jumps
    .symbol: jumps.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.offset: 8, .size: 8, .value_kind: hidden_global_offset_x}
      - {.offset: 16, .size: 8, .value_kind: hidden_global_offset_y}
      - {.offset: 24, .size: 8, .value_kind: hidden_global_offset_z}
      - {.offset: 32, .size: 8, .value_kind: hidden_none}
      - {.offset: 40, .size: 8, .value_kind: hidden_hostcall_buffer}
      - {.offset: 48, .size: 8, .value_kind: hidden_multigrid_sync_arg}
.end_amdgpu_metadata

.amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: calls
    .symbol: calls.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata

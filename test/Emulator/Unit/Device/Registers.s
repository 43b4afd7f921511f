//===- Registers.s - Kernels written by hand -===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels written by hand: right ones, and one that names a register beyond its allocation.
//
//===----------------------------------------------------------------------===//

.amdgcn_target "amdgcn-amd-amdhsa--gfx942"

.macro begin_kernel name
.text
.globl \name
.p2align 8
.type \name,@function
\name:
.endm

.macro end_kernel name, vgprs
.size \name, .-\name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_vgpr_workitem_id 0
  .amdhsa_next_free_vgpr \vgprs
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.endm

begin_kernel store_ids
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_lshl_b32 s3, s2, 8
  v_add_u32 v1, s3, v1
  v_lshl_or_b32 v2, s2, 16, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
  s_endpgm
end_kernel store_ids, 8

// AGPR 5 and 6 by their numbers in the whole file, 8 VGPRs before them.
begin_kernel accumulator_aliases
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_add_u32 v13, 100, v0
  v_mov_b32 v2, 7
  v_accvgpr_write_b32 a6, v2
  v_accvgpr_read_b32 v3, a5
  v_add_u32 v3, v3, v14
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[4:5]
  s_endpgm
end_kernel accumulator_aliases, 24

begin_kernel beyond_accumulators
  v_mov_b32 v24, 1
  s_endpgm
end_kernel beyond_accumulators, 24

begin_kernel beyond_allocation
  v_mov_b32 v20, 1
  s_endpgm
end_kernel beyond_allocation, 8

begin_kernel past_the_end
  s_nop 0
end_kernel past_the_end, 8

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: store_ids
    .symbol: store_ids.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
  - .name: accumulator_aliases
    .symbol: accumulator_aliases.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 24
    .max_flat_workgroup_size: 64
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
  - .name: beyond_accumulators
    .symbol: beyond_accumulators.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 24
    .max_flat_workgroup_size: 64
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
  - .name: beyond_allocation
    .symbol: beyond_allocation.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
  - .name: past_the_end
    .symbol: past_the_end.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata

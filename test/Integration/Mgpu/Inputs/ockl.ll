; What a gpu.block_dim calls: the one function of ROCm's device library that the programs here need,
; for grids of whole workgroups.
target triple = "amdgcn-amd-amdhsa"

declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

define i64 @__ockl_get_local_size(i32 %dimension) alwaysinline {
  %arguments = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  ; hidden_group_size_x, _y and _z have 16 bits each.
  %sizes = getelementptr i8, ptr addrspace(4) %arguments, i64 12
  %address = getelementptr i16, ptr addrspace(4) %sizes, i32 %dimension
  %size = load i16, ptr addrspace(4) %address, align 2
  %result = zext i16 %size to i64
  ret i64 %result
}

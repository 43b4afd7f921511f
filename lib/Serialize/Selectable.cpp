//===- Selectable.cpp - What the backend can select -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM aborts the process on an intrinsic that a chip does not have ("Cannot select"). So only
// intrinsics of this list pass, each with the subtarget features it needs; what generated kernels
// newly use is added here, with its features as in LLVM's IntrinsicsAMDGPU.td and
// VOP3PInstructions.
//
//===----------------------------------------------------------------------===//

#include "Serialize/Codegen.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::StringRef;

namespace {
/// Intrinsics whose names begin with the name parts `prefix` need the subtarget `features`.
struct IntrinsicRule {
  StringRef prefix;
  StringRef features;

  bool matches(StringRef name) const {
    return name.consume_front(prefix) &&
           (prefix.ends_with(".") || name.empty() || name.starts_with("."));
  }
};
} // namespace

/// The first rule whose prefix fits decides. Prefixes are without "llvm.amdgcn.".
static constexpr IntrinsicRule kRules[] = {
    {"workitem.id.", ""},
    {"workgroup.id.", ""},
    {"dispatch.id", ""},
    {"implicitarg.ptr", ""},
    {"kernarg.segment.ptr", ""},
    {"dispatch.ptr", ""},
    {"mbcnt.", ""},
    {"readfirstlane", ""},
    {"readlane", ""},
    {"ballot.", ""},
    {"ds.bpermute", ""},
    {"ds.swizzle", ""},
    {"update.dpp.", ""},
    {"perm", ""},
    {"permlanex16", "+gfx10-insts"},
    {"alignbyte", ""},
    {"ubfe.", ""},
    {"sbfe.", ""},
    {"fmed3.", ""},
    {"rcp.", ""},
    {"rsq.", ""},
    {"exp2.", ""},
    {"log.", ""},
    {"cvt.pkrtz", ""},
    {"fdot2", "+dot10-insts"},
    {"make.buffer.rsrc.", ""},
    {"raw.buffer.load.", ""},
    {"raw.buffer.store.", ""},
    {"raw.ptr.buffer.load.lds", "+vmem-to-lds-load-insts"},
    {"raw.ptr.buffer.load.", ""},
    {"raw.ptr.buffer.store.", ""},
    {"raw.ptr.buffer.atomic.fadd.f32", "+atomic-fadd-rtn-insts"},
    {"raw.ptr.buffer.atomic.fadd.v2f16", "+atomic-buffer-global-pk-add-f16-insts"},
    {"raw.ptr.buffer.atomic.fadd.v2bf16", "+atomic-buffer-pk-add-bf16-inst"},
    {"raw.ptr.buffer.atomic.", ""},
    {"s.barrier.signal", "+gfx12-insts"},
    {"s.barrier.wait", "+gfx12-insts"},
    {"s.barrier", ""},
    {"s.waitcnt", "-gfx12-insts"},
    {"s.wait.", "+gfx12-insts"},
    {"s.setprio", ""},
    {"s.sleep", ""},
    {"s.memtime", ""},
    {"sched.barrier", ""},
    {"sched.group.barrier", ""},
    {"iglp.opt", ""},
    {"wave.barrier", ""},
    {"mfma.f32.32x32x16.f16", "+gfx950-insts"},
    {"mfma.f32.16x16x32.f16", "+gfx950-insts"},
    {"mfma.f32.32x32x16.bf16", "+gfx950-insts"},
    {"mfma.f32.16x16x32.bf16", "+gfx950-insts"},
    {"mfma.i32.32x32x32.i8", "+gfx950-insts"},
    {"mfma.i32.16x16x64.i8", "+gfx950-insts"},
    {"mfma.scale.", "+gfx950-insts"},
    {"mfma.i32.32x32x16.i8", "+gfx940-insts"},
    {"mfma.i32.16x16x32.i8", "+gfx940-insts"},
    {"mfma.i32.32x32x8i8", "+mai-insts,-gfx940-insts"},
    {"mfma.i32.16x16x16i8", "+mai-insts,-gfx940-insts"},
    {"mfma.f32.32x32x16.fp8", "+fp8-insts"},
    {"mfma.f32.16x16x32.fp8", "+fp8-insts"},
    {"mfma.f32.32x32x16.bf8", "+fp8-insts"},
    {"mfma.f32.16x16x32.bf8", "+fp8-insts"},
    {"mfma.f32.4x4x4bf16.1k", "+gfx90a-insts"},
    {"mfma.f32.4x4x4f16", "+mai-insts"},
    {"mfma.f32.32x32x8bf16.1k", "+gfx90a-insts"},
    {"mfma.f32.16x16x16bf16.1k", "+gfx90a-insts"},
    {"mfma.f32.32x32x4bf16", "+mai-insts"},
    {"mfma.f32.16x16x8bf16", "+mai-insts"},
    {"mfma.f32.32x32x8f16", "+mai-insts"},
    {"mfma.f32.16x16x16f16", "+mai-insts"},
    {"mfma.f32.32x32x4.xf32", "+xf32-insts"},
    {"mfma.f32.16x16x8.xf32", "+xf32-insts"},
    {"mfma.f32.32x32x2f32", "+mai-insts"},
    {"mfma.f32.16x16x4f32", "+mai-insts"},
    {"ds.read.tr16.", "+gfx950-insts"},
    {"ds.read.tr8.", "+gfx950-insts"},
    {"cvt.f32.fp8", "+fp8-conversion-insts"},
    {"cvt.f32.bf8", "+fp8-conversion-insts"},
    {"cvt.pk.f32.fp8", "+fp8-conversion-insts"},
    {"cvt.pk.f32.bf8", "+fp8-conversion-insts"},
    {"cvt.pk.fp8.f32", "+fp8-conversion-insts"},
    {"cvt.pk.bf8.f32", "+fp8-conversion-insts"},
};

/// The features of the rule for `name`, or nothing when no rule lets it pass. WMMA is overloaded on
/// its operands: a lane holds all 16 values of K on gfx11 and 8 on gfx12.
static std::optional<StringRef> findFeatures(StringRef name) {
  if (name.starts_with("wmma.f32.16x16x16.")) {
    bool wide =
        name.ends_with(".v16f16") || name.ends_with(".v16i16") || name.ends_with(".v16bf16");
    return wide ? StringRef("+gfx11-insts,-gfx12-insts") : StringRef("+gfx12-insts,-gfx1250-insts");
  }
  if (name.starts_with("wmma.i32.16x16x16.iu8."))
    return name.ends_with(".v4i32") ? StringRef("+gfx11-insts,-gfx12-insts")
                                    : StringRef("+gfx12-insts,-gfx1250-insts");
  for (const IntrinsicRule &rule : kRules)
    if (rule.matches(name))
      return rule.features;
  return std::nullopt;
}

/// The features that an atomic addition needs if nobody reads what was there before, or nothing.
static StringRef findFeaturesWithoutResult(const llvm::Function &function, StringRef name) {
  bool read =
      llvm::any_of(function.users(), [](const llvm::User *user) { return !user->use_empty(); });
  if (!read && name == "raw.ptr.buffer.atomic.fadd.f32")
    return "+atomic-fadd-no-rtn-insts";
  if (!read && name == "raw.ptr.buffer.atomic.fadd.v2f16")
    return "+atomic-buffer-global-pk-add-f16-no-rtn-insts";
  return "";
}

static Error checkIntrinsic(const llvm::Function &function,
                            const llvm::MCSubtargetInfo &subtarget) {
  StringRef name = function.getName();
  if (!name.consume_front("llvm.amdgcn."))
    return Error::success();
  std::optional<StringRef> features = findFeatures(name);
  if (!features)
    return createStringError(function.getName() + " is not supported on " + subtarget.getCPU() +
                             ": it is not known to be selectable");
  StringRef withoutResult = findFeaturesWithoutResult(function, name);
  if (!withoutResult.empty() && subtarget.checkFeatures(withoutResult))
    return Error::success();
  if (!features->empty() && !subtarget.checkFeatures(*features))
    return createStringError(function.getName() + " is not supported on " + subtarget.getCPU() +
                             ": it requires " + *features);
  return Error::success();
}

/// Whether the backend has registers for `type`.
static bool isSelectable(const llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  if (const auto *integer = llvm::dyn_cast<llvm::IntegerType>(scalar))
    return integer->getBitWidth() <= 128;
  if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    return isSelectable(array->getElementType());
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::all_of(structure->elements(), isSelectable);
  return !scalar->isX86_FP80Ty() && !scalar->isFP128Ty() && !scalar->isPPC_FP128Ty() &&
         !scalar->isX86_AMXTy() && !scalar->isTargetExtTy() && !type->isScalableTy();
}

/// Assembly without an instruction: it hands a register on, hidden from the optimizer.
static bool isBarrier(const llvm::CallInst &call) {
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  return assembly->getAsmString().empty() && assembly->getConstraintString() == "=v,0";
}

Error mlir::ck::checkSelectable(const llvm::Module &module, const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo &subtarget = *machine.getMCSubtargetInfo();
  for (const llvm::Function &function : module) {
    if (Error error = checkIntrinsic(function, subtarget))
      return error;
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isInlineAsm() && !isBarrier(*call))
        return createStringError("inline assembly is not supported in function '" +
                                 function.getName() + "'");
      if (!isSelectable(instruction.getType())) {
        std::string type;
        llvm::raw_string_ostream(type) << *instruction.getType();
        return createStringError("type " + type + " is not supported in function '" +
                                 function.getName() + "'");
      }
    }
  }
  return Error::success();
}

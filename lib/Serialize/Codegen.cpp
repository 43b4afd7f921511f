//===- Codegen.cpp - LLVM IR to object and assembly -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the AMDGPU backend is initialised and no device library is linked: kernels carry what they
// need, and the time of a compile is the backend's own.
//
//===----------------------------------------------------------------------===//

#include "Serialize/Codegen.h"
#include "Serialize/InterleaveProducts.h"
#include "Serialize/LdsAddresses.h"
#include "Serialize/RegisterPriority.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/TargetParser.h"
#include <mutex>

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringLiteral;
using llvm::StringRef;

static void initializeBackend() {
  static std::once_flag flag;
  std::call_once(flag, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
  });
}

Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::ck::createTargetMachine(StringRef triple, StringRef chip, StringRef features) {
  initializeBackend();
  llvm::Triple parsedTriple(triple);
  if (parsedTriple.getArch() != llvm::Triple::amdgcn)
    return createStringError("target triple must be amdgcn, got '" + triple + "'");
  // The backend would print a warning for an unknown chip and go on with a default.
  if (llvm::AMDGPU::parseArchAMDGCN(chip) == llvm::AMDGPU::GK_NONE)
    return createStringError("unknown chip '" + chip + "'");
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(parsedTriple, message);
  if (!target)
    return createStringError(message);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      parsedTriple, chip, features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("cannot create the backend for '" + chip + "'");
  return machine;
}

/// What is left of LLVM's O3 pipeline without those passes that make our kernels no faster. These
/// come tiled, vectorized and pipelined, without calls, memory on the stack, and loops that should
/// be unrolled: unrolling would only cost registers, until they spill. Combining instructions takes
/// half of the time of O3, which does it eight times; here are the three that pay. See
/// docs/decisions/0041-optimization-passes.md.
static constexpr StringRef kOptimizations =
    "inferattrs,"
    "function<eager-inv>(simplifycfg,sroa,early-cse),"
    "ipsccp,globalopt,"
    "function<eager-inv>(instcombine<max-iterations=1;no-verify-fixpoint>),"
    "always-inline,require<globals-aa>,"
    "cgscc(devirt<4>(inline,function-attrs<skip-non-recursive-function-attrs>,"
    "function<eager-inv;no-rerun>("
    "amdgpu-promote-kernel-arguments,infer-address-spaces,amdgpu-promote-alloca-to-vector,"
    "sroa,early-cse<memssa>,correlated-propagation,reassociate,"
    "loop-mssa(loop-instsimplify,licm<no-allowspeculation>,"
    "loop-rotate<header-duplication;no-prepare-for-lto>,licm<allowspeculation>,"
    "simple-loop-unswitch<nontrivial;trivial>),"
    "instcombine<max-iterations=1;no-verify-fixpoint>,"
    "loop(indvars,loop-deletion),vector-combine,gvn,sccp,"
    "amdgpu-uniform-intrinsic-combine,correlated-propagation,"
    "loop-mssa(licm<allowspeculation>),"
    "simplifycfg<hoist-common-insts;sink-common-insts;switch-to-arithmetic>,"
    "instcombine<max-iterations=1;no-verify-fixpoint>))),"
    "globaldce,"
    "function<eager-inv>("
    "loop(loop-rotate<header-duplication;no-prepare-for-lto>),infer-alignment,"
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"
    "hoist-common-insts;sink-common-insts>,"
    "instsimplify,div-rem-pairs),"
    "amdgpu-attributor";

llvm::Error mlir::ck::optimizeModule(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, kOptimizations))
    return error;
  passes.run(module, modules);
  for (llvm::Function &function : module)
    shareLdsAddresses(function);
  return llvm::Error::success();
}

namespace {
/// Code generation without passes on IR that make our kernels no faster: those that look for values
/// and loop-invariant code again behind the optimizations, and `slsr`, straight-line strength
/// reduction, since that of LLVM 22.1 reuses products where they may be poison: see
/// docs/Testing.md. `machine-scheduler`, which runs before registers are allocated, is left out as
/// well where instructions must keep their order.
class CodegenPassManager final : public llvm::legacy::PassManager {
public:
  explicit CodegenPassManager(bool keepsOrder) : keepsOrder(keepsOrder) {}

  void add(llvm::Pass *pass) override {
    static constexpr StringLiteral kLeftOut[] = {"canon-freeze", "gvn", "licm", "nary-reassociate",
                                                 "slsr"};
    const llvm::PassInfo *info = llvm::Pass::lookupPassInfo(pass->getPassID());
    const StringRef name = info ? info->getPassArgument() : "";
    if (llvm::is_contained(kLeftOut, name) || (keepsOrder && name == "machine-scheduler"))
      delete pass;
    else
      llvm::legacy::PassManager::add(pass);
  }

private:
  const bool keepsOrder;
};

/// Collects the errors of the backend for the duration of a scope; without it LLVM would print them
/// and exit.
class ErrorCollector final : public llvm::DiagnosticHandler {
public:
  explicit ErrorCollector(std::string &errors) : errors(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream os(errors);
    os << (errors.empty() ? "" : "; ");
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }

private:
  std::string &errors;
};
} // namespace

/// Whether a kernel has so many accumulators that it places them in AGPRs. Its loop is in the order
/// in which it should run; between products in another order, accumulators do not stay where they
/// are. LLVM finds that others need 0 of them. See
/// docs/decisions/loops/0068-loops-that-keep-their-order.md.
static bool placesAccumulators(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    const llvm::Attribute placed = function.getFnAttribute("amdgpu-agpr-alloc");
    return placed.isValid() && placed.getValueAsString() != "0";
  });
}

Expected<std::string> mlir::ck::emitModule(llvm::Module &module, llvm::TargetMachine &machine,
                                           llvm::CodeGenFileType type) {
  std::string errors;
  llvm::LLVMContext &context = module.getContext();
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>(errors));
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  {
    const bool isPlaced = placesAccumulators(module);
    if (isPlaced || hasShortProducts(module))
      interleaveProducts(module);
    CodegenPassManager passes(isPlaced);
    if (isPlaced)
      passes.add(createPriorityInOrder());
    if (machine.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr, type))
      return createStringError("the backend cannot emit this kind of file");
    passes.run(module);
  }
  context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
  if (!errors.empty())
    return createStringError("failed to generate code: " + errors);
  return std::string(bytes);
}

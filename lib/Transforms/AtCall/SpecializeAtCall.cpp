//===- SpecializeAtCall.cpp - Functions that wait for their sizes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is compiled for its sizes. A function that gets them when it is called becomes a
// declaration that carries the program, from this function on, as text.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Transforms/AtCall.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::ck {
#define GEN_PASS_DEF_SPECIALIZEATCALLPASS
#include "ck-mlir/Transforms/AtCallPasses.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;
using bufferization::BufferizationDialect;

using Closure = llvm::SetVector<Operation *>;

/// The ops of the module that `function` needs, itself first.
static Closure getClosure(func::FuncOp function, const SymbolTable &symbols) {
  Closure closure;
  closure.insert(function);
  for (size_t i = 0; i < closure.size(); ++i)
    closure[i]->walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
        if (Operation *used = symbols.lookup(symbol.getRootReference()))
          closure.insert(used);
      });
    });
  return closure;
}

static bool isUnknown(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// Whether `op` multiplies tensors, one of them of unknown size.
static bool isUnknownProduct(Operation *op) {
  if (llvm::none_of(op->getOperandTypes(), isUnknown) &&
      llvm::none_of(op->getResultTypes(), isUnknown))
    return false;
  if (isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp,
          tosa::MatMulOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() < 2 || linalgOp.getNumReductionLoops() == 0)
    return false;
  return llvm::any_of(linalgOp.getBlock()->getOperations(),
                      [](Operation &inner) { return isa<arith::MulFOp, arith::MulIOp>(inner); });
}

static bool isPassed(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  return type.isIntOrIndexOrFloat();
}

/// Why `function` cannot wait for its sizes; empty if it can.
static std::string getReason(func::FuncOp function, const Closure &closure) {
  std::string reason;
  llvm::raw_string_ostream os(reason);
  for (auto [kind, types] : {std::pair("argument ", function.getArgumentTypes()),
                             std::pair("result ", function.getResultTypes())})
    for (auto [number, type] : llvm::enumerate(types))
      if (!isPassed(type)) {
        os << "expected ranked tensors and scalars, got " << type << " as " << kind << number;
        return reason;
      }
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    for (int64_t dim = 1; tensor && dim < tensor.getRank(); ++dim)
      if (tensor.isDynamicDim(dim)) {
        os << "expected only dimension 0, the batch, to be unknown, got " << type << " as argument "
           << number;
        return reason;
      }
  }
  for (Operation *op : closure) {
    auto uses = SymbolTable::getSymbolUses(function.getNameAttr(), op);
    if (!uses || !uses->empty()) {
      os << "it calls itself";
      return reason;
    }
  }
  return reason;
}

/// The text of a module with `closure`, whose first op is the entry.
static std::string printProgram(ModuleOp module, const Closure &closure, DictionaryAttr options) {
  OpBuilder builder(module.getContext());
  OwningOpRef<ModuleOp> program = ModuleOp::create(module.getLoc());
  (*program)->setAttrs(module->getAttrDictionary());
  auto entry = cast<func::FuncOp>(closure.front());
  NamedAttrList attributes(options);
  attributes.set(atcall::kEntry, builder.getStringAttr(entry.getName()));
  (*program)->setAttr(atcall::kAttrName, attributes.getDictionary(module.getContext()));
  for (Operation &op : module.getBody()->getOperations()) {
    if (!closure.contains(&op))
      continue;
    Operation *copy = op.clone();
    program->push_back(copy);
    if (auto function = dyn_cast<func::FuncOp>(copy); function && &op != entry)
      function.setPrivate();
  }
  auto copy = program->lookupSymbol<func::FuncOp>(entry.getName());
  copy.setPublic();
  copy->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
  // The caller's tensors are read, whatever the program makes of them in place.
  for (unsigned i = 0; i < copy.getNumArguments(); ++i)
    if (isa<TensorType>(copy.getArgument(i).getType()))
      copy.setArgAttr(i, BufferizationDialect::kWritableAttrName, builder.getBoolAttr(false));
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  flags.elideLargeElementsAttrs(kAll).elideLargeResourceString(kAll).skipRegions(false);
  (*program)->print(os, flags);
  return text;
}

/// Makes `function` a declaration that stands for `program`.
static void declare(func::FuncOp function, StringRef program) {
  Builder builder(function.getContext());
  SmallVector<int64_t> sizes;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && !tensor.hasStaticShape())
      llvm::append_values(sizes, static_cast<int64_t>(number), int64_t(0));
  NamedAttrList attributes;
  attributes.set(atcall::kProgram, builder.getStringAttr(program));
  attributes.set(atcall::kArguments, builder.getI64IntegerAttr(function.getNumArguments()));
  attributes.set(atcall::kSizes, builder.getDenseI64ArrayAttr(sizes));
  if (function.isPublic())
    attributes.set(atcall::kPublic, builder.getUnitAttr());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    function.removeArgAttr(i, BufferizationDialect::kWritableAttrName);
    if (isa<TensorType>(function.getArgument(i).getType()))
      function.setArgAttr(i, BufferizationDialect::kBufferAccessAttrName,
                          builder.getStringAttr("read"));
  }
  function.eraseBody();
  function.setPrivate();
  function->setAttr(atcall::kAttrName, attributes.getDictionary(function.getContext()));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
}

/// Erases private functions of `used` that no function needs any more.
static void eraseUnused(ModuleOp module, Closure &used) {
  for (bool changed = true; changed;) {
    changed = false;
    used.remove_if([&](Operation *op) {
      auto function = dyn_cast<func::FuncOp>(op);
      if (!function || !function.isPrivate() || !SymbolTable::symbolKnownUseEmpty(function, module))
        return false;
      auto atCall = function->getAttrOfType<DictionaryAttr>(atcall::kAttrName);
      if (atCall && atCall.contains(atcall::kPublic))
        return false;
      function.erase();
      return changed = true;
    });
  }
}

void ck::specializeAtCall(ModuleOp module, DictionaryAttr options) {
  SymbolTable symbols(module);
  SmallVector<std::pair<func::FuncOp, std::string>> programs;
  Closure used;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || llvm::none_of(function.getArgumentTypes(), isUnknown))
      continue;
    Closure closure = getClosure(function, symbols);
    bool multiplies = llvm::any_of(closure, [](Operation *op) {
      return op
          ->walk([](Operation *inner) {
            return isUnknownProduct(inner) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    });
    if (!multiplies)
      continue;
    constexpr StringLiteral category = "ck-specialize-at-call";
    if (std::string reason = getReason(function, closure); !reason.empty()) {
      remark::missed(function.getLoc(), remark::RemarkOpts::name("NotAtCall").category(category))
          << remark::reason("{0}", reason);
      continue;
    }
    remark::passed(function.getLoc(), remark::RemarkOpts::name("AtCall").category(category))
        << "@" + function.getName().str() + " is compiled when it is called";
    programs.emplace_back(function, printProgram(module, closure, options));
    for (Operation *op : llvm::drop_begin(closure))
      used.insert(op);
  }
  for (auto &[function, program] : programs)
    declare(function, program);
  eraseUnused(module, used);
}

namespace {
struct SpecializeAtCallPass final : ck::impl::SpecializeAtCallPassBase<SpecializeAtCallPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void SpecializeAtCallPass::runOnOperation() {
  Builder builder(&getContext());
  NamedAttrList options;
  options.set(atcall::kChip, builder.getStringAttr(chip));
  options.set(atcall::kSchedule, builder.getStringAttr(schedule));
  options.set(atcall::kHost, builder.getStringAttr(host));
  options.set(atcall::kResidents, builder.getI64IntegerAttr(residents));
  specializeAtCall(getOperation(), options.getDictionary(&getContext()));
}

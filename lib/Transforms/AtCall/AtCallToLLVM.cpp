//===- AtCallToLLVM.cpp - Calls of functions that wait for sizes -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversion gives a function without a body a C interface that it calls: descriptors by
// address, scalars by value. That interface gets a body here, which asks ckMlirCallSpecialized
// (ck-mlir/Compiler/JitApi.h) for the program of these sizes.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Transforms/AtCall.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace mlir::ck {
#define GEN_PASS_DEF_CONVERTATCALLTOLLVMPASS
#include "ck-mlir/Transforms/AtCallPasses.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Writes the body of one C interface.
class Caller {
public:
  Caller(ModuleOp module, StringRef name, LLVM::LLVMFuncOp interface, DictionaryAttr atCall)
      : module(module), name(name), interface(interface), atCall(atCall),
        builder(module.getContext()), loc(interface.getLoc()) {}

  void write();

private:
  Value createConstant(int64_t value);
  Value createArray(int64_t count, Type element);
  void store(Value array, Type element, int64_t index, Value value);
  Value loadSize(Value descriptor, int64_t dim);
  Value createText(StringRef kind, StringRef text);
  LLVM::LLVMFuncOp getCallee();
  Value readSizes(ArrayRef<int64_t> places, unsigned numArguments);

  ModuleOp module;
  StringRef name;
  LLVM::LLVMFuncOp interface;
  DictionaryAttr atCall;
  OpBuilder builder;
  Location loc;
  Type pointer, i64;
};
} // namespace

Value Caller::createConstant(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(value));
}

Value Caller::createArray(int64_t count, Type element) {
  return LLVM::AllocaOp::create(builder, loc, pointer, element, createConstant(count));
}

void Caller::store(Value array, Type element, int64_t index, Value value) {
  Value place = LLVM::GEPOp::create(builder, loc, pointer, element, array,
                                    LLVM::GEPArg(static_cast<int32_t>(index)));
  LLVM::StoreOp::create(builder, loc, value, place);
}

/// A descriptor begins with two pointers and the offset; sizes are next.
Value Caller::loadSize(Value descriptor, int64_t dim) {
  auto array = LLVM::LLVMArrayType::get(i64, dim + 1);
  auto type =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer, i64, array});
  Value place =
      LLVM::GEPOp::create(builder, loc, pointer, type, descriptor,
                          ArrayRef<LLVM::GEPArg>{0, 3, LLVM::GEPArg(static_cast<int32_t>(dim))});
  return LLVM::LoadOp::create(builder, loc, i64, place);
}

Value Caller::createText(StringRef kind, StringRef text) {
  std::string symbol = ("__ck_at_call_" + kind + "_" + name).str();
  std::string bytes = text.str();
  bytes.push_back('\0');
  return LLVM::createGlobalString(loc, builder, symbol, bytes, LLVM::Linkage::Internal);
}

LLVM::LLVMFuncOp Caller::getCallee() {
  constexpr StringLiteral callee = "ckMlirCallSpecialized";
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(callee))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                          {pointer, i64, pointer, pointer, i64, pointer});
  return LLVM::LLVMFuncOp::create(builder, loc, callee, type);
}

/// The unknown sizes of this call, from the descriptors; `places` are those of the attribute.
Value Caller::readSizes(ArrayRef<int64_t> places, unsigned numArguments) {
  // Results, where they are structures, come by an address in front of the arguments.
  unsigned first = interface.getNumArguments() - numArguments;
  Value sizes = createArray(places.size() / 2, i64);
  for (size_t i = 0; i < places.size(); i += 2)
    store(sizes, i64, static_cast<int64_t>(i / 2),
          loadSize(interface.getArgument(first + places[i]), places[i + 1]));
  return sizes;
}

void Caller::write() {
  pointer = LLVM::LLVMPointerType::get(builder.getContext());
  i64 = builder.getI64Type();
  builder.setInsertionPointToStart(interface.addEntryBlock(builder));
  auto places = atCall.getAs<DenseI64ArrayAttr>(atcall::kSizes).asArrayRef();
  auto program = atCall.getAs<StringAttr>(atcall::kProgram).getValue();
  auto numArguments = atCall.getAs<IntegerAttr>(atcall::kArguments).getInt();
  Value sizes = readSizes(places, numArguments);
  SmallVector<Value> slots;
  for (BlockArgument argument : interface.getArguments()) {
    slots.push_back(createArray(1, argument.getType()));
    LLVM::StoreOp::create(builder, loc, argument, slots.back());
  }
  Type result = interface.getFunctionType().getReturnType();
  bool returns = !isa<LLVM::LLVMVoidType>(result);
  if (returns)
    slots.push_back(createArray(1, result));
  Value arguments = createArray(static_cast<int64_t>(slots.size()), pointer);
  for (auto [i, slot] : llvm::enumerate(slots))
    store(arguments, pointer, static_cast<int64_t>(i), slot);
  std::string digest = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(program)));
  LLVM::CallOp::create(builder, loc, getCallee(),
                       {createText("program", program),
                        createConstant(static_cast<int64_t>(program.size())),
                        createText("digest", digest), sizes,
                        createConstant(static_cast<int64_t>(places.size() / 2)), arguments});
  if (returns)
    LLVM::ReturnOp::create(builder, loc, LLVM::LoadOp::create(builder, loc, result, slots.back()));
  else
    LLVM::ReturnOp::create(builder, loc, ValueRange());
}

static bool isComplete(DictionaryAttr atCall) {
  return atCall && atCall.getAs<StringAttr>(atcall::kProgram) &&
         atCall.getAs<DenseI64ArrayAttr>(atcall::kSizes) &&
         atCall.getAs<IntegerAttr>(atcall::kArguments);
}

LogicalResult ck::convertAtCallToLLVM(ModuleOp module, LLVM::LLVMFuncOp function) {
  auto atCall = function->getAttrOfType<DictionaryAttr>(atcall::kAttrName);
  if (!isComplete(atCall))
    return function.emitOpError() << "expected a dictionary with program, arguments and sizes as "
                                  << atcall::kAttrName << ", got "
                                  << function->getAttr(atcall::kAttrName);
  auto interface =
      module.lookupSymbol<LLVM::LLVMFuncOp>(("_mlir_ciface_" + function.getName()).str());
  if (!interface || !interface.isExternal() || function.isExternal())
    return function.emitOpError("requires a body that calls its C interface, which upstream's "
                                "conversion to llvm makes with ")
           << LLVM::LLVMDialect::getEmitCWrapperAttrName();
  if (atCall.contains(atcall::kPublic)) {
    function.removeSymVisibilityAttr();
    function->removeDiscardableAttr(SymbolTable::getVisibilityAttrName());
    function.setLinkage(LLVM::Linkage::External);
  }
  Caller(module, function.getName(), interface, atCall).write();
  for (LLVM::LLVMFuncOp op : {function, interface}) {
    op->removeAttr(atcall::kAttrName);
    op->removeAttr(op.getArgAttrsAttrName());
  }
  return success();
}

namespace {
struct ConvertAtCallToLLVMPass final
    : ck::impl::ConvertAtCallToLLVMPassBase<ConvertAtCallToLLVMPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ConvertAtCallToLLVMPass::runOnOperation() {
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (function->hasAttr(atcall::kAttrName)) {
      function.emitOpError("waits for its sizes: expected 'convert-func-to-llvm' to run before");
      return signalPassFailure();
    }
  for (auto function : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
    if (function->hasAttr(atcall::kAttrName) && !function.getName().starts_with("_mlir_ciface_"))
      if (failed(convertAtCallToLLVM(getOperation(), function)))
        return signalPassFailure();
}

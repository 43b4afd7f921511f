//===- LowerTransforms.cpp - Turn cursors into byte offsets that loops carry -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffer instructions are used with byte offsets, through rocdl: on memrefs, upstream's buffer ops
// take element indices, and every access of a loop would shift its carried index first.
//
//===----------------------------------------------------------------------===//

#include "Transforms/BufferAccess.h"
#include "Transforms/IntMath.h"
#include "Transforms/KernelPass.h"
#include "Transforms/LowerTransforms/CursorState.h"
#include "Transforms/LowerTransforms/MergeCarried.h"
#include "ck-mlir/Transforms/Passes.h"
#include "ck-mlir/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/DialectConversion.h"
#include <numeric>

namespace mlir::ck {
#define GEN_PASS_DEF_LOWERTRANSFORMSPASS
#include "ck-mlir/Transforms/Passes.h.inc"
} // namespace mlir::ck

using namespace mlir;
using namespace mlir::ck;

static unsigned getBytes(VectorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// The address of an access to a wide view's tensor at `pointer`.
static Value getPlace(OpBuilder &builder, Location loc, Value pointer,
                      const CursorAddress &address) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(), pointer,
                             LLVM::GEPArg(address.offset));
}

/// The type in which a buffer instruction moves `type`: single elements are scalars, bytes are
/// integers of up to 32 bits.
static Type getAccessType(VectorType type) {
  Type element = type.getElementType();
  if (element.getIntOrFloatBitWidth() == 8) {
    int64_t bytes = type.getNumElements();
    element = IntegerType::get(type.getContext(), 8 * std::min<int64_t>(bytes, 4));
    return bytes <= 4 ? element : VectorType::get(bytes / 4, element);
  }
  return type.getNumElements() == 1 ? element : Type(type);
}

namespace {

/// The state layouts of the views of a kernel.
struct Config {
  const ChipInfo *chip = nullptr;
  bool wideIndex = false; // some view needs 64-bit coordinates or offsets
  llvm::DenseMap<Type, CursorState> states;

  const CursorState &get(CursorType type) const { return states.find(type.getView())->second; }
  /// A buffer descriptor, or the address of a wide view's tensor.
  Type getBaseType(ViewType view) const {
    unsigned space = states.find(view)->second.isWide() ? 1 : 8;
    return LLVM::LLVMPointerType::get(view.getContext(), space);
  }
};

template <typename Op>
struct CursorPattern : OpConversionPattern<Op> {
  CursorPattern(const TypeConverter &converter, MLIRContext *context, const Config &config)
      : OpConversionPattern<Op>(converter, context), config(config) {}
  const Config &config;
};

} // namespace

/// The address of a kernel argument. memref.extract_aligned_pointer_as_index would cut it to the 32
/// bits of most kernels' indices, so the memref is taken as the descriptor that it is converted to.
static Value getPointer(OpBuilder &builder, Location loc, const Config &config,
                        TypedValue<MemRefType> tensor, Type pointer) {
  MLIRContext *context = builder.getContext();
  Type index = builder.getIntegerType(config.wideIndex ? 64 : 32);
  Type sizes = LLVM::LLVMArrayType::get(index, tensor.getType().getRank());
  Type descriptor =
      LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, index, sizes, sizes});
  Value cast = UnrealizedConversionCastOp::create(builder, loc, descriptor, tensor).getResult(0);
  return LLVM::ExtractValueOp::create(builder, loc, cast, /*aligned pointer=*/1);
}

namespace {

struct PointerPattern final : CursorPattern<PointerOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(PointerOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(
        op, op.getType(),
        getPointer(rewriter, op.getLoc(), config, op.getTensor(),
                   LLVM::LLVMPointerType::get(getContext())));
    return success();
  }
};

/// A view is the buffer descriptor of its tensor, or its address: everything else is in its type.
struct TransformPattern final : CursorPattern<TransformOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(TransformOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const CursorState &state = config.states.find(op.getView().getType())->second;
    Value pointer =
        getPointer(rewriter, loc, config, op.getTensor(), LLVM::LLVMPointerType::get(getContext()));
    if (state.isWide()) {
      rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(
          op, getTypeConverter()->convertType(op.getType()), pointer);
      return success();
    }
    rewriter.replaceOp(op,
                       createBuffer(rewriter, loc, getTypeConverter()->convertType(op.getType()),
                                    pointer, state.getExtentBytes(), *config.chip));
    return success();
  }
};

struct CursorOpPattern final : CursorPattern<CursorOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(CursorOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values(adaptor.getView());
    llvm::append_range(
        values,
        config.get(op.getCursor().getType()).init(rewriter, op.getLoc(), op.getCoordinates()));
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{values});
    return success();
  }
};

struct AdvancePattern final : CursorPattern<AdvanceOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(AdvanceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ValueRange old = adaptor.getCursor();
    SmallVector<Value> values = {old.front()};
    llvm::append_range(values, config.get(op.getCursor().getType())
                                   .advance(rewriter, op.getLoc(), old.drop_front(), op.getStep()));
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{values});
    return success();
  }
};

struct LoadPattern final : CursorPattern<LoadOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange cursor = adaptor.getCursor();
    CursorAddress address =
        config.get(op.getCursor().getType())
            .getAddress(rewriter, loc, cursor.drop_front(), op.getOffset(), Value());
    auto type = cast<VectorType>(op.getValue().getType());
    Type loaded = getAccessType(type);
    Value value = address.valid ? loadWide(rewriter, loc, type, cursor.front(), address)
                                : loadFromBuffer(rewriter, loc, loaded, cursor.front(),
                                                 address.offset, address.scalarOffset);
    if (!isa<VectorType>(loaded))
      value = vector::BroadcastOp::create(rewriter, loc, VectorType::get(1, loaded), value);
    if (value.getType() != type)
      value = vector::BitCastOp::create(rewriter, loc, type, value);
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  /// Loads something in the tensor in any case, and takes zero instead where it is not valid.
  static Value loadWide(OpBuilder &builder, Location loc, VectorType type, Value pointer,
                        const CursorAddress &address) {
    Type loaded = getAccessType(type);
    Value place = getPlace(builder, loc, pointer, address);
    Value value = LLVM::LoadOp::create(builder, loc, loaded, place, getBytes(type));
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(loaded));
    return arith::SelectOp::create(builder, loc, address.valid, value, zero);
  }
};

struct IsInsidePattern final : CursorPattern<IsInsideOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(IsInsideOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ValueRange cursor = adaptor.getCursor();
    SmallVector<int64_t> here(op.getCursor().getType().getView().getShape().size(), 0);
    Value inside = config.get(op.getCursor().getType())
                       .isInside(rewriter, op.getLoc(), cursor.drop_front(), here, Value());
    if (!inside)
      inside = arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1);
    rewriter.replaceOp(op, inside);
    return success();
  }
};

struct CopyPattern final : CursorPattern<CopyOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange cursor = adaptor.getCursor();
    CursorAddress address =
        config.get(op.getCursor().getType())
            .getAddress(rewriter, loc, cursor.drop_front(), op.getOffset(), Value());
    if (address.valid)
      return rewriter.notifyMatchFailure(op, "copies go through buffers only");
    int64_t bytes = op.getWidth() * op.getLds().getType().getElementTypeBitWidth() / 8;
    Value size = arith::ConstantIntOp::create(rewriter, loc, bytes, 32);
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
    rewriter.replaceOpWithNewOp<ROCDL::RawPtrBufferLoadLdsOp>(
        op, cursor.front(), getPlaceInLds(rewriter, op), size, address.offset, address.scalarOffset,
        zero, zero, ArrayAttr(), ArrayAttr(), ArrayAttr());
    return success();
  }

private:
  Value getPlaceInLds(OpBuilder &builder, CopyOp op) const {
    Location loc = op.getLoc();
    MLIRContext *context = builder.getContext();
    MemRefType type = op.getLds().getType();
    Type pointer = LLVM::LLVMPointerType::get(context, /*addressSpace=*/3);
    IntMath math{builder, loc};
    Value element = math.constant(0);
    for (auto [index, size] : llvm::zip_equal(op.getIndices(), type.getShape()))
      element = math.add(math.mul(element, size), index);
    Value bytes = math.mul(element, int64_t(type.getElementTypeBitWidth() / 8));
    bytes = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), bytes);
    Value start = getPointer(builder, loc, config, op.getLds(), pointer);
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), start,
                               LLVM::GEPArg(bytes));
  }
};

struct StorePattern final : CursorPattern<StoreOp> {
  using CursorPattern::CursorPattern;

  LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ValueRange cursor = adaptor.getCursor();
    Value mask = adaptor.getMask().front();
    if (matchPattern(mask, m_One()))
      mask = Value();
    Location loc = op.getLoc();
    CursorAddress address =
        config.get(op.getCursor().getType())
            .getAddress(rewriter, loc, cursor.drop_front(), op.getOffset(), mask);
    auto type = cast<VectorType>(op.getValue().getType());
    if (op.getAtomic()) {
      if (address.valid)
        return rewriter.notifyMatchFailure(op, "atomics go through buffers only");
      addToBuffer(rewriter, loc, adaptor.getValue().front(), cursor.front(), address);
      rewriter.eraseOp(op);
      return success();
    }
    Value value = toAccessType(rewriter, loc, adaptor.getValue().front(), type);
    if (address.valid) {
      Value place = getPlace(rewriter, loc, cursor.front(), address);
      auto branch = scf::IfOp::create(rewriter, loc, address.valid, /*withElseRegion=*/false);
      OpBuilder inside = branch.getThenBodyBuilder();
      LLVM::StoreOp::create(inside, loc, value, place, getBytes(type));
    } else {
      storeToBuffer(rewriter, loc, value, cursor.front(), address.offset, address.scalarOffset,
                    op.getWriteThrough() ? config.chip->writeThrough : 0);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Adds the elements of `vector` to memory, those of 16 bits by twos.
  static void addToBuffer(OpBuilder &builder, Location loc, Value vector, Value buffer,
                          const CursorAddress &address) {
    auto type = cast<VectorType>(vector.getType());
    Value aux = arith::ConstantIntOp::create(builder, loc, 0, 32);
    int64_t width = type.getElementTypeBitWidth() == 16 ? 2 : 1;
    for (int64_t i = 0; i < type.getNumElements(); i += width) {
      Value value;
      if (width == 1)
        value = vector::ExtractOp::create(builder, loc, vector, i);
      else
        value =
            vector::ShuffleOp::create(builder, loc, vector, vector, ArrayRef<int64_t>{i, i + 1});
      Value distance = arith::ConstantIntOp::create(builder, loc, 4 * (i / width), 32);
      Value offset = arith::AddIOp::create(builder, loc, address.offset, distance);
      SmallVector<Value> operands = {value, buffer, offset, address.scalarOffset, aux};
      if (isa<FloatType>(type.getElementType()))
        ROCDL::RawPtrBufferAtomicFaddOp::create(builder, loc, TypeRange(), operands);
      else
        LLVM::CallIntrinsicOp::create(
            builder, loc, value.getType(),
            builder.getStringAttr("llvm.amdgcn.raw.ptr.buffer.atomic.add"), operands);
    }
  }

  /// `value` in the type in which it is stored.
  static Value toAccessType(OpBuilder &builder, Location loc, Value value, VectorType type) {
    Type stored = getAccessType(type);
    auto vector = dyn_cast<VectorType>(stored);
    VectorType cast = vector ? vector : VectorType::get(1, stored);
    if (cast != type)
      value = vector::BitCastOp::create(builder, loc, cast, value);
    return vector ? value : Value(vector::ExtractOp::create(builder, loc, value, 0));
  }
};

} // namespace

/// How the cursors of every view in `kernel` are used.
static llvm::MapVector<ViewType, ViewUse> collectUses(gpu::GPUFuncOp kernel) {
  llvm::MapVector<ViewType, ViewUse> uses;
  auto get = [&](ViewType view) -> ViewUse & {
    ViewUse &use = uses[view];
    use.steps.resize(view.getShape().size(), 0);
    return use;
  };
  kernel.walk([&](Operation *op) {
    if (auto transform = dyn_cast<TransformOp>(op))
      get(transform.getView().getType());
    if (auto load = dyn_cast<LoadOp>(op))
      get(load.getCursor().getType().getView()).passesEnd |= !load.getInBounds();
    if (auto copy = dyn_cast<CopyOp>(op))
      get(copy.getCursor().getType().getView()).passesEnd |= !copy.getInBounds();
    if (auto advance = dyn_cast<AdvanceOp>(op)) {
      ViewUse &use = get(advance.getCursor().getType().getView());
      for (auto [divisor, step] : llvm::zip_equal(use.steps, advance.getStep()))
        divisor = std::gcd(divisor, step);
    }
  });
  return uses;
}

LogicalResult ck::lowerTransforms(gpu::GPUFuncOp kernel, const ChipInfo &chip) {
  Config config;
  config.chip = &chip;
  for (auto &[view, use] : collectUses(kernel)) {
    llvm::Expected<CursorState> state = CursorState::create(view, use);
    if (!state)
      return kernel.emitError(llvm::toString(state.takeError()));
    config.wideIndex |= state->isWide();
    config.states.try_emplace(view, std::move(*state));
  }
  if (config.wideIndex)
    kernel->setAttr(CKDialect::kWideIndexAttrName, UnitAttr::get(kernel.getContext()));

  MLIRContext *context = kernel.getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([&](ViewType type) { return config.getBaseType(type); });
  converter.addConversion([&](CursorType type, SmallVectorImpl<Type> &types) -> LogicalResult {
    if (type.getFragment() || !config.states.contains(type.getView()))
      return failure();
    types.push_back(config.getBaseType(type.getView()));
    types.append(config.get(type).size(), config.get(type).getValueType(context));
    return success();
  });
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([&](Operation *op) { return converter.isLegal(op); });
  target.addIllegalOp<PointerOp>();
  RewritePatternSet patterns(context);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
  patterns.add<PointerPattern, TransformPattern, CursorOpPattern, AdvancePattern, LoadPattern,
               IsInsidePattern, CopyPattern, StorePattern>(converter, context, config);
  if (failed(applyFullConversion(kernel, target, std::move(patterns))))
    return failure();
  IRRewriter rewriter(context);
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  kernel.walk([&](scf::ForOp loop) { mergeCarriedValues(rewriter, loop); });
  return success();
}

namespace {
struct LowerTransformsPass final
    : KernelPass<ck::impl::LowerTransformsPassBase<LowerTransformsPass>, Form::Arithmetic> {
  LogicalResult runOnKernel(gpu::GPUFuncOp kernel) override;
};
} // namespace

LogicalResult LowerTransformsPass::runOnKernel(gpu::GPUFuncOp kernel) {
  int64_t views = 0, accesses = 0;
  kernel.walk([&](Operation *op) {
    views += isa<TransformOp>(op);
    accesses += isa<LoadOp, StoreOp>(op);
  });
  FailureOr<const ChipInfo *> chip = getTargetChip(kernel);
  if (failed(chip) || failed(lowerTransforms(kernel, **chip)))
    return failure();
  bool isWide = kernel->hasAttr(CKDialect::kWideIndexAttrName);
  numViews += views;
  numAccesses += accesses;
  numWide += isWide;
  remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("Addresses")
                                        .category("ck-lower-transforms")
                                        .function(kernel.getName()))
      << remark::metric("Views", views) << remark::metric("Accesses", accesses)
      << remark::metric("Bits", isWide ? 64 : 32);
  return success();
}

//===- ViewAnalysis.cpp - What a transform map means for addresses -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a map from the view back to the tensor with every coordinate as a sum of digits, then fuses
// digits that one stride describes and drops range checks that cannot fail. Offsets that address
// code cannot count are refused, so that nothing after this overflows.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ViewAnalysis.h"
#include "ck-mlir/IR/DirectGeometry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::ck;

namespace {
/// Digits of a view and forms over them while the steps are walked backwards. Coefficients are held
/// by digit index and padded to the number of digits at the end.
class Analyzer {
public:
  explicit Analyzer(ViewType view) : view(view), map(view.getMap()) {}

  llvm::Expected<ViewAnalysis> run();

private:
  // `sizes` are those of the dimensions that the step consumes.
  llvm::Error splitMerge(TransformAttr step, ArrayRef<int64_t> sizes);
  llvm::Error applyStep(TransformAttr step, ArrayRef<int64_t> sizes);
  void computeOffset();
  void fuseDigits();
  bool canFuse(unsigned slow, unsigned fast) const;
  void fuse(unsigned slow, unsigned fast);
  void dropSingleValues();
  void dropIdleChecks();

  DigitForm &get(StringAttr name) { return forms[name]; }
  unsigned addDigit(Digit digit) {
    digits.push_back(digit);
    return digits.size() - 1;
  }
  static DigitForm formOf(unsigned digit) {
    DigitForm form;
    form.coefficients.assign(digit + 1, 0);
    form.coefficients[digit] = 1;
    return form;
  }
  static int64_t coefficient(const DigitForm &form, unsigned digit) {
    return digit < form.coefficients.size() ? form.coefficients[digit] : 0;
  }
  /// Adds value * scale to `sum`, or notes that the result is no 64-bit number.
  void addProduct(int64_t &sum, int64_t value, int64_t scale) {
    int64_t product;
    if (llvm::MulOverflow(value, scale, product) || llvm::AddOverflow(sum, product, sum))
      overflows = true;
  }
  void addScaled(DigitForm &sum, const DigitForm &form, int64_t scale) {
    addProduct(sum.constant, form.constant, scale);
    if (sum.coefficients.size() < form.coefficients.size())
      sum.coefficients.resize(form.coefficients.size(), 0);
    for (auto [i, value] : llvm::enumerate(form.coefficients))
      addProduct(sum.coefficients[i], value, scale);
  }
  /// The elements that the digits can move `form` by, with its constant.
  int64_t getReach(const DigitForm &form) {
    int64_t reach = 0;
    addProduct(reach, form.constant, form.constant < 0 ? -1 : 1);
    for (auto [i, value] : llvm::enumerate(form.coefficients))
      addProduct(reach, value, value < 0 ? -digits[i].size : digits[i].size);
    return reach;
  }
  /// Fails if the tensor or a form has more elements than `kMaxReach`.
  llvm::Error checkReach();

  ViewType view;
  TransformMapAttr map;
  llvm::DenseMap<StringAttr, DigitForm> forms;
  SmallVector<Digit> digits;
  SmallVector<bool> live;
  DigitForm offset;
  SmallVector<RangeCheck> checks;
  int64_t numElements = 0;
  bool overflows = false; // some form is not what it should be
};
} // namespace

/// Elements of 4 bytes, and what is added to them in tiles, are 64-bit numbers.
static constexpr int64_t kMaxReach = int64_t(1) << 58;

/// Replaces the digit of a merged dimension by one digit per merged part.
llvm::Error Analyzer::splitMerge(TransformAttr step, ArrayRef<int64_t> sizes) {
  DigitForm whole = get(step.getInto()[0]);
  int nonZero = -1;
  for (auto [i, value] : llvm::enumerate(whole.coefficients))
    if (value != 0)
      nonZero = nonZero < 0 && value == 1 ? int(i) : int(whole.coefficients.size());
  int64_t size = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  if (whole.constant != 0 || nonZero < 0 || nonZero >= int(whole.coefficients.size()) ||
      digits[nonZero].size != size)
    return llvm::createStringError(
        "cannot split merged dimension '" + step.getInto()[0].getValue() +
        "': a later transform makes it from several, shifted or fewer coordinates");
  Digit digit = digits[nonZero];
  live[nonZero] = false;
  int64_t divisor = digit.divisor;
  for (int i = sizes.size() - 1; i >= 0; --i) {
    int64_t modulus = i == 0 ? (digit.modulus == 0 ? 0 : sizes[0]) : sizes[i];
    unsigned part = addDigit({digit.dim, divisor, modulus, sizes[i]});
    live.push_back(true);
    get(step.getFrom()[i]) = formOf(part);
    divisor *= sizes[i];
  }
  return llvm::Error::success();
}

llvm::Error Analyzer::applyStep(TransformAttr step, ArrayRef<int64_t> sizes) {
  ArrayRef<int64_t> values = step.getValues();
  switch (step.getKind()) {
  case TransformKind::Pass: {
    DigitForm form = get(step.getInto()[0]);
    get(step.getFrom()[0]) = form;
    break;
  }
  case TransformKind::Pad: {
    DigitForm &form = get(step.getFrom()[0]);
    addProduct(form.constant, values[0], -1);
    if (values[0] || values[1])
      checks.push_back({form, sizes[0]});
    break;
  }
  case TransformKind::Slice:
    addProduct(get(step.getFrom()[0]).constant, values[0], 1);
    break;
  case TransformKind::Embed: {
    DigitForm sum;
    sum.constant = values.back();
    size_t count = step.getInto().size();
    for (size_t i = 0; i < count; ++i)
      addScaled(sum, get(step.getInto()[i]), values[count + i]);
    get(step.getFrom()[0]) = sum;
    break;
  }
  case TransformKind::Unmerge: {
    DigitForm sum;
    int64_t scale = 1;
    for (int i = values.size() - 1; i >= 0; --i) {
      addScaled(sum, get(step.getInto()[i]), scale);
      scale *= values[i];
    }
    get(step.getFrom()[0]) = sum;
    break;
  }
  case TransformKind::Merge:
    return splitMerge(step, sizes);
  case TransformKind::Broadcast:
    break;
  case TransformKind::Freeze: {
    DigitForm form;
    form.constant = values[0];
    get(step.getFrom()[0]) = form;
    break;
  }
  case TransformKind::Diagonal: {
    DigitForm form = get(step.getInto()[0]), difference = form;
    addScaled(difference, get(step.getInto()[1]), -1);
    checks.push_back({difference, 1});
    get(step.getFrom()[0]) = form;
    break;
  }
  }
  return llvm::Error::success();
}

void Analyzer::computeOffset() {
  int64_t stride = 1;
  for (int i = map.getTensorDims().size() - 1; i >= 0; --i) {
    addScaled(offset, get(map.getTensorDims()[i]), stride);
    overflows |= llvm::MulOverflow(stride, map.getTensorSizes()[i], stride);
  }
  numElements = stride;
}

llvm::Error Analyzer::checkReach() {
  int64_t reach = std::max(numElements, getReach(offset));
  for (const RangeCheck &check : checks)
    reach = std::max(reach, getReach(check.form));
  if (!overflows && reach <= kMaxReach)
    return llvm::Error::success();
  return llvm::createStringError("cannot address a view that reaches more than " +
                                 llvm::Twine(kMaxReach) + " elements of its tensor");
}

/// True if everywhere `slow` counts `fast.size` times as much as `fast`.
bool Analyzer::canFuse(unsigned slow, unsigned fast) const {
  int64_t size = digits[fast].size;
  if (coefficient(offset, slow) != size * coefficient(offset, fast))
    return false;
  return llvm::all_of(checks, [&](const RangeCheck &check) {
    return coefficient(check.form, slow) == size * coefficient(check.form, fast);
  });
}

void Analyzer::fuse(unsigned slow, unsigned fast) {
  digits[fast].modulus = digits[slow].modulus == 0 ? 0 : digits[slow].size * digits[fast].size;
  digits[fast].size *= digits[slow].size;
  live[slow] = false;
}

void Analyzer::fuseDigits() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned slow = 0; slow < digits.size(); ++slow)
      for (unsigned fast = 0; fast < digits.size(); ++fast) {
        // The slowest digit (modulus 0) is never the faster one, though its divisor may equal
        // that of a digit of one value.
        if (slow == fast || !live[slow] || !live[fast] || digits[slow].dim != digits[fast].dim ||
            digits[fast].modulus == 0 ||
            digits[slow].divisor != digits[fast].divisor * digits[fast].size ||
            !canFuse(slow, fast))
          continue;
        fuse(slow, fast);
        changed = true;
      }
  }
  dropSingleValues();
}

/// A digit with a single value contributes nothing. The slowest one of a dimension is kept only if
/// it is the last: otherwise the next one takes what lies past the end.
void Analyzer::dropSingleValues() {
  for (unsigned i = 0; i < digits.size(); ++i)
    if (digits[i].size == 1 && digits[i].modulus != 0)
      live[i] = false;
  for (unsigned slowest = 0; slowest < digits.size(); ++slowest) {
    if (!live[slowest] || digits[slowest].modulus != 0 || digits[slowest].size != 1)
      continue;
    Digit *next = nullptr;
    for (unsigned i = 0; i < digits.size(); ++i)
      if (live[i] && i != slowest && digits[i].dim == digits[slowest].dim &&
          (!next || digits[i].divisor > next->divisor))
        next = &digits[i];
    if (!next)
      continue;
    next->modulus = 0;
    live[slowest] = false;
  }
}

/// Drops checks that hold for every coordinate inside the view.
void Analyzer::dropIdleChecks() {
  llvm::erase_if(checks, [&](const RangeCheck &check) {
    int64_t low = check.form.constant, high = check.form.constant;
    for (unsigned i = 0; i < digits.size(); ++i)
      if (live[i]) {
        int64_t reach = coefficient(check.form, i) * (digits[i].size - 1);
        (reach < 0 ? low : high) += reach;
      }
    return low >= 0 && high < check.size;
  });
}

llvm::Expected<ViewAnalysis> Analyzer::run() {
  for (auto [dim, name] : llvm::enumerate(map.getViewDims())) {
    forms[name] = formOf(addDigit({unsigned(dim), 1, 0, map.getViewSizes()[dim]}));
    live.push_back(true);
  }
  SmallVector<SmallVector<int64_t>> consumedSizes = getConsumedSizes(map);
  for (int i = map.getSteps().size() - 1; i >= 0; --i)
    if (llvm::Error error = applyStep(map.getSteps()[i], consumedSizes[i]))
      return std::move(error);
  computeOffset();
  if (llvm::Error error = checkReach())
    return std::move(error);
  dropIdleChecks();
  fuseDigits();

  ViewAnalysis result;
  result.view = view;
  result.numElements = numElements;
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < digits.size(); ++i)
    if (live[i])
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(digits[a].dim, -digits[a].divisor) <
           std::make_pair(digits[b].dim, -digits[b].divisor);
  });
  auto reorder = [&](const DigitForm &form) {
    DigitForm sorted;
    sorted.constant = form.constant;
    for (unsigned i : order)
      sorted.coefficients.push_back(coefficient(form, i));
    return sorted;
  };
  for (unsigned i : order)
    result.digits.push_back(digits[i]);
  result.offset = reorder(offset);
  for (const RangeCheck &check : checks)
    result.checks.push_back({reorder(check.form), check.size});
  return result;
}

llvm::Expected<ViewAnalysis> ck::analyzeView(ViewType view) { return Analyzer(view).run(); }

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

SmallVector<int64_t> ViewAnalysis::getDigits(ArrayRef<int64_t> coordinates) const {
  return llvm::map_to_vector(digits, [&](const Digit &digit) {
    int64_t value = coordinates[digit.dim] / digit.divisor;
    return digit.modulus == 0 ? value : value % digit.modulus;
  });
}

int64_t ViewAnalysis::getMove(const DigitForm &form, ArrayRef<int64_t> distance) const {
  int64_t sum = 0;
  for (auto [value, coefficient] : llvm::zip_equal(getDigits(distance), form.coefficients))
    sum += value * coefficient;
  return sum;
}

SmallVector<unsigned> ViewAnalysis::getDigitsOf(unsigned dim) const {
  SmallVector<unsigned> result;
  for (auto [i, digit] : llvm::enumerate(digits))
    if (digit.dim == dim)
      result.push_back(i);
  return result;
}

bool ViewAnalysis::isLinear(unsigned dim) const {
  SmallVector<unsigned> own = getDigitsOf(dim);
  return own.size() == 1 && llvm::all_of(checks, [&](const RangeCheck &check) {
           return check.form.coefficients[own[0]] == 0;
         });
}

int64_t ViewAnalysis::getRun(unsigned dim) const {
  int64_t modulus = digits[getDigitsOf(dim).back()].modulus;
  return modulus & -modulus;
}

int64_t ViewAnalysis::getStride(unsigned dim) const {
  return offset.coefficients[getDigitsOf(dim).back()];
}

int64_t ViewAnalysis::getSpan(unsigned dim) const {
  int64_t span = 1;
  for (unsigned digit : getDigitsOf(dim))
    span += (digits[digit].size - 1) * std::abs(offset.coefficients[digit]);
  return span;
}

bool ViewAnalysis::endsWithTensor(unsigned dim) const {
  unsigned slowest = getDigitsOf(dim).front();
  // Checks that do not see the slowest digit hold at its value 0 as well: the rest of the offset is
  // that of an element and not negative. It suffices that the digit alone reaches the end.
  bool checked = llvm::any_of(
      checks, [&](const RangeCheck &check) { return check.form.coefficients[slowest] != 0; });
  return !checked && digits[slowest].modulus == 0 &&
         offset.coefficients[slowest] * digits[slowest].size >= numElements;
}

int64_t ViewAnalysis::getAlignedRun(unsigned dim) const {
  SmallVector<unsigned> own = getDigitsOf(dim);
  unsigned fastest = own.back();
  if (offset.coefficients[fastest] != 1)
    return 1;
  // A vector must not leave its digit, meet a check inside, or start unaligned.
  int64_t run = std::gcd(digits[fastest].size, offset.constant);
  for (const RangeCheck &check : checks) {
    if (check.form.coefficients[fastest] == 0)
      continue;
    if (check.form.coefficients[fastest] != 1)
      return 1;
    run = std::gcd(run, std::gcd(check.size, check.form.constant));
    for (auto [i, coefficient] : llvm::enumerate(check.form.coefficients))
      if (i != fastest)
        run = std::gcd(run, coefficient);
  }
  for (auto [i, stride] : llvm::enumerate(offset.coefficients))
    if (i != fastest && (digits[i].dim != 0 || digits[i].size > 1)) // no tile is beyond the batches
      run = std::gcd(run, stride);
  return run & -run;
}

int64_t ViewAnalysis::getMaxVector(unsigned dim) const {
  constexpr int64_t kMaxVectorBytes = 16;
  return std::min(getAlignedRun(dim),
                  kMaxVectorBytes / getSizeInBytes(*getDataType(view.getElementType())));
}

int64_t ViewAnalysis::getRegularRun(unsigned dim) const {
  int64_t run = 1, stride = getStride(dim);
  const SmallVector<unsigned> own = getDigitsOf(dim);
  for (unsigned digit : llvm::reverse(own)) {
    if (offset.coefficients[digit] != run * stride)
      break;
    run *= digits[digit].size;
  }
  return run;
}

int64_t ViewAnalysis::getAddressOps(unsigned dim) const {
  constexpr int64_t kCarryOps = 3; // compare, wrap around, add to the next digit
  constexpr int64_t kCheckOps = 2; // compare, select
  SmallVector<unsigned> own = getDigitsOf(dim);
  int64_t numChecks = llvm::count_if(checks, [&](const RangeCheck &check) {
    return llvm::any_of(own, [&](unsigned digit) { return check.form.coefficients[digit] != 0; });
  });
  return kCarryOps * int64_t(own.size() - 1) + kCheckOps * numChecks;
}

/// True if `b` (GxNxK) lies as weights that are shuffled ahead of time: units of 16 bytes along K,
/// those of 16 or 32 columns side by side.
static bool isShuffled(const ViewAnalysis &b) {
  constexpr int64_t kUnitBytes = 16;
  int64_t unit = kUnitBytes / getSizeInBytes(*getDataType(b.view.getElementType()));
  SmallVector<unsigned> columns = b.getDigitsOf(1), reduced = b.getDigitsOf(2);
  const Digit &column = b.digits[columns.back()];
  int64_t block = column.modulus == 0 ? column.size : column.modulus;
  return b.checks.empty() && b.getMaxVector(2) == unit && b.getRun(2) == unit &&
         reduced.size() == 2 && b.digits[reduced.front()].divisor == unit &&
         b.getStride(1) == unit && (block == 16 || block == 32);
}

llvm::Expected<GemmShape> ck::getGemmShape(ViewType a, ViewType b, Type cType) {
  GemmShape shape;
  shape.g = a.getShape()[0];
  shape.m = a.getShape()[1];
  shape.n = b.getShape()[1];
  shape.k = a.getShape()[2];
  shape.aType = *getDataType(a.getElementType());
  shape.bType = *getDataType(b.getElementType());
  shape.cType = *getDataType(cType);
  auto fill = [](const ViewAnalysis &analysis, int64_t &vector, bool &contiguousK,
                 int64_t &addressOps, int64_t &run, int64_t &stride, int64_t &pitch) {
    int64_t alongK = analysis.getMaxVector(2);
    vector = analysis.getMaxVector(1);
    // Where neither has vectors, neighbouring lanes load what lies closer together.
    const int64_t strideK = analysis.getStride(2), strideRows = analysis.getStride(1);
    contiguousK = alongK > vector || (alongK == vector && strideK > 0 && strideK < strideRows);
    vector = std::max(vector, alongK);
    addressOps = analysis.getAddressOps(2);
    run = analysis.getRegularRun(contiguousK ? 2 : 1);
    stride = contiguousK ? strideK : strideRows;
    pitch = contiguousK ? strideRows : strideK;
  };
  llvm::Expected<ViewAnalysis> rows = analyzeView(a);
  if (!rows)
    return rows.takeError();
  llvm::Expected<ViewAnalysis> columns = analyzeView(b);
  if (!columns)
    return columns.takeError();
  fill(*rows, shape.aVector, shape.aContiguousK, shape.aAddressOps, shape.aRun, shape.aStride,
       shape.aPitch);
  fill(*columns, shape.bVector, shape.bContiguousK, shape.bAddressOps, shape.bRun, shape.bStride,
       shape.bPitch);
  shape.aElements = rows->numElements;
  shape.aSpan = rows->getSpan(2);
  shape.bElements = columns->numElements;
  shape.bShuffled = isShuffled(*columns);
  return shape;
}

SmallVector<Operation *> ck::getGemmParts(Operation *op) {
  auto table = dyn_cast<GemmTableOp>(op);
  if (!table)
    return {op};
  return llvm::map_to_vector(table.getBody().front(), [](Operation &part) { return &part; });
}

FailureOr<SmallVector<GemmShape>> ck::getGemmShapes(Operation *op) {
  SmallVector<GemmShape> shapes;
  for (Operation *part : getGemmParts(op)) {
    auto gemm = dyn_cast<GemmOp>(part);
    if (!gemm) {
      ArrayRef<int64_t> sizes = cast<FillOp>(part).getC().getType().getShape();
      GemmShape fill;
      std::tie(fill.g, fill.m, fill.n, fill.k) = std::tuple(sizes[0], sizes[1], sizes[2], 0);
      fill.direct = std::make_shared<std::vector<DirectWork>>(getDirectWorks(part));
      shapes.push_back(fill);
      continue;
    }
    llvm::Expected<GemmShape> shape = getGemmShape(gemm.getA().getType(), gemm.getB().getType(),
                                                   gemm.getC().getType().getElementType());
    if (!shape)
      return gemm.emitError(llvm::toString(shape.takeError()));
    shape->direct = std::make_shared<std::vector<DirectWork>>(getDirectWorks(part));
    shapes.push_back(*shape);
  }
  return shapes;
}

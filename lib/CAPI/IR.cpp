//===- IR.cpp - The ck dialect in MLIR's C API -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ck-mlir-c/IR.h.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir-c/IR.h"
#include "CAPI/Calls.h"
#include "ck-mlir/IR/CK.h"
#include "ck-mlir/Serialize/Diagnostics.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Verifier.h"
#include <mutex>

using namespace mlir;
using namespace mlir::ck;
using namespace mlir::ck::capi;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Dialect and passes
//===----------------------------------------------------------------------===//

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(CK, ck, mlir::ck::CKDialect)

CkMlirStatus ckMlirRegisterAllDialects(MlirDialectRegistry registry) {
  return guard([&]() -> Outcome {
    if (!registry.ptr)
      return missing("a dialect registry");
    registerAllDialects(*unwrap(registry));
    return {};
  });
}

CkMlirStatus ckMlirRegisterAllPasses(void) {
  return guard([]() -> Outcome {
    static std::once_flag once;
    std::call_once(once, [] { registerAllPasses(); });
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Gives `context` what the compiler needs, where that is not there.
static void addDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
}

CkMlirStatus ckMlirModuleCreateFromProblem(MlirContext context, const char *problem,
                                           const char *chip, MlirModule *module) {
  return guard([&]() -> Outcome {
    if (!context.ptr)
      return missing("a context");
    return withProblem(problem, module, "module", [&](const Problem &parsed) -> Outcome {
      bool fnuz = false;
      if (chip) {
        Expected<const ChipInfo *> info = getChip(chip);
        if (!info)
          return invalid(info.takeError());
        fnuz = (*info)->fp8 == Fp8Kind::Fnuz;
      }
      addDialects(*unwrap(context));
      Expected<OwningOpRef<ModuleOp>> generated = generateProblemIR(*unwrap(context), parsed, fnuz);
      if (!generated)
        return unsupported(generated.takeError());
      *module = wrap(generated->release());
      return {};
    });
  });
}

CkMlirStatus ckMlirCompileModule(MlirModule module, CkMlirCompileOptions options,
                                 CkMlirProgram *program) {
  return guard([&]() -> Outcome {
    if (!module.ptr || !program)
      return missing(module.ptr ? "a place for the program" : "a module");
    CompileOptions compile = getOptions(options);
    if (Outcome outcome = checkOptions(compile); outcome.status != CkMlirStatusSuccess)
      return outcome;
    ModuleOp op = unwrap(module);
    addDialects(*op.getContext());
    {
      DiagnosticCollector diagnostics(op.getContext());
      if (failed(verify(op)))
        return invalid(diagnostics.takeError("the module is not valid"));
    }
    if (llvm::Error error = getProblemOfModule(op).takeError())
      return invalid(std::move(error));
    Expected<CompiledProgram> compiled = compileModule(op, compile);
    if (!compiled)
      return unsupported(compiled.takeError());
    return createProgram(*compiled, *program);
  });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// An attribute of type Attr, or null.
template <typename Attr>
static Attr get(MlirAttribute attribute) {
  return llvm::dyn_cast_if_present<Attr>(unwrap(attribute));
}

/// Gives `result` what `build` makes in `context` with the dialect; what it emits is the message.
static CkMlirStatus buildAttribute(MlirContext context, MlirAttribute *result,
                                   llvm::function_ref<Expected<Attribute>(MLIRContext *)> build) {
  return guard([&]() -> Outcome {
    if (!context.ptr || !result)
      return missing(context.ptr ? "a place for the attribute" : "a context");
    MLIRContext *held = unwrap(context);
    held->getOrLoadDialect<CKDialect>();
    DiagnosticCollector diagnostics(held);
    Expected<Attribute> attribute = build(held);
    if (!attribute)
      return invalid(attribute.takeError());
    if (!*attribute)
      return invalid(diagnostics.takeError("expected an attribute"));
    *result = wrap(*attribute);
    return {};
  });
}

CkMlirStatus ckMlirAttributeParse(MlirContext context, const char *text, MlirAttribute *attribute) {
  if (!text)
    return guard([] { return missing("the text of an attribute"); });
  return buildAttribute(context, attribute, [&](MLIRContext *held) -> Expected<Attribute> {
    return parseAttribute(text, held);
  });
}

bool ckMlirAttributeIsATarget(MlirAttribute attribute) { return bool(get<TargetAttr>(attribute)); }

CkMlirStatus ckMlirTargetAttrGet(MlirContext context, const char *chip, MlirAttribute *target) {
  if (!chip)
    return guard([] { return missing("the name of a chip"); });
  return buildAttribute(context, target, [&](MLIRContext *held) -> Expected<Attribute> {
    Expected<const ChipInfo *> info = getChip(chip);
    if (!info)
      return info.takeError();
    return TargetAttr::get(held, (*info)->name);
  });
}

MlirStringRef ckMlirTargetAttrGetChip(MlirAttribute target) {
  auto attribute = get<TargetAttr>(target);
  return wrap(attribute ? attribute.getChip() : StringRef(""));
}

bool ckMlirAttributeIsASchedule(MlirAttribute attribute) {
  return bool(get<ScheduleAttr>(attribute));
}

/// The fields of `text`, which must have all that have no default.
static Expected<ScheduleRequest> parseWholeSchedule(StringRef text) {
  Expected<ScheduleRequest> request = parseSchedule(text);
  if (!request)
    return request.takeError();
  const std::pair<StringRef, bool> fields[] = {
      {"tile", request->tile.has_value()},     {"waves", request->waves.has_value()},
      {"mma", request->mma.has_value()},       {"roles", request->roles.has_value()},
      {"stages", request->stages.has_value()}, {"partition", request->partition.has_value()}};
  for (auto [name, isThere] : fields)
    if (!isThere)
      return llvm::createStringError("a schedule attribute requires '" + name + "', got '" + text +
                                     "'");
  return request;
}

CkMlirStatus ckMlirScheduleAttrGet(MlirContext context, const char *schedule, MlirType operandType,
                                   MlirAttribute *attribute) {
  if (!schedule || !operandType.ptr)
    return guard([&] { return missing(schedule ? "the type of operands" : "a schedule string"); });
  return buildAttribute(context, attribute, [&](MLIRContext *held) -> Expected<Attribute> {
    Expected<ScheduleRequest> request = parseWholeSchedule(schedule);
    if (!request)
      return request.takeError();
    auto emit = [&] { return emitError(UnknownLoc::get(held)); };
    function_ref<InFlightDiagnostic()> error = emit;
    auto mma =
        MmaAttr::getChecked(error, held, ArrayRef<int64_t>(*request->mma), unwrap(operandType));
    if (!mma)
      return Attribute();
    return ScheduleAttr::getChecked(
        error, held, ArrayRef<int64_t>(*request->tile), ArrayRef<int64_t>(*request->waves), mma,
        *request->roles, *request->stages, *request->partition,
        request->mapping.value_or(WorkgroupMapping()), request->deterministic.value_or(false),
        request->hints, request->copies.value_or(Copies::Staged),
        request->reads.value_or(Reads::Step));
  });
}

CkMlirStatus ckMlirScheduleAttrCreateText(MlirAttribute schedule, CkMlirText *text) {
  return guard([&]() -> Outcome {
    auto attribute = get<ScheduleAttr>(schedule);
    if (!attribute || !text)
      return attribute ? missing("a place for the text") : invalid("expected a schedule attribute");
    *text = createText(toString(attribute.getValue()));
    return {};
  });
}

/// Copies `values`, or zeros where there are none.
static void copyOut(ArrayRef<int64_t> values, int64_t *out, size_t count) {
  for (size_t i = 0; out && i < count; ++i)
    out[i] = i < values.size() ? values[i] : 0;
}

void ckMlirScheduleAttrGetTile(MlirAttribute schedule, int64_t tile[3]) {
  auto attribute = get<ScheduleAttr>(schedule);
  copyOut(attribute ? attribute.getTile() : ArrayRef<int64_t>(), tile, 3);
}

void ckMlirScheduleAttrGetWaves(MlirAttribute schedule, int64_t waves[2]) {
  auto attribute = get<ScheduleAttr>(schedule);
  copyOut(attribute ? attribute.getWaves() : ArrayRef<int64_t>(), waves, 2);
}

void ckMlirScheduleAttrGetMma(MlirAttribute schedule, int64_t mma[3]) {
  auto attribute = get<ScheduleAttr>(schedule);
  copyOut(attribute ? attribute.getMma().getSizes() : ArrayRef<int64_t>(), mma, 3);
}

MlirType ckMlirScheduleAttrGetOperandType(MlirAttribute schedule) {
  auto attribute = get<ScheduleAttr>(schedule);
  return wrap(attribute ? attribute.getMma().getOperandType() : Type());
}

int64_t ckMlirScheduleAttrGetStages(MlirAttribute schedule) {
  auto attribute = get<ScheduleAttr>(schedule);
  return attribute ? attribute.getStages().rows : 0;
}

int64_t ckMlirScheduleAttrGetColumnStages(MlirAttribute schedule) {
  auto attribute = get<ScheduleAttr>(schedule);
  return attribute ? attribute.getStages().columns : 0;
}

void ckMlirScheduleAttrGetMapping(MlirAttribute schedule, int64_t mapping[2]) {
  auto attribute = get<ScheduleAttr>(schedule);
  WorkgroupMapping value = attribute ? attribute.getMapping() : WorkgroupMapping{0, 0};
  copyOut({value.window, value.chunk}, mapping, 2);
}

int64_t ckMlirScheduleAttrGetLoadWaves(MlirAttribute schedule) {
  auto attribute = get<ScheduleAttr>(schedule);
  return attribute ? attribute.getRoles().load : 0;
}

//===----------------------------------------------------------------------===//
// Transform maps
//===----------------------------------------------------------------------===//

bool ckMlirAttributeIsATransformMap(MlirAttribute attribute) {
  return bool(get<TransformMapAttr>(attribute));
}

/// Sizes and names of the dimensions of the tensor, or of the view; none of another attribute.
static ArrayRef<int64_t> getSizes(MlirAttribute map, bool ofView) {
  auto attribute = get<TransformMapAttr>(map);
  if (!attribute)
    return {};
  return ofView ? attribute.getViewSizes() : attribute.getTensorSizes();
}

static int64_t getSize(MlirAttribute map, bool ofView, intptr_t index) {
  ArrayRef<int64_t> sizes = getSizes(map, ofView);
  return index >= 0 && size_t(index) < sizes.size() ? sizes[index] : 0;
}

static MlirStringRef getDim(MlirAttribute map, bool ofView, intptr_t index) {
  auto attribute = get<TransformMapAttr>(map);
  if (!attribute || index < 0 || size_t(index) >= getSizes(map, ofView).size())
    return wrap(StringRef(""));
  return wrap((ofView ? attribute.getViewDims() : attribute.getTensorDims())[index].getValue());
}

intptr_t ckMlirTransformMapAttrGetTensorRank(MlirAttribute map) {
  return getSizes(map, /*ofView=*/false).size();
}

intptr_t ckMlirTransformMapAttrGetViewRank(MlirAttribute map) {
  return getSizes(map, /*ofView=*/true).size();
}

int64_t ckMlirTransformMapAttrGetTensorSize(MlirAttribute map, intptr_t index) {
  return getSize(map, /*ofView=*/false, index);
}

int64_t ckMlirTransformMapAttrGetViewSize(MlirAttribute map, intptr_t index) {
  return getSize(map, /*ofView=*/true, index);
}

MlirStringRef ckMlirTransformMapAttrGetTensorDim(MlirAttribute map, intptr_t index) {
  return getDim(map, /*ofView=*/false, index);
}

MlirStringRef ckMlirTransformMapAttrGetViewDim(MlirAttribute map, intptr_t index) {
  return getDim(map, /*ofView=*/true, index);
}

intptr_t ckMlirTransformMapAttrGetNumSteps(MlirAttribute map) {
  auto attribute = get<TransformMapAttr>(map);
  return attribute ? attribute.getSteps().size() : 0;
}

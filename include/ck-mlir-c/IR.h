//===- IR.h - The ck dialect in MLIR's C API -*- C -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialect, passes and attributes for programs that use MLIR's own C API; contexts, modules and
// attributes are MLIR's. See ck-mlir-c/Support.h for errors, ownership and threads. As everywhere
// in MLIR, different contexts may be used at the same time, and what changes a module must be alone
// with it. Functions here that return a CkMlirStatus collect the diagnostics of their context in
// the message, so that two of them must not run on one context at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_C_IR_H
#define CK_MLIR_C_IR_H

#include "ck-mlir-c/Compiler.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Dialect and passes
//===----------------------------------------------------------------------===//

/// The handle of the ck dialect alone, for mlirDialectHandleRegisterDialect and its neighbours.
CKMLIR_CAPI_EXPORTED MlirDialectHandle mlirGetDialectHandle__ck__(void);

/// Registers the ck dialect and every upstream dialect that its lowering makes, with their
/// translations and interfaces. To be appended to a context before anything is compiled in it.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegisterAllDialects(MlirDialectRegistry registry);

/// Registers the passes and pipelines of this project, so that mlirParsePassPipeline knows their
/// names. Further calls do nothing.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirRegisterAllPasses(void);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// A module with one func.func over the tensors of `problem`, as ck-gen prints it. `chip`, null for
/// none, has a say in the type of 8-bit floats. `context` must have the dialects of
/// ckMlirRegisterAllDialects; the caller destroys the module.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirModuleCreateFromProblem(MlirContext context,
                                                                const char *problem,
                                                                const char *chip,
                                                                MlirModule *module);

/// Compiles the only problem of `module`, which stays as it is, in its context.
/// InvalidArgument: the module holds no problem or several, or is not valid IR; an unknown chip, a
/// malformed schedule. Unsupported: there is no kernel for it.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirCompileModule(MlirModule module,
                                                      CkMlirCompileOptions options,
                                                      CkMlirProgram *program);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// The getters of this section take attributes of their kind only, as isA tells; for others they
// return zeros and null attributes. All kinds are printed by mlirAttributePrint.

/// Parses an attribute in the syntax of IR, such as #ck.target<"gfx942"> or a transform map. Needs
/// the ck dialect in `context`, registered or loaded.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirAttributeParse(MlirContext context, const char *text,
                                                       MlirAttribute *attribute);

/// #ck.target: the chip that a module is compiled for.
CKMLIR_CAPI_EXPORTED bool ckMlirAttributeIsATarget(MlirAttribute attribute);
/// InvalidArgument: the chip is not in the table.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirTargetAttrGet(MlirContext context, const char *chip,
                                                      MlirAttribute *target);
/// The name of the chip, which belongs to the context.
CKMLIR_CAPI_EXPORTED MlirStringRef ckMlirTargetAttrGetChip(MlirAttribute target);

/// #ck.schedule: how a GEMM is tiled, mapped to waves and partitioned.
CKMLIR_CAPI_EXPORTED bool ckMlirAttributeIsASchedule(MlirAttribute attribute);
/// The attribute of a schedule string with tile, waves, mma, roles, stages and partition, such as
/// ckMlirProgramGetSchedule returns, for operands of `operandType`. InvalidArgument: the string is
/// malformed, or a field is missing or wrong.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirScheduleAttrGet(MlirContext context, const char *schedule,
                                                        MlirType operandType,
                                                        MlirAttribute *attribute);
/// The schedule string of the attribute.
CKMLIR_CAPI_EXPORTED CkMlirStatus ckMlirScheduleAttrCreateText(MlirAttribute schedule,
                                                               CkMlirText *text);
/// M, N and K of the tile of a workgroup.
CKMLIR_CAPI_EXPORTED void ckMlirScheduleAttrGetTile(MlirAttribute schedule, int64_t tile[3]);
/// Math waves over M and N.
CKMLIR_CAPI_EXPORTED void ckMlirScheduleAttrGetWaves(MlirAttribute schedule, int64_t waves[2]);
/// M, N and K of the matrix instruction.
CKMLIR_CAPI_EXPORTED void ckMlirScheduleAttrGetMma(MlirAttribute schedule, int64_t mma[3]);
/// The type of the elements that it multiplies.
CKMLIR_CAPI_EXPORTED MlirType ckMlirScheduleAttrGetOperandType(MlirAttribute schedule);
/// Slots of the LDS ring for tiles of A, and for tiles of B, which may have more.
CKMLIR_CAPI_EXPORTED int64_t ckMlirScheduleAttrGetStages(MlirAttribute schedule);
CKMLIR_CAPI_EXPORTED int64_t ckMlirScheduleAttrGetColumnStages(MlirAttribute schedule);
/// Tile rows that workgroups walk together, and neighbouring tiles of an XCD; 1 unless asked for.
CKMLIR_CAPI_EXPORTED void ckMlirScheduleAttrGetMapping(MlirAttribute schedule, int64_t mapping[2]);
/// Waves of a workgroup that only load; 0 if all do both.
CKMLIR_CAPI_EXPORTED int64_t ckMlirScheduleAttrGetLoadWaves(MlirAttribute schedule);

/// #ck.transform_map: coordinate transforms from a tensor to a view of it.
CKMLIR_CAPI_EXPORTED bool ckMlirAttributeIsATransformMap(MlirAttribute attribute);
/// Dimensions of the tensor and of the view.
CKMLIR_CAPI_EXPORTED intptr_t ckMlirTransformMapAttrGetTensorRank(MlirAttribute map);
CKMLIR_CAPI_EXPORTED intptr_t ckMlirTransformMapAttrGetViewRank(MlirAttribute map);
/// Elements of dimension `index` of the tensor or of the view; 0 beyond the last.
CKMLIR_CAPI_EXPORTED int64_t ckMlirTransformMapAttrGetTensorSize(MlirAttribute map, intptr_t index);
CKMLIR_CAPI_EXPORTED int64_t ckMlirTransformMapAttrGetViewSize(MlirAttribute map, intptr_t index);
/// The name of that dimension, which belongs to the context; empty beyond the last.
CKMLIR_CAPI_EXPORTED MlirStringRef ckMlirTransformMapAttrGetTensorDim(MlirAttribute map,
                                                                      intptr_t index);
CKMLIR_CAPI_EXPORTED MlirStringRef ckMlirTransformMapAttrGetViewDim(MlirAttribute map,
                                                                    intptr_t index);
/// Steps of the map.
CKMLIR_CAPI_EXPORTED intptr_t ckMlirTransformMapAttrGetNumSteps(MlirAttribute map);

#ifdef __cplusplus
}
#endif

#endif // CK_MLIR_C_IR_H

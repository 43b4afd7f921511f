//===- ScheduleFields.h - How fields of schedules are written -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parsers and printers that the formats in CKAttrs.td and CKTypes.cpp name. They are declared
// in front of the generated code, which calls them.
//
//===----------------------------------------------------------------------===//

#ifndef CK_MLIR_LIB_IR_SCHEDULEFIELDS_H
#define CK_MLIR_LIB_IR_SCHEDULEFIELDS_H

#include "ck-mlir/IR/CK.h"

#pragma GCC visibility push(hidden)

namespace mlir::ck {

/// `64x128x32`
ParseResult parseSizes(AsmParser &parser, SmallVectorImpl<int64_t> &sizes);
void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes);

/// `#ck.mma<32x32x8xf16>`
ParseResult parseMma(AsmParser &parser, MmaAttr &mma);
void printMma(AsmPrinter &printer, MmaAttr mma);

/// `uniform`, or `load 4 + math 4`
ParseResult parseRoles(AsmParser &parser, Roles &roles);
void printRoles(AsmPrinter &printer, const Roles &roles);
ParseResult parseStages(AsmParser &parser, Stages &stages);
void printStages(AsmPrinter &printer, const Stages &stages);

/// `data_parallel`, `split_k<8>`, `split_k<auto, two_stage>` or `stream_k<tree, persistent>`
ParseResult parsePartition(AsmParser &parser, Partition &partition);
void printPartition(AsmPrinter &printer, const Partition &partition);

/// `window 8`, `chunk 64` or `window 8 + chunk 64`
ParseResult parseMapping(AsmParser &parser, WorkgroupMapping &mapping);
void printMapping(AsmPrinter &printer, const WorkgroupMapping &mapping);

/// `true` or `false`
ParseResult parseFlag(AsmParser &parser, bool &flag);
void printFlag(AsmPrinter &printer, bool flag);

/// `none`, `loads`, `priority` or `loads + priority`
ParseResult parseHints(AsmParser &parser, std::optional<Hints> &hints);
void printHints(AsmPrinter &printer, const std::optional<Hints> &hints);

/// `staged` or `async`.
ParseResult parseCopies(AsmParser &parser, Copies &copies);
void printCopies(AsmPrinter &printer, Copies copies);

/// `step` or `ahead`.
ParseResult parseReads(AsmParser &parser, Reads &reads);
void printReads(AsmPrinter &printer, Reads reads);

} // namespace mlir::ck

#pragma GCC visibility pop

#endif // CK_MLIR_LIB_IR_SCHEDULEFIELDS_H

//===- ConvBuilder.cpp - The op of a convolution -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/IR/ConvBuilder.h"

using namespace mlir;
using namespace mlir::ck;

ProblemOpInterface mlir::ck::createConvOp(OpBuilder &builder, Location loc,
                                          const ConvProblem &problem, TypeRange results,
                                          ValueRange factors, Value written, ValueRange ds) {
  auto layout = ConvLayoutAttr::get(builder.getContext(), problem.inLayout, problem.filterLayout,
                                    problem.outLayout);
  auto create = [&](auto op, auto... extra) -> ProblemOpInterface {
    return decltype(op)::create(builder, loc, results, factors[0], factors[1], written, layout,
                                problem.stride, problem.dilation, problem.padLeft, problem.padRight,
                                ds, extra...);
  };
  switch (problem.direction) {
  case ConvDirection::Forward:
    return create(ConvFwdOp(), problem.preshuffle == 0
                                   ? IntegerAttr()
                                   : builder.getI64IntegerAttr(problem.preshuffle));
  case ConvDirection::BackwardData:
    return create(ConvBwdDataOp());
  case ConvDirection::BackwardWeight:
    return create(ConvBwdWeightOp());
  }
  llvm_unreachable("all directions handled");
}

//===- grouped-bwd-weight.cpp - Weight gradient of a grouped convolution -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: grouped-bwd-weight [VERIFY INIT TIME [DIMS G N K C FILTER.. IN.. STRIDE.. DILATION..
//                                              PAD_LEFT.. PAD_RIGHT..]]
//
//   VERIFY     0: no; 1: by the reference of the host; 2: by a naive kernel on the device
//   INIT       0: zeros; 1: whole numbers, of which sums are exact; 2: uniform in [-1, 1)
//   TIME       0: no; 1: the mean of 20 launches, on a GPU
//   DIMS       1 to 3, then groups, images, output and input channels of a group, and DIMS sizes
//              each, outermost first
//
// The arguments are those of Composable Kernel's example of the same name.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "ck-mlir/Compiler/Compiler.h"
#include "ck-mlir/Library/CompileRequest.h"
#include "ck-mlir/Reference/Convolution.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::ck;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static constexpr llvm::StringLiteral kChip = "gfx942"; // where there is no GPU

namespace {
struct Arguments {
  int verify = 1, init = 1, time = 0;
  std::string problem = "conv_bwd_weight:f16:N=4,G=3,K=16,C=24,in=10x9,filter=3x3,pad=1";
};
} // namespace

/// "3x3" for the next `count` of `values`, which become fewer.
static std::string takeSizes(llvm::ArrayRef<int64_t> &values, size_t count) {
  std::string text =
      llvm::join(llvm::map_range(values.take_front(count),
                                 [](int64_t value) { return std::to_string(value); }),
                 "x");
  values = values.drop_front(count);
  return text;
}

/// The problem string of the numbers behind TIME.
static Expected<std::string> getProblem(llvm::ArrayRef<int64_t> values) {
  int64_t dims = values[0];
  if (dims < 1 || dims > 3)
    return createStringError(llvm::formatv("expected 1 to 3 dimensions, got {0}", dims));
  if (int64_t(values.size()) != 5 + 6 * dims)
    return createStringError(llvm::formatv("expected {0} numbers behind TIME for {1} dimensions, "
                                           "got {2}",
                                           5 + 6 * dims, dims, values.size()));
  std::string text = llvm::formatv("conv_bwd_weight:f16:G={0},N={1},K={2},C={3}", values[1],
                                   values[2], values[3], values[4]);
  values = values.drop_front(5);
  for (const char *key : {"filter", "in", "stride", "dilation"})
    text += llvm::formatv(",{0}={1}", key, takeSizes(values, dims));
  std::vector<std::string> pads;
  for (int64_t i = 0; i < dims; ++i)
    pads.push_back(llvm::formatv("{0}:{1}", values[i], values[dims + i]));
  return text + ",pad=" + llvm::join(pads, "x");
}

static Expected<Arguments> parseArguments(llvm::ArrayRef<char *> texts) {
  Arguments arguments;
  std::vector<int64_t> values(texts.size());
  for (auto [text, value] : llvm::zip_equal(texts, values))
    if (!llvm::to_integer(text, value))
      return createStringError(llvm::formatv("expected a number, got '{0}'", text));
  if (values.empty())
    return arguments;
  if (values.size() < 3)
    return createStringError("expected VERIFY INIT TIME");
  const std::pair<const char *, int64_t> limits[] = {{"VERIFY", 2}, {"INIT", 2}, {"TIME", 1}};
  for (auto [limit, value] : llvm::zip_first(limits, values))
    if (value < 0 || value > limit.second)
      return createStringError(
          llvm::formatv("expected {0} in [0, {1}], got {2}", limit.first, limit.second, value));
  arguments.verify = int(values[0]);
  arguments.init = int(values[1]);
  arguments.time = int(values[2]);
  if (values.size() == 3)
    return arguments;
  Expected<std::string> problem = getProblem(llvm::ArrayRef(values).drop_front(3));
  if (!problem)
    return problem.takeError();
  arguments.problem = std::move(*problem);
  return arguments;
}

/// What a kernel of one work-item per element, which shares no tiling with the others, makes.
static Expected<TensorData> computeOnDevice(const Device &device, const Problem &problem,
                                            llvm::ArrayRef<TensorData> reads) {
  CompileOptions options;
  options.chip = device.getArchitecture().str();
  options.naive = true;
  Expected<CompiledProgram> program = compileProblem(problem, options);
  if (!program)
    return program.takeError();
  Expected<KernelImage> image = makeImage(*program);
  if (!image)
    return image.takeError();
  auto kernel = LoadedKernel::load(device, std::make_shared<KernelImage>(std::move(*image)));
  if (!kernel)
    return kernel.takeError();
  Expected<example::Launch> launch =
      example::Launch::create(device, std::make_shared<LoadedKernel>(std::move(*kernel)), reads);
  if (!launch)
    return launch.takeError();
  return launch->compute();
}

static std::vector<TensorData> makeReads(const Problem &problem, int init) {
  std::vector<TensorData> reads;
  for (const TensorDesc &desc : getReads(problem)) {
    TensorData &tensor = reads.emplace_back(desc);
    if (init != 0)
      tensor.fill(init == 1 ? InitKind::Int : InitKind::Uniform, /*seed=*/1,
                  std::max<int64_t>(1, getExactIntRange(problem)));
  }
  return reads;
}

static Error run(const Arguments &arguments) {
  Expected<Problem> problem = parseProblem(arguments.problem);
  if (!problem)
    return problem.takeError();
  Expected<Device> device = example::openDevice(kChip);
  if (!device)
    return device.takeError();
  Expected<std::unique_ptr<KernelLibrary>> library = KernelLibrary::create(LibraryOptions());
  if (!library)
    return library.takeError();
  KernelRequest request;
  request.problem = arguments.problem;
  request.chip = device->getArchitecture().str();
  auto kernel = (*library)->load(*device, request);
  if (!kernel)
    return kernel.takeError();
  llvm::outs() << toString(*problem) << " on " << device->getName() << "\n"
               << (*kernel)->getImage().schedule << "\n";

  std::vector<TensorData> reads = makeReads(*problem, arguments.init);
  Expected<example::Launch> launch = example::Launch::create(*device, *kernel, reads);
  if (!launch)
    return launch.takeError();
  Expected<TensorData> result = launch->compute();
  if (!result)
    return result.takeError();
  if (arguments.verify) {
    Expected<TensorData> reference = arguments.verify == 1
                                         ? computeReference(*problem, reads)
                                         : computeOnDevice(*device, *problem, reads);
    if (!reference)
      return reference.takeError();
    bool isExact = arguments.init != 2 && getExactIntRange(*problem) > 0;
    if (Error error = example::verify(*problem, *result, *reference, isExact))
      return error;
  }
  if (!arguments.time)
    return Error::success();
  Expected<example::LaunchTime> time = launch->measure(/*launches=*/20);
  if (!time)
    return time.takeError();
  example::printTime(*problem, *time);
  return Error::success();
}

int main(int argc, char **argv) {
  Expected<Arguments> arguments = parseArguments(llvm::ArrayRef(argv, argc).drop_front());
  if (!arguments) {
    llvm::errs() << "grouped-bwd-weight: error: " << llvm::toString(arguments.takeError())
                 << "\nusage: grouped-bwd-weight [VERIFY INIT TIME [DIMS G N K C FILTER.. IN.. "
                    "STRIDE.. DILATION.. PAD_LEFT.. PAD_RIGHT..]]\n";
    return 2;
  }
  if (Error error = run(*arguments)) {
    llvm::errs() << "grouped-bwd-weight: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}

//===- OneDnnTest.cpp - The reference against oneDNN -*- C++ -*-===//
//
// Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An independent implementation as witness: three directions, one to three dimensions, groups,
// strides, dilations and asymmetric padding in f32, and GEMM. Inputs are small whole numbers, so
// that sums are exact and the results must be equal.
//
//===----------------------------------------------------------------------===//

#include "ck-mlir/Reference/Convolution.h"
#include "dnnl.hpp"
#include "gtest/gtest.h"

using namespace mlir::ck;
using dnnl::memory;

namespace {
/// oneDNN's engine and stream, and plain f32 memory over our arrays.
class OneDnn {
public:
  memory wrap(const memory::dims &dims, std::vector<float> &values, memory::format_tag tag) {
    return memory({dims, memory::data_type::f32, tag}, engine, values.data());
  }

  void run(const dnnl::primitive &primitive, const std::unordered_map<int, memory> &arguments) {
    primitive.execute(stream, arguments);
    stream.wait();
  }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

/// A convolution in oneDNN's terms.
struct OneDnnConv {
  memory::dims x, w, y, stride, dilation, left, right;
  memory::format_tag xTag, wTag;

  explicit OneDnnConv(const ConvProblem &p) {
    x = {p.n, p.g * p.c}, w = {p.g, p.k, p.c}, y = {p.n, p.g * p.k};
    auto out = p.getOutputSize();
    for (unsigned i = 0; i < p.getRank(); ++i) {
      x.push_back(p.in[i]), w.push_back(p.filter[i]), y.push_back(out[i]);
      stride.push_back(p.stride[i]), dilation.push_back(p.dilation[i] - 1);
      left.push_back(p.padLeft[i]), right.push_back(p.padRight[i]);
    }
    using Tag = memory::format_tag;
    const Tag xTags[] = {Tag::ncw, Tag::nchw, Tag::ncdhw};
    const Tag wTags[] = {Tag::goiw, Tag::goihw, Tag::goidhw};
    xTag = xTags[p.getRank() - 1], wTag = wTags[p.getRank() - 1];
  }

  memory::desc describe(const memory::dims &dims, memory::format_tag tag) const {
    return {dims, memory::data_type::f32, tag};
  }

  dnnl::convolution_forward::primitive_desc getForward(const dnnl::engine &engine) const {
    return {{dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
             describe(x, xTag), describe(w, wTag), describe(y, xTag), stride, dilation, left,
             right},
            engine};
  }
};
} // namespace

/// The result of `p` by oneDNN in the order N, G, channels, space (or G, K, C, filter space).
static std::vector<float> convolveByOneDnn(const ConvProblem &p, llvm::ArrayRef<TensorData> reads) {
  OneDnn dnn;
  OneDnnConv conv(p);
  auto forward = conv.getForward(dnn.engine);
  std::vector<float> result(p.getWrite().getNumElements());
  auto x = [&](std::vector<float> &values) { return dnn.wrap(conv.x, values, conv.xTag); };
  auto y = [&](std::vector<float> &values) { return dnn.wrap(conv.y, values, conv.xTag); };
  auto w = [&](std::vector<float> &values) { return dnn.wrap(conv.w, values, conv.wTag); };
  switch (p.direction) {
  case ConvDirection::Forward: {
    std::vector<float> xs = reads[0].toFloats("NGCDHW"), ws = reads[1].toFloats("GKCZYX");
    dnn.run(dnnl::convolution_forward(forward),
            {{DNNL_ARG_SRC, x(xs)}, {DNNL_ARG_WEIGHTS, w(ws)}, {DNNL_ARG_DST, y(result)}});
    break;
  }
  case ConvDirection::BackwardData: {
    std::vector<float> ys = reads[0].toFloats("NGKDHW"), ws = reads[1].toFloats("GKCZYX");
    dnnl::convolution_backward_data::primitive_desc backward(
        {dnnl::algorithm::convolution_direct, conv.describe(conv.x, conv.xTag),
         conv.describe(conv.w, conv.wTag), conv.describe(conv.y, conv.xTag), conv.stride,
         conv.dilation, conv.left, conv.right},
        dnn.engine, forward);
    dnn.run(
        dnnl::convolution_backward_data(backward),
        {{DNNL_ARG_DIFF_DST, y(ys)}, {DNNL_ARG_WEIGHTS, w(ws)}, {DNNL_ARG_DIFF_SRC, x(result)}});
    break;
  }
  case ConvDirection::BackwardWeight: {
    std::vector<float> xs = reads[0].toFloats("NGCDHW"), ys = reads[1].toFloats("NGKDHW");
    dnnl::convolution_backward_weights::primitive_desc backward(
        {dnnl::algorithm::convolution_direct, conv.describe(conv.x, conv.xTag),
         conv.describe(conv.w, conv.wTag), conv.describe(conv.y, conv.xTag), conv.stride,
         conv.dilation, conv.left, conv.right},
        dnn.engine, forward);
    dnn.run(
        dnnl::convolution_backward_weights(backward),
        {{DNNL_ARG_SRC, x(xs)}, {DNNL_ARG_DIFF_DST, y(ys)}, {DNNL_ARG_DIFF_WEIGHTS, w(result)}});
    break;
  }
  }
  return result;
}

static std::vector<TensorData> makeReads(const Problem &problem) {
  std::vector<TensorData> reads;
  for (const TensorDesc &desc : getReads(problem))
    reads.emplace_back(desc).fill(InitKind::Int, 11);
  return reads;
}

namespace {
class ConvGridTest : public testing::TestWithParam<std::tuple<const char *, const char *>> {};
} // namespace

TEST_P(ConvGridTest, EqualsOneDnn) {
  auto [space, channels] = GetParam();
  for (const char *direction : {"conv_fwd", "conv_bwd_data", "conv_bwd_weight"}) {
    std::string text = (llvm::Twine(direction) + ":f32:" + channels + "," + space).str();
    Problem problem = llvm::cantFail(parseProblem(text));
    std::vector<TensorData> reads = makeReads(problem);
    TensorData result = llvm::cantFail(computeReference(problem, reads));
    const auto &conv = std::get<ConvProblem>(problem);
    const char *letters[] = {"NGKDHW", "NGCDHW", "GKCZYX"};
    EXPECT_EQ(result.toFloats(letters[static_cast<int>(conv.direction)]),
              convolveByOneDnn(conv, reads))
        << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Grid, ConvGridTest,
    testing::Combine(testing::Values("in=17,filter=3", "in=16,filter=4,stride=2,pad=1",
                                     "in=23,filter=3,dilation=4,pad=4:0",
                                     "in=19,filter=5,stride=3,dilation=2,pad=0:3",
                                     "in=9x11,filter=3,pad=1", "in=8x8,filter=1,stride=2",
                                     "in=12x9,filter=3x2,stride=2x1,dilation=1x3,pad=0:2x1:0",
                                     "in=7x7,filter=7,pad=3", "in=10x13,filter=2x3,stride=3x2",
                                     "in=5x6x7,filter=3,pad=1",
                                     "in=6x7x8,filter=2x3x1,stride=1x2x3,pad=1:0x0:1x0",
                                     "in=7x9x8,filter=3x2x2,stride=2,dilation=2x1x3,pad=1"),
                     testing::Values("N=2,K=5,C=3", "N=3,G=4,K=2,C=3", "N=1,G=6,K=1,C=1",
                                     "N=1,K=20,C=17", "N=2,G=2,K=1,C=4")));

TEST(OneDnnTest, GemmEquals) {
  OneDnn dnn;
  for (const char *layout : {"rcr", "rrr", "crr", "ccr"})
    for (const char *sizes : {"M=5,N=7,K=9", "M=33,N=17,K=40,G=3", "M=1,N=1,K=1"}) {
      std::string text = (llvm::Twine("gemm:f32:") + sizes + ",layout=" + layout).str();
      Problem problem = llvm::cantFail(parseProblem(text));
      const auto &p = std::get<GemmProblem>(problem);
      std::vector<TensorData> reads = makeReads(problem);
      TensorData c = llvm::cantFail(computeReference(problem, reads));
      std::vector<float> as = reads[0].toFloats("GMK"), bs = reads[1].toFloats("GKN");
      std::vector<float> cs(c.getNumElements());
      auto tag = memory::format_tag::abc;
      memory a = dnn.wrap({p.g, p.m, p.k}, as, tag), b = dnn.wrap({p.g, p.k, p.n}, bs, tag),
             result = dnn.wrap({p.g, p.m, p.n}, cs, tag);
      dnnl::matmul::primitive_desc desc({a.get_desc(), b.get_desc(), result.get_desc()},
                                        dnn.engine);
      dnn.run(dnnl::matmul(desc),
              {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, result}});
      EXPECT_EQ(c.toFloats("GMN"), cs) << text;
    }
}

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of PyTorch and their derivatives, against PyTorch's own."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch (Debian: python3-torch) is missing")

import ck_mlir  # noqa: E402
import ck_mlir.torch as ck  # noqa: E402

OWN = torch.nn.functional
FORMATS = {2: torch.channels_last, 3: torch.channels_last_3d}

# (function, input, weight, keywords)
CASES = [
    ("conv1d", (2, 4, 12), (8, 4, 3), {"stride": 2, "padding": 1}),
    ("conv2d", (2, 8, 7, 9), (16, 8, 3, 3), {"padding": "same"}),
    ("conv2d", (2, 6, 8, 8), (9, 2, 3, 2), {"stride": (2, 1), "dilation": (1, 2), "groups": 3}),
    ("conv3d", (1, 8, 4, 5, 6), (8, 4, 2, 3, 3), {"padding": (0, 1, 1), "groups": 2}),
    ("conv_transpose1d", (2, 8, 6), (8, 4, 3), {"stride": 2, "output_padding": 1}),
    ("conv_transpose2d", (2, 6, 4, 5), (6, 4, 3, 2), {"stride": (2, 1), "padding": 1, "groups": 2}),
    (
        "conv_transpose3d",
        (1, 4, 3, 4, 2),
        (4, 8, 2, 3, 2),
        {"stride": 2, "dilation": (1, 1, 3), "output_padding": (1, 0, 2)},
    ),
]
# What one case of a kind is enough for.
FEW = [CASES[2], CASES[5]]


def make(shape, dtype, seed):
    """Small integers, with which sums are exact."""
    torch.manual_seed(seed)
    return torch.randint(-3, 4, shape).to(dtype)


def make_arrays(case, dtype=torch.float32):
    """Input, weight and bias of a case."""
    name, x_shape, w_shape, keywords = case
    is_transposed = name.startswith("conv_transpose")
    channels = w_shape[1] * keywords.get("groups", 1) if is_transposed else w_shape[0]
    return [make(x_shape, dtype, 1), make(w_shape, dtype, 2), make((channels,), dtype, 3)]


def run(function, arrays, keywords, last=0):
    """The output, and the gradients of input, weight and bias."""
    leaves = [array.clone().requires_grad_() for array in arrays]
    x = leaves[0].contiguous(memory_format=FORMATS[last]) if last else leaves[0]
    y = function(x, *leaves[1:], **keywords)
    dy = make(y.shape, torch.float32, 7).to(y.dtype)
    y.backward(dy)
    return y, [leaf.grad for leaf in leaves]


def check(case, arrays, last=0):
    """Output and gradients are PyTorch's own in f32, rounded, exactly: they are small integers."""
    name, _, _, keywords = case
    dtype = arrays[0].dtype
    y, grads = run(getattr(ck, name), arrays, keywords, last)
    expected, own = run(getattr(OWN, name), [array.float() for array in arrays], keywords)
    assert y.dtype == dtype and torch.equal(y, expected.to(dtype))
    for grad, own_grad in zip(grads, own):
        assert grad.dtype == dtype and torch.equal(grad, own_grad.to(dtype))
    if last:
        assert y.is_contiguous(memory_format=FORMATS[last])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("last", [False, True], ids=["contiguous", "channels-last"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradients(device, case, last, dtype):
    rank = len(case[1]) - 2
    check(case, make_arrays(case, dtype), rank if last and rank in FORMATS else 0)


@pytest.mark.parametrize("case", FEW, ids=str)
def test_empty_batch(device, case):
    # No images: no output, gradients of 0, and no kernel.
    x, *rest = make_arrays(case)
    check(case, [x[:0], *rest])


@pytest.mark.parametrize("case", FEW, ids=str)
def test_unbatched(device, case):
    x, *rest = make_arrays(case)
    check(case, [x[0], *rest])


@pytest.mark.parametrize("taps", [(2, 3), (4, 2)], ids=str)
def test_same_with_even_filters(device, taps):
    # The sides of the padding differ: the larger one is behind.
    case = ("conv2d", (2, 4, 6, 7), (8, 4, *taps), {"padding": "same", "dilation": (1, 2)})
    check(case, make_arrays(case))


def test_output_padding_beyond_the_stride(device):
    # The convolution of the result has more outputs than the input has elements.
    keywords = {"stride": (1, 2), "dilation": (2, 4), "output_padding": (1, 3)}
    case = ("conv_transpose2d", (2, 4, 5, 4), (4, 8, 2, 2), keywords)
    check(case, make_arrays(case))


@pytest.mark.parametrize("case", FEW, ids=str)
def test_rectifier(device, case):
    # In the kernel it is what it is behind it, and so is its gradient.
    name, _, _, keywords = case
    arrays = make_arrays(case)
    y, grads = run(getattr(ck, name), arrays, {**keywords, "activation": "relu"})

    def composed(*tensors, **others):
        return torch.relu(getattr(OWN, name)(*tensors, **others))

    expected, own = run(composed, arrays, keywords)
    assert torch.equal(y, expected) and (y == 0).any() and (y > 0).any()
    assert all(torch.equal(grad, own_grad) for grad, own_grad in zip(grads, own))


@pytest.mark.parametrize("case", FEW, ids=str)
def test_autocast(device, case):
    # The tensors of f32 are rounded to bf16, and the gradients come back in f32.
    name, _, _, keywords = case
    arrays = make_arrays(case)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y, grads = run(getattr(ck, name), arrays, keywords)
    expected, own = run(getattr(OWN, name), arrays, keywords)
    assert y.dtype == torch.bfloat16 and torch.equal(y, expected.to(torch.bfloat16))
    for grad, own_grad in zip(grads, own):
        assert grad.dtype == torch.float32 and torch.equal(
            grad, own_grad.to(torch.bfloat16).float()
        )


@pytest.mark.parametrize("case", FEW, ids=str)
def test_second_derivatives(device, case):
    # The gradients of sums of the first gradients, which the kernels compute, too.
    name, _, _, keywords = case
    results = []
    for function in (getattr(ck, name), getattr(OWN, name)):
        leaves = [array.requires_grad_() for array in make_arrays(case)]
        y = function(*leaves, **keywords)
        dy = make(y.shape, torch.float32, 7).requires_grad_()
        first = torch.autograd.grad(y, leaves[:2], dy, create_graph=True)
        factors = [make(grad.shape, torch.float32, 8 + i) for i, grad in enumerate(first)]
        total = sum((grad * factor).sum() for grad, factor in zip(first, factors))
        results.append(torch.autograd.grad(total, [*leaves[:2], dy]))
    assert all(torch.equal(ours, own) for ours, own in zip(*results))


def test_expanded_gradients(device):
    # The gradient of a sum is one number with strides of 0.
    x = make((1, 4, 6, 6), torch.float32, 1).requires_grad_()
    w = make((8, 4, 3, 3), torch.float32, 2).requires_grad_()
    ck.conv2d(x, w).sum().backward()
    grads = x.grad, w.grad
    x.grad, w.grad = None, None
    torch.nn.functional.conv2d(x, w).sum().backward()
    assert torch.equal(grads[0], x.grad) and torch.equal(grads[1], w.grad)


@pytest.mark.parametrize(
    "name, result", [("int8", torch.int32), ("float8_e4m3fnuz", torch.float16)]
)
def test_narrow_types(device, name, result):
    # What has no gradients: the results are of a wider type.
    dtype = getattr(torch, name, None)
    if dtype is None or name.startswith("float8") and device.chip != "gfx942":
        pytest.skip(f"PyTorch or the chip has no {name}")
    x, w = make((2, 4, 6, 7), torch.float32, 1), make((8, 4, 3, 3), torch.float32, 2)
    y = ck.conv2d(x.to(dtype), w.to(dtype), padding=1)
    assert y.dtype == result and torch.equal(y.float(), OWN.conv2d(x, w, padding=1))


def test_kernels_take_tensors(chip):
    kernel = ck_mlir.compile("gemm:bf16:M=16,N=16,K=32", chip=chip)
    a, b = make((1, 16, 32), torch.bfloat16, 1), make((1, 16, 32), torch.bfloat16, 2)
    c = kernel(a, b)
    assert isinstance(c, torch.Tensor) and c.dtype == torch.bfloat16
    assert torch.equal(c, (a.float() @ b.float().transpose(1, 2)).to(torch.bfloat16))


def test_meta_tensors():
    # Shapes without data, as compilers of PyTorch ask for them.
    with torch.inference_mode():
        x, w = torch.empty(2, 4, 8, 8, device="meta"), torch.empty(6, 4, 3, 3, device="meta")
        y = torch.ops.ck_mlir.conv_forward(x, w, None, [2, 2], [1, 1], [1, 1], 1)
    assert y.shape == (2, 6, 4, 4)


def test_refused():
    x, w = torch.zeros(1, 4, 5, 5), torch.zeros(4, 3, 3, 3)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="weight: expected 4 input channels"):
        ck.conv2d(x, w)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="input: expected 4 dimensions, or 3"):
        ck.conv2d(x[0, 0], w)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="weight: expected 4 dimensions"):
        ck.conv_transpose2d(x, w[0])
    with pytest.raises(ck_mlir.InvalidArgumentError, match="stride: expected a number, or 2 of"):
        ck.conv2d(x, w, stride=(1, 1, 1))
    with pytest.raises(ck_mlir.InvalidArgumentError, match="activation: .* 'relu', got 'gelu'"):
        ck.conv2d(x, torch.zeros(4, 4, 3, 3), activation="gelu")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="output_padding: .* 2, got 2"):
        ck.conv_transpose2d(x, torch.zeros(4, 4, 3, 3), stride=2, output_padding=2)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="one of .*, got .*float64|float64|type"):
        ck.conv2d(x.double(), torch.zeros(4, 4, 3, 3).double())

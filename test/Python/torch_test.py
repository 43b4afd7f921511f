# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of PyTorch, against PyTorch's own."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch (Debian: python3-torch) is missing")

import ck_mlir  # noqa: E402
import ck_mlir.torch as ck  # noqa: E402

FUNCTIONS = {1: ck.conv1d, 2: ck.conv2d, 3: ck.conv3d}
OWN = {
    1: torch.nn.functional.conv1d,
    2: torch.nn.functional.conv2d,
    3: torch.nn.functional.conv3d,
}
FORMATS = {2: torch.channels_last, 3: torch.channels_last_3d}

# (rank, input, weight, keywords)
CASES = [
    (1, (2, 4, 12), (8, 4, 3), {"stride": 2, "padding": 1}),
    (2, (2, 8, 7, 9), (16, 8, 3, 3), {"padding": "same"}),
    (2, (2, 6, 8, 8), (9, 2, 3, 2), {"stride": (2, 1), "dilation": (1, 2), "groups": 3}),
    (3, (1, 8, 4, 5, 6), (8, 4, 2, 3, 3), {"padding": (0, 1, 1), "groups": 2}),
]


def make(shape, dtype, seed):
    """Small integers, with which sums are exact."""
    torch.manual_seed(seed)
    return torch.randint(-3, 4, shape).to(dtype)


def run(function, arrays, keywords, last):
    """The output, and the gradients of input, weight and bias."""
    leaves = [array.clone().requires_grad_() for array in arrays]
    x = leaves[0].contiguous(memory_format=FORMATS[last]) if last else leaves[0]
    y = function(x, *leaves[1:], **keywords)
    dy = make(y.shape, torch.float32, 7).to(y.dtype)
    y.backward(dy)
    return y, [leaf.grad for leaf in leaves]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("last", [False, True], ids=["contiguous", "channels-last"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradients(device, case, last, dtype):
    # Output and gradients are PyTorch's own in f32, rounded, exactly: they are small integers.
    rank, x_shape, w_shape, keywords = case
    arrays = [make(x_shape, dtype, 1), make(w_shape, dtype, 2), make(w_shape[:1], dtype, 3)]
    last_rank = rank if last and rank in FORMATS else 0
    y, grads = run(FUNCTIONS[rank], arrays, keywords, last_rank)
    expected, own = run(OWN[rank], [a.float() for a in arrays], keywords, 0)
    assert y.dtype == dtype and torch.equal(y, expected.to(dtype))
    for grad, own_grad in zip(grads, own):
        assert grad.dtype == dtype and torch.equal(grad, own_grad.to(dtype))
    if last_rank:
        assert y.is_contiguous(memory_format=FORMATS[rank])


def test_expanded_gradients(device):
    # The gradient of a sum is one number with strides of 0.
    x = make((1, 4, 6, 6), torch.float32, 1).requires_grad_()
    w = make((8, 4, 3, 3), torch.float32, 2).requires_grad_()
    ck.conv2d(x, w).sum().backward()
    grads = x.grad, w.grad
    x.grad, w.grad = None, None
    torch.nn.functional.conv2d(x, w).sum().backward()
    assert torch.equal(grads[0], x.grad) and torch.equal(grads[1], w.grad)


def make_network():
    torch.manual_seed(1)
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.Conv2d(8, 16, 3, stride=2, padding=1, groups=2),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(16 * 4 * 4, 5),
    )


def test_network_trains(device):
    # Loss and gradients agree with PyTorch's own on every step, and the loss goes down.
    ours, own = ck.convert(make_network()), make_network()
    torch.manual_seed(2)
    images, labels = torch.randn(8, 3, 8, 8), torch.randint(0, 5, (8,))
    losses = []
    for network in (ours, own):
        optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
        losses.append([])
        for _ in range(10):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(network(images), labels)
            loss.backward()
            optimizer.step()
            losses[-1].append(loss.item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    assert losses[0][-1] < 0.9 * losses[0][0]
    for parameter, expected in zip(ours.parameters(), own.parameters()):
        assert torch.allclose(parameter.grad, expected.grad, rtol=1e-3, atol=1e-5)


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
    with pytest.raises(ck_mlir.InvalidArgumentError, match="input: expected 4 dimensions"):
        ck.conv2d(x[0], w)
    layer = torch.nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect")
    with pytest.raises(ck_mlir.InvalidArgumentError, match="padding with zeros, got 'reflect'"):
        ck.convert(layer)
    with pytest.raises(ck_mlir.InvalidArgumentError, match="one of .*, got .*float64|float64|type"):
        ck.conv2d(x.double(), torch.zeros(4, 4, 3, 3).double())

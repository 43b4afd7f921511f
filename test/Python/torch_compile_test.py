# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our operators under what compiles and transforms programs of PyTorch 2."""

import copy

import pytest

torch = pytest.importorskip("torch", minversion="2.4", reason="PyTorch 2 is missing")

import ck_mlir.torch as ck  # noqa: E402
from torch_layers_test import fill, make_images, make_network  # noqa: E402

FORMATS = [torch.contiguous_format, torch.channels_last]
OPERATORS = torch.ops.ck_mlir


def make(shape, memory_format=torch.contiguous_format):
    """Small integers, with which sums are exact."""
    torch.manual_seed(len(shape) + shape[-1])
    tensor = torch.randint(-3, 4, shape).float()
    return tensor.contiguous(memory_format=memory_format) if len(shape) == 4 else tensor


def make_operator_cases(memory_format, has_gradient):
    """Operators with arguments."""
    window = ([2, 1], [1, 0, 1, 1], [1, 2], 2)
    shapes = (2, 4, 6, 7), (6, 2, 2, 3), (2, 6, 3, 5)
    x, w, dy = (make(shape, memory_format).requires_grad_(has_gradient) for shape in shapes)
    bias = make((6,)).requires_grad_(has_gradient)
    transposed = ([2, 1], [1, 0], [1, 0], 2, [1, 1], "relu")
    if has_gradient:
        yield OPERATORS.conv.default, (x, w, bias, *window, "relu")
        yield OPERATORS.conv_transpose.default, (dy, make((6, 3, 2, 3)), bias, *transposed)
    else:
        yield OPERATORS.conv_forward.default, (x, w, None, *window)
        yield OPERATORS.conv_backward_input.default, (list(x.shape), w, dy, *window)
        yield OPERATORS.conv_backward_weight.default, (x, list(w.shape), dy, *window)


@pytest.mark.parametrize("has_gradient", [False, True])
@pytest.mark.parametrize("memory_format", FORMATS, ids=str)
def test_operators(device, memory_format, has_gradient):
    # Schemas, meta functions (with strides), gradients and unknown sizes, by PyTorch's own check.
    for operator, arguments in make_operator_cases(memory_format, has_gradient):
        results = torch.library.opcheck(operator, arguments)
        assert set(results.values()) == {"SUCCESS"}, (operator, results)


@pytest.mark.parametrize("memory_format", FORMATS, ids=str)
def test_training_is_compiled(device, memory_format):
    # One graph without breaks, whose gradients are those of PyTorch's own layers.
    own = fill(make_network()).to(memory_format=memory_format)
    ours = ck.convert(copy.deepcopy(own))
    images = make_images().contiguous(memory_format=memory_format)
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
    outputs = []
    for network, run in ((ours, compiled), (own, own)):
        outputs.append(run(images))
        outputs[-1].sum().backward()
    assert torch.equal(*outputs)
    for mine, its in zip(ours.parameters(), own.parameters()):
        assert torch.equal(mine.grad, its.grad)


def test_batch_of_any_size(device):
    # The second size compiles once more, for all that follow.
    own = fill(make_network())
    ours = ck.convert(copy.deepcopy(own))
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager", dynamic=True)
    for batch in (2, 3, 5):
        assert torch.equal(compiled(make_images(batch)), own(make_images(batch)))


def test_exported(device):
    # A program of operators, which are ours.
    network = ck.convert(fill(make_network())).eval()
    program = torch.export.export(network, (make_images(),))
    called = [str(node.target) for node in program.graph.nodes if node.op == "call_function"]
    assert any("ck_mlir" in name for name in called)
    assert not any(name.startswith("aten.conv") for name in called)
    assert torch.equal(program.module()(make_images()), network(make_images()))


def test_gradients_of_functions(device):
    # torch.func: a gradient, one for each of several images, one of a gradient, and all of those.
    x, w = make((3, 4, 5, 6)), make((8, 4, 3, 3))

    def square(function):
        return lambda image, weight: (function(image, weight, padding=1) ** 2).sum()

    ours, own = square(ck.conv2d), square(torch.nn.functional.conv2d)
    for transform in (
        lambda f: torch.func.grad(f, argnums=(0, 1))(x, w),
        lambda f: torch.func.vmap(torch.func.grad(f, argnums=1), in_dims=(0, None))(x, w),
        lambda f: torch.func.grad(lambda v: torch.func.grad(f)(x, v).sum())(w),
        lambda f: torch.func.hessian(f, argnums=1)(x[:, :2, :3, :3], w[:1, :2, :2, :2]),
    ):
        results, expected = transform(ours), transform(own)
        for mine, its in zip(results, expected):
            assert torch.equal(mine, its)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dims", [(0, None, None), (1, 0, 0), (None, 2, None), (None, None, 0)])
@pytest.mark.parametrize("name", ["conv2d", "conv_transpose2d"])
def test_mapped_functions(device, name, dims):
    # vmap over each operand alone and over all: by our rules, kernels compute what PyTorch does,
    # and PyTorch warns of nothing.
    shapes, keywords = [(2, 4, 5, 6), (4, 2, 3, 3), (4,)], {"groups": 2, "padding": 1}
    arrays = [
        make(shape if dim is None else (*shape[:dim], 3, *shape[dim:]))
        for shape, dim in zip(shapes, dims)
    ]

    def differentiate(function):
        def square(*operands):
            return (function(*operands, **keywords) ** 2).sum()

        return torch.func.vmap(torch.func.grad(square, argnums=(0, 1, 2)), in_dims=dims)(*arrays)

    ours, own = getattr(ck, name), getattr(torch.nn.functional, name)
    for mine, its in zip(differentiate(ours), differentiate(own)):
        assert torch.equal(mine, its)


@pytest.mark.parametrize("name", ["conv2d", "conv_transpose2d"])
def test_forward_mode(device, name):
    # Derivatives in one direction, of the function behind a rectifier and of its gradients.
    arrays = [make((2, 4, 5, 6)), make((4, 2, 3, 3)), make((4,))]
    directions = tuple(make(array.shape) + 1 for array in arrays)

    def differentiate(function, **keywords):
        def call(*operands):
            return torch.relu(function(*operands, groups=2, padding=1, **keywords))

        def square(*operands):
            return (call(*operands) ** 2).sum()

        gradients = torch.func.grad(square, argnums=(0, 1, 2))
        yield from torch.func.jvp(call, tuple(arrays), directions)
        yield torch.func.jvp(lambda b: call(*arrays[:2], b), (arrays[2],), directions[2:])[1]
        for results in torch.func.jvp(gradients, tuple(arrays), directions):
            yield from results

    ours = list(differentiate(getattr(ck, name), activation="relu"))
    own = list(differentiate(getattr(torch.nn.functional, name)))
    assert len(ours) == len(own) == 9
    assert all(torch.equal(mine, its) for mine, its in zip(ours, own))

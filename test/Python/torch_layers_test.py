# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of PyTorch with layers of ours, against the same networks as they were."""

import copy
import io

import pytest

torch = pytest.importorskip("torch", reason="PyTorch (Debian: python3-torch) is missing")

import ck_mlir.torch as ck  # noqa: E402


def make_network():
    torch.manual_seed(1)
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.Conv2d(8, 16, 3, stride=2, padding=1, groups=2),
        torch.nn.ReLU(),
        torch.nn.ConvTranspose2d(16, 4, 2, stride=2),
        torch.nn.Flatten(),
        torch.nn.Linear(4 * 8 * 8, 5),
    )


def fill(network):
    """Small integers as parameters, with which sums are exact."""
    torch.manual_seed(2)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.randint(-2, 3, parameter.shape))
    return network


def make_images(batch=2):
    torch.manual_seed(3)
    return torch.randint(-2, 3, (batch, 3, 8, 8)).float()


def names(network):
    return [type(layer).__module__.split(".")[0] for layer in network]


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


def test_convert(device):
    # The layers are of our classes, with PyTorch's as bases, and compute the same. Both rectifiers
    # are part of kernels.
    own = fill(make_network())
    ours = ck.convert(copy.deepcopy(own))
    assert names(ours) == ["ck_mlir", "torch", "ck_mlir", "torch", "ck_mlir", "torch", "torch"]
    assert all(isinstance(mine, type(its)) for mine, its in zip(ours[::2], own[::2]))
    assert [type(layer) for layer in ours[1:4:2]] == [torch.nn.Identity] * 2
    assert "activation=relu" in repr(ours[0]) and "activation" not in repr(ours[4])
    assert torch.equal(ours(make_images()), own(make_images()))
    assert list(ours.state_dict()) == list(own.state_dict())
    assert all(entry.is_converted for entry in ck.report(ours)) and len(ck.report(ours)) == 3


def test_copies_and_files(device):
    # What is copied or loaded has parameters of its own: changes do not reach the original.
    network = ck.convert(fill(make_network()))
    images = make_images()
    expected = network(images)
    file = io.BytesIO()
    torch.save(network, file)
    file.seek(0)
    options = {"weights_only": False} if int(torch.__version__[0]) >= 2 else {}
    for other in (copy.deepcopy(network), torch.load(file, **options)):
        assert torch.equal(other(images), expected) and names(other) == names(network)
        with torch.no_grad():
            other[0].weight.zero_()
            other[0].bias.fill_(1)
        assert not torch.equal(other(images), expected)
        assert torch.equal(network(images), expected)


def test_changed_layers(device):
    # A layer is what its attributes say when it is called.
    own = torch.nn.Sequential(fill(torch.nn.Conv2d(3, 8, 3)))
    ours = ck.convert(copy.deepcopy(own))
    for network in (own, ours):
        network[0].stride, network[0].padding = (2, 1), (1, 0)
    assert torch.equal(ours(make_images()), own(make_images()))


@pytest.mark.parametrize("mode", ["reflect", "circular", "replicate"])
def test_padding_modes(device, mode):
    own = fill(torch.nn.Conv2d(3, 4, 3, padding=(2, 1), padding_mode=mode))
    assert torch.equal(ck.convert(copy.deepcopy(own))(make_images()), own(make_images()))


def test_output_size(device):
    own = fill(torch.nn.ConvTranspose2d(3, 4, 3, stride=2))
    ours = ck.convert(copy.deepcopy(own))
    size = [2, 4, 18, 17]
    assert ours(make_images(), output_size=size).shape == torch.Size(size)
    expected = own(make_images(), output_size=size)
    assert torch.equal(ours(make_images(), output_size=size), expected)


class OwnConv(torch.nn.Conv2d):
    """A layer of someone's, which may do anything."""


def find_reasons(network):
    return {entry.name: entry.reason for entry in ck.report(ck.convert(network))}


def test_report(device):
    # What is left out stays what it was, with a reason.
    twice = torch.nn.Conv2d(3, 3, 1)
    network = torch.nn.ModuleDict(
        {
            "own": OwnConv(3, 3, 1),
            "f64": torch.nn.Conv1d(3, 3, 1).double(),
            "lazy": torch.nn.LazyConv2d(3, 1),
            "shared": torch.nn.Sequential(twice, torch.nn.ReLU()),
            "again": torch.nn.Sequential(twice),
            "hooked": torch.nn.Sequential(torch.nn.Conv2d(3, 3, 1), torch.nn.ReLU()),
            "other": torch.nn.Sequential(torch.nn.Conv2d(3, 3, 1), torch.nn.ReLU6()),
        }
    )
    network["hooked"][1].register_forward_hook(lambda *_: None)
    reasons = find_reasons(network)
    assert reasons == {
        "own": "expected a class of torch.nn, got torch_layers_test",
        "f64": "expected parameters of float32, float16 or bfloat16, got torch.float64",
        "lazy": "its parameters are not initialized yet",
        "shared.0": "",
        "shared.1": "the convolution in front is used in several places",
        "hooked.0": "",
        "hooked.1": "ReLU has hooks",
        "other.0": "",
    }
    assert type(network["own"]) is OwnConv and type(network["shared"][1]) is torch.nn.ReLU
    entries = {entry.name: str(entry) for entry in ck.report(network)}
    assert entries["shared.0"] == "shared.0: Conv2d: converted"
    assert entries["hooked.1"] == "hooked.1: ReLU: ReLU has hooks"


def test_without_folding(device):
    network = ck.convert(make_network(), fold=False)
    assert type(network[1]) is torch.nn.ReLU
    assert [str(entry) for entry in ck.report(network)][3:] == [
        "1: ReLU: not folded yet",
        "3: ReLU: not folded yet",
    ]
    assert str(ck.report(torch.nn.Conv1d(1, 1, 1))[0]) == "the network: Conv1d: not converted yet"

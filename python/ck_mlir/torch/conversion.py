# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of PyTorch whose convolutions become kernels of ours, and what was left out, and why."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any, Iterator, Optional

import torch

from .layers import LAYERS

_OURS = tuple(LAYERS.values())
_CONVOLUTION = torch.nn.modules.conv._ConvNd
_TYPES = (torch.float32, torch.float16, torch.bfloat16)
# Dictionaries of a module that hold what is called when it runs.
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


@dataclasses.dataclass(frozen=True)
class Entry:
    """A layer of a network: its name there, its class, and why no kernel runs it, or nothing."""

    name: str
    layer: str
    reason: str

    @property
    def is_converted(self) -> bool:
        """Whether a kernel of ours runs the layer."""
        return not self.reason

    def __str__(self) -> str:
        return f"{self.name or 'the network'}: {self.layer}: {self.reason or 'converted'}"


def _find_obstacle(layer: Any) -> str:
    """Why a convolution has no kernel of ours, or nothing."""
    if isinstance(layer, torch.nn.modules.lazy.LazyModuleMixin):
        return "its parameters are not initialized yet"
    if type(layer) not in LAYERS and not isinstance(layer, _OURS):
        return f"expected a class of torch.nn, got {type(layer).__module__}"
    if "forward" in vars(layer) or "_conv_forward" in vars(layer):
        return "its function forward was replaced"
    if layer.weight.dtype not in _TYPES:
        return f"expected parameters of float32, float16 or bfloat16, got {layer.weight.dtype}"
    return ""


def _find_folding_obstacle(layer: Any, relu: Any, uses: collections.Counter[int]) -> str:
    """Why a rectifier behind a layer of ours is not part of its kernel, or nothing."""
    if layer.activation:
        return "the convolution in front has a rectifier already"
    if uses[id(layer)] > 1:
        return "the convolution in front is used in several places"
    hooked = [module for module in (layer, relu) if any(getattr(module, h, None) for h in _HOOKS)]
    if hooked:
        return f"{type(hooked[0]).__name__} has hooks"
    return ""


def _count_uses(network: Any) -> collections.Counter[int]:
    """How often each module stands in a network."""
    return collections.Counter(
        id(module) for _, module in network.named_modules(remove_duplicate=False)
    )


def _find_pairs(network: Any) -> Iterator[tuple[str, Any, str, Any, Any]]:
    """Rectifiers that come behind a layer of ours in a Sequential: (the name of the Sequential, it,
    the rectifier's name there, the layer, the rectifier)."""
    for name, module in network.named_modules():
        if not isinstance(module, torch.nn.Sequential):
            continue
        if type(module).forward is not torch.nn.Sequential.forward:
            continue
        children = list(module._modules.items())
        for (_, layer), (key, relu) in zip(children, children[1:]):
            if isinstance(layer, _OURS) and type(relu) is torch.nn.ReLU:
                yield name, module, key, layer, relu


def convert(network: torch.nn.Module, fold: bool = True) -> torch.nn.Module:
    """Has the convolutions of a network run by kernels of ours; `report` says which, and why not
    the others. Layers of torch.nn become those of the same names here, in place: parameters, hooks
    and all else stay what they are. With `fold`, a ReLU behind one of them in a Sequential becomes
    part of its kernel, and torch.nn.Identity takes its place.

    The network is returned. It may be copied and pickled, as any."""
    for layer in network.modules():
        if type(layer) in LAYERS and not _find_obstacle(layer):
            layer.__class__ = LAYERS[type(layer)]
    uses = _count_uses(network) if fold else collections.Counter[int]()
    for _, parent, key, layer, relu in list(_find_pairs(network)) if fold else []:
        if not _find_folding_obstacle(layer, relu, uses):
            layer.activation = "relu"
            parent._modules[key] = torch.nn.Identity()
    return network


def report(network: torch.nn.Module) -> list[Entry]:
    """The convolutions of a network, and the rectifiers behind those of ours in a Sequential, with
    the reason for each that no kernel runs. Of a network that was not converted it says what
    `convert` would leave out."""
    entries, uses = [], _count_uses(network)
    for name, layer in network.named_modules():
        if isinstance(layer, _CONVOLUTION):
            reason = _find_obstacle(layer)
            if not reason and not isinstance(layer, _OURS):
                reason = "not converted yet"
            entries.append(Entry(name, type(layer).__name__, reason))
    for name, _, key, layer, relu in _find_pairs(network):
        reason = _find_folding_obstacle(layer, relu, uses) or "not folded yet"
        entries.append(Entry(f"{name}.{key}".lstrip("."), type(relu).__name__, reason))
    return entries

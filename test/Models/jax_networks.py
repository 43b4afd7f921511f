# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A ResNet of Flax with random weights, for images of 64 x 64."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

IMAGE = (1, 64, 64, 3)
DEPTHS = (2, 2, 2, 2)


def convolve(module, x, taps, stride):
    """A convolution of the width of a module, and batch normalization."""
    x = nn.Conv(module.width, (taps, taps), strides=stride, use_bias=False)(x)
    return nn.BatchNorm(use_running_average=not module.is_training, momentum=0.0)(x)


class Block(nn.Module):
    """Two convolutions, and the input beside them."""

    width: int
    stride: int
    is_training: bool

    @nn.compact
    def __call__(self, x):
        y = nn.relu(convolve(self, x, 3, self.stride))
        y = convolve(self, y, 3, 1)
        if x.shape != y.shape:
            x = convolve(self, x, 1, self.stride)
        return nn.relu(x + y)


class ResNet(nn.Module):
    """ResNet-18."""

    is_training: bool = False
    width: int = 64

    @nn.compact
    def __call__(self, x):
        x = nn.relu(convolve(self, x, 7, 2))
        x = nn.max_pool(x, (3, 3), strides=(2, 2), padding="SAME")
        for level, depth in enumerate(DEPTHS):
            for block in range(depth):
                stride = 2 if level and not block else 1
                x = Block(self.width << level, stride, self.is_training)(x)
        return nn.Dense(1000)(x.mean(axis=(1, 2)))


PRODUCTS = 21


def make_network():
    """The parameters, with what batch normalization knows of images as it will see."""
    generator = np.random.default_rng(1)
    images = jnp.asarray(generator.integers(-2, 3, (8, *IMAGE[1:])).astype(np.float32))
    network = ResNet(is_training=True)
    variables = network.init(jax.random.PRNGKey(1), images)
    _, changed = network.apply(variables, images, mutable=["batch_stats"])
    return {"params": variables["params"], **changed}


def apply(variables, image):
    """The network as a function."""
    return ResNet().apply(variables, image)


def evaluate(variables, image):
    """What JAX computes in f32 and in f64, as NumPy arrays."""
    single = np.asarray(apply(variables, jnp.asarray(image)))
    with jax.enable_x64(True):
        wide = jax.tree.map(lambda value: jnp.asarray(value, jnp.float64), variables)
        double = np.asarray(apply(wide, jnp.asarray(image, jnp.float64)))
    return single, double


def lower(variables):
    """The network as StableHLO, with its parameters as constants."""
    image = jax.ShapeDtypeStruct(IMAGE, jnp.float32)
    return jax.jit(lambda x: apply(variables, x)).lower(image).as_text()

# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of known networks and small whole ones, in sizes that run in about a second.

Each is a function over a writer (linalg.py or tosa.py) that returns the results. Clamps keep the
numbers of deep networks small, so that they are exact.
"""


def resnet_basic(b):
    x = b.input(1, [8, 8], 16)
    y = b.relu(b.conv(x, 16, 3, pad=1))
    return [b.relu(b.add(b.conv(y, 16, 3, pad=1), x))]


def resnet_bottleneck(b):
    x = b.input(1, [6, 6], 32)
    y = b.relu(b.conv(x, 8, 1))
    y = b.relu(b.conv(y, 8, 3, pad=1))
    return [b.relu(b.add(b.conv(y, 32, 1), x))]


def resnet_strided(b):
    """The first block of a stage: stride 2 and a projection beside it."""
    x = b.input(2, [8, 8], 8)
    y = b.clamp(b.conv(x, 16, 3, stride=2, pad=1))
    y = b.conv(y, 16, 3, pad=1)
    return [b.clamp(b.add(y, b.conv(x, 16, 1, stride=2)))]


def resnet_stem(b):
    x = b.input(1, [16, 16], 3)
    return [b.max_pool(b.relu(b.conv(x, 8, 7, stride=2, pad=3)), 2, 2)]


def resnet(b):
    """A whole network: stem, two stages of two blocks, classifier."""
    x = b.clamp(b.conv(b.input(1, [16, 16], 3), 8, 3, pad=1))
    for channels, stride in ((8, 1), (16, 2)):
        y = b.clamp(b.conv(x, channels, 3, stride=stride, pad=1), 3)
        skip = x if stride == 1 else b.conv(x, channels, 1, stride=stride)
        x = b.clamp(b.add(b.conv(y, channels, 3, pad=1), skip), 3)
        y = b.clamp(b.conv(x, channels, 3, pad=1), 3)
        x = b.clamp(b.add(b.conv(y, channels, 3, pad=1), x), 3)
    return [b.dense(b.sum_spatial(x), 10)]


def mobilenet_separable(b):
    x = b.input(1, [8, 8], 16)
    y = b.clamp(b.depthwise(x, 3, pad=1))
    return [b.clamp(b.conv(y, 32, 1))]


def mobilenet_inverted(b):
    x = b.input(1, [8, 8], 8)
    y = b.clamp(b.conv(x, 48, 1))
    y = b.clamp(b.depthwise(y, 3, pad=1))
    return [b.add(b.conv(y, 8, 1), x)]


def mobilenet_strided(b):
    x = b.input(1, [9, 9], 8)
    y = b.clamp(b.conv(x, 24, 1))
    y = b.clamp(b.depthwise(y, 3, stride=2, pad=1))
    return [b.conv(y, 16, 1)]


def convnext(b):
    """Depthwise 7x7, then a perceptron of 1x1 convolutions; a clamp in place of the GELU."""
    x = b.input(1, [8, 8], 16)
    y = b.depthwise(x, 7, pad=3)
    y = b.clamp(b.conv(y, 32, 1))
    return [b.add(b.conv(y, 16, 1), x)]


def unet(b):
    """Down, up by a transposed convolution, and the skip beside it."""
    x = b.clamp(b.conv(b.input(1, [8, 8], 4), 8, 3, pad=1))
    down = b.clamp(b.conv(b.max_pool(x, 2, 2), 16, 3, pad=1))
    up = b.transposed(down, 8, 2, 2, 0)
    return [b.clamp(b.conv(b.concat(up, x), 8, 3, pad=1))]


def transposed(b):
    return [b.relu(b.transposed(b.input(1, [5, 5], 8), 16, 4, 2, 1))]


def volume(b):
    """A residual block in three dimensions."""
    x = b.input(1, [4, 6, 6], 8)
    y = b.relu(b.conv(x, 8, 3, pad=1))
    return [b.relu(b.add(b.conv(y, 8, 3, pad=1), x))]


def volume_strided(b):
    x = b.input(1, [5, 7, 7], 4)
    return [b.relu(b.conv(x, 16, [1, 3, 3], stride=[1, 2, 2], pad=[0, 1, 1]))]


def wavenet(b):
    """Dilated convolutions in one dimension with gates, residuals and skips."""
    x = b.input(1, [32], 8)
    skips = None
    for dilation in (1, 2, 4):
        gate = b.sigmoid(b.conv(x, 8, 3, pad=dilation, dilation=dilation))
        y = b.multiply(b.tanh(b.conv(x, 8, 3, pad=dilation, dilation=dilation)), gate)
        skip = b.conv(y, 16, 1)
        skips = skip if skips is None else b.add(skips, skip)
        x = b.add(b.conv(y, 8, 1), x)
    return [b.relu(skips), x]


def dilated(b):
    """The same without gates, which is exact."""
    x = b.input(2, [24], 8)
    for dilation in (1, 2, 4):
        x = b.clamp(b.add(b.conv(x, 8, 3, pad=dilation, dilation=dilation), x))
    return [x]


def atrous(b):
    """Atrous pyramid: three dilations of the same input."""
    x = b.input(1, [9, 9], 8)
    parts = [b.clamp(b.conv(x, 8, 3, pad=d, dilation=d)) for d in (1, 2, 3)]
    return [b.conv(b.concat(b.concat(*parts[:2]), parts[2]), 16, 1)]


def inception(b):
    x = b.input(1, [8, 8], 8)
    small = b.relu(b.conv(x, 8, 1))
    large = b.relu(b.conv(b.relu(b.conv(x, 4, 1)), 8, 5, pad=2))
    return [b.concat(small, large)]


def vgg(b):
    x = b.input(1, [12, 12], 3)
    x = b.max_pool(b.clamp(b.conv(b.clamp(b.conv(x, 8, 3, pad=1)), 8, 3, pad=1)), 2, 2)
    x = b.max_pool(b.clamp(b.conv(x, 16, 3, pad=1)), 2, 2)
    return [b.dense(b.sum_spatial(x), 5)]


def chain(b):
    """Convolutions with nothing but biases and clamps in between."""
    x = b.input(1, [8, 8], 8)
    for channels, window in ((16, 3), (16, 1), (8, 3), (32, 1)):
        x = b.clamp(b.conv(x, channels, window, pad=window // 2), 4)
    return [x]


def asymmetric(b):
    """Windows of one row and of one column."""
    x = b.input(1, [7, 9], 8)
    x = b.clamp(b.conv(x, 8, [1, 5], pad=[0, 2]))
    return [b.conv(x, 8, [5, 1], pad=[2, 0])]


def perceptron(b):
    x = b.argument([4, 24])
    y = b.clamp(b.dense(x, 48))
    y = b.clamp(b.dense(y, 40))
    return [b.dense(y, 10)]


def products(b):
    """Two batched products, the first with a transposed factor: attention without a softmax."""
    q, k, v = (b.matrices(4, 12, 16) for _ in range(3))
    return [b.batch_matmul(b.batch_matmul(q, k, transposed=True), v)]


def two_results(b):
    x = b.input(1, [6, 6], 8)
    y = b.relu(b.conv(x, 8, 3, pad=1))
    return [y, b.conv(y, 4, 1)]

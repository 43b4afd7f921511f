# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of PyTorch with random weights, for images of 64 x 64."""

import torch
import torchvision

IMAGE = (1, 3, 64, 64)


class UNet(torch.nn.Module):
    """Three levels down and up again, with what is known on the way down beside each level up."""

    def __init__(self, widths=(16, 32, 64)):
        super().__init__()
        self.pool = torch.nn.MaxPool2d(2)
        self.down, self.up, self.merge = (torch.nn.ModuleList() for _ in range(3))
        channels = 3
        for width in widths:
            self.down.append(self.make_level(channels, width))
            channels = width
        for width in reversed(widths[:-1]):
            self.up.append(torch.nn.ConvTranspose2d(channels, width, 2, stride=2))
            self.merge.append(self.make_level(2 * width, width))
            channels = width
        self.head = torch.nn.Conv2d(channels, 2, 1)

    @staticmethod
    def make_level(channels, width):
        layers = []
        for size in (channels, width):
            layers += [torch.nn.Conv2d(size, width, 3, padding=1), torch.nn.BatchNorm2d(width)]
            layers.append(torch.nn.ReLU())
        return torch.nn.Sequential(*layers)

    def forward(self, x):
        """A map of two classes."""
        kept = []
        for level in self.down:
            x = level(x if not kept else self.pool(kept[-1]))
            kept.append(x)
        kept.pop()
        for up, merge in zip(self.up, self.merge):
            x = merge(torch.cat([up(x), kept.pop()], dim=1))
        return self.head(x)


# How each is made, and its convolutions and products.
NETWORKS = {
    "resnet50": (lambda: torchvision.models.resnet50(weights=None), 54),
    "mobilenet_v2": (lambda: torchvision.models.mobilenet_v2(weights=None), 53),
    "unet": (UNet, 13),
}


def make_network(name):
    """A network whose batch normalization knows images as it will see, and its products."""
    torch.manual_seed(1)
    make, products = NETWORKS[name]
    network = make()
    for layer in network.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.momentum = 1.0
    with torch.no_grad():
        network.train()(torch.randint(-2, 3, (8, *IMAGE[1:])).float())
    return network.eval(), products


def evaluate(network, image):
    """What PyTorch computes in f32 and in f64, as NumPy arrays."""
    with torch.no_grad():
        single = network(image).numpy()
        double = network.double()(image.double()).numpy()
    network.float()
    return single, double

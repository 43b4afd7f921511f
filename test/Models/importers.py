# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From networks to linalg on tensors as text, by the front ends that there are.

Each front end has an LLVM of its own, so text is what leads from it to ck-opt.
"""

import os
import subprocess
import sys
import warnings

# From ONNX, as iree-import-onnx writes it, to linalg, without the calling convention of IREE.
ONNX_TO_LINALG = """builtin.module(torch-onnx-to-torch-backend-pipeline,
  func.func(convert-torch-to-tensor,convert-torch-to-linalg,convert-torch-to-scf,
            convert-torch-to-arith,canonicalize,cse),
  torch-func-backend-type-conversion,
  func.func(canonicalize,torch-finalizing-backend-type-conversion))"""


def run(tool, *arguments):
    """Runs a tool of the environment."""
    path = os.path.join(os.path.dirname(sys.executable), tool)
    subprocess.run([path, *arguments], check=True)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_onnx(network, image, path):
    """PyTorch's own export."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, (image,), path, dynamo=True, external_data=False, verbose=False)


def import_torch(network, image):
    """torch-mlir, from the program that torch.export makes."""
    from torch_mlir import fx

    return str(fx.export_and_import(network, image, output_type="linalg-on-tensors"))


def import_onnx(network, image, folder):
    """ONNX through IREE's importer."""
    write_onnx(network, image, f"{folder}/network.onnx")
    run("iree-import-onnx", f"{folder}/network.onnx", "-o", f"{folder}/onnx.mlir")
    pipeline = "--pass-pipeline=" + "".join(ONNX_TO_LINALG.split())
    run("iree-opt", f"{folder}/onnx.mlir", pipeline, "-o", f"{folder}/linalg.mlir")
    return read(f"{folder}/linalg.mlir")


def import_stablehlo(text, folder):
    """StableHLO, as JAX lowers a function to it, through IREE's conversion."""
    with open(f"{folder}/stablehlo.mlir", "w", encoding="utf-8") as file:
        file.write(text)
    pipeline = "--iree-stablehlo-input-transformation-pipeline"
    run("iree-opt", f"{folder}/stablehlo.mlir", pipeline, "-o", f"{folder}/linalg.mlir")
    return read(f"{folder}/linalg.mlir")

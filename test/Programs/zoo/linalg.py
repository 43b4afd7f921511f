# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as linalg on tensors: channels first with named ops as torch-mlir prints them, or channels
last as front ends of TensorFlow do."""

from builder import Value, Writer, conv_size, to_list

SPATIAL = {1: "w", 2: "hw", 3: "dhw"}


def attribute(name, values):
    return f"{name} = dense<[{', '.join(map(str, values))}]> : tensor<{len(values)}xi64>"


class Linalg(Writer):
    """Channels first if `first`, else last."""

    def __init__(self, element="f32", first=True, accumulator=None):
        super().__init__(element)
        self.first = first
        self.accumulator = accumulator or element
        self.suffix = "f" if element[0] in "bf" else "i"

    def shape(self, batch, spatial, channels):
        inner = [channels, *spatial] if self.first else [*spatial, channels]
        return [batch, *inner]

    def split(self, value):
        """Batch, sizes and channels of a value."""
        batch, *rest = value.shape
        return (batch, rest[1:], rest[0]) if self.first else (batch, rest[:-1], rest[-1])

    def channel(self, value):
        """The number of the dimension of the channels."""
        return 1 if self.first else len(value.shape) - 1

    def input(self, batch, spatial, channels):
        return self.argument(self.shape(self.batch or batch, spatial, channels))

    def constant(self, value, element):
        name = self.name()
        if element[0] in "bf":
            text = {"-inf": f"{'0xFF80' if element == 'bf16' else '0xFC00'}"}.get(value)
            if element == "f32" and value == "-inf":
                text = "0xFF800000"
            self.lines.append(f"{name} = arith.constant {text or float(value)} : {element}")
        else:
            value = -(2 ** (int(element[1:]) - 1)) if value == "-inf" else value
            self.lines.append(f"{name} = arith.constant {value} : {element}")
        return name

    def filled(self, shape, value=0, element=None):
        element = element or self.accumulator
        scalar = self.constant(value, element)
        empty = self.op("tensor.empty() :", shape, element)
        text = f"linalg.fill ins({scalar} : {element}) outs({empty.name} : {empty.type}) ->"
        return self.op(text, shape, element)

    def pad(self, value, pad, fill=0):
        """Pads the spatial dimensions."""
        batch, spatial, channels = self.split(value)
        pad = to_list(pad, len(spatial))
        if not any(pad):
            return value
        scalar = self.constant(fill, value.element)
        sizes = self.shape(batch, [s + 2 * p for s, p in zip(spatial, pad)], channels)
        low = ", ".join(map(str, self.shape(0, pad, 0)))
        blocks = ", ".join(f"%i{self.count}_{i}: index" for i in range(len(sizes)))
        result = Value(self.name(), tuple(sizes), value.element)
        self.lines += [
            f"{result.name} = tensor.pad {value.name} low[{low}] high[{low}] {{",
            f"^bb0({blocks}):",
            f"  tensor.yield {scalar} : {value.element}",
            f"}} : {value.type} to {result.type}",
        ]
        return result

    def named(self, op, ins, out, attributes=""):
        self.products += "pooling" not in op
        names = ", ".join(value.name for value in ins)
        types = ", ".join(value.type for value in ins)
        text = f"linalg.{op} {attributes} ins({names} : {types}) outs({out.name} : {out.type}) ->"
        return self.op(text, out.shape, out.element)

    def conv(self, x, k, window, stride=1, pad=0, dilation=1, bias=True):
        batch, spatial, channels = self.split(x)
        rank = len(spatial)
        window, stride, pad, dilation = (to_list(v, rank) for v in (window, stride, pad, dilation))
        sizes = [conv_size(*v) for v in zip(spatial, window, stride, pad, dilation)]
        dims = SPATIAL[rank]
        if self.first:
            w = self.argument([k, channels, *window])
            op = f"conv_{rank}d_nc{dims}_fc{dims}"
        else:
            w = self.argument([*window, channels, k])
            op = f"conv_{rank}d_n{dims}c_{dims}cf"
        out = self.filled(self.shape(batch, sizes, k))
        attributes = f"{{{attribute('dilations', dilation)}, {attribute('strides', stride)}}}"
        y = self.named(op, [self.pad(x, pad), w], out, attributes)
        return self.bias(y) if bias else y

    def depthwise(self, x, window, stride=1, pad=0):
        batch, spatial, channels = self.split(x)
        window, stride, pad = (to_list(v, len(spatial)) for v in (window, stride, pad))
        sizes = [conv_size(*v, 1) for v in zip(spatial, window, stride, pad)]
        w = self.argument([channels, *window] if self.first else [*window, channels])
        op = "depthwise_conv_2d_nchw_chw" if self.first else "depthwise_conv_2d_nhwc_hwc"
        out = self.filled(self.shape(batch, sizes, channels))
        ones = [1] * len(spatial)
        attributes = f"{{{attribute('dilations', ones)}, {attribute('strides', stride)}}}"
        return self.bias(self.named(op, [self.pad(x, pad), w], out, attributes))

    def grouped(self, x, k, groups, window, pad=0):
        """Channels first alone: the groups become a dimension."""
        batch, spatial, channels = self.split(x)
        sizes = [conv_size(s, window, 1, pad, 1) for s in spatial]
        padded = self.pad(x, pad)
        shape = [batch, groups, channels // groups, *padded.shape[2:]]
        expanded = self.reshape(padded, shape, "[[0], [1, 2], [3], [4]]", "expand")
        w = self.argument([groups, k // groups, channels // groups, window, window])
        out = self.filled([batch, groups, k // groups, *sizes])
        attributes = f"{{{attribute('dilations', [1, 1])}, {attribute('strides', [1, 1])}}}"
        y = self.named("conv_2d_ngchw_gfchw", [expanded, w], out, attributes)
        return self.reshape(y, [batch, k, *sizes], "[[0], [1, 2], [3], [4]]", "collapse")

    def reshape(self, value, shape, groups, kind):
        target = Value("", tuple(shape), value.element)
        sizes = f" output_shape {list(shape)}" if kind == "expand" else ""
        text = f"tensor.{kind}_shape {value.name} {groups}{sizes} : {value.type} into"
        return self.op(text, target.shape, value.element)

    def transposed(self, x, k, window, stride, pad):
        """A transposed convolution: the input with zeros in between, then an ordinary one."""
        batch, spatial, channels = self.split(x)
        spread = [(s - 1) * stride + 1 + 2 * (window - 1 - pad) for s in spatial]
        zeros = self.filled(self.shape(batch, spread, channels), element=x.element)
        offsets = self.shape(0, [window - 1 - pad] * len(spatial), 0)
        strides = self.shape(1, [stride] * len(spatial), 1)
        text = f"tensor.insert_slice {x.name} into {zeros.name}{offsets} {list(x.shape)} {strides}"
        return self.conv(self.op(f"{text} : {x.type} into", zeros.shape), k, window)

    def generic(self, ins, maps, out, body, iterators=None):
        """A linalg.generic with an empty output; `body` ends with the name of what it yields."""
        dims = ", ".join(f"d{i}" for i in range(len(iterators or out.shape)))
        identity = ", ".join(f"d{i}" for i in range(len(out.shape)))
        all_maps = [f"affine_map<({dims}) -> ({m or identity})>" for m in [*maps, None]]
        kinds = ", ".join(f'"{kind}"' for kind in iterators or ["parallel"] * len(out.shape))
        names = ", ".join(value.name for value in ins)
        types = ", ".join(value.type for value in ins)
        arguments = [f"%a{i}: {value.element}" for i, value in enumerate([*ins, out])]
        result = Value(self.name(), out.shape, out.element)
        self.lines += [
            f"{result.name} = linalg.generic {{indexing_maps = [{', '.join(all_maps)}],",
            f"  iterator_types = [{kinds}]}}",
            f"  ins({names} : {types}) outs({out.name} : {out.type}) {{",
            f"^bb0({', '.join(arguments)}):",
            *[f"  {line}" for line in body[:-1]],
            f"  linalg.yield {body[-1]} : {out.element}",
            f"}} -> {result.type}",
        ]
        return result

    def empty(self, shape, element=None):
        return self.op("tensor.empty() :", shape, element)

    def map(self, values, body, element=None):
        """An elementwise function of values of one shape."""
        out = self.empty(values[0].shape, element or values[0].element)
        return self.generic(values, [None] * len(values), out, body)

    def bias(self, y):
        b = self.argument([y.shape[self.channel(y)]], y.element)
        out = self.empty(y.shape, y.element)
        add = f"%s = arith.add{self.suffix} %a0, %a1 : {y.element}"
        return self.generic([y, b], [None, f"d{self.channel(y)}"], out, [add, "%s"])

    def relu(self, x):
        return self.clamp(x, None)

    def clamp(self, x, high=6):
        if x.element[0] not in "bf":
            zero = f"%z = arith.constant 0 : {x.element}"
            return self.map([x], [zero, f"%m = arith.maxsi %a0, %z : {x.element}", "%m"])
        body = [f"%z = arith.constant 0.0 : {x.element}"]
        body += [f"%m = arith.maximumf %a0, %z : {x.element}"]
        if high is None:
            return self.map([x], [*body, "%m"])
        body += [f"%h = arith.constant {float(high)} : {x.element}"]
        return self.map([x], [*body, f"%n = arith.minimumf %m, %h : {x.element}", "%n"])

    def add(self, a, b):
        return self.map([a, b], [f"%s = arith.add{self.suffix} %a0, %a1 : {a.element}", "%s"])

    def multiply(self, a, b):
        return self.map([a, b], [f"%s = arith.mul{self.suffix} %a0, %a1 : {a.element}", "%s"])

    def tanh(self, x):
        return self.map([x], [f"%t = math.tanh %a0 : {x.element}", "%t"])

    def sigmoid(self, x):
        body = [f"%n = arith.negf %a0 : {x.element}", f"%e = math.exp %n : {x.element}"]
        body += [f"%one = arith.constant 1.0 : {x.element}"]
        body += [f"%d = arith.addf %one, %e : {x.element}"]
        return self.map([x], [*body, f"%q = arith.divf %one, %d : {x.element}", "%q"])

    def max_pool(self, x, window, stride, pad=0):
        batch, spatial, channels = self.split(x)
        sizes = [conv_size(s, window, stride, pad, 1) for s in spatial]
        shape = self.op("tensor.empty() :", [window] * len(spatial), x.element)
        out = self.filled(self.shape(batch, sizes, channels), "-inf", x.element)
        op = "pooling_nchw_max" if self.first else "pooling_nhwc_max"
        ones = attribute("dilations", [1] * len(spatial))
        attributes = f"{{{ones}, {attribute('strides', [stride] * len(spatial))}}}"
        return self.named(op, [self.pad(x, pad, "-inf"), shape], out, attributes)

    def sum_spatial(self, x):
        """Batch x channels."""
        batch, spatial, channels = self.split(x)
        out = self.filled([batch, channels], element=x.element)
        kept = [0, self.channel(x)]
        rest = [i for i in range(len(x.shape)) if i not in kept]
        order = [*kept, *rest]
        place = {dim: f"d{order.index(dim)}" for dim in range(len(x.shape))}
        source = ", ".join(place[dim] for dim in range(len(x.shape)))
        iterators = ["parallel"] * 2 + ["reduction"] * len(rest)
        add = f"%s = arith.add{self.suffix} %a0, %a1 : {x.element}"
        return self.generic([x], [source], out, [add, "%s"], iterators)

    def concat(self, a, b):
        dim = self.channel(a)
        shape = list(a.shape)
        shape[dim] += b.shape[dim]
        text = f"tensor.concat dim({dim}) {a.name}, {b.name} : ({a.type}, {b.type}) ->"
        return self.op(text, shape, a.element)

    def dense(self, x, n, bias=True):
        """Rows of `x` times a matrix."""
        w = self.argument([x.shape[1], n])
        y = self.named("matmul", [x, w], self.filled([x.shape[0], n]))
        if not bias:
            return y
        b = self.argument([n], y.element)
        add = f"%s = arith.add{self.suffix} %a0, %a1 : {y.element}"
        return self.generic([y, b], [None, "d1"], self.empty(y.shape, y.element), [add, "%s"])

    def batch_matmul(self, a, b, transposed=False):
        """a (GxMxK) times b (GxKxN, or GxNxK if transposed)."""
        n = b.shape[1] if transposed else b.shape[2]
        out = self.filled([a.shape[0], a.shape[1], n])
        if not transposed:
            return self.named("batch_matmul", [a, b], out)
        maps = ["(d0, d1, d2, d3) -> (d0, d1, d3)", "(d0, d1, d2, d3) -> (d0, d2, d3)"]
        maps += ["(d0, d1, d2, d3) -> (d0, d1, d2)"]
        text = f"indexing_maps = [{', '.join(f'affine_map<{m}>' for m in maps)}]"
        return self.named("batch_matmul", [a, b], out, text)

    def matrices(self, groups, rows, columns):
        return self.argument([groups, rows, columns])

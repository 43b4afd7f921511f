# Part of the ck-mlir project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as TOSA on tensors. Channels are last; one spatial dimension is two, of which the first
has size 1, as in front ends of TensorFlow Lite."""

from builder import Value, Writer, conv_size, to_list


def array(values):
    return f"array<i64: {', '.join(map(str, values))}>"


class Tosa(Writer):
    def __init__(self, element="f32", accumulator=None):
        super().__init__(element)
        self.accumulator = accumulator or element

    def channel(self, value):
        return len(value.shape) - 1

    def input(self, batch, spatial, channels):
        spatial = [1, *spatial] if len(spatial) == 1 else spatial
        return self.argument([self.batch or batch, *spatial, channels])

    def call(self, op, values, shape, attributes="", element=None):
        names = ", ".join(value.name for value in values)
        types = ", ".join(value.type for value in values)
        return self.op(f"tosa.{op} {names} {attributes} : ({types}) ->", shape, element)

    def constant(self, values, shape, element):
        text = f"dense<{values}>"
        value = Value(self.name(), tuple(shape), element)
        line = f'"tosa.const"() {{values = {text} : {value.type}}} : () -> {value.type}'
        self.lines.append(f"{value.name} = {line}")
        return value

    def zero_point(self, element):
        return self.constant("0.0" if element[0] in "bf" else "0", [1], element)

    def shape_constant(self, sizes):
        name, rank = self.name(), len(sizes)
        text = f"tosa.const_shape {{values = dense<{list(sizes)}> : tensor<{rank}xindex>}}"
        self.lines.append(f"{name} = {text} : () -> !tosa.shape<{rank}>")
        return name

    def reshape(self, value, shape):
        sizes = self.shape_constant(shape)
        text = f"tosa.reshape {value.name}, {sizes} : ({value.type}, !tosa.shape<{len(shape)}>) ->"
        return self.op(text, shape, value.element)

    def convolve(self, op, x, w, channels, sizes, attributes):
        self.products += 1
        b = self.argument([channels], self.accumulator)
        zeros = [self.zero_point(x.element), self.zero_point(w.element)]
        shape = [x.shape[0], *sizes, channels]
        acc = "i32" if self.accumulator == "i32" else "f32"
        attributes = f"{{acc_type = {acc}, {attributes}}}"
        return self.call(op, [x, w, b, *zeros], shape, attributes, self.accumulator)

    def windows(self, x, window, stride, pad, dilation):
        """The input, the window's sizes, the sizes of the result, and the attributes. TOSA wants
        windows to end at the end of the padded input: what no window reaches is left out."""
        spatial = x.shape[1:-1]
        lists = [to_list(value, len(spatial)) for value in (window, stride, pad, dilation)]
        if spatial[0] == 1:
            lists[0][0], lists[1][0], lists[2][0], lists[3][0] = 1, 1, 0, 1
        window, stride, pad, dilation = lists
        sizes = [conv_size(*v) for v in zip(spatial, *lists)]
        rests = [
            size + 2 * p - d * (w - 1) - 1 - (out - 1) * s
            for size, out, w, s, p, d in zip(spatial, sizes, *lists)
        ]
        kept = [size - max(rest - p, 0) for size, rest, p in zip(spatial, rests, pad)]
        if kept != list(spatial):
            x = self.slice(x, [x.shape[0], *kept, x.shape[-1]])
        sides = [side for p, rest in zip(pad, rests) for side in (p, max(p - rest, 0))]
        attributes = f"pad = {array(sides)}, stride = {array(stride)}, dilation = {array(dilation)}"
        return x, window, sizes, attributes

    def slice(self, x, shape):
        start, size = self.shape_constant([0] * len(shape)), self.shape_constant(shape)
        kind = f"!tosa.shape<{len(shape)}>"
        text = f"tosa.slice {x.name}, {start}, {size} : ({x.type}, {kind}, {kind}) ->"
        return self.op(text, shape, x.element)

    def conv(self, x, k, window, stride=1, pad=0, dilation=1, bias=True):
        x, window, sizes, attributes = self.windows(x, window, stride, pad, dilation)
        w = self.argument([k, *window, x.shape[-1]])
        return self.convolve(f"conv{len(sizes)}d", x, w, k, sizes, attributes)

    def depthwise(self, x, window, stride=1, pad=0):
        x, window, sizes, attributes = self.windows(x, window, stride, pad, 1)
        w = self.argument([*window, x.shape[-1], 1])
        return self.convolve("depthwise_conv2d", x, w, x.shape[-1], sizes, attributes)

    def transposed(self, x, k, window, stride, pad):
        sizes = [(s - 1) * stride - 2 * pad + window for s in x.shape[1:-1]]
        w = self.argument([k, window, window, x.shape[-1]])
        attributes = f"out_pad = {array([-pad] * 4)}, stride = {array([stride] * 2)}"
        return self.convolve("transpose_conv2d", x, w, k, sizes, attributes)

    def clamp(self, x, high=6):
        if x.element[0] in "bf":
            top = "0x7F800000" if high is None else float(high)
            limits = f"min_val = 0.0 : {x.element}, max_val = {top} : {x.element}"
        else:
            limits = f"min_val = 0 : {x.element}, max_val = 127 : {x.element}"
        return self.call("clamp", [x], x.shape, f"{{{limits}}}", x.element)

    def relu(self, x):
        return self.clamp(x, None)

    def add(self, a, b):
        return self.call("add", [a, b], a.shape, element=a.element)

    def multiply(self, a, b):
        shift = self.constant("0", [1], "i8")
        return self.call("mul", [a, b, shift], a.shape, element=a.element)

    def tanh(self, x):
        return self.call("tanh", [x], x.shape, element=x.element)

    def sigmoid(self, x):
        return self.call("sigmoid", [x], x.shape, element=x.element)

    def max_pool(self, x, window, stride, pad=0):
        sizes = [conv_size(s, window, stride, pad, 1) for s in x.shape[1:-1]]
        attributes = f"{{kernel = {array([window] * 2)}, stride = {array([stride] * 2)}, "
        attributes += f"pad = {array([pad] * 4)}}}"
        shape = [x.shape[0], *sizes, x.shape[-1]]
        return self.call("max_pool2d", [x], shape, attributes, x.element)

    def sum_spatial(self, x):
        for axis in range(1, len(x.shape) - 1):
            shape = list(x.shape)
            shape[axis] = 1
            x = self.call("reduce_sum", [x], shape, f"{{axis = {axis} : i32}}", x.element)
        return self.reshape(x, [x.shape[0], x.shape[-1]])

    def concat(self, a, b):
        shape = list(a.shape)
        shape[-1] += b.shape[-1]
        axis = f"{{axis = {len(shape) - 1} : i32}}"
        return self.call("concat", [a, b], shape, axis, a.element)

    def batch_matmul(self, a, b, transposed=False):
        if transposed:
            perms = "{perms = array<i32: 0, 2, 1>}"
            shape = [b.shape[0], b.shape[2], b.shape[1]]
            b = self.call("transpose", [b], shape, perms, b.element)
        self.products += 1
        zeros = [self.zero_point(a.element), self.zero_point(b.element)]
        shape = [a.shape[0], a.shape[1], b.shape[2]]
        return self.call("matmul", [a, b, *zeros], shape, element=self.accumulator)

    def matrices(self, groups, rows, columns):
        return self.argument([groups, rows, columns])

    def dense(self, x, n, bias=True):
        rows = self.reshape(x, [1, *x.shape])
        y = self.batch_matmul(rows, self.argument([1, x.shape[1], n]))
        y = self.reshape(y, [x.shape[0], n])
        if not bias:
            return y
        return self.add(y, self.argument([1, n], y.element))

    def rescale(self, x, multiplier, shift):
        """Sums of i8 products back to i8: x * multiplier / 2^shift, rounded and clamped."""
        values = [x, self.constant(str(multiplier), [1], "i32")]
        values += [self.constant(str(shift), [1], "i8")]
        values += [self.zero_point("i32"), self.zero_point("i8")]
        flags = "rounding_mode = SINGLE_ROUND, per_channel = false, scale32 = true"
        flags += ", input_unsigned = false, output_unsigned = false"
        return self.call("rescale", values, x.shape, f"{{{flags}}}", "i8")
